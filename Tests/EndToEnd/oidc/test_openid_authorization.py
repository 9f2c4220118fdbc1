"""Further requests of clients at the authorization endpoint of the issuer `company`, and logouts: request objects, pushed requests,
tokens in the front channel, several host names, logout in a real browser."""

import hashlib
from base64 import urlsafe_b64encode
from urllib.parse import urlencode, urlsplit

import pytest
import requests
from authlib.common.security import generate_token
from joserfc import jwk, jwt
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import url_contains

from login_page import OTHER_REDIRECT_URI, REDIRECT_URI, Page, Person, Redirect
from navigation import patiently, press
from sandboxes import Sandbox
from test_browser import application, keep_screenshot  # noqa: F401

KEY = jwk.ECKey.generate_key("P-256", {"kid": "app-key"})
SECRET = "app-secret-of-more-than-thirty-two-bytes"


def seed(**provider):
    clients = [
        {"id": "app", "secret": SECRET, "name": "The App", "redirectURIs": [REDIRECT_URI, OTHER_REDIRECT_URI], "metadata": {
            "response_types": ["code", "id_token token", "code id_token token"],
            "jwks": {"keys": [KEY.as_dict(private=False)]}, "post_logout_redirect_uris": [OTHER_REDIRECT_URI]}},
        {"id": "careful", "secret": SECRET, "redirectURIs": [REDIRECT_URI], "metadata": {
            "require_pushed_authorization_requests": True}},
        {"id": "desktop", "redirectURIs": ["http://127.0.0.1/callback", "com.example.desktop:/callback"], "metadata": {
            "application_type": "native", "response_modes": ["query"], "response_types": ["code", "token"]}}]
    people = [{"name": "alice", "password": "alice-password", "subject": "employee-1", "claims": {
        "name": "Alice Archer", "email": "alice@company.example", "email_verified": True}}]
    return {"identityProviders": [{
        "name": "company", "issuer": "https://login.company.example", "clients": clients, "people": people, **provider}]}


@pytest.fixture(scope="module")
def cloud(process):
    with Sandbox.seeded(process, seed()) as cloud:
        yield cloud


def metadata_of(cloud):
    return requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()


@pytest.fixture
def metadata(cloud):
    return metadata_of(cloud)


def request(**parameters):
    standard = {"client_id": "app", "response_type": "code", "redirect_uri": REDIRECT_URI, "scope": "openid", "state": "outer"}
    return {name: value for name, value in (standard | parameters).items() if value is not None}


def ask(metadata, person=None, **parameters):
    return (person or Person("alice")).authorize(f"{metadata['authorization_endpoint']}?{urlencode(parameters)}")


def verified(metadata, token):
    keys = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    claims = jwt.decode(token, keys, algorithms=["RS256"]).claims
    assert claims["iss"] == metadata["issuer"]
    return claims


def redeem(metadata, code, **parameters):
    return requests.post(metadata["token_endpoint"], auth=("app", SECRET), data={
        "grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI, **parameters})


def half_digest(text):
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:16]).decode().rstrip("=")


def test_tokens_of_the_front_channel_belong_together(metadata):
    answer = ask(metadata, **request(response_type="code id_token token", nonce="n-1"))
    assert answer.query == {} and answer.fragment["state"] == "outer" and answer.fragment["iss"] == metadata["issuer"]
    claims = verified(metadata, answer.fragment["id_token"])
    assert claims["nonce"] == "n-1"
    assert claims["at_hash"] == half_digest(answer.fragment["access_token"])
    assert claims["c_hash"] == half_digest(answer.fragment["code"])
    assert verified(metadata, redeem(metadata, answer.fragment["code"]).json()["id_token"])["sub"] == claims["sub"]


@pytest.mark.parametrize("algorithm, key", [("ES256", KEY), ("HS256", jwk.OctKey.import_key(SECRET))])
def test_a_signed_request_object_is_what_counts(metadata, algorithm, key):
    inner = request(state="inner", nonce="n-2", iss="app", aud=metadata["issuer"], max_age=600,
                    claims={"id_token": {"email": {"essential": True}}})
    header = {"alg": algorithm, "typ": "oauth-authz-req+jwt"} | ({"kid": "app-key"} if key is KEY else {})
    signed = jwt.encode(header, inner, key)
    answer = ask(metadata, client_id="app", response_type="code", scope="openid", state="outer", request=signed)
    assert answer.query["state"] == "inner"
    claims = verified(metadata, redeem(metadata, answer.query["code"]).json()["id_token"])
    assert (claims["nonce"], claims["email"]) == ("n-2", "alice@company.example")


def test_a_request_object_of_somebody_else_is_refused(metadata):
    forged = jwt.encode({"alg": "ES256", "kid": "app-key"}, request(), jwk.ECKey.generate_key("P-256"))
    assert ask(metadata, **request(request=forged)).query["error"] == "invalid_request_object"


def push(metadata, client="app", **parameters):
    return requests.post(metadata["pushed_authorization_request_endpoint"], auth=(client, SECRET), data=parameters)


def test_a_pushed_request_works_once(metadata):
    verifier = generate_token(48)
    challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    response = push(metadata, **request(code_challenge=challenge, code_challenge_method="S256"))
    assert response.status_code == 201 and response.json()["expires_in"] == 60
    uri = response.json()["request_uri"]
    answer = ask(metadata, client_id="app", request_uri=uri)
    assert answer.query["state"] == "outer"
    assert redeem(metadata, answer.query["code"], code_verifier=verifier).status_code == 200
    page = Person("alice").open(f"{metadata['authorization_endpoint']}?{urlencode({'client_id': 'app', 'request_uri': uri})}")
    assert not isinstance(page, Redirect) and page.status == 400


