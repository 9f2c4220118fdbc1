"""Tests of the OpenID conformance suite's modules of the Dynamic plan that no other plan has, each under its module's name: a client
registers itself, and authenticates with its own key. `Tests/Conformance/OpenID.md` lists plans, modules and these tests."""

import json
import time
from urllib.parse import urlencode

import pytest
import requests
from authlib.common.security import generate_token
from joserfc import jwk, jwt

import company
from login_page import REDIRECT_URI, Page
from openid_flow import Flow, alice, is_page_for_the_person
from publishing import publishing

ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@pytest.fixture(scope="module")
def site():
    """A client's own site, in a dictionary of paths and texts."""
    with publishing("application/json", Cache_Control="max-age=3600") as documents:
        yield documents


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory):
    with company.company(tmp_path_factory.mktemp("company")) as cloud:
        yield cloud


def new_key():
    return jwk.RSAKey.generate_key(2048, {"kid": generate_token(8), "use": "sig"})


def key_set(*keys):
    return {"keys": [key.as_dict(private=False) for key in keys]}


def register(cloud, **metadata):
    """The response of the registration endpoint."""
    document = {"redirect_uris": [REDIRECT_URI], "client_name": "Conformance", **metadata}
    return requests.post(Flow(cloud).metadata["registration_endpoint"], json=document)


class Registered(Flow):
    """A client that registered itself, and authenticates with `private_key_jwt`."""

    def __init__(self, cloud, response_type="code", **metadata):
        super().__init__(cloud, response_type)
        self.key = new_key()
        keys = {} if "jwks_uri" in metadata else {"jwks": key_set(self.key)}
        grants = ["authorization_code", "implicit"] if self.parts & {"id_token", "token"} else ["authorization_code"]
        response = register(cloud, **{
            "token_endpoint_auth_method": "private_key_jwt", "response_types": [response_type], "grant_types": grants, **keys, **metadata})
        assert response.status_code == 201, response.text
        self.registration = response.json()
        self.client_id = self.registration["client_id"]

    def assertion(self, audience=None):
        now = int(time.time())
        claims = {"iss": self.client_id, "sub": self.client_id, "aud": audience or self.metadata["token_endpoint"], "iat": now,
                  "exp": now + 60, "jti": generate_token(20)}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)

    def token(self, audience=None, **form):
        return requests.post(self.metadata["token_endpoint"], data={
            "client_id": self.client_id, "client_assertion_type": ASSERTION, "client_assertion": self.assertion(audience), **form})

    def redeem(self, code, audience=None, **parameters):
        return self.token(audience, grant_type="authorization_code", code=code, redirect_uri=self.redirect_uri, **parameters)

    redirect_uri = REDIRECT_URI

    def request(self, **parameters):
        return super().request(**({"redirect_uri": self.redirect_uri} | parameters))


def test_idtoken_rs256(cloud):
    flow = Registered(cloud, id_token_signed_response_alg="RS256")
    assert flow.verified(flow.tokens(flow.authorize(alice()))["id_token"]).header["alg"] == "RS256"


