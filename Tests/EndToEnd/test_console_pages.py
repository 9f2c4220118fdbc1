"""Every page of the web console: accessible, light, complete, and never leaving its origin."""

import base64

import html5lib
import pytest
import requests
from selenium.webdriver.common.by import By

from console import (
    ARTIFACTS, CONSOLE, axe_violations, console_browser, is_wider_than_window, log_in, open_page, own_violations, press, requested)
from cloud import Cloud
from test_console import refuse_something

# The most bytes of a page with its assets, and of Home.
HEAVIEST, HEAVIEST_HOME = 200_000, 60_000


def prepared(cloud, browser):
    """Opens each page once, in a state that shows its parts. Yields its name."""
    number = refuse_something(cloud)
    open_page(browser, cloud)
    yield "home"
    open_page(browser, cloud, "journal")
    yield "journal"
    open_page(browser, cloud, "journal?text=no-such-request")
    yield "journal-empty"
    open_page(browser, cloud, f"journal/{number}")
    yield "entry"
    open_page(browser, cloud, "playground")
    yield "playground"
    log_in(browser)
    yield "walk-token"
    press(browser, "Get credentials")
    yield "walk-credentials"
    press(browser, "Try to read")
    yield "walk-refused"
    open_page(browser, cloud, "nothing")
    yield "not-found"


def keep_whole_page(browser, name):
    """Saves a screenshot of the page from top to bottom."""
    ARTIFACTS.mkdir(exist_ok=True)
    image = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True})
    (ARTIFACTS / f"console-{name}.png").write_bytes(base64.b64decode(image["data"]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_every_page_fits_its_window(cloud, width, scheme):
    with console_browser(width=width, height=800, scheme=scheme) as browser:
        for name in prepared(cloud, browser):
            keep_whole_page(browser, f"{name}-{width}-{scheme}")
            assert not is_wider_than_window(browser), (name, width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(cloud, scheme):
    with console_browser(scheme=scheme) as browser:
        for name in prepared(cloud, browser):
            # What is folded counts as well.
            browser.execute_script("for (const fold of document.querySelectorAll('details')) { fold.removeAttribute('name'); fold.open = true }")
            assert axe_violations(browser) == [], name
            assert len(browser.find_elements(By.TAG_NAME, "h1")) == 1, name


def test_nothing_leaves_and_nothing_violates_the_policy(cloud):
    with console_browser() as browser:
        for name in prepared(cloud, browser):
            assert own_violations(browser) == [], name
        urls = requested(browser)
        assert len(urls) > 20
        assert [url for url in urls if not url.startswith(cloud.url + "/")] == []
        errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        # The page that does not exist is one of the pages.
        assert [error for error in errors if "/nothing" not in error] == []


def test_pages_are_light_and_well_formed(cloud):
    with console_browser() as browser:
        for name in prepared(cloud, browser):
            page = browser.execute_script("return fetch(location.href).then(answer => answer.status)")
            assert page == 403, "a script cannot read a page"
            sizes = browser.execute_script(
                """return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
                   .filter(entry => !entry.name.includes('/journal?')).reduce((sum, entry) => sum + entry.decodedBodySize, 0)""")
            assert sizes < (HEAVIEST_HOME if name == "home" else HEAVIEST), (name, sizes)


@pytest.mark.parametrize("path", ["", "journal", "journal?text=x", "playground", "nothing", "journal/nothing", "sign-in"])
def test_the_html_is_strict_and_free_of_inline_code(cloud, path):
    text = requests.get(cloud.url + CONSOLE + path).text
    document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    for element in document.iter():
        assert element.tag != "style", path
        if element.tag == "script":
            assert element.get("src", "").startswith("/_virga/ui/assets/") and not element.text
        for name, value in element.attrib.items():
            assert not name.startswith("on") and name != "style", (path, element.tag, name)
            if name in ("href", "src", "action"):
                assert value.startswith(("/", "#", "?", "http://", "https://")), (path, value)


def test_reading_pages_changes_nothing(cloud):
    before = cloud.control("GET", "seed")
    for path in ["", "journal", "playground", "journal/1"]:
        requests.get(cloud.url + CONSOLE + path)
    assert cloud.control("GET", "seed") == before


def test_an_empty_seed_says_what_to_do(tmp_path):
    seed = tmp_path / "empty.json5"
    seed.write_text("{}")
    with Cloud.ephemeral("--seed", seed) as cloud:
        assert "No person can log in" in requests.get(cloud.url + CONSOLE).text
        assert "The seed has no identity provider" in requests.get(cloud.url + CONSOLE + "playground").text
        assert cloud.stop() == 0
