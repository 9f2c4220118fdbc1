"""The search of the web console, and its keyboard shortcuts."""

from urllib.parse import quote

import pytest
import requests
from lxml import html
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import client
from console import CONSOLE, axe_violations, console_browser, follow, open_page, own_violations
from console_checks import PAYLOADS, check_html, expect_harmless, resize
from navigation import patiently
from test_console import refuse_something

ROLE = "arn:aws:iam::000000000000:role/personal-files-google"


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


def found(cloud, text):
    """The paths of what a search finds."""
    answer = requests.get(cloud.url + CONSOLE + "search", params={"q": text})
    assert answer.status_code == 200
    return html.fromstring(answer.text).xpath("//main//li/a/@href")


def test_pages_arns_keys_and_requests_are_found(cloud):
    number = refuse_something(cloud)
    entry = cloud.control("GET", f"journal/{number}")
    assert found(cloud, "usage")[0] == CONSOLE + "policies/usage"
    assert found(cloud, ROLE)[0] == CONSOLE + "identity/accounts/000000000000/roles/personal-files-google"
    assert CONSOLE + "identity/accounts/000000000000" in found(cloud, "test"), "the access key of the root user"
    assert found(cloud, "arn:aws:s3:::personal-files/a b")[0] == CONSOLE + "store/personal-files?key=a%20b"
    assert CONSOLE + "store/personal-files" in found(cloud, "personal-fi")
    assert found(cloud, entry["request_id"])[0] == f"{CONSOLE}journal/{number}"
    assert found(cloud, "no-such-thing") == []
    for path in [path for text in ["usage", ROLE, entry["request_id"]] for path in found(cloud, text)]:
        assert requests.get(cloud.url + path).status_code == 200, path


def test_the_access_key_of_a_user_finds_the_user(cloud):
    iam = client(cloud, "iam")
    iam.create_user(UserName="searched")
    key = iam.create_access_key(UserName="searched")["AccessKey"]
    assert found(cloud, key["AccessKeyId"])[0].endswith("/users/searched")
    assert found(cloud, key["SecretAccessKey"]) == [], "a secret finds nothing"


@pytest.mark.parametrize("payload", PAYLOADS + ["../../reset1", "%00", "\x00\x1b[31m", "1" * 5000])
def test_hostile_texts_stay_text(cloud, browser, payload):
    path = f"search?q={quote(payload)}"
    check_html(cloud.url + CONSOLE + path)
    open_page(browser, cloud, path)
    expect_harmless(browser, payload)


def press_keys(browser, *keys):
    for key in keys:
        ActionChains(browser).send_keys(key).perform()


def test_keys_search_open_pages_and_show_their_list(cloud, browser):
    open_page(browser, cloud)
    press_keys(browser, "/")
    field = browser.switch_to.active_element
    assert field.get_attribute("name") == "q"
    field.send_keys("g?j/")
    assert field.get_attribute("value") == "g?j/", "in a field, keys are text"
    field.clear()
    field.send_keys(ROLE)
    follow(browser, lambda: field.send_keys(Keys.ENTER))
    assert browser.find_element(By.TAG_NAME, "h1").text == "Search"
    assert "personal-files-google" in browser.find_element(By.TAG_NAME, "main").text
    follow(browser, lambda: press_keys(browser, "g", "j"))
    assert browser.find_element(By.TAG_NAME, "h1").text == "Journal"
    press_keys(browser, "?")
    dialog = browser.find_element(By.ID, "shortcuts")
    assert dialog.is_displayed() and "Sandboxes" in dialog.text
    assert axe_violations(browser) == []
    press_keys(browser, Keys.ESCAPE)
    patiently(browser).until(lambda driver: not dialog.is_displayed())
    assert own_violations(browser) == []


def test_shortcuts_can_be_switched_off(cloud, browser):
    open_page(browser, cloud, "journal")
    browser.find_element(By.CSS_SELECTOR, "[data-shortcuts]").click()
    browser.find_element(By.CSS_SELECTOR, "#shortcuts input").click()
    press_keys(browser, Keys.ESCAPE)
    press_keys(browser, "g", "h")
    open_page(browser, cloud, "tokens")
    press_keys(browser, "g", "h", "?")
    assert browser.find_element(By.TAG_NAME, "h1").text == "Tokens" and browser.find_elements(By.ID, "shortcuts") == []
    browser.find_element(By.CSS_SELECTOR, "[data-shortcuts]").click()
    browser.find_element(By.CSS_SELECTOR, "#shortcuts input").click()
    browser.find_element(By.CSS_SELECTOR, "#shortcuts button").click()
    follow(browser, lambda: press_keys(browser, "g", "h"))
    assert browser.find_element(By.TAG_NAME, "h1").text == "Home"


def test_a_phone_has_a_link_to_the_search(cloud, browser):
    resize(browser, 390)
    open_page(browser, cloud)
    assert not browser.find_element(By.CSS_SELECTOR, ".find input").is_displayed()
    follow(browser, browser.find_element(By.XPATH, "//footer//a[text()='Search']").click)
    assert browser.find_element(By.ID, "q").is_displayed()
