"""The pictures of the web console: the chain, sequence diagrams and decisions."""

from urllib.parse import quote
from xml.etree import ElementTree

import pytest
import requests
from selenium.webdriver.common.by import By

from console import CONSOLE, Reader, console_browser, log_in, open_page, press, text
from console_checks import PAYLOADS, check_html, check_pages, expect_harmless, resize
from test_console import refuse_something

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SVG = "{http://www.w3.org/2000/svg}"


def trace_something(cloud, times=1):
    for _ in range(times):
        requests.get(f"{cloud.url}/personal-files/traced", headers={"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"})


def walk_to_a_refusal(browser, cloud):
    """Opens the page of a walk whose last request was refused, and returns the path of its requests."""
    open_page(browser, cloud, "playground")
    log_in(browser)
    press(browser, "Get credentials")
    press(browser, "Try to read")
    link = browser.find_element(By.PARTIAL_LINK_TEXT, "Every request of this walk").get_attribute("href")
    return link.removeprefix(cloud.url + CONSOLE)


def prepared(cloud, browser):
    """Opens each page with a picture. Yields its name."""
    trace_something(cloud)
    number = refuse_something(cloud)
    open_page(browser, cloud)
    yield "picture-home"
    open_page(browser, cloud, f"journal/{number}")
    yield "picture-decision"
    open_page(browser, cloud, f"journal/sequence?trace_id={TRACE}")
    yield "picture-trace"
    sequence = walk_to_a_refusal(browser, cloud)
    yield "picture-walk"
    open_page(browser, cloud, sequence)
    yield "picture-sequence"
    open_page(browser, cloud, "time")
    yield "picture-lifetimes"
    open_page(browser, cloud, "journal/sequence?text=no-such-request")
    yield "picture-nothing"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_with_pictures_are_sound(cloud, scheme):
    check_pages(cloud, prepared, scheme)


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


def overlapping(browser):
    """The labels that stand outside of their picture, and the pairs of boxes that overlap."""
    return browser.execute_script(
        """const found = []
        for (const picture of document.querySelectorAll('svg.pic')) {
            const whole = picture.getBoundingClientRect()
            for (const text of picture.querySelectorAll('text')) {
                const box = (text.closest('svg') === picture ? text : text.closest('svg')).getBoundingClientRect()
                if (box.right > whole.right + 1 || box.left < whole.left - 1) found.push('outside: ' + text.textContent)
            }
            const boxes = [...picture.querySelectorAll('rect.box')].map(box => box.getBoundingClientRect())
            for (const [index, left] of boxes.entries())
                for (const right of boxes.slice(index + 1))
                    if (left.left < right.right && right.left < left.right && left.top < right.bottom && right.top < left.bottom)
                        found.push('overlap at ' + left.left)
        }
        return found""")


def test_a_walk_is_a_chain_and_a_sequence(cloud, browser):
    sequence = walk_to_a_refusal(browser, cloud)
    lit = browser.find_elements(By.CSS_SELECTOR, "svg.pic[aria-labelledby^=chain] rect.lit")
    assert len(lit) == 1
    assert overlapping(browser) == []
    open_page(browser, cloud, sequence)
    page = text(browser)
    for name in ["Browser", "Application", "Provider", "STS", "Store", "Authorize", "SignIn", "Token", "AssumeRoleWithWebIdentity", "AccessDenied"]:
        assert name in page, name
    assert overlapping(browser) == []
    arrows = browser.find_elements(By.CSS_SELECTOR, "svg.pic a")
    numbers = [int(arrow.get_dom_attribute("href").rsplit("/", 1)[1]) for arrow in arrows]
    assert numbers == sorted(set(numbers)) and len(numbers) >= 6
    refused = [arrow for arrow in arrows if "✗" in arrow.text]
    assert refused and "AccessDenied" in refused[-1].text
    for number in numbers:
        assert requests.get(f"{cloud.url}{CONSOLE}journal/{number}").status_code == 200


def test_a_decision_shows_its_stages_and_both_values(cloud, browser):
    number = refuse_something(cloud)
    decision = cloud.control("GET", f"journal/{number}")["decisions"][0]
    assert [stage["stage"] for stage in decision["stages"]] == [
        "explicit deny", "resource-based policy", "identity-based policy", "permissions boundary", "session policy"]
    assert [stage["outcome"] for stage in decision["stages"]].count("denies") == 1
    open_page(browser, cloud, f"journal/{number}")
    picture = browser.find_element(By.CSS_SELECTOR, ".decision svg.pic")
    assert "✗ Denied" in picture.text and "✗ denies" in picture.text
    assert overlapping(browser) == []


def test_pictures_work_without_scripts_and_on_a_phone(cloud):
    number = refuse_something(cloud)
    reader = Reader(cloud)
    reader.open()
    assert "box lit" in reader.page.text
    with console_browser() as browser:
        resize(browser, 320)
        for path in ["", f"journal/{number}", "journal/sequence"]:
            open_page(browser, cloud, path)
            assert browser.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path


def test_the_file_has_at_most_a_hundred_arrows(cloud, tmp_path):
    trace_something(cloud, 103)
    count = len(cloud.control("GET", "journal", params={"trace_id": TRACE, "limit": 1000})["entries"])
    answer = requests.get(f"{cloud.url}/_virga/journal/diagram", params={"trace_id": TRACE})
    assert answer.headers["Content-Type"] == "image/svg+xml"
    root = ElementTree.fromstring(answer.text)
    assert len(root.findall(f"{SVG}a")) == 100
    assert f"{count - 100} earlier requests were left out." in answer.text
    assert all(arrow.get("href").startswith(f"{cloud.url}{CONSOLE}journal/") for arrow in root.findall(f"{SVG}a"))
    page = requests.get(f"{cloud.url}{CONSOLE}journal/sequence", params={"trace_id": TRACE})
    assert len(page.content) < 150_000
    check_html(page.url)


def test_hostile_texts_stay_text_in_pictures(cloud, browser):
    for payload in PAYLOADS:
        requests.get(
            f"{cloud.url}/{quote(payload[:500])}", headers={"traceparent": f"00-{TRACE[::-1]}-00f067aa0ba902b7-01"})
    for path in ["", f"journal/sequence?trace_id={TRACE[::-1]}", f"journal/sequence?caller={quote(PAYLOADS[1])}"]:
        open_page(browser, cloud, path)
        expect_harmless(browser, path)
        assert overlapping(browser) == []
        check_html(browser.current_url)
    file = requests.get(f"{cloud.url}/_virga/journal/diagram", params={"trace_id": TRACE[::-1]}).text
    assert ElementTree.fromstring(file).findall(f".//{SVG}script") == []
