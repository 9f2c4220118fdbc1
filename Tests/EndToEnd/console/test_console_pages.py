"""Every page of the web console: accessible, light, complete, and never leaving its origin."""

from pathlib import Path

import pytest
import requests
from lxml import html
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from cloud import Cloud
from console import CONSOLE, axe_violations, console_browser, log_in, open_page, press
from console_checks import check_html, check_pages, resize, weight
from test_console import refuse_something

# The most bytes of Home with its assets.
HEAVIEST_HOME = 80_000


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
    open_page(browser, cloud, "playground?path=saml")
    yield "playground-saml"
    open_page(browser, cloud, "playground?path=vending")
    yield "playground-missing"
    open_page(browser, cloud, "nothing")
    yield "not-found"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(cloud, scheme):
    check_pages(cloud, prepared, scheme)


def test_the_cards_of_home_are_links(cloud):
    home = requests.get(cloud.url + CONSOLE).text
    for title, path in [("AWS", "identity"), ("Identity providers", "identity"), ("Stores", "store")]:
        assert f'<h2><a href="{CONSOLE}{path}">{title}</a></h2>' in home
    assert "1 objects" not in home and "1 buckets" not in home


def test_each_page_has_one_name(cloud):
    """In the menu, as the title, as the heading and in the documentation. The mobile cloud's first page has the name that Oracle gave it."""
    documentation = (Path(__file__).parents[3] / "Sources/Documentation/Console.md").read_text()
    links = html.fromstring(requests.get(cloud.url + CONSOLE).text).xpath("//nav[@aria-label='Console']//a")
    assert len(links) > 10
    for link in links:
        name = link.text
        assert f"\n| {name} | " in documentation, name
        page = html.fromstring(requests.get(cloud.url + link.get("href")).text)
        if name != "Mobile cloud":
            assert page.xpath("string(//h1)") == name
            assert page.xpath("string(//title)") == f"{name} – Virga console"


def test_tabs_show_one_part_and_follow_the_arrow_keys(cloud):
    with console_browser() as browser:
        open_page(browser, cloud)
        shown = lambda: [panel.text for panel in browser.find_elements(By.CSS_SELECTOR, ".tabs > .panel") if panel.is_displayed()]
        assert len(shown()) == 1 and "export AWS_ENDPOINT_URL" in shown()[0]
        browser.execute_script("document.querySelector('.tabs input:checked').focus()")
        ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
        assert len(shown()) == 1 and "import boto3" in shown()[0]
        browser.find_element(By.XPATH, "//label[normalize-space()='Terraform']").click()
        assert len(shown()) == 1 and 'provider "aws"' in shown()[0]


@pytest.mark.parametrize("system, choice", [("light", "Dark"), ("dark", "Light")])
def test_the_colors_can_be_chosen(cloud, system, choice):
    colors = {"Light": "rgba(243, 244, 241, 1)", "Dark": "rgba(21, 24, 23, 1)"}
    own = system.capitalize()
    with console_browser(scheme=system) as browser:
        ground = lambda: browser.find_element(By.TAG_NAME, "body").value_of_css_property("background-color")
        open_page(browser, cloud, "journal")
        assert ground() == colors[own]
        press(browser, choice, within="//footer")
        assert browser.current_url.endswith("/journal") and ground() == colors[choice]
        assert axe_violations(browser) == []
        open_page(browser, cloud, "tokens")
        assert ground() == colors[choice]
        press(browser, "Automatic", within="//footer")
        assert ground() == colors[own]


def test_on_a_phone_the_navigation_is_one_row_and_shows_the_current_room(cloud):
    with console_browser() as browser:
        resize(browser, 320)
        open_page(browser, cloud, "sandboxes")
        top, left, right = browser.execute_script(
            """const box = document.querySelector('.side [aria-current]').getBoundingClientRect()
            return [document.querySelector('main').getBoundingClientRect().top, box.left, box.right]""")
        assert top < 140 and 0 <= left < right <= 320, (top, left, right)


def test_home_is_light(cloud):
    with console_browser() as browser:
        open_page(browser, cloud)
        assert weight(browser) < HEAVIEST_HOME


@pytest.mark.parametrize("path", ["", "journal", "journal?text=x", "playground", "nothing", "journal/nothing", "sign-in"])
def test_the_html_is_strict_and_free_of_inline_code(cloud, path):
    check_html(cloud.url + CONSOLE + path)


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
