"""Uses the example application in a headless Chromium: logs alice in, keeps a note, and opens it through its presigned URL."""

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

options = webdriver.ChromeOptions()
for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
    options.add_argument(argument)
service = webdriver.ChromeService("/usr/bin/chromedriver")
with webdriver.Chrome(options=options, service=service) as browser:
    wait = WebDriverWait(browser, 30)
    browser.get("http://localhost:8080/")
    browser.find_element(By.LINK_TEXT, "Log in").click()
    assert browser.current_url.startswith("http://virga.localhost:4566/idp/staff/"), browser.current_url
    browser.find_element(By.NAME, "username").send_keys("alice")
    browser.find_element(By.NAME, "password").send_keys("alice-password")
    browser.find_element(By.CSS_SELECTOR, "form button:not([name=person])").click()
    if browser.current_url.startswith("http://virga.localhost"):
        browser.find_element(By.CSS_SELECTOR, "button[value=allow]").click()
    wait.until(lambda page: page.find_element(By.TAG_NAME, "h1").text == "Notes of Alice Adams")
    browser.find_element(By.NAME, "note").send_keys("shopping")
    browser.find_element(By.NAME, "text").send_keys("bread")
    browser.find_element(By.TAG_NAME, "button").click()
    browser.find_element(By.LINK_TEXT, "shopping").click()
    wait.until(lambda page: page.current_url.startswith("http://virga.localhost:4566/notes/alice-1/shopping?"))
    assert browser.find_element(By.TAG_NAME, "body").text == "bread"
