"""Browser single sign-on of the mobile cloud in a real browser, by SAML and by OpenID Connect, at providers of this process and of
another."""

import json
from contextlib import contextmanager
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import presence_of_element_located, url_contains

from cloud import Cloud
from login_page import Page
from navigation import patiently, press
from test_browser import application, keep_screenshot  # noqa: F401

# The redirect URI of a native client, which may use any port.
REDIRECT = "http://127.0.0.1/mobile/platform/sso/redirect"
CLIENT = {"id": "relay", "secret": "relay secret", "name": "The Mobile Cloud", "redirectURIs": [REDIRECT],
          "metadata": {"application_type": "native"}}


def provider(name):
    people = [{"name": person, "password": f"{person}-password", "subject": f"{name}-{person}",
               "claims": {"name": person.title(), "email": f"{person}@{name}.example", "email_verified": True}}
              for person in ["alice", "bob"]]
    return {"name": name, "kind": "openIDConnect", "issuer": f"https://login.{name}.example", "clients": [CLIENT], "people": people,
            "saml": {"serviceProviders": []}}


@contextmanager
def process(folder, seed):
    folder.mkdir()
    file = folder / "seed.json5"
    file.write_text(json.dumps(seed))
    with Cloud("--port", "0", "--ephemeral", "--seed", file) as cloud:
        yield cloud
        assert cloud.process.poll() is None, f"ended by itself with {cloud.process.returncode}:\n{cloud.logged()}"
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def elsewhere(tmp_path):
    """Another process with an identity provider. Its pages are another site: `localhost` is not `127.0.0.1`."""
    with process(tmp_path / "elsewhere", {"accounts": [], "identityProviders": [provider("partner")]}) as cloud:
        cloud.site = cloud.url.replace("127.0.0.1", "localhost")
        yield cloud


@pytest.fixture
def relay(tmp_path, elsewhere):
    """A mobile cloud with a realm for each type of login. alice has an account in all of them, and bob in none."""
    metadata = requests.get(f"{elsewhere.site}/idp/partner/saml/metadata").text
    by_mail = {"clientID": "relay", "clientSecret": "relay secret", "usernameAttribute": "email", "userMappingAttribute": "mail"}
    ways = {
        "SAML": {"saml": {"identityProvider": "company"}},
        "OpenID": {"openIDConnect": {"issuer": "https://login.company.example"} | by_mail},
        "ForeignSAML": {"saml": {"metadata": metadata}},
        "ForeignOpenID": {"openIDConnect": {"issuer": f"{elsewhere.site}/idp/partner"} | by_mail},
    }
    realms = [
        {"name": name, "signOn": way, "users": [
            {"username": "alice", "email": "alice@company.example" if name == "OpenID" else "alice@partner.example"}]}
        for name, way in ways.items()]
    backends = [{"name": name, "realm": f"{name}(1.0)", "clientID": f"client-{name}", "sso": True} for name in ways]
    backends.append({"name": "Second", "realm": "SAML(1.0)", "clientID": "client-Second", "sso": True})
    seed = {
        "accounts": [], "identityProviders": [provider("company")],
        "mobileCloud": {
            "realms": realms, "backends": backends, "policies": {"Security_SsoRedirectWhitelist": "http://127.0.0.1:8765/callback"}}}
    with process(tmp_path / "relay", seed) as cloud:
        description = {"metadata": requests.get(f"{cloud.url}/mobile/platform/sso/redirect/saml/metadata").text}
        cloud.control("PUT", "providers/company/service-providers", description)
        elsewhere.control("PUT", "providers/partner/service-providers", description)
        yield cloud


def token_url(relay, backend, path="token", **parameters):
    return f"{relay.url}/mobile/platform/sso/{path}?{urlencode({'clientID': f'client-{backend}'} | parameters)}"


def sign_in(browser, name="alice", consents=False):
    patiently(browser).until(presence_of_element_located((By.NAME, "password")))
    browser.find_element(By.NAME, "username").send_keys(name)
    browser.find_element(By.NAME, "password").send_keys(f"{name}-password")
    press(browser, "action", "login")
    if consents:
        patiently(browser).until(presence_of_element_located((By.CSS_SELECTOR, "button[value=allow]")))
        press(browser, "action", "allow")


def arrive(browser, url):
    """Waits until the browser has returned to a page."""
    patiently(browser).until(
        lambda browser: browser.current_url == url and browser.execute_script("return document.readyState") == "complete")


def read_by_the_sdk(browser):
    """The JSON that the JavaScript SDK reads from a page: the text from the first brace to the last."""
    text = browser.execute_script("return document.body.innerHTML")
    return json.loads(text[text.index("{"):text.rindex("}") + 1])


