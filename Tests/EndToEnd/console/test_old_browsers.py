"""Browsers that report the page of a request in `Referer` alone: a page of another origin changes nothing."""

import pytest
import requests

from cloud import Cloud
from console import CONSOLE, Reader
from test_browser import authorization_url
from test_console_access import TOKEN

AGENT = {"User-Agent": "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1)"}
FOREIGN = ["https://evil.example/page", "http://127.0.0.1:1/", "http://localhost/", "about:blank", "http://127.0.0.1:4566@evil.example/"]


@pytest.fixture(params=FOREIGN)
def foreign(request):
    return AGENT | {"Referer": request.param}


def own(cloud):
    return AGENT | {"Referer": cloud.url + "/page?x"}


def test_the_control_api_is_closed(cloud, foreign):
    for method, path in [("POST", "reset"), ("GET", "journal"), ("POST", "tokens"), ("DELETE", "faults"), ("PUT", "journal/capture")]:
        for headers in [foreign, own(cloud), {"Referer": foreign["Referer"]}]:
            answer = requests.request(method, f"{cloud.url}/_virga/{path}", headers=headers, data="{}")
            assert (answer.status_code, answer.json()["error"]) == (403, "page_refused"), (method, path, headers)


def test_forms_of_the_console_are_refused(cloud, root, foreign):
    reader = Reader(cloud)
    reader.open()
    [form] = [form for form in reader.page.forms if form["label"].strip() == "Reset"]
    root.create_bucket(Bucket="still-here")
    answer = requests.post(form["action"], data=form["fields"] | {"word": "reset"}, headers=foreign)
    assert answer.status_code == 403 and "another origin" in answer.text
    assert "still-here" in [bucket["Name"] for bucket in root.list_buckets()["Buckets"]]
    answer = requests.post(form["action"], data=form["fields"] | {"word": "reset"}, headers=own(cloud), allow_redirects=False)
    assert answer.status_code == 303
    assert "still-here" not in [bucket["Name"] for bucket in root.list_buckets()["Buckets"]]


def test_the_sign_in_and_the_class_link_are_refused(foreign):
    with Cloud.ephemeral("--control-token", TOKEN) as cloud:
        for path, fields in [("sign-in", {"token": TOKEN}), ("join", {"code": "x"})]:
            answer = requests.post(cloud.url + CONSOLE + path, data=fields, headers=foreign, allow_redirects=False)
            assert answer.status_code == 403 and "Set-Cookie" not in answer.headers, path
        answer = requests.post(cloud.url + CONSOLE + "sign-in", data={"token": TOKEN}, headers=own(cloud), allow_redirects=False)
        assert answer.status_code == 303 and "Set-Cookie" in answer.headers
        assert cloud.stop() == 0


def test_forms_of_identity_providers_are_refused(cloud, foreign):
    _, login = authorization_url(cloud)

    def sent(headers):
        session = requests.Session()
        page = session.get(login, headers=AGENT).text
        form = page.split('name="form" value="')[1].split('"')[0]
        return session.post(f"{cloud.url}/idp/company/sign-in", data={"form": form, "person": "alice"}, headers=headers, allow_redirects=False)

    refused = sent(foreign)
    assert refused.status_code == 403 and "Location" not in refused.headers
    assert sent(own(cloud)).status_code in (200, 303, 302)
    assert requests.post(f"{cloud.url}/idp/company/saml/logout", headers=foreign).status_code == 403
