"""Navigation between pages in a real browser."""

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from cloud import PATIENCE_SECONDS


def patiently(browser):
    """Waits, and ignores errors of the driver about nodes of a page that is being replaced."""
    return WebDriverWait(browser, PATIENCE_SECONDS, ignored_exceptions=[WebDriverException])


def press(browser, name, value):
    """Clicks a button and waits until the browser has left the page. The page is marked, because a driver returns errors for nodes of a
    page that is being replaced."""
    browser.execute_script("window.virgaPressed = true")
    browser.find_element(By.CSS_SELECTOR, f"button[name={name}][value={value}]").click()
    patiently(browser).until(lambda driver: driver.execute_script("return !window.virgaPressed && document.readyState !== 'loading'"))
