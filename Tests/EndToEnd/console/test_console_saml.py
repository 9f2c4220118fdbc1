"""The Playground's walk from a SAML login to an object in S3."""

import base64
import zlib
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import requests
from selenium.webdriver.common.by import By

from console import console_browser, follow, open_page, own_violations, press, text
from walking import Walker

OWN = "employee-0001-alice/"


@pytest.fixture
def walker(cloud):
    return Walker(cloud)


def test_a_login_by_saml_leads_to_an_object(cloud):
    with console_browser() as browser:
        open_page(browser, cloud, "playground?path=saml")
        follow(browser, browser.find_element(By.LINK_TEXT, "Log in with company").click)
        follow(browser, browser.find_element(By.CSS_SELECTOR, "button[name=person][value=alice]").click)
        assert "Alice Archer has a SAMLResponse" in text(browser)
        assert "SAMLResponse" not in browser.current_url
        press(browser, "Get credentials")
        assert f"Your folder personal-files/{OWN}" in text(browser)
        press(browser, "Read")
        assert "Hello Alice" in text(browser)
        press(browser, "Try to read")
        assert "AccessDenied" in text(browser) and "does not apply" in text(browser)
        assert own_violations(browser) == []


def test_the_walk_works_without_scripts(cloud, walker):
    walker.start("saml", provider="company", person="alice")
    assert "urn:oasis:names:tc:SAML:2.0:assertion" in walker.shown, "the assertion is decoded"
    walker.act("assume")
    walker.act("read")
    assert "Hello Alice" in walker.shown
    walker.act("presign")
    assert "Hello Alice" in requests.get(walker.code("presigned-url")).text


def test_every_experiment_has_the_expected_code(cloud, walker):
    walker.start("saml", provider="company", person="alice")
    walker.act("assume")
    assert walker.break_everything() == {}
    walker.undo(cloud)
    walker.act("token", person="alice")
    walker.act("assume")
    walker.act("read")
    assert "Hello Alice" in walker.shown


@pytest.mark.parametrize("address", ["http://elsewhere.example/_virga/ui/callback", "{url}/_virga/ui/callbacks", "{url}/box/callback"])
def test_only_the_console_receives_responses_that_are_for_others(cloud, walker, address):
    walker.open("playground?path=saml")
    [url] = [url for url, name in walker.page.links if name.strip() == "Log in with company"]
    request = zlib.decompress(base64.b64decode(parse_qs(urlsplit(url).query)["SAMLRequest"][0]), -15).decode()
    changed = request.replace(f"{cloud.url}/_virga/ui/callback", address.format(url=cloud.url))
    assert changed != request
    packed = zlib.compressobj(wbits=-15)
    message = base64.b64encode(packed.compress(changed.encode()) + packed.flush()).decode()
    answer = requests.get(f"{cloud.url}/idp/company/saml/sso?SAMLRequest={quote(message, safe='')}")
    assert answer.status_code == 400 and "has not registered the response endpoint" in answer.text


def test_a_response_that_no_walk_asked_for_is_refused(cloud, walker):
    answer = cloud.control("POST", "tokens", {"provider": "company", "user": "alice", "serviceProvider": "urn:amazon:webservices"})
    for state in ["", "a.b.c"]:
        refused = requests.get(f"{cloud.url}/_virga/ui/callback", params={"SAMLResponse": answer["SAMLResponse"], "RelayState": state})
        assert refused.status_code == 403
