"""Moving from page to page in a real browser."""

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from cloud import PATIENCE_SECONDS


def patiently(browser):
    """Waits through whatever the driver says while one page makes way for another: it may ask about a node of the page that is gone."""
    return WebDriverWait(browser, PATIENCE_SECONDS, ignored_exceptions=[WebDriverException])


def press(browser, name, value):
    """Clicks a button and waits until the browser has left the page. The page is marked, since a driver that is asked for a node of
    a page that is being replaced answers with errors of its own."""
    browser.execute_script("window.virgaPressed = true")
    browser.find_element(By.CSS_SELECTOR, f"button[name={name}][value={value}]").click()
    patiently(browser).until(lambda driver: driver.execute_script("return !window.virgaPressed && document.readyState !== 'loading'"))
