"""Hostile texts in every place that the web console shows: they stay text."""

import http.client
import json
from urllib.parse import quote

import pytest
import requests

from clients import client
from cloud import Cloud
from console import CONSOLE, Reader, console_browser, open_page
from console_checks import PAYLOADS, expect_harmless
from navigation import patiently

def seed(path):
    """A seed with the payloads in the texts of people, clients, roles and policies."""
    people = [
        {"name": f"person{number}", "password": "p", "subject": f"subject{number}",
         "claims": {"name": payload, "email": payload, "picture": payload}}
        for number, payload in enumerate(PAYLOADS)]
    statement = {"Sid": "Hostile", "Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::box/<script>window.xss=1</script>/*"]}
    path.write_text(json.dumps({
        "accounts": [{
            "id": "000000000000", "name": PAYLOADS[1], "rootKeys": [{"id": "test", "secret": "test"}],
            "roles": [{
                "name": "hostile", "description": "a role",
                "trustPolicy": {"Version": "2012-10-17", "Statement": [{
                    "Effect": "Allow", "Principal": {"Federated": "accounts.google.com"}, "Action": "sts:AssumeRoleWithWebIdentity"}]},
                "policies": {"hostile": {"Version": "2012-10-17", "Statement": [statement]}}}],
            "buckets": [{"name": "box", "objects": [{"key": payload, "text": payload} for payload in PAYLOADS if len(payload) < 500]}]}],
        "identityProviders": [{
            "name": "google", "kind": "google", "people": people,
            "clients": [{"id": "app", "secret": "s", "name": PAYLOADS[0], "redirectURIs": ["http://localhost:8765/callback"]}]}]}))
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    with Cloud.ephemeral("--seed", seed(tmp_path_factory.mktemp("hostile") / "seed.json5")) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


def plant(cloud):
    """Sends requests with each payload in the path, the query, headers and parameters."""
    for payload in PAYLOADS:
        requests.get(f"{cloud.url}/box/{quote(payload)}?x={quote(payload)}", headers={"User-Agent": quote(payload[:200])})
        requests.post(cloud.url, data={"Action": payload, "Version": "2011-06-15", "RoleSessionName": payload})
        requests.get(f"{cloud.url}/{quote(payload)}")
        cloud.control("POST", "faults", {
            "service": "s3", "action": "ListBuckets", "name": payload, "error": {"code": "Hostile", "status": 418, "message": payload}})
        with pytest.raises(Exception):
            client(cloud, "s3").list_buckets()
    raw = http.client.HTTPConnection("127.0.0.1", cloud.port)
    raw.request("GET", "/box/%00%1b%ff", headers={"User-Agent": "<script>window.xss=1</script>"})
    assert raw.getresponse().status >= 400


def test_hostile_requests_stay_text_in_the_journal(hostile, browser):
    hostile.control("PUT", "journal/capture", {"body": 16384, "for": "PT30M"})
    plant(hostile)
    for path in ["", "journal", f"journal?text={quote(PAYLOADS[1])}&caller={quote(PAYLOADS[0])}&face={quote(PAYLOADS[3])}"]:
        open_page(browser, hostile, path)
        expect_harmless(browser, path)
    entries = hostile.control("GET", "journal", params={"limit": 150, "exclude": "face:control"})["entries"]
    for entry in entries:
        answer = requests.get(f"{hostile.url}{CONSOLE}journal/{entry['number']}")
        assert answer.status_code == 200 and "<script>window" not in answer.text and "<img" not in answer.text
    for entry in entries[::12]:
        open_page(browser, hostile, f"journal/{entry['number']}")
        expect_harmless(browser, entry["target"])


def test_hostile_requests_stay_text_when_the_script_adds_them(hostile, browser):
    open_page(browser, hostile, "journal")
    before = browser.execute_script("return document.querySelectorAll('tbody tr').length")
    plant(hostile)
    patiently(browser).until(lambda driver: driver.execute_script("return document.querySelectorAll('tbody tr').length") > before)
    expect_harmless(browser, "live")


def test_hostile_people_and_policies_stay_text_in_a_walk(hostile, browser):
    open_page(browser, hostile, "playground")
    expect_harmless(browser, "playground")
    for number, payload in enumerate(PAYLOADS):
        reader = Reader(hostile)
        reader.open("playground")
        reader.press("Issue a token", 0, person=f"person{number}")
        assert reader.status == 200, payload
        reader.press("Get credentials", session="walk")
        assert "<script>window" not in reader.page.text and "<img" not in reader.page.text
        if number % 5 == 0:
            browser.get(reader.page.url)
            expect_harmless(browser, payload)


@pytest.mark.parametrize("payload", ["%0d%0aSet-Cookie:x=1", "//evil.example", "javascript:alert(1)", "../../evil", "%00"])
def test_names_in_urls_cannot_redirect_or_split_headers(hostile, payload):
    for path in [f"journal/{payload}", f"playground/{payload}", f"callback?state={payload}&code={payload}", f"?done={payload}", payload]:
        answer = requests.get(f"{hostile.url}{CONSOLE}{path}", allow_redirects=False)
        assert "Set-Cookie" not in answer.headers and "evil.example" not in answer.headers.get("Location", "")
        assert "alert(1)" not in answer.headers.get("Location", "")