def test_a_client_that_must_push_cannot_do_without(metadata):
    refused = ask(metadata, **request(client_id="careful"))
    assert (refused.query["error"], refused.query["state"]) == ("invalid_request", "outer")
    uri = push(metadata, "careful", **request(client_id="careful")).json()["request_uri"]
    assert ask(metadata, client_id="careful", request_uri=uri).query["code"]


def test_what_is_pushed_is_checked_at_once(metadata):
    response = push(metadata, **request(redirect_uri="https://evil.example/"))
    assert (response.status_code, response.json()["error"]) == (400, "invalid_request")
    assert push(metadata, **request(response_type="token")).json()["error"] == "unauthorized_client"


def first_redirect(metadata, parameters):
    """The address to which the browser is redirected, for any host name of the machine."""
    person = Person("alice")
    page = person.open(f"{metadata['authorization_endpoint']}?{urlencode(parameters)}")
    for button in [("person", "alice"), ("action", "allow")]:
        response = person.browser.post(
            requests.compat.urljoin(page.url, page.form.action), data=page.form.fields | dict([button]), allow_redirects=False)
        if response.is_redirect:
            return response.headers["Location"]
        page = Page(response)
    raise AssertionError(page.text)


@pytest.mark.parametrize("uri", ["http://127.0.0.1:53127/callback", "com.example.desktop:/callback"])
def test_a_native_application_gets_its_token_in_the_query(metadata, uri):
    location = first_redirect(metadata, request(client_id="desktop", response_type="token", redirect_uri=uri))
    assert location.startswith(f"{uri}?access_token=") and not urlsplit(location).fragment


@pytest.mark.parametrize("document", ["openid-configuration", "oauth-authorization-server"])
def test_metadata_lies_at_both_places(cloud, document):
    appended = requests.get(f"{cloud.url}/idp/company/.well-known/{document}").json()
    inserted = requests.get(f"{cloud.url}/.well-known/{document}/idp/company").json()
    assert appended == inserted and appended["issuer"] == f"{cloud.url}/idp/company"


def test_the_issuer_keeps_its_name_behind_two_hosts(process):
    """The browser uses `localhost`, the application 127.0.0.1; both see the issuer under the name in the seed."""
    origins = {"issuer": "https://id.example"}
    with Sandbox.seeded(process, seed(origins=origins)) as cloud:
        front = cloud.url.replace("127.0.0.1", "localhost")
        metadata = requests.get(f"{front}/idp/company/.well-known/openid-configuration").json()
        back = metadata_of(cloud)
        assert metadata["issuer"] == back["issuer"] == "https://id.example/idp/company"
        assert metadata["token_endpoint"].startswith(front) and back["token_endpoint"].startswith(cloud.url)
        answer = ask(metadata, **request())
        assert answer.query["iss"] == metadata["issuer"]
        assert verified(back, redeem(back, answer.query["code"]).json()["id_token"])["sub"] == "employee-1"
    origins |= {"browser": "https://login.example", "backChannel": "http://virga:4566"}
    with Sandbox.seeded(process, seed(origins=origins)) as cloud:
        metadata = metadata_of(cloud)
        assert metadata["authorization_endpoint"] == "https://login.example/idp/company/authorize"
        assert metadata["end_session_endpoint"] == "https://login.example/idp/company/logout"
        assert metadata["token_endpoint"] == "http://virga:4566/idp/company/token"
        assert metadata["jwks_uri"] == "http://virga:4566/idp/company/jwks"


def choose_alice(browser):
    """Logs in and consents, unless alice has consented before."""
    press(browser, "person", "alice")
    if browser.find_elements(By.CSS_SELECTOR, "button[name=action][value=allow]"):
        press(browser, "action", "allow")


def sign_in(cloud, browser):
    metadata = metadata_of(cloud)
    browser.get(f"{metadata['authorization_endpoint']}?{urlencode(request(redirect_uri=OTHER_REDIRECT_URI))}")
    choose_alice(browser)
    patiently(browser).until(url_contains("127.0.0.1:8765/callback?"))
    return metadata


def test_a_person_leaves_with_a_browser(cloud, browser, application):  # noqa: F811
    metadata = sign_in(cloud, browser)
    leave = urlencode({"client_id": "app", "post_logout_redirect_uri": OTHER_REDIRECT_URI, "state": "bye"})
    browser.get(f"{metadata['end_session_endpoint']}?{leave}")
    keep_screenshot(browser, "logout.png")
    assert "The App" in browser.find_element(By.TAG_NAME, "main").text
    press(browser, "action", "logout")
    patiently(browser).until(url_contains("state=bye"))
    browser.get(f"{metadata['authorization_endpoint']}?{urlencode(request(prompt='none', redirect_uri=OTHER_REDIRECT_URI))}")
    patiently(browser).until(url_contains("error=login_required"))


def test_a_form_post_with_tokens_posts_itself(cloud, browser):  # noqa: F811
    """The page submits itself with its only script. In this test the redirect URI has no server."""
    metadata = metadata_of(cloud)
    parameters = request(response_type="id_token token", nonce="n", response_mode="form_post", redirect_uri=OTHER_REDIRECT_URI)
    browser.get(f"{metadata['authorization_endpoint']}?{urlencode(parameters)}")
    choose_alice(browser)
    patiently(browser).until(lambda driver: driver.current_url.startswith(OTHER_REDIRECT_URI))
