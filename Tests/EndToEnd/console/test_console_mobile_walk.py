"""The Playground's walks through the mobile cloud."""

import subprocess

import pytest
import requests
from selenium.webdriver.common.by import By

from console import CONSOLE, console_browser, follow, open_page, own_violations, press, text
from ridgeline import register_app
from walking import Walker, serving

WALKS = [("basic", "LiftCare(1.0)", "dora"), ("oauth", "LiftCare(1.0)", "dora"), ("saml", "LiftCare(1.0)", "Tessa"),
         ("jwt", "LiftCare(1.0)", "Tessa"), ("facebook", "Skiers(1.0)", "frida")]


@pytest.fixture(scope="module")
def mobile_cloud():
    with serving("mobile-cloud") as cloud:
        yield cloud


@pytest.fixture
def walker(mobile_cloud):
    mobile_cloud.reset()
    return Walker(mobile_cloud)


def start(walker, method, backend):
    walker.start("mobile", backend=backend, method=method)
    if method == "saml":
        walker.act("register")
    walker.act("login")


@pytest.mark.parametrize("method, backend, user", WALKS)
def test_each_method_reaches_the_platform_and_a_custom_api(walker, method, backend, user):
    start(walker, method, backend)
    if method != "facebook":
        walker.act("profile")
        assert '"username"' in walker.code("profile-content")
    walker.act("call")
    assert walker.code("access-content")
    program = subprocess.run(["bash", "-c", walker.code("code-0")], text=True, capture_output=True)
    assert program.returncode == 0 and ("username" in program.stdout or "identityProvider" in program.stdout), program


@pytest.mark.parametrize("method, backend, user", WALKS)
def test_every_experiment_has_the_expected_code(mobile_cloud, walker, method, backend, user):
    start(walker, method, backend)
    before = mobile_cloud.control("GET", "mobile/backends")
    assert walker.break_everything() == {}
    assert mobile_cloud.control("GET", "mobile/backends") == before
    walker.undo(mobile_cloud)
    walker.act("login")
    walker.act("call")
    assert walker.code("access-content")


def test_a_method_that_is_off_says_what_to_change(walker):
    walker.open("playground?path=mobile&backend=Screens(1.0)&method=oauth")
    walker.send(walker.form("start", method="oauth"))
    assert "OAuth Consumer is off. Switch OAuth Consumer on. Settings of Screens(1.0)" in " ".join(walker.shown.split())
    walker.open("playground?path=mobile&backend=Skiers(1.0)&method=basic")
    walker.send(walker.form("start", method="basic"))
    assert "accepts no other login" in walker.shown


def test_single_sign_on_in_a_browser(mobile_cloud):
    mobile_cloud.reset()
    register_app(mobile_cloud)
    with console_browser() as browser:
        open_page(browser, mobile_cloud, "playground?path=mobile")
        follow(browser, browser.find_element(
            By.CSS_SELECTOR, "button[aria-label='Single sign-on in the browser at LiftCare']").click)
        walk = browser.current_url
        page = browser.find_element(By.LINK_TEXT, "Open the token page").get_attribute("href")
        browser.get(page)
        follow(browser, browser.find_element(By.CSS_SELECTOR, "button[name=person][value=tessa]").click)
        token = browser.find_element(By.ID, "access_token").text
        browser.get(walk)
        browser.find_element(By.ID, "token").send_keys(token)
        press(browser, "Use this token")
        press(browser, "Call users/~")
        assert "Tessa" in text(browser)
        press(browser, "Call the API")
        assert own_violations(browser) == []
    walker = Walker(mobile_cloud)
    walker.open(walk)
    assert walker.break_everything() == {}
    walker.undo(mobile_cloud)


def test_the_playground_begins_with_a_path_that_the_seed_completes(mobile_cloud, cloud):
    for server, path in [(mobile_cloud, "mobile"), (cloud, "web-identity")]:
        page = requests.get(f"{server.url}{CONSOLE}playground").text
        assert f'href="{CONSOLE}playground?path={path}" aria-current="page"' in page