def user_of(relay, token):
    response = requests.get(f"{relay.url}/mobile/platform/users/~", headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 200, response.text
    return response.json()["username"]


@pytest.mark.parametrize("backend, consents", [("SAML", False), ("OpenID", True), ("ForeignSAML", False), ("ForeignOpenID", True)])
def test_a_browser_logs_in_and_sees_the_token(relay, browser, backend, consents):
    """(R9, R10, R17, R18, R102-R105, R107)"""
    url = token_url(relay, backend, "exchange-token")
    browser.get(url)
    sign_in(browser, consents=consents)
    arrive(browser, url)
    token = browser.find_element(By.ID, "access_token").text
    assert user_of(relay, token) == "alice"
    if backend == "SAML":
        keep_screenshot(browser, "mobile-token.png")


@pytest.mark.parametrize("backend, consents", [("SAML", False), ("ForeignSAML", False), ("ForeignOpenID", True)])
def test_the_sdk_reads_the_token_from_the_page_of_the_first_url(relay, browser, backend, consents):
    """(R120, X3-X5)"""
    url = token_url(relay, backend, format="json", _="1470000000000")
    browser.get(url)
    sign_in(browser, consents=consents)
    arrive(browser, url)
    answer = read_by_the_sdk(browser)
    assert answer["expires_in"] == 21600 and answer["token_type"] == "Bearer"
    assert user_of(relay, answer["access_token"]) == "alice"


@pytest.mark.parametrize("backend, consents", [("SAML", False), ("OpenID", True), ("ForeignOpenID", True)])
def test_the_token_is_posted_to_the_app(relay, browser, application, backend, consents):
    """(R110-R113)"""
    browser.get(token_url(relay, backend, redirect_uri="http://127.0.0.1:8765/callback/token?page=1", state="s t&te"))
    sign_in(browser, consents=consents)
    patiently(browser).until(url_contains("127.0.0.1:8765/callback/token"))
    assert browser.title == "Personal Files"
    [posted] = [path for path in application if path.startswith("/callback")]
    path, _, form = posted.rpartition("?")
    fields = {name: values[0] for name, values in parse_qs(form).items()}
    assert path == "/callback/token?page=1"
    assert fields["token_type"] == "Bearer" and fields["expires_in"] == "21600" and fields["state"] == "s t&te"
    assert user_of(relay, fields["access_token"]) == "alice"
    # The address bar does not contain the token.
    assert fields["access_token"] not in browser.current_url


def test_a_second_app_in_the_same_window_gets_the_first_persons_token(relay, browser):
    """(R106)"""
    browser.get(token_url(relay, "SAML"))
    sign_in(browser)
    patiently(browser).until(presence_of_element_located((By.ID, "access_token")))
    browser.get(token_url(relay, "Second", format="json"))
    assert user_of(relay, read_by_the_sdk(browser)["access_token"]) == "alice"
    # In another realm a new login begins.
    browser.get(token_url(relay, "ForeignSAML"))
    patiently(browser).until(presence_of_element_located((By.NAME, "password")))
    # An SDK that logs out deletes the cookie by its name.
    browser.get(token_url(relay, "SAML"))
    authority = urlsplit(relay.url).netloc
    browser.delete_cookie(f"OAMAuthnCookie_{authority}")
    cookies = {cookie["name"]: cookie for cookie in browser.get_cookies()}
    assert f"OAMAuthnCookie_{authority}" not in cookies and cookies["ORA_OSFS_SESSION"]["httpOnly"]


@pytest.mark.parametrize("backend", ["SAML", "OpenID", "ForeignSAML", "ForeignOpenID"])
def test_a_refusal_is_read_where_the_token_would_be(relay, browser, backend):
    url = token_url(relay, backend, format="json")
    browser.get(url)
    patiently(browser).until(presence_of_element_located((By.NAME, "password")))
    press(browser, "action", "deny")
    arrive(browser, url)
    answer = read_by_the_sdk(browser)
    assert answer["status"] == 401 and "denied access" in answer["detail"] and "access_token" not in answer


def test_people_without_an_account_are_refused(relay, browser):
    """(R97, R107)"""
    url = token_url(relay, "SAML")
    browser.get(url)
    sign_in(browser, "bob")
    arrive(browser, url)
    assert "no user with the user name bob" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
    keep_screenshot(browser, "mobile-refusal.png")


def test_statuses_without_a_browser(relay):
    """(R108, R111)"""
    stranger = requests.Session()
    login = Page(stranger.get(token_url(relay, "SAML", format="json")))
    assert login.is_login
    form = login.form
    answer = Page(stranger.post(form_url(login), data=form.fields | {"username": "bob", "password": "bob-password", "action": "login"}))
    refused = stranger.post(form_url(answer), data=answer.form.fields)
    assert refused.status_code == 403 and refused.json()["status"] == 403 and refused.url == token_url(relay, "SAML", format="json")
    assert requests.get(token_url(relay, "nobody")).status_code == 404
    unlisted = requests.get(token_url(relay, "SAML", redirect_uri="https://elsewhere.example/"), allow_redirects=False)
    assert unlisted.status_code == 403 and "Location" not in unlisted.headers


def form_url(page):
    return requests.compat.urljoin(page.url, page.form.action)
