"""The Playground's walks from a token vending machine to an object in S3."""

import subprocess
import sys

import pytest
from selenium.webdriver.common.by import By

from console import console_browser, follow, open_page, own_violations, press, text
from walking import Walker, serving


@pytest.fixture(scope="module")
def tidepool():
    with serving("vending-machine") as cloud:
        yield cloud


@pytest.fixture
def walker(tidepool):
    tidepool.reset()
    return Walker(tidepool)


def test_a_user_registers_logs_in_and_reaches_an_object(tidepool):
    tidepool.reset()
    with console_browser() as browser:
        open_page(browser, tidepool, "playground?path=vending")
        press(browser, "Start at the identity machine")
        browser.find_element(By.XPATH, "//summary[normalize-space()='Register another user']").click()
        press(browser, "Register")
        assert "Registered. Now log in." in text(browser)
        press(browser, "Log in")
        press(browser, "Get a token")
        browser.find_element(By.XPATH, "//summary[normalize-space()='The answer, encrypted and decrypted']").click()
        assert "securityToken" in browser.find_element(By.ID, "decrypted").text
        assert "Your folder tidepool/dora/" in text(browser)
        browser.find_element(By.XPATH, "//summary[normalize-space()='Write a file']").click()
        press(browser, "Write")
        assert "dora/note.txt" in text(browser)
        press(browser, "Try to read")
        assert "AccessDenied" in text(browser)
        assert own_violations(browser) == []


@pytest.mark.parametrize("machine", ["identity", "anonymous"])
def test_every_experiment_has_the_expected_code(tidepool, walker, machine):
    def walk():
        walker.start("vending", machine=machine)
        walker.act("login" if machine == "identity" else "device")
        walker.act("assume")

    walk()
    program = subprocess.run([sys.executable, "-c", walker.code("code-0")], text=True, capture_output=True)
    assert program.returncode == 0 and "accessKey" in program.stdout, program.stderr
    if machine == "identity":
        walker.act("read")
        assert "Alice's crab." in walker.shown
    assert walker.break_everything() == {}
    walker.undo(tidepool)
    walk()
    walker.act("write", text="after undo")
    assert "✓ Write" in walker.shown
