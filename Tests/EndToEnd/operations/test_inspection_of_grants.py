"""What `POST /_virga/inspect` says of an access token, a refresh token or a code is what the identity provider that issued it does with it."""

import time

import pytest
import requests
from joserfc import jwt
from joserfc.jwk import OctKey

from login_page import REDIRECT_URI

COMPANY = ("web-app", "web-app-client-secret")
GOOGLE = {"client_id": "1234567890.apps.googleusercontent.com", "client_secret": "google-client-secret"}
AMAZON = {"client_id": "amzn1.application-oa2-client.personalfiles", "client_secret": "amazon-client-secret"}


def introspected(cloud, token):
    return requests.post(f"{cloud.url}/idp/company/introspect", data={"token": token}, auth=COMPANY).json()["active"]


def read(path):
    return lambda cloud, token: requests.get(f"{cloud.url}/idp/{path}", params={"access_token": token}).status_code == 200


def refreshed(path, client):
    """At Google and Amazon a refresh token can be used many times."""
    return lambda cloud, token: requests.post(
        f"{cloud.url}/idp/{path}", data=client | {"grant_type": "refresh_token", "refresh_token": token}).status_code == 200


OFFLINE = {"type": "refresh_token", "scope": "openid offline_access"}
# How each token is issued, and whether its provider accepts it.
TOKENS = {
    "access token of OpenID Connect": ("company", {"type": "access_token"}, introspected),
    "JWT access token": ("company", {"type": "access_token", "format": "jwt"}, introspected),
    "refresh token of OpenID Connect": ("company", OFFLINE, introspected),
    "access token of Google": ("google", {"type": "access_token"}, read("google/tokeninfo")),
    "refresh token of Google": ("google", {"type": "refresh_token"}, refreshed("google/token", GOOGLE)),
    "access token of Amazon": ("amazon", {"type": "access_token"}, read("amazon/auth/o2/tokeninfo")),
    "refresh token of Amazon": ("amazon", {"type": "refresh_token"}, refreshed("amazon/auth/o2/token", AMAZON)),
    "access token of Facebook": ("facebook", {"type": "access_token"}, read("facebook/me")),
}


class Issued:
    def __init__(self, cloud, name):
        self.cloud = cloud
        self.provider, self.order, self.accepts = TOKENS[name]
        self.token = self.issue()

    def issue(self, **options):
        client = {"client": COMPANY[0]} if self.provider == "company" else {}
        return self.cloud.token(self.provider, "alice", **client, **self.order, **options)

    def check(self, token=None):
        """Expects that the inspection agrees with the provider, and returns what both say."""
        token = token or self.token
        accepted = self.accepts(self.cloud, token)
        inspection = self.cloud.control("POST", "inspect", {"text": token})
        assert inspection["valid"] is accepted, inspection
        return accepted

    @property
    def failed(self):
        inspection = self.cloud.control("POST", "inspect", {"text": self.token})
        return [check["name"] for check in inspection["checks"] if check["passed"] is False]


@pytest.fixture(params=TOKENS)
def issued(request, cloud):
    return Issued(cloud, request.param)


def test_of_a_token_that_ages(issued):
    assert issued.check()
    issued.cloud.age("PT30M")
    assert issued.check()
    issued.cloud.age("P4000D")
    assert not issued.check() and issued.failed == ["times"]


def test_of_a_token_whose_grants_are_revoked(issued):
    issued.cloud.control("DELETE", f"providers/{issued.provider}/people/alice/grants")
    assert not issued.check()


@pytest.mark.parametrize("fault", ["expired", "revoked"])
def test_of_a_token_with_a_fault(issued, fault):
    assert not issued.check(issued.issue(fault=fault))


def test_of_a_token_whose_user_is_removed(issued):
    issued.cloud.control("DELETE", f"providers/{issued.provider}/people/alice")
    assert not issued.check()


def test_of_a_token_whose_user_is_another_one(issued):
    """A user who is created again under the name has not approved anything."""
    people = f"providers/{issued.provider}/people/alice"
    alice = issued.cloud.control("GET", people)
    issued.cloud.control("DELETE", people)
    issued.cloud.control("PUT", people, alice)
    assert not issued.check()


def test_of_a_changed_token(issued):
    token = issued.token
    for place in range(0, len(token) - 2, 29):
        assert not issued.check(token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1:]), place


@pytest.mark.parametrize("fault", [
    "notYetValid", "issuedInTheFuture", "wrongAudience", "wrongIssuer", "unknownKeyID", "algNone", "hs256WithPublicKey",
    "flippedSignatureBit", "emptySignature", "otherKey", "embeddedKey"])
def test_of_a_signed_access_token_with_a_fault(cloud, fault):
    issued = Issued(cloud, "JWT access token")
    assert not issued.check(issued.issue(fault=fault))


@pytest.mark.parametrize("claims", [{"iss": "https://elsewhere.example"}, {"aud": "elsewhere"}, {"exp": 0}, {"sub": "nobody"}], ids=str)
def test_of_a_signed_access_token_with_other_claims(cloud, claims):
    """The provider looks into its records; what a token says is for the API that receives it."""
    issued = Issued(cloud, "JWT access token")
    assert issued.check(issued.issue(claims=claims))


def test_of_a_signed_access_token_whose_key_is_gone(cloud):
    issued = Issued(cloud, "JWT access token")
    cloud.control("POST", "keys/rotate", {"provider": "company", "overlap": "PT0S"})
    assert not issued.check() and issued.failed == ["key"]


def redeemed(cloud, code, grant_type="authorization_code", name="code", **parameters):
    answer = requests.post(f"{cloud.url}/idp/company/token", auth=COMPANY, data={
        "grant_type": grant_type, name: code, "redirect_uri": REDIRECT_URI} | parameters)
    return answer.status_code == 200


@pytest.mark.parametrize("kind, name", [("code", "code"), ("refresh_token", "refresh_token")])
def test_of_a_code_and_a_refresh_token_that_are_used(cloud, kind, name):
    order = {"type": kind, "client": COMPANY[0], "scope": "openid offline_access"}
    order |= {"redirect_uri": REDIRECT_URI} if kind == "code" else {}
    grant_type = "authorization_code" if kind == "code" else "refresh_token"

    def failed(text):
        inspection = cloud.control("POST", "inspect", {"text": text})
        names = [check["name"] for check in inspection["checks"] if check["passed"] is False]
        assert inspection["valid"] is (not names), inspection
        return names

    token, old = cloud.token("company", "alice", **order), cloud.token("company", "alice", **order)
    assert failed(token) == []
    assert redeemed(cloud, token, grant_type, name)
    assert failed(token) == ["unused"]
    assert not redeemed(cloud, token, grant_type, name)
    cloud.age("P31D")
    assert failed(old) == ["times"]
    assert not redeemed(cloud, old, grant_type, name)


def test_says_nothing_of_an_assertion_of_a_client(cloud):
    """The token endpoint decides about it, which depends on the request."""
    now = int(time.time())
    claims = {
        "iss": COMPANY[0], "sub": COMPANY[0], "aud": f"{cloud.url}/idp/company/token", "iat": now, "exp": now + 60, "jti": "assertion-1"}
    assertion = jwt.encode({"alg": "HS256"}, claims, OctKey.import_key("k" * 64))
    inspection = cloud.control("POST", "inspect", {"text": assertion})
    assert (inspection["kind"], inspection["valid"]) == ("jwt", None), inspection
    assert inspection["verdict"].startswith("Not decided: the token is an assertion of the client web-app")
    assert [check["name"] for check in inspection["checks"]] == ["assertion"]
