"""Tests of the running application, as a browser sees it. They reset Virga before each test."""

import html.parser
import os
import urllib.parse

import pytest
import requests

APPLICATION = os.environ.get("NOTES_URL", "http://localhost:8080")
VIRGA = os.environ["VIRGA_ENDPOINT"]
HEADERS = {"Authorization": f"Bearer {os.environ['VIRGA_CONTROL_TOKEN']}"}


class Form(html.parser.HTMLParser):
    """The action and the fields of the form on a page."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.action = attributes.get("action", "")
        elif tag == "input" and attributes.get("name"):
            self.fields[attributes["name"]] = attributes.get("value", "")


class Browser(requests.Session):
    """A browser of a person."""

    def submit(self, page, **fields):
        form = Form(page.text)
        assert form.action is not None, f"{page.status_code} without a form at {page.url}:\n{page.text}"
        return self.post(urllib.parse.urljoin(page.url, form.action), data=form.fields | fields)

    def log_in(self, person):
        page = self.submit(self.get(f"{APPLICATION}/login"), username=person, password=f"{person}-password")
        if page.url.startswith(VIRGA):
            # The consent page, at the first login.
            page = self.submit(page, action="allow")
        assert page.url.startswith(APPLICATION), f"the provider answers {page.status_code} at {page.url}:\n{page.text}"
        return page


def control(path, **body):
    requests.post(f"{VIRGA}/_virga/{path}", json=body, headers=HEADERS).raise_for_status()


@pytest.fixture
def alice():
    control("reset")
    browser = Browser()
    assert "Notes of Alice Adams" in browser.log_in("alice").text
    return browser


def test_a_note_is_kept(alice):
    page = alice.post(f"{APPLICATION}/notes", data={"note": "shopping", "text": "bread"})
    assert ">shopping</a>" in page.text
    note = alice.get(f"{APPLICATION}/notes/shopping")
    # The last request went to the presigned URL.
    assert note.url.startswith(f"{VIRGA}/notes/alice-1/shopping?") and note.text == "bread"


def test_notes_of_others_are_hidden(alice):
    alice.post(f"{APPLICATION}/notes", data={"note": "shopping", "text": "bread"})
    bob = Browser()
    assert "shopping" not in bob.log_in("bob").text
    assert bob.get(f"{APPLICATION}/notes/shopping").status_code == 403


def test_after_an_hour_new_credentials_are_fetched(alice):
    control("clock", age="PT1H5M")
    page = alice.get(APPLICATION)
    # S3 refused the old ones, and the application sent the browser to the provider, where alice is logged in.
    assert any(step.url.startswith(f"{VIRGA}/idp/staff/authorize?") for step in page.history)
    assert "Notes of Alice Adams" in page.text


def test_a_denied_upload(alice):
    control("faults", service="s3", error="AccessDenied", action="PutObject")
    page = alice.post(f"{APPLICATION}/notes", data={"note": "shopping", "text": "bread"})
    assert (page.status_code, page.text) == (403, "AccessDenied")
