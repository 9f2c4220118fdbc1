"""What holds for every page of the web console: it fits, is accessible, light, well formed, harmless, and never leaves its origin."""

import base64

import html5lib
import pytest
import requests
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By

from console import ARTIFACTS, axe_violations, console_browser, is_wider_than_window, own_violations, requested

# The most bytes of a page with its assets.
HEAVIEST = 200_000

# The widths in CSS pixels at which each page is looked at, in light and in dark.
WIDTHS = {"light": [320, 1280], "dark": [768, 1280]}

# Texts that pages must show as they are.
PAYLOADS = [
    "<script>window.xss=1</script>", '"><img src=x onerror=window.xss=1>', "' onfocus=window.xss=1 autofocus '",
    "</title><script>window.xss=1</script>", "</textarea><svg onload=window.xss=1>", "</pre><details open ontoggle=window.xss=1>",
    "javascript:window.xss=1", "data:text/html,<script>window.xss=1</script>", "<base href=//x>",
    "<meta http-equiv=refresh content=0;url=//x>", "<form id=form><input name=action>", "{{constructor.constructor('xss=1')()}}",
    "${xss=1}", "&lt;b&gt;", "%3Cb%3E", "<!--", "]]>", "\u2028x", "\u202egnp.exe", "A" * 3000]


def keep_whole_page(browser, name):
    """Saves a screenshot of the page from top to bottom."""
    ARTIFACTS.mkdir(exist_ok=True)
    image = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True})
    (ARTIFACTS / f"console-{name}.png").write_bytes(base64.b64decode(image["data"]))


def resize(browser, width):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})


def check_pages(cloud, prepared, scheme):
    """Checks each page that `prepared(cloud, browser)` opens.

    `prepared` is a generator that opens one page after the other, in a state that shows its parts, and yields its name.
    """
    with console_browser(scheme=scheme) as browser:
        for name in prepared(cloud, browser):
            page = browser.execute_script("return fetch(location.href).then(answer => answer.status)")
            assert page == 403, f"{name}: a script could read the page"
            assert weight(browser) < HEAVIEST, (name, weight(browser))
            check_html(browser.current_url, browser.get_cookies())
            for width in WIDTHS[scheme]:
                resize(browser, width)
                keep_whole_page(browser, f"{name}-{width}-{scheme}")
                assert not is_wider_than_window(browser), (name, width)
            # What is folded counts as well.
            browser.execute_script("for (const fold of document.querySelectorAll('details')) { fold.removeAttribute('name'); fold.open = true }")
            browser.execute_script("for (const panel of document.querySelectorAll('.tabs>.panel')) panel.style.display = 'block'")
            assert axe_violations(browser) == [], name
            assert len(browser.find_elements(By.TAG_NAME, "h1")) == 1, name
            assert own_violations(browser) == [], name
        urls = requested(browser)
        assert urls and [url for url in urls if not url.startswith((cloud.url + "/", "data:"))] == []
        errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        # The script's own attempt to read each page, and pages that report an error on purpose.
        assert [error for error in errors if "the server responded with a status of 40" not in error] == []


def weight(browser):
    """The bytes of the page and its assets, without what the journal's live update reads."""
    return browser.execute_script(
        """return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
           .filter(entry => !entry.name.includes('/journal?')).reduce((sum, entry) => sum + entry.decodedBodySize, 0)""")


def check_html(url, cookies=()):
    """Checks that a page is strict HTML without inline code, and that its links are paths or web addresses."""
    text = requests.get(url, cookies={cookie["name"]: cookie["value"] for cookie in cookies}).text
    document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    for element in document.iter():
        assert element.tag != "style", url
        if element.tag == "script":
            assert element.get("src", "").startswith("/_virga/ui/assets/") and not element.text
        for name, value in element.attrib.items():
            assert not name.startswith("on") and name != "style", (url, element.tag, name)
            if name in ("href", "src", "action"):
                assert value.startswith(("/", "#", "?", "http://", "https://")), (url, value)


def expect_harmless(browser, name):
    """Checks that nothing that was planted in the page ran, opened a dialog or changed the layout."""
    assert browser.execute_script("return window.xss") is None, name
    assert own_violations(browser) == [], name
    assert not is_wider_than_window(browser), name
    assert browser.execute_script("return document.querySelectorAll('base,main img:not([src^=\"/_virga/ui/\"]),main svg:not(.pic,.pic svg),main meta,main script').length") == 0, name
    with pytest.raises(NoAlertPresentException):
        browser.switch_to.alert.text
