"""The issuer `company` with an independent relying party: Authlib, through the login page."""

import base64
import hashlib

import pytest
import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwk, jwt

from clients import assume, client, keys_of
from cloud import BUCKET
from login_page import OTHER_REDIRECT_URI, REDIRECT_URI, Page, Person, Refusal

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def metadata(cloud):
    return requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()


class RelyingParty:
    """A web application that logs users in at an issuer."""

    def __init__(self, metadata, client_id="web-app", client_secret="web-app-client-secret", redirect_uri=REDIRECT_URI,
                 method="client_secret_basic"):
        self.metadata = metadata
        self.session = OAuth2Session(
            client_id, client_secret, scope="openid profile email", redirect_uri=redirect_uri,
            code_challenge_method="S256",
            token_endpoint_auth_method=method if client_secret else "none")
        self.verifier = generate_token(48)
        self.nonce = generate_token(20)

    def begin(self, **parameters):
        """The URL to which the user is redirected."""
        url, self.state = self.session.create_authorization_url(
            self.metadata["authorization_endpoint"], code_verifier=self.verifier, nonce=self.nonce, **parameters)
        return url

    def finish(self, redirect, **parameters):
        return self.session.fetch_token(
            self.metadata["token_endpoint"], authorization_response=redirect.url, state=self.state,
            **{"code_verifier": self.verifier} | parameters)

    def verified(self, token):
        """The claims of an ID token, verified with the issuer's published keys."""
        keys = jwk.KeySet.import_key_set(requests.get(self.metadata["jwks_uri"]).json())
        decoded = jwt.decode(token, keys, algorithms=["RS256"])
        jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": self.metadata["issuer"]},
            aud={"essential": True, "value": self.session.client_id},
            sub={"essential": True}, exp={"essential": True}, iat={"essential": True},
            nonce={"essential": True, "value": self.nonce}).validate(decoded.claims)
        return decoded


@pytest.fixture
def relying_party(metadata):
    return RelyingParty(metadata)


def test_discovery_describes_the_issuer(cloud, metadata):
    assert metadata["issuer"] == f"{cloud.url}/idp/company"
    for endpoint in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]:
        assert metadata[endpoint].startswith(f"{cloud.url}/idp/company/")
    assert "code" in metadata["response_types_supported"]
    assert "public" in metadata["subject_types_supported"]
    assert "RS256" in metadata["id_token_signing_alg_values_supported"]
    assert "S256" in metadata["code_challenge_methods_supported"]
    assert "openid" in metadata["scopes_supported"]


def test_published_keys_are_public(metadata):
    keys = requests.get(metadata["jwks_uri"]).json()["keys"]
    assert keys
    for key in keys:
        assert key["kid"] and key["kty"] in ("RSA", "EC") and key["use"] == "sig"
        assert not {"d", "p", "q", "dp", "dq", "qi"} & set(key)


@pytest.mark.parametrize("password", ["alice-password", None], ids=["typed", "chosen"])
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_person_signs_in_and_the_token_is_verified(cloud, metadata, password, method):
    relying_party = RelyingParty(metadata, method=method)
    redirect = Person("alice", password).authorize(relying_party.begin())
    assert redirect.query["state"] == relying_party.state
    tokens = relying_party.finish(redirect)

    assert tokens["token_type"].lower() == "bearer"
    identity = relying_party.verified(tokens["id_token"])
    assert identity.header["alg"] == "RS256" and identity.header["kid"]
    assert identity.claims["sub"] == cloud.issue("company", "alice")["subject"]
    userinfo = relying_party.session.get(metadata["userinfo_endpoint"]).json()
    assert userinfo["sub"] == identity.claims["sub"]
    assert userinfo["name"] and "@" in userinfo["email"]


def test_the_access_token_is_bound_to_the_id_token(relying_party):
    tokens = relying_party.finish(Person("bob").authorize(relying_party.begin()))
    digest = hashlib.sha256(tokens["access_token"].encode()).digest()[:16]
    expected = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert relying_party.verified(tokens["id_token"]).claims["at_hash"] == expected


def test_from_the_login_page_to_the_object(cloud, relying_party):
    tokens = relying_party.finish(Person("carol", "carol-password").authorize(relying_party.begin()))
    answer = assume(cloud, "company", tokens["id_token"])
    s3 = client(cloud, "s3", **keys_of(answer))
    key = f"{answer['SubjectFromWebIdentityToken']}/photo"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"sunset")
    assert s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() == b"sunset"


def test_a_public_client_signs_people_in_with_proof_of_possession(metadata):
    relying_party = RelyingParty(metadata, client_id="cli", client_secret=None, redirect_uri=OTHER_REDIRECT_URI)
    tokens = relying_party.finish(Person("alice").authorize(relying_party.begin()))
    assert relying_party.verified(tokens["id_token"]).claims["aud"] in ("cli", ["cli"])


def test_a_public_client_without_a_challenge_is_sent_back(metadata):
    redirect = Person("alice").authorize(
        f"{metadata['authorization_endpoint']}?response_type=code&client_id=cli&scope=openid&state=s"
        f"&redirect_uri={OTHER_REDIRECT_URI}")
    assert (redirect.query["error"], redirect.query["state"]) == ("invalid_request", "s")


def test_a_person_who_denies_is_sent_back_without_a_code(relying_party):
    redirect = Person("alice").authorize(relying_party.begin(), consent="deny")
    assert redirect.query["error"] == "access_denied"
    assert redirect.query["state"] == relying_party.state
    assert "code" not in redirect.query


