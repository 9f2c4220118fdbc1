"""The Google lookalike: code flow, ID tokens that google-auth verifies, tokeninfo, userinfo."""

import html
import re
from urllib.parse import parse_qs

import google.auth.transport.requests
import google.oauth2.id_token
import pytest
import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from clients import assume, client, keys_of
from cloud import BUCKET
from login_page import REDIRECT_URI, Page, Person, Refusal
from sandboxes import Sandbox

CLIENT, SECRET = "1234567890.apps.googleusercontent.com", "google-client-secret"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class Google:
    def __init__(self, cloud):
        self.url = f"{cloud.url}/idp/google"
        self.metadata = requests.get(f"{self.url}/.well-known/openid-configuration").json()

    def session(self, secret=SECRET, redirect_uri=REDIRECT_URI):
        return OAuth2Session(
            CLIENT, secret, scope="openid email profile", redirect_uri=redirect_uri,
            token_endpoint_auth_method="client_secret_post")

    def sign_in(self, name, password=None, **parameters):
        """The response of the token endpoint."""
        session = self.session()
        url, state = session.create_authorization_url(self.metadata["authorization_endpoint"], **parameters)
        redirect = Person(name, password).authorize(url)
        return session.fetch_token(self.metadata["token_endpoint"], authorization_response=redirect.url, state=state)


@pytest.fixture
def accounts(cloud):
    return Google(cloud)


def test_discovery_has_the_endpoints_of_the_real_service(accounts):
    metadata = accounts.metadata
    assert metadata["issuer"] == "https://accounts.google.com"
    assert metadata["authorization_endpoint"] == f"{accounts.url}/o/oauth2/v2/auth"
    assert metadata["token_endpoint"] == f"{accounts.url}/token"
    assert metadata["userinfo_endpoint"] == f"{accounts.url}/v1/userinfo"
    assert metadata["jwks_uri"] == f"{accounts.url}/oauth2/v3/certs"
    assert metadata["id_token_signing_alg_values_supported"] == ["RS256"]


@pytest.mark.parametrize("password", ["alice-password", None], ids=["typed", "chosen"])
def test_googles_own_library_verifies_the_id_token(cloud, accounts, password):
    answer = accounts.sign_in("alice", password, nonce="n-0S6")
    assert answer["token_type"] == "Bearer" and 3500 < answer["expires_in"] <= 3600
    claims = google.oauth2.id_token.verify_token(
        answer["id_token"], google.auth.transport.requests.Request(), audience=CLIENT,
        certs_url=accounts.metadata["jwks_uri"])
    assert claims["iss"] == "https://accounts.google.com"
    assert (claims["azp"], claims["aud"], claims["nonce"]) == (CLIENT, CLIENT, "n-0S6")
    assert claims["sub"] == cloud.issue("google", "alice")["subject"]
    assert claims["email_verified"] is True and claims["at_hash"]


def test_userinfo_and_token_information_agree_with_the_token(accounts):
    answer = accounts.sign_in("bob")
    userinfo = requests.get(
        accounts.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {answer['access_token']}"}).json()
    information = requests.get(f"{accounts.url}/tokeninfo", params={"id_token": answer["id_token"]}).json()
    assert userinfo["sub"] == information["sub"] and userinfo["email"] == information["email"]
    # Google returns every value as a string here.
    assert all(isinstance(value, str) for value in information.values())
    assert (information["email_verified"], information["alg"], information["azp"]) == ("true", "RS256", CLIENT)


def test_the_whole_chain_to_an_object(cloud, accounts):
    answer = assume(cloud, "google", accounts.sign_in("carol", "carol-password")["id_token"])
    s3 = client(cloud, "s3", **keys_of(answer))
    key = f"{answer['SubjectFromWebIdentityToken']}/photo"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"sunset")
    assert s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() == b"sunset"


@pytest.mark.parametrize("parameters", [{"id_token": "garbage"}, {"access_token": "garbage"}])
def test_token_information_refuses_what_is_no_token(accounts, parameters):
    response = requests.get(f"{accounts.url}/tokeninfo", params=parameters)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_token")


