"""The login page in a real browser: headless Chromium logs in and ends at the application with a code."""

import base64
import fcntl
import os
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree import ElementTree

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import presence_of_element_located, url_contains
from selenium.webdriver.support.select import Select

from clients import assume
from login_page import OTHER_REDIRECT_URI
from navigation import patiently, press

ARTIFACTS = Path(__file__).parents[1] / "artifacts"


@pytest.fixture
def application(tmp_path_factory):
    """The application at its registered URI. It shows and records each request, and a form like a query."""
    visits = []

    class Callback(BaseHTTPRequestHandler):
        def do_POST(self):
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.path += "?" + form
            self.do_GET()

        def do_GET(self):
            visits.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Personal Files</title><h1>Welcome back</h1>")

        def log_message(self, *_):
            pass

    # Each test process has its own folder within that of the run. One at a time has the port.
    run = tmp_path_factory.getbasetemp()
    with open((run.parent if "PYTEST_XDIST_WORKER" in os.environ else run) / "application.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with ThreadingHTTPServer(("127.0.0.1", 8765), Callback) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield visits
            server.shutdown()


def authorization_url(cloud, **parameters):
    metadata = requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()
    fields = {"response_type": "code", "client_id": "web-app", "redirect_uri": OTHER_REDIRECT_URI, "scope": "openid profile",
              "state": "s t&te"}
    return metadata, f"{metadata['authorization_endpoint']}?{urlencode(fields | parameters)}"


def keep_screenshot(browser, name):
    """Saves a screenshot and checks that the page is not blank."""
    ARTIFACTS.mkdir(exist_ok=True)
    image = browser.get_screenshot_as_png()
    (ARTIFACTS / name).write_bytes(image)
    width, height, colours = described(image)
    assert width >= 800 and height >= 600
    assert colours > 20, f"{name} shows nothing"


def described(image):
    """Width and height of a PNG, and the number of different byte values in its pixels."""
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    at, pixels, size = 8, b"", None
    while at < len(image):
        length, kind = struct.unpack(">I4s", image[at:at + 8])
        data = image[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", data[:8])
        elif kind == b"IDAT":
            pixels += data
        at += length + 12
    return *size, len(set(zlib.decompress(pixels)))


def test_a_person_signs_in_with_a_browser(cloud, browser, application):
    metadata, url = authorization_url(cloud)
    browser.get(url)
    keep_screenshot(browser, "login.png")
    browser.find_element(By.NAME, "username").send_keys("alice")
    browser.find_element(By.NAME, "password").send_keys("alice-password")
    press(browser, "action", "login")
    keep_screenshot(browser, "consent.png")
    press(browser, "action", "allow")
    patiently(browser).until(url_contains("127.0.0.1:8765/callback?"))

    assert browser.title == "Personal Files"
    answer = {name: values[0] for name, values in parse_qs(urlsplit(application[0]).query).items()}
    assert answer["state"] == "s t&te"
    tokens = requests.post(metadata["token_endpoint"], auth=("web-app", "web-app-client-secret"), data={
        "grant_type": "authorization_code", "code": answer["code"], "redirect_uri": OTHER_REDIRECT_URI}).json()
    assert assume(cloud, "company", tokens["id_token"])["SubjectFromWebIdentityToken"]


def test_an_application_watches_the_session_in_a_frame(cloud, browser, application):
    """OpenID Connect Session Management 1.0 section 3."""
    metadata, url = authorization_url(cloud)
    browser.get(url)
    press(browser, "person", "alice")
    if browser.find_elements(By.CSS_SELECTOR, "button[name=action][value=allow]"):
        press(browser, "action", "allow")
    patiently(browser).until(url_contains("127.0.0.1:8765/callback?"))
    [state] = parse_qs(urlsplit(application[0]).query)["session_state"]

    def ask(message):
        return browser.execute_async_script(
            """
            const [page, message, done] = arguments
            const frame = document.createElement('iframe')
            addEventListener('message', event => { if (event.source === frame.contentWindow) done(event.data) }, {once: true})
            frame.onload = () => frame.contentWindow.postMessage(message, new URL(page).origin)
            frame.src = page
            document.body.append(frame)
            """, metadata["check_session_iframe"], message)

    assert ask(f"web-app {state}") == "unchanged"
    assert ask("web-app another") == "changed"
    assert ask("unknown-client x") == "error" and ask("x") == "error"
    browser.get(metadata["end_session_endpoint"])
    press(browser, "action", "logout")
    browser.get(OTHER_REDIRECT_URI)
    assert ask(f"web-app {state}") == "changed"
    assert ask("web-app ") == "unchanged", "who was let in by nobody is still nobody"


def test_keycloaks_script_learns_whether_frames_have_cookies(cloud, browser, application):
    browser.get(OTHER_REDIRECT_URI)
    answer = browser.execute_async_script(
        """
        const [page, done] = arguments
        const frame = document.createElement('iframe')
        addEventListener('message', event => { if (event.source === frame.contentWindow) done(event.data) })
        frame.src = page
        document.body.append(frame)
        """, f"{cloud.url}/realms/company/protocol/openid-connect/3p-cookies/step1.html")
    assert answer == "supported"


def test_a_seeded_person_is_chosen_with_one_click(cloud, browser, application):
    _, url = authorization_url(cloud)
    browser.get(url)
    press(browser, "person", "bob")
    press(browser, "action", "deny")
    patiently(browser).until(url_contains("127.0.0.1:8765/callback?"))
    assert parse_qs(urlsplit(application[0]).query)["error"] == ["access_denied"]


def test_a_person_chooses_a_site_at_the_page_of_ad_fs(cloud, browser, application):
    acs = "http://127.0.0.1:8765/acs"
    cloud.control("PUT", "providers/company/service-providers", {
        "entityID": "urn:example:site", "name": "The Site", "assertionConsumerServices": [acs]})
    browser.get(f"{cloud.url}/adfs/ls/idpinitiatedsignon.aspx")
    choice = Select(browser.find_element(By.NAME, "loginToRp"))
    choice.select_by_visible_text("The Site")
    keep_screenshot(browser, "sites.png")
    browser.find_element(By.CSS_SELECTOR, "button.primary").click()
    patiently(browser).until(presence_of_element_located((By.NAME, "password")))
    browser.find_element(By.NAME, "username").send_keys("alice")
    browser.find_element(By.NAME, "password").send_keys("alice-password")
    press(browser, "action", "login")
    # The form with the response submits itself.
    patiently(browser).until(url_contains("127.0.0.1:8765/acs"))
    [message] = parse_qs(urlsplit(application[0]).query)["SAMLResponse"]
    response = ElementTree.fromstring(base64.b64decode(message))
    assert response.get("Destination") == acs
    [name] = response.iter("{urn:oasis:names:tc:SAML:2.0:assertion}NameID")
    assert name.text == "alice"
    # The user signs out at all sites. This site has no endpoint for that.
    browser.get(f"{cloud.url}/adfs/ls/idpinitiatedsignon")
    assert "You are signed in as alice." in browser.page_source
    press(browser, "action", "logout")
    assert "Not every site" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text


def test_a_form_of_another_site_finds_the_session(cloud, browser, application):
    """Browsers do not send the session cookie with such a form, but the user does not have to log in again."""
    acs = "http://127.0.0.1:8765/acs"
    cloud.control("PUT", "providers/company/service-providers", {
        "entityID": "urn:example:site", "name": "The Site", "assertionConsumerServices": [acs]})
    browser.get(f"{cloud.url}/idp/company/adfs/ls/idpinitiatedsignon?loginToRp=urn:example:site")
    press(browser, "person", "bob")
    patiently(browser).until(url_contains("127.0.0.1:8765/acs"))
    request = base64.b64encode(b"""<p:AuthnRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0"
        IssueInstant="2026-01-01T00:00:00Z"><Issuer xmlns="urn:oasis:names:tc:SAML:2.0:assertion">urn:example:site</Issuer></p:AuthnRequest>""")
    form = f"""<form method="post" action="{cloud.url}/idp/company/saml/sso">
        <input name="SAMLRequest" value="{request.decode()}"><input name="RelayState" value="deep"><button name="go" value="1">Go</button></form>"""
    browser.get(f"data:text/html;base64,{base64.b64encode(form.encode()).decode()}")
    browser.find_element(By.NAME, "go").click()
    patiently(browser).until(url_contains("127.0.0.1:8765/acs"))
    fields = parse_qs(urlsplit([path for path in application if path.startswith("/acs")][-1]).query)
    response = ElementTree.fromstring(base64.b64decode(fields["SAMLResponse"][0]))
    assert response.get("InResponseTo") == "_1" and fields["RelayState"] == ["deep"]


def test_the_login_page_is_accessible(cloud, browser):
    _, url = authorization_url(cloud)
    browser.get(url)
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang")
    assert browser.title and len(browser.find_elements(By.TAG_NAME, "h1")) == 1
    for name in ["username", "password"]:
        field = browser.find_element(By.NAME, name)
        assert field.accessible_name, f"{name} has no label"
    assert browser.find_element(By.NAME, "password").get_attribute("type") == "password"
    for button in browser.find_elements(By.TAG_NAME, "button"):
        assert button.accessible_name
