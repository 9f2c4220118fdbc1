"""Tests of the OpenID conformance suite's modules of the Front-channel logout, Session management and Third-party-initiated login plans,
each under its module's name. `Tests/Conformance/OpenID.md` lists plans, modules and these tests."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from selenium.webdriver.support.expected_conditions import url_contains

import company
from navigation import patiently, press


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory):
    with company.company(tmp_path_factory.mktemp("company")) as cloud:
        yield cloud


@pytest.fixture(scope="module")
def metadata(cloud):
    return requests.get(f"{company.issuer(cloud)}/.well-known/openid-configuration").json()


class Application:
    """A relying party that registers itself and records its requests in order: path and query."""

    def __init__(self, metadata):
        self.metadata, self.visits = metadata, []
        application = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urlsplit(self.path)
                application.visits.append((parts.path, parse_qs(parts.query)))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>Application</title><h1>Here you are</h1>")

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.goodbye = f"{self.url}/post_logout_redirect"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def register(self, **members):
        self.client = requests.post(self.metadata["registration_endpoint"], json={
            "redirect_uris": [f"{self.url}/callback"], "post_logout_redirect_uris": [self.goodbye], **members}).json()

    def visits_of(self, path):
        return [query for visited, query in self.visits if visited == path]

    def ask(self, browser, **parameters):
        """Sends the browser to the issuer."""
        fields = {"response_type": "code", "client_id": self.client["client_id"], "redirect_uri": f"{self.url}/callback",
                  "scope": "openid", "state": "of-mind", "nonce": "once"}
        browser.get(f"{self.metadata['authorization_endpoint']}?{urlencode(fields | parameters)}")

    def answer(self, browser):
        patiently(browser).until(url_contains(f"{self.url}/callback?"))
        return {name: values[0] for name, values in self.visits_of("/callback")[-1].items()}

    def sign_in(self, browser):
        """The response of the authorization endpoint, and the ID token."""
        self.ask(browser)
        press(browser, "person", "alice")
        press(browser, "action", "allow")
        answer = self.answer(browser)
        tokens = requests.post(self.metadata["token_endpoint"], auth=(self.client["client_id"], self.client["client_secret"]), data={
            "grant_type": "authorization_code", "code": answer["code"], "redirect_uri": f"{self.url}/callback"}).json()
        return answer, tokens["id_token"]

    def log_out(self, browser, hint):
        browser.get(f"{self.metadata['end_session_endpoint']}?" + urlencode(
            {"id_token_hint": hint, "post_logout_redirect_uri": self.goodbye, "state": "gone"}))
        patiently(browser).until(url_contains(f"{self.goodbye}?"))
        assert self.visits_of("/post_logout_redirect") == [{"state": ["gone"]}]

    def watch(self, browser, state):
        """The message of the issuer's frame to a page of the application (Session Management 1.0 section 3.1)."""
        browser.get(f"{self.url}/watching")
        return browser.execute_async_script(
            """
            const [page, message, done] = arguments
            const frame = document.createElement('iframe')
            addEventListener('message', event => { if (event.source === frame.contentWindow) done(event.data) })
            frame.onload = () => frame.contentWindow.postMessage(message, new URL(page).origin)
            frame.src = page
            document.body.append(frame)
            """, self.metadata["check_session_iframe"], f"{self.client['client_id']} {state}")


@pytest.fixture
def application(metadata):
    application = Application(metadata)
    yield application
    application.close()


def claims_of(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def test_frontchannel_logout_discovery_endpoint_verification(metadata):
    assert metadata["frontchannel_logout_supported"] is True and metadata["frontchannel_logout_session_supported"] is True
    assert metadata["end_session_endpoint"].startswith(metadata["issuer"])


def test_frontchannel_rp_initiated_logout(metadata, browser, application):
    application.register(
        frontchannel_logout_uri=f"{application.url}/frontchannel_logout", frontchannel_logout_session_required=True)
    _, hint = application.sign_in(browser)
    application.log_out(browser, hint)
    told = application.visits_of("/frontchannel_logout")
    assert told == [{"iss": [metadata["issuer"]], "sid": [claims_of(hint)["sid"]]}]
    application.ask(browser, prompt="none")
    assert application.answer(browser)["error"] == "login_required"


def test_session_management_discovery_endpoint_verification(metadata):
    assert metadata["check_session_iframe"].startswith(metadata["issuer"])
    assert metadata["end_session_endpoint"].startswith(metadata["issuer"])


def test_session_management_rp_initiated_logout(browser, application):
    application.register()
    answer, hint = application.sign_in(browser)
    assert answer["session_state"] and " " not in answer["session_state"]
    assert application.watch(browser, answer["session_state"]) == "unchanged"
    application.log_out(browser, hint)
    assert application.watch(browser, answer["session_state"]) == "changed"


def test_3rd_party_init_login(application):
    uri = "https://rp.example/initiate"
    application.register(initiate_login_uri=uri)
    assert application.client["initiate_login_uri"] == uri
    known = requests.get(application.client["registration_client_uri"], headers={
        "Authorization": f"Bearer {application.client['registration_access_token']}"})
    assert known.status_code == 200 and known.headers["Content-Type"] == "application/json"
    assert known.json()["initiate_login_uri"] == uri


def test_3rd_party_init_login_nohttps(metadata):
    response = requests.post(metadata["registration_endpoint"], json={
        "redirect_uris": ["https://rp.example/callback"], "initiate_login_uri": "http://rp.example/initiate"})
    assert response.status_code == 400 and response.json()["error"] == "invalid_client_metadata"
