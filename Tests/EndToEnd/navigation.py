"""Navigation between pages in a real browser."""

import contextlib

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from cloud import TIMEOUT_SECONDS


@contextlib.contextmanager
def chromium(*arguments, authorities=True):
    """Runs headless Chromium. Without `authorities` it accepts every certificate."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    options.accept_insecure_certs = not authorities
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1000,800",
                     "--disable-background-networking", "--no-first-run", "--no-proxy-server", *arguments]:
        options.add_argument(argument)
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


def patiently(browser):
    """Waits, and ignores errors of the driver about nodes of a page that is being replaced."""
    return WebDriverWait(browser, TIMEOUT_SECONDS, ignored_exceptions=[WebDriverException])


def press(browser, name, value):
    """Clicks a button and waits until the browser has left the page. The page is marked, because a driver returns errors for nodes of a
    page that is being replaced."""
    browser.execute_script("window.virgaPressed = true")
    browser.find_element(By.CSS_SELECTOR, f"button[name={name}][value={value}]").click()
    patiently(browser).until(lambda driver: driver.execute_script("return !window.virgaPressed && document.readyState !== 'loading'"))
