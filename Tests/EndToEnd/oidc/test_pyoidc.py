"""pyoidc, whose authors wrote the first test suite for OpenID providers, at the issuer `company`: it registers itself, checks each
message against the specification, and uses every kind of request that it supports."""

from urllib.parse import urlsplit

import pytest
from oic.oic import Client
from oic.oic.message import (
    AccessTokenResponse, AuthorizationErrorResponse, AuthorizationResponse, Claims, ClaimsRequest, OpenIDSchema,
    ProviderConfigurationResponse, RegistrationResponse)
from oic.utils.authn.client import CLIENT_AUTHN_METHOD
from oic.utils.keyio import build_keyjar
from oic.utils.settings import OicClientSettings

from company import issuer
from login_page import OTHER_REDIRECT_URI, REDIRECT_URI, Person, Redirect
from openid_flow import RESPONSE_TYPES, alice

# Its messages are parsed by a library that still supports Python 2.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

STATE, NONCE = "a-state-of-twenty-letters", "a-nonce-of-twenty-letters"
SCOPE = ["openid", "profile", "email", "offline_access"]
AUTHENTICATION = ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"]


class RelyingParty:
    """A client that has registered itself."""

    def __init__(self, cloud, response_type="code", authentication="client_secret_basic", **metadata):
        self.response_type, self.authentication = response_type, authentication
        _, keys, _ = build_keyjar([{"type": "RSA", "key": "", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}])
        self.client = Client(client_authn_method=CLIENT_AUTHN_METHOD, keyjar=keys, settings=OicClientSettings())
        self.client.base_url, self.client.requests_dir = urlsplit(REDIRECT_URI)._replace(path="").geturl(), "/requests"
        provider = self.client.provider_config(issuer(cloud))
        assert isinstance(provider, ProviderConfigurationResponse)
        # Tokens are returned through the browser only to https URIs (OpenID Connect Dynamic Client Registration 1.0 section 2).
        self.redirect_uri = REDIRECT_URI if response_type == "code" else "https://app.example/callback"
        grants = ["authorization_code", "refresh_token"] + ([] if response_type == "code" else ["implicit"])
        self.client.redirect_uris = [self.redirect_uri]
        registered = self.client.register(
            provider["registration_endpoint"], redirect_uris=[self.redirect_uri], response_types=[response_type], grant_types=grants,
            token_endpoint_auth_method=authentication, jwks=keys.export_jwks(), **metadata)
        assert isinstance(registered, RegistrationResponse)

    def ask(self, person, how=None, **parameters):
        """The message that is returned for a request."""
        request = self.client.construct_AuthorizationRequest(
            request_args={
                "response_type": self.response_type, "scope": SCOPE, "state": STATE, "nonce": NONCE, "redirect_uri": self.redirect_uri,
                **parameters}, **(how or {}))
        redirect = person.authorize(request.request(self.client.authorization_endpoint))
        assert isinstance(redirect, Redirect)
        url = urlsplit(redirect.url)
        return self.client.parse_response(
            AuthorizationResponse, info=url.query or url.fragment, sformat="urlencoded", keyjar=self.client.keyjar)

    def redeem(self, answer):
        tokens = self.client.do_access_token_request(
            state=STATE, request_args={"code": answer["code"], "redirect_uri": self.redirect_uri}, authn_method=self.authentication)
        assert isinstance(tokens, AccessTokenResponse), tokens.to_dict()
        return tokens

    def userinfo(self):
        claims = self.client.do_user_info_request(state=STATE)
        assert isinstance(claims, OpenIDSchema), claims.to_dict()
        return claims


@pytest.fixture(autouse=True)
def address(monkeypatch):
    """Treats the https URI as the client's, like the other two."""
    monkeypatch.setattr("login_page.OTHER_REDIRECT_URI", "https://app.example/callback")
    assert OTHER_REDIRECT_URI != "https://app.example/callback"


@pytest.mark.parametrize("authentication", AUTHENTICATION)
def test_it_proves_itself_in_each_way(cloud, authentication):
    party = RelyingParty(cloud, authentication=authentication)
    answer = party.ask(alice(), prompt="consent")
    assert answer["state"] == STATE and answer["iss"] == issuer(cloud)
    tokens = party.redeem(answer)
    assert tokens["id_token"]["nonce"] == NONCE and tokens["id_token"]["aud"] == [party.client.client_id]
    assert tokens["refresh_token"]
    assert party.userinfo()["name"] == "Alice Archer"


def test_it_refreshes(cloud):
    party = RelyingParty(cloud)
    first = party.redeem(party.ask(alice(), prompt="consent"))
    second = party.client.do_access_token_refresh(state=STATE, authn_method="client_secret_basic")
    assert isinstance(second, AccessTokenResponse) and second["access_token"] != first["access_token"]
    assert second["id_token"]["sub"] == first["id_token"]["sub"]


@pytest.mark.parametrize("response_type", RESPONSE_TYPES)
def test_it_takes_each_response_type(cloud, response_type):
    party = RelyingParty(cloud, response_type)
    answer = party.ask(alice())
    assert isinstance(answer, AuthorizationResponse)
    parts = set(response_type.split())
    assert {"code", "id_token", "access_token"} & set(answer.keys()) == {
        "access_token" if part == "token" else part for part in parts}
    if "id_token" in parts:
        assert answer["id_token"]["nonce"] == NONCE and ("c_hash" in answer["id_token"]) == ("code" in parts)
    if "code" in parts:
        party.redeem(answer)
        assert party.userinfo()["email"] == "alice@company.example"


@pytest.mark.parametrize("algorithm, userinfo", [("ES256", "ES256"), ("PS256", "RS512"), ("RS384", "PS384")])
def test_it_verifies_what_it_asked_to_be_signed(cloud, algorithm, userinfo):
    party = RelyingParty(cloud, id_token_signed_response_alg=algorithm, userinfo_signed_response_alg=userinfo, subject_type="pairwise")
    tokens = party.redeem(party.ask(alice()))
    assert tokens["id_token"].jws_header["alg"] == algorithm
    claims = party.userinfo()
    assert claims["sub"] == tokens["id_token"]["sub"] and claims["aud"] == party.client.client_id


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "HS256", "none"])
def test_its_request_objects_are_read(cloud, algorithm):
    """It writes `prompt`, `acr_values` and the like as lists."""
    party = RelyingParty(cloud, request_object_signing_alg=algorithm)
    how = {"request_method": "parameter", "request_object_signing_alg": algorithm}
    asked = {"acr_values": ["urn:other", "1"], "ui_locales": ["de", "fr"], "max_age": 600}
    silent = party.ask(Person("nobody"), how=how, prompt=["none"], **asked)
    assert isinstance(silent, AuthorizationErrorResponse) and silent["error"] == "login_required"
    answer = party.ask(alice(), how=how, prompt=["login", "consent"], **asked)
    claims = party.redeem(answer)["id_token"]
    assert claims["acr"] == "1" and claims["auth_time"] > 0


def test_it_is_given_the_claims_that_it_asks_for(cloud):
    party = RelyingParty(cloud)
    wanted = ClaimsRequest(
        id_token=Claims(auth_time={"essential": True}, acr={"value": "1", "essential": True}), userinfo=Claims(phone_number=None))
    claims = party.redeem(party.ask(alice(), claims=wanted, scope=["openid"]))["id_token"]
    assert claims["acr"] == "1" and "auth_time" in claims and "name" not in claims
    assert "email" not in party.userinfo().keys()
