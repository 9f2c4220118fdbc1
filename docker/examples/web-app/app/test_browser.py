"""A test of the running application in the browser of another container. It resets Virga first."""

import os

import pytest
import requests
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

APPLICATION = os.environ["NOTES_URL"]
VIRGA = os.environ["VIRGA_ENDPOINT"]
HEADERS = {"Authorization": f"Bearer {os.environ['VIRGA_CONTROL_TOKEN']}"}


@pytest.fixture
def browser():
    requests.post(f"{VIRGA}/_virga/reset", json={}, headers=HEADERS).raise_for_status()
    driver = webdriver.Remote(os.environ["SELENIUM_URL"], options=webdriver.ChromeOptions())
    yield driver
    driver.quit()


def test_a_note_in_a_browser(browser):
    wait = WebDriverWait(browser, 30)
    browser.get(f"{APPLICATION}/")
    browser.find_element(By.LINK_TEXT, "Log in").click()
    assert browser.current_url.startswith(f"{VIRGA}/idp/staff/")
    browser.find_element(By.NAME, "username").send_keys("alice")
    browser.find_element(By.NAME, "password").send_keys("alice-password")
    browser.find_element(By.CSS_SELECTOR, "form button:not([name=person])").click()
    # The consent page, at the first login.
    wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, "button[value=allow]"))[0].click()
    wait.until(lambda page: page.find_element(By.TAG_NAME, "h1").text == "Notes of Alice Adams")
    browser.find_element(By.NAME, "note").send_keys("shopping")
    browser.find_element(By.NAME, "text").send_keys("bread")
    browser.find_element(By.TAG_NAME, "button").click()
    browser.find_element(By.LINK_TEXT, "shopping").click()
    wait.until(lambda page: page.current_url.startswith(f"{VIRGA}/notes/alice-1/shopping?"))
    assert browser.find_element(By.TAG_NAME, "body").text == "bread"
