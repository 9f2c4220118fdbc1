"""GitHub as a login of applications: Authlib and httpx-oauth, which read its API, the tokens of an app, devices, and refusals."""

import asyncio
from urllib.parse import parse_qs, urlencode

import pytest
import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from httpx_oauth.clients import github as httpx_github
from httpx_oauth.exceptions import GetIdEmailError
from httpx_oauth.oauth2 import RefreshTokenError

from clients import assume, refused
from console import Reader
from login_page import REDIRECT_URI, Person

CLIENT, SECRET = "Ov23liPersonalFiles1", "github-client-secret"
JSON = {"Accept": "application/json"}
TOKEN_DOCUMENTATION = "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class GitHub:
    def __init__(self, cloud):
        self.url = f"{cloud.url}/idp/github"
        self.token_url = f"{self.url}/login/oauth/access_token"

    def code(self, name="alice", **parameters):
        query = {"client_id": CLIENT, "redirect_uri": REDIRECT_URI, "scope": "user:email", "state": "s"} | parameters
        return Person(name).authorize(f"{self.url}/login/oauth/authorize?{urlencode(query)}").query["code"]

    def redeem(self, code, /, headers=JSON, **parameters):
        data = {"client_id": CLIENT, "client_secret": SECRET, "code": code} | parameters
        return requests.post(self.token_url, data=data, headers=headers)

    def token(self, name="alice", **parameters):
        return self.redeem(self.code(name, **parameters)).json()["access_token"]

    def get(self, path, token):
        return requests.get(f"{self.url}/{path}", headers={"Authorization": f"Bearer {token}"})

    def application(self, method, path, token, **options):
        return requests.request(
            method, f"{self.url}/applications/{CLIENT}/{path}", json={"access_token": token}, **{"auth": (CLIENT, SECRET)} | options)


@pytest.fixture
def github(cloud):
    return GitHub(cloud)


@pytest.fixture
def library(github, monkeypatch):
    """httpx-oauth's client of GitHub, directed to this process."""
    monkeypatch.setattr(httpx_github, "AUTHORIZE_ENDPOINT", f"{github.url}/login/oauth/authorize")
    monkeypatch.setattr(httpx_github, "ACCESS_TOKEN_ENDPOINT", github.token_url)
    monkeypatch.setattr(httpx_github, "PROFILE_ENDPOINT", f"{github.url}/user")
    monkeypatch.setattr(httpx_github, "EMAILS_ENDPOINT", f"{github.url}/user/emails")
    return httpx_github.GitHubOAuth2(CLIENT, SECRET)


def test_authlib_signs_in_with_pkce(github):
    session = OAuth2Session(
        CLIENT, SECRET, scope="read:user user:email", redirect_uri=REDIRECT_URI, code_challenge_method="S256")
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    url, state = session.create_authorization_url(f"{github.url}/login/oauth/authorize", code_verifier=verifier)
    redirect = Person("alice", "alice-password").authorize(url)
    token = session.fetch_token(
        github.token_url, authorization_response=redirect.url, state=state, code_verifier=verifier)
    assert token["access_token"].startswith("gho_") and len(token["access_token"]) == 40
    assert token["scope"] == "read:user,user:email" and "expires_in" not in token
    profile = session.get(f"{github.url}/user")
    assert (profile.json()["login"], profile.json()["id"], profile.json()["email"]) == ("alice", 9110001, None)
    assert profile.headers["X-OAuth-Scopes"] == "read:user, user:email"
    assert session.get(f"{github.url}/user/emails").json() == [
        {"email": "alice@example.com", "primary": True, "verified": True, "visibility": "private"}]
    with pytest.raises(OAuthError, match="bad_verification_code: The code passed is incorrect or expired."):
        session.fetch_token(github.token_url, authorization_response=redirect.url, state=state, code_verifier=verifier)


@pytest.mark.parametrize("name, number, email", [
    ("alice", "9110001", "alice@example.com"), ("bob", "9110002", "bob@example.com")])
def test_httpx_oauth_identifies_the_user(library, name, number, email):
    url = asyncio.run(library.get_authorization_url(REDIRECT_URI, state="s"))
    code = Person(name).authorize(url).query["code"]
    token = asyncio.run(library.get_access_token(code, REDIRECT_URI))
    assert token["scope"] == "user", "user includes user:email"
    assert not token.is_expired()
    assert asyncio.run(library.get_id_email(token["access_token"])) == (number, email)


def test_httpx_oauth_reports_refusals(github, library):
    with pytest.raises(GetIdEmailError) as raised:
        asyncio.run(library.get_id_email("gho_unknown"))
    assert raised.value.response.json() == {
        "message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"}
    token = github.token(scope="read:user")
    with pytest.raises(GetIdEmailError) as raised:
        asyncio.run(library.get_id_email(token))
    assert raised.value.response.status_code == 404
    assert raised.value.response.headers["X-OAuth-Scopes"] == "read:user"
    assert raised.value.response.headers["X-Accepted-OAuth-Scopes"] == "user, user:email"
    with pytest.raises(RefreshTokenError, match="unsupported_grant_type"):
        asyncio.run(library.refresh_token("ghr_unknown"))