def test_a_code_works_once(accounts):
    session = accounts.session()
    url, _ = session.create_authorization_url(accounts.metadata["authorization_endpoint"])
    redirect = Person("alice").authorize(url)
    session.fetch_token(accounts.metadata["token_endpoint"], authorization_response=redirect.url)
    with pytest.raises(OAuthError, match="invalid_grant"):
        session.fetch_token(accounts.metadata["token_endpoint"], authorization_response=redirect.url)


def test_a_wrong_secret_is_refused(accounts):
    session = accounts.session()
    url, _ = session.create_authorization_url(accounts.metadata["authorization_endpoint"])
    redirect = Person("alice").authorize(url)
    with pytest.raises(OAuthError, match="invalid_client"):
        accounts.session(secret="wrong").fetch_token(
            accounts.metadata["token_endpoint"], authorization_response=redirect.url)


def test_a_person_who_denies_is_sent_back(accounts):
    url, state = accounts.session().create_authorization_url(accounts.metadata["authorization_endpoint"])
    redirect = Person("alice").authorize(url, consent="deny")
    assert (redirect.query["error"], redirect.query["state"]) == ("access_denied", state)


def test_an_unregistered_address_goes_nowhere(accounts):
    url, _ = accounts.session(redirect_uri="https://evil.example/").create_authorization_url(
        accounts.metadata["authorization_endpoint"])
    answer = Person("alice").open(url)
    assert isinstance(answer, Refusal) and answer.status == 400


OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"


@pytest.fixture(scope="module")
def desktop(process):
    """The provider for a desktop application, whose users copy the code from the page, or which reads it from the window's title."""
    seed = {"identityProviders": [{
        "name": "google", "kind": "google", "clients": [{"id": CLIENT, "secret": SECRET, "name": "Desktop", "redirectURIs": [OUT_OF_BAND]}],
        "people": [{"name": "alice", "password": "alice-password", "subject": "110169484474386276334", "claims": {"name": "Alice"}}]}]}
    with Sandbox.seeded(process, seed) as cloud:
        yield Google(cloud)


def titled(desktop, redirect_uri, consent="allow"):
    """The session of the application, the last page, and the content of its title."""
    session = desktop.session(redirect_uri=redirect_uri)
    url, state = session.create_authorization_url(desktop.metadata["authorization_endpoint"], prompt="consent")
    person = Person("alice", "alice-password")
    step = person.open(url)
    while isinstance(step, Page) and step.forms:
        step = person.sign_in(step) if step.is_login else person.press(step, ("action", consent))
    assert isinstance(step, Page), step.text
    title = html.unescape(re.search("<title>(.*?)</title>", step.text)[1])
    told = {name: values[0] for name, values in parse_qs(title.partition(" ")[2]).items()}
    assert told.pop("state") == state
    return session, step, title, told


@pytest.mark.parametrize("redirect_uri", [OUT_OF_BAND, f"{OUT_OF_BAND}:auto"])
def test_an_application_without_an_address_reads_the_code_from_the_title(desktop, redirect_uri):
    session, page, title, told = titled(desktop, redirect_uri)
    assert title.startswith("Success ") and set(told) == {"code"}
    # Users copy the code, unless the application closes the window by itself.
    assert (re.search(r'<code id="code">(.*?)</code>', page.text) is not None) == (redirect_uri == OUT_OF_BAND)
    answer = session.fetch_token(desktop.metadata["token_endpoint"], code=told["code"])
    claims = google.oauth2.id_token.verify_token(
        answer["id_token"], google.auth.transport.requests.Request(), audience=CLIENT, certs_url=desktop.metadata["jwks_uri"])
    assert claims["sub"] == "110169484474386276334"
    with pytest.raises(OAuthError, match="invalid_grant"):
        session.fetch_token(desktop.metadata["token_endpoint"], code=told["code"])


def test_the_title_says_that_somebody_denies(desktop):
    _, _, title, told = titled(desktop, OUT_OF_BAND, consent="deny")
    assert title.startswith("Denied ") and told == {"error": "access_denied"}


def test_an_application_with_an_address_has_no_page_for_its_code(accounts):
    url, _ = accounts.session(redirect_uri=OUT_OF_BAND).create_authorization_url(accounts.metadata["authorization_endpoint"])
    answer = Person("alice").open(url)
    assert isinstance(answer, Refusal) and answer.status == 400
