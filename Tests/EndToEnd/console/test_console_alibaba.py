"""The Playground's walks to objects in OSS."""

import subprocess
import sys

import pytest
import requests
from selenium.webdriver.common.by import By

from console import console_browser, follow, open_page, own_violations, press, text
from walking import Walker, serving

HARBOUR = "1987654321098765"
METHODS = ["app-server", "assume-role", "oidc", "self-signed"]


@pytest.fixture(scope="module")
def harbour_cloud():
    with serving("alibaba") as cloud:
        yield cloud


@pytest.fixture
def walker(harbour_cloud):
    harbour_cloud.reset()
    return Walker(harbour_cloud)


def start(walker, method):
    walker.start("alibaba", account=HARBOUR, method=method, person="alice")
    if method in ("assume-role", "oidc"):
        walker.act("assume")


def read(walker):
    walker.send(walker.form("read", key="alice/hello.txt"))
    assert "Hello Alice, this is your folder." in walker.shown


@pytest.mark.parametrize("method", METHODS)
def test_each_method_leads_to_an_object(walker, method):
    start(walker, method)
    read(walker)
    walker.send(walker.form("presign", key="alice/hello.txt"))
    assert requests.get(walker.code("presigned-url")).text == "Hello Alice, this is your folder.\n"
    if method == "app-server":
        walker.act("signature", signature="oss-v1")
        read(walker)
        assert "OSS STS." in walker.shown


@pytest.mark.parametrize("method", METHODS)
def test_every_experiment_has_the_expected_code(harbour_cloud, walker, method):
    start(walker, method)
    assert walker.break_everything() == {}
    walker.undo(harbour_cloud)
    start(walker, method)
    read(walker)


@pytest.mark.parametrize("method", METHODS)
def test_the_copied_program_runs(walker, method):
    start(walker, method)
    program = walker.code("code-0")
    command = ["bash", "-c", program] if method == "self-signed" else [sys.executable, "-c", program]
    result = subprocess.run(command, text=True, capture_output=True)
    assert result.returncode == 0 and "this is your folder." in result.stdout, result.stderr


def test_files_are_written_and_deleted(walker):
    start(walker, "app-server")
    walker.act("write", key="alice/boat.txt", text="a boat")
    assert "alice/boat.txt" in [form["fields"].get("key") for form in walker.page.forms]
    walker.send(walker.form("delete", key="alice/boat.txt"))
    walker.send(walker.form("read", key="bob/hello.txt"))
    assert "AccessDenied" in walker.shown


def test_a_login_at_the_app_server_and_by_openid_connect_in_a_browser(harbour_cloud):
    harbour_cloud.reset()
    with console_browser() as browser:
        open_page(browser, harbour_cloud, "playground?path=alibaba")
        browser.find_element(By.XPATH, "//summary[normalize-space()='Log in to the app server']").click()
        follow(browser, browser.find_element(By.CSS_SELECTOR, "button[aria-label='Start: Log in to the app server (harbour)']").click)
        press(browser, "Read")
        assert "Hello Alice, this is your folder." in text(browser)
        press(browser, "Try to read")
        assert "AccessDenied" in text(browser)
        open_page(browser, harbour_cloud, "playground?path=alibaba")
        browser.find_element(By.XPATH, "//summary[normalize-space()='AssumeRoleWithOIDC with an ID token']").click()
        follow(browser, browser.find_element(
            By.CSS_SELECTOR, "button[aria-label='Start: AssumeRoleWithOIDC with an ID token (harbour)']").click)
        follow(browser, browser.find_element(By.LINK_TEXT, "Log in again with harbour").click)
        follow(browser, browser.find_element(By.CSS_SELECTOR, "button[name=person][value=bob]").click)
        allow = browser.find_elements(By.CSS_SELECTOR, "button[name=action][value=allow]")
        if allow:
            follow(browser, allow[0].click)
        assert "Bob Baker has an id_token" in text(browser)
        press(browser, "Get credentials")
        press(browser, "Read")
        assert "this is your folder." in text(browser)
        assert own_violations(browser) == []