@pytest.mark.parametrize("parameters, error, description, section", [
    ({"client_secret": "wrong"}, "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.",
     "incorrect-client-credentials"),
    ({"code": "guess"}, "bad_verification_code", "The code passed is incorrect or expired.", "bad-verification-code")])
def test_a_code_is_refused_in_githubs_words(github, parameters, error, description, section):
    answer = github.redeem(github.code(), **parameters)
    assert (answer.status_code, answer.json()) == (200, {
        "error": error, "error_description": description, "error_uri": f"{TOKEN_DOCUMENTATION}#{section}"})
    form = github.redeem(github.code(), headers={}, **parameters)
    assert form.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8"
    assert parse_qs(form.text)["error"] == [error]


def test_another_redirect_is_refused_at_both_ends(github):
    query = {"client_id": CLIENT, "redirect_uri": "https://evil.example/callback", "state": "s"}
    redirect = Person("alice").authorize(f"{github.url}/login/oauth/authorize?{urlencode(query)}")
    assert redirect.query["error"] == "redirect_uri_mismatch" and redirect.url.startswith(REDIRECT_URI)
    answer = github.redeem(github.code(), redirect_uri=f"{REDIRECT_URI}/other").json()
    assert answer["error"] == "redirect_uri_mismatch"
    assert answer["error_description"] == "The redirect_uri MUST match the registered callback URL for this application."


def test_a_user_without_a_verified_address_gets_no_token(cloud, github):
    person = cloud.control("GET", "providers/github/people/carol")
    person["claims"]["email_verified"] = False
    cloud.control("PUT", "providers/github/people/carol", person)
    answer = github.redeem(github.code("carol"))
    assert (answer.status_code, answer.json()["error"]) == (200, "unverified_user_email")


def test_an_app_checks_resets_and_revokes_its_tokens(github):
    token = github.token()
    checked = github.application("POST", "token", token).json()
    assert (checked["user"]["login"], checked["scopes"], checked["app"]["client_id"]) == ("alice", ["user:email"], CLIENT)
    fresh = github.application("PATCH", "token", token).json()["token"]
    assert github.application("POST", "token", token).status_code == 404
    assert github.get("user", token).status_code == 401 and github.get("user", fresh).status_code == 200
    assert github.application("DELETE", "token", fresh).status_code == 204
    assert github.get("user", fresh).json()["message"] == "Bad credentials"
    tokens = [github.token("bob"), github.token("bob")]
    assert github.application("DELETE", "grant", tokens[0]).status_code == 204
    assert [github.get("user", token).status_code for token in tokens] == [401, 401]
    assert github.application("POST", "token", token, auth=(CLIENT, "wrong")).json()["message"] == "Bad credentials"


def test_a_terminal_signs_in_with_the_device_flow(cloud, github):
    cloud.freeze()
    codes = requests.post(f"{github.url}/login/device/code", data={"client_id": CLIENT, "scope": "repo read:org"}, headers=JSON).json()
    poll = {
        "client_id": CLIENT, "device_code": codes["device_code"], "grant_type": "urn:ietf:params:oauth:grant-type:device_code"}
    pending = requests.post(github.token_url, data=poll, headers=JSON)
    assert (pending.status_code, pending.json()["error"]) == (200, "authorization_pending")
    early = requests.post(github.token_url, data=poll, headers=JSON).json()
    assert (early["error"], early["interval"]) == ("slow_down", codes["interval"] + 5)
    person = Person("carol", "carol-password")
    page = person.sign_in(person.open(f"{codes['verification_uri']}?{urlencode({'user_code': codes['user_code']})}"))
    person.press(page, ("action", "allow"))
    answer = requests.post(github.token_url, data=poll, headers=JSON).json()
    assert answer["scope"] == "read:org,repo"
    assert github.get("user", answer["access_token"]).json()["login"] == "carol"


def test_the_real_hosts_answer(cloud, github):
    token = cloud.token("github", "alice")
    user = requests.get(f"{cloud.url}/user", headers={"Host": "api.github.com", "Authorization": f"token {token}"})
    assert user.json()["html_url"] == "https://github.com/alice" and user.json()["url"] == "https://api.github.com/users/alice"
    page = requests.get(f"{cloud.url}/login/oauth/authorize", params={"client_id": CLIENT}, headers={"Host": "github.com"})
    assert page.status_code == 200 and "Personal Files" in page.text
    missing = requests.get(f"{cloud.url}/repos", headers={"Host": "api.github.com"})
    assert (missing.status_code, missing.json()["message"]) == (404, "Not Found")


def test_sts_does_not_know_github(cloud):
    token = cloud.token("github", "alice")
    with refused("AccessDenied", 403, "Unrecognized OAuth provider"):
        assume(cloud, "facebook", token, ProviderId="github.com")


def test_the_console_offers_no_walk_from_github_to_a_role(cloud):
    reader = Reader(cloud)
    page = reader.open("playground").text
    assert "Log in with Google" in page and "Log in with GitHub" not in page
    identity = reader.open("identity/providers/github").text.replace("<wbr>", "")
    assert CLIENT in identity and "9110001" in identity
    reader.open("identity/providers/github/people/bob")
    reader.press("Preview a token")
    assert "gravatar_id" in reader.page.text, "the answer of the REST API"