def test_userinfo_rs256(cloud):
    flow = Registered(cloud, userinfo_signed_response_alg="RS256")
    token = flow.tokens(flow.authorize(alice()))["access_token"]
    response = requests.get(flow.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 200 and response.headers["Content-Type"].partition(";")[0] == "application/jwt"
    keys = jwk.KeySet.import_key_set(requests.get(flow.metadata["jwks_uri"]).json())
    signed = jwt.decode(response.text, keys, algorithms=["RS256"])
    assert signed.claims["iss"] == flow.issuer and signed.claims["aud"] == flow.client_id
    assert signed.claims["sub"] == company.subject("alice")


def test_ensure_redirect_uri_in_authorization_request(cloud):
    assert is_page_for_the_person(alice().open(Registered(cloud).url(redirect_uri=None)))


def test_redirect_uri_query_ok(cloud):
    flow = Registered(cloud, redirect_uris=[f"{REDIRECT_URI}?foo=bar"])
    flow.redirect_uri = f"{REDIRECT_URI}?foo=bar"
    answer = flow.ask(alice())
    assert answer.parameters["foo"] == "bar" and answer.parameters["state"] == flow.state
    assert flow.tokens(answer)["id_token"]


@pytest.mark.parametrize("registered, asked", [("?foo=bar", ""), ("?foo=bar", "?foo=baz"), ("?foo=bar", "?foo=bar&x=y")])
def test_redirect_uri_query_mismatch(cloud, registered, asked):
    flow = Registered(cloud, redirect_uris=[REDIRECT_URI + registered])
    assert is_page_for_the_person(alice().open(flow.url(redirect_uri=REDIRECT_URI + asked)))


def test_redirect_uri_query_added(cloud):
    flow = Registered(cloud)
    assert is_page_for_the_person(alice().open(flow.url(redirect_uri=f"{REDIRECT_URI}?foo=bar")))


def test_redirect_uri_regfrag(cloud):
    response = register(cloud, redirect_uris=[f"{REDIRECT_URI}#fragment"])
    assert (response.status_code, response.json()["error"]) == (400, "invalid_redirect_uri")


def pages(flow):
    """The pages for login and consent that the user sees on the way."""
    person = alice()
    login = person.open(flow.url())
    assert isinstance(login, Page) and login.is_login
    consent = person.sign_in(login)
    assert isinstance(consent, Page) and consent.is_consent
    return [login.text, consent.text]


def test_server(cloud):
    flow = Registered(cloud)
    tokens = flow.tokens(flow.authorize(alice(), scope="openid profile"))
    assert flow.userinfo(tokens["access_token"])["name"] == "Alice Archer"


def test_registration_logo_uri(cloud):
    for page in pages(Registered(cloud, logo_uri="https://rp.example/logo.png")):
        assert 'src="https://rp.example/logo.png"' in page


def test_registration_policy_uri(cloud):
    for page in pages(Registered(cloud, policy_uri="https://rp.example/policy")):
        assert 'href="https://rp.example/policy"' in page


def test_registration_tos_uri(cloud):
    for page in pages(Registered(cloud, tos_uri="https://rp.example/terms")):
        assert 'href="https://rp.example/terms"' in page


def test_registration_jwks_uri(cloud, site):
    flow = Registered(cloud, jwks_uri=f"{site['url']}/jwks")
    site["/jwks"] = json.dumps(key_set(flow.key))
    assert flow.tokens(flow.authorize(alice()))["id_token"]


def test_registration_sector_uri(cloud, site):
    site["/sector"] = json.dumps([REDIRECT_URI, "https://rp.example/cb"])
    flow = Registered(cloud, sector_identifier_uri=f"{site['url']}/sector")
    assert flow.registration["sector_identifier_uri"] == f"{site['url']}/sector"
    assert flow.tokens(flow.authorize(alice()))["id_token"]


def test_registration_sector_bad(cloud, site):
    site["/bad-sector"] = json.dumps(["https://rp.example/cb"])
    response = register(cloud, sector_identifier_uri=f"{site['url']}/bad-sector")
    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")


def test_server_rotate_keys(cloud):
    flow = Registered(cloud)
    first = flow.verified(flow.tokens(flow.authorize(alice()))["id_token"]).header["kid"]
    cloud.control("POST", "keys/rotate", {"provider": "company"})
    second = flow.verified(flow.tokens(flow.authorize(alice()))["id_token"]).header["kid"]
    published = {key["kid"] for key in requests.get(flow.metadata["jwks_uri"]).json()["keys"]}
    assert first != second and second in published


def test_refresh_token_rp_key_rotation(cloud, site):
    flow = Registered(
        cloud, jwks_uri=f"{site['url']}/rotated", grant_types=["authorization_code", "refresh_token"], scope="openid offline_access")
    site["/rotated"] = json.dumps(key_set(flow.key))
    tokens = flow.tokens(flow.authorize(alice(), scope="openid offline_access", prompt="consent"))
    old, flow.key = flow.key, new_key()
    site["/rotated"] = json.dumps(key_set(flow.key))
    response = flow.token(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert response.status_code == 200, response.text
    flow.key = old
    refused = flow.token(grant_type="refresh_token", refresh_token=response.json()["refresh_token"])
    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")


def carried(flow, site, text, **parameters):
    """The response to a request whose request object is at the client's site."""
    site["/object"] = text
    person = alice()
    outer = {"client_id": flow.client_id, "response_type": "code", "scope": "openid", "request_uri": f"{site['url']}/object", **parameters}
    return flow.follow(person, person.open(f"{flow.metadata['authorization_endpoint']}?{urlencode(outer)}"))


def test_request_uri_signed_rs256(cloud, site):
    flow = Registered(cloud, request_uris=[f"{site['url']}/object"], request_object_signing_alg="RS256")
    claims = flow.request() | {"iss": flow.client_id, "aud": flow.issuer}
    answer = carried(flow, site, jwt.encode({"alg": "RS256", "kid": flow.key.kid}, claims, flow.key))
    assert answer.parameters.get("state") == flow.state, answer.parameters
    assert flow.tokens(answer)["id_token"]
    forged = carried(flow, site, jwt.encode({"alg": "RS256", "kid": flow.key.kid}, claims, new_key()), redirect_uri=REDIRECT_URI)
    assert forged.parameters["error"] == "invalid_request_object"


def test_ensure_client_assertion_with_iss_aud_succeeds(cloud):
    flow = Registered(cloud)
    for audience in [flow.issuer, [flow.issuer], flow.metadata["token_endpoint"]]:
        answer = flow.authorize(alice())
        assert flow.redeem(answer.parameters["code"], audience).status_code == 200
    answer = flow.authorize(alice())
    refused = flow.redeem(answer.parameters["code"], "https://other.example")
    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