def test_a_wrong_password_shows_the_login_page_again(relying_party):
    person = Person("alice", "wrong")
    answer = person.sign_in(person.open(relying_party.begin()))
    page = answer.page if isinstance(answer, Refusal) else answer
    assert isinstance(page, Page) and page.is_login
    assert isinstance(person.sign_in(page), Page | Refusal), "a wrong password went through the second time"


@pytest.mark.parametrize("uri", [
    "http://localhost:8765/other", "http://localhost:8765/callback/", "http://localhost:8765/callback?x=1",
    "http://LOCALHOST:8765/callback", "http://localhost:8766/callback", "https://evil.example/callback"])
def test_a_redirect_address_that_is_not_registered_is_never_used(metadata, uri):
    relying_party = RelyingParty(metadata, redirect_uri=uri)
    response = requests.get(relying_party.begin(), allow_redirects=False)
    assert response.status_code == 400
    assert "Location" not in response.headers


def test_an_unknown_client_is_never_sent_anywhere(metadata):
    response = requests.get(RelyingParty(metadata, client_id="nobody").begin(), allow_redirects=False)
    assert response.status_code == 400
    assert "Location" not in response.headers


@pytest.mark.parametrize("parameters, error", [
    ("response_type=magic&scope=openid", "unsupported_response_type"), ("scope=openid", "invalid_request"),
    ("response_type=code&scope=openid&prompt=none", "login_required"),
    ("response_type=code&scope=openid&code_challenge=x&code_challenge_method=S512", "invalid_request")])
def test_a_faulty_authorization_request_is_answered_to_the_client(metadata, parameters, error):
    redirect = Person("alice").authorize(
        f"{metadata['authorization_endpoint']}?client_id=web-app&redirect_uri={REDIRECT_URI}&state=s&{parameters}")
    assert (redirect.query["error"], redirect.query["state"]) == (error, "s")


def refusal_of(relying_party, redirect, **parameters):
    """The error of the token endpoint."""
    with pytest.raises(OAuthError) as raised:
        relying_party.finish(redirect, **parameters)
    return raised.value.error


def test_a_code_works_once(relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    relying_party.finish(redirect)
    assert refusal_of(relying_party, redirect) == "invalid_grant"


def test_a_code_that_is_used_again_takes_its_tokens_back(metadata, relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    token = relying_party.finish(redirect)["access_token"]
    refusal_of(relying_party, redirect)
    answer = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401


def test_a_code_grows_old(cloud, relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    cloud.age("PT15M")
    assert refusal_of(relying_party, redirect) == "invalid_grant"


def test_a_wrong_verifier_is_refused(relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    assert refusal_of(relying_party, redirect, code_verifier=generate_token(48)) == "invalid_grant"


def test_a_missing_verifier_is_refused(relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    assert refusal_of(relying_party, redirect, code_verifier=None) == "invalid_grant"


def test_a_code_belongs_to_its_redirect_address(relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    relying_party.session.redirect_uri = OTHER_REDIRECT_URI
    assert refusal_of(relying_party, redirect) == "invalid_grant"


def test_a_code_belongs_to_its_client(metadata, relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    other = RelyingParty(metadata, client_id="cli", client_secret=None)
    other.state, other.verifier = relying_party.state, relying_party.verifier
    assert refusal_of(other, redirect) == "invalid_grant"


def test_a_wrong_client_secret_is_refused(metadata, relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    form = {"grant_type": "authorization_code", "code": redirect.query["code"], "redirect_uri": REDIRECT_URI,
            "code_verifier": relying_party.verifier}
    for credentials in [{"auth": ("web-app", "wrong"), "data": form},
                        {"data": form | {"client_id": "web-app", "client_secret": "wrong"}},
                        {"data": form | {"client_id": "web-app"}}, {"data": form}]:
        response = requests.post(metadata["token_endpoint"], **credentials)
        assert (response.status_code, response.json()["error"]) == (401, "invalid_client"), credentials
    assert "Basic" in requests.post(
        metadata["token_endpoint"], auth=("web-app", "wrong"), data=form).headers["WWW-Authenticate"]
    # The code is still valid for its client.
    assert relying_party.finish(redirect)["id_token"]


def test_an_unknown_grant_is_unsupported(metadata):
    response = requests.post(
        metadata["token_endpoint"], auth=("web-app", "web-app-client-secret"), data={"grant_type": "magic"})
    assert (response.status_code, response.json()["error"]) == (400, "unsupported_grant_type")


def test_answers_with_tokens_are_not_stored(metadata, relying_party):
    redirect = Person("alice").authorize(relying_party.begin())
    response = requests.post(metadata["token_endpoint"], auth=("web-app", "web-app-client-secret"), data={
        "grant_type": "authorization_code", "code": redirect.query["code"], "redirect_uri": REDIRECT_URI,
        "code_verifier": relying_party.verifier})
    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer garbage"}])
def test_userinfo_needs_a_token(metadata, headers):
    response = requests.get(metadata["userinfo_endpoint"], headers=headers)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_name_in_the_page_is_never_markup(metadata, relying_party):
    person = Person("alice", "wrong")
    page = person.open(relying_party.begin(state="<script>alert(1)</script>\"'"))
    answer = person.press(page, ("action", "login"), username="<script>alert(2)</script>", password="x")
    for text in [page.text, answer.text]:
        assert "<script>alert" not in text
