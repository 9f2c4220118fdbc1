"""idpyoidc, the OpenID Connect library of the identity Python project, at the issuer `company`: its handler of issuers discovers the issuer,
registers itself or uses a client of the seed, and verifies each response."""

import copy
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptojwt.key_jar import init_key_jar
from idpyoidc.client.defaults import DEFAULT_KEY_DEFS, DEFAULT_OIDC_SERVICES
from idpyoidc.client.exception import OidcServiceError
from idpyoidc.client.rp_handler import RPHandler

from company import issuer
from login_page import REDIRECT_URI, Person, Redirect
from openid_flow import alice

GOODBYE = f"{REDIRECT_URI}/goodbye"
PKCE = {"pkce": {
    "function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
    "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"}}}
METHODS = ["client_secret_basic", "client_secret_post", "bearer_header"]
SEEDED = {"client_id": "web-app", "client_secret": "web-app-client-secret"}


class RelyingParty:
    """An application with one issuer. Without a client of the seed, it registers itself."""

    def __init__(self, cloud, client=None, response_type="code", authentication="client_secret_basic", scope=(), **further):
        self.issuer = issuer(cloud)
        # Otherwise the library writes its keys to the working directory.
        keys = init_key_jar(key_defs=DEFAULT_KEY_DEFS)
        services = copy.deepcopy(DEFAULT_OIDC_SERVICES) | {"end_session": {"class": "idpyoidc.client.oidc.end_session.EndSession"}}
        configuration = {
            "issuer": self.issuer, "client_type": "oidc", "redirect_uris": [REDIRECT_URI], "post_logout_redirect_uris": [GOODBYE],
            "response_types_supported": [response_type], "scopes_supported": ["openid", "profile", "email", *scope],
            "token_endpoint_auth_methods_supported": [authentication], "application_type": "web", "add_ons": PKCE,
            "services": services, "client_authn_methods": METHODS, **(client or {}), **further}
        self.handler = RPHandler(
            base_url=REDIRECT_URI, client_configs={self.issuer: configuration}, services=services, keyjar=keys)

    def begin(self, **request):
        return self.handler.begin(self.issuer, req_args=request or None)

    def finish(self, redirect):
        """The outcome of a login: the tokens are requested and verified, and the claims are read."""
        return self.handler.finalize(self.issuer, redirect.query or redirect.fragment)

    def log_in(self, person, **request):
        return self.finish(person.authorize(self.begin(**request)))

    @property
    def client(self):
        return self.handler.issuer2rp[self.issuer]


@pytest.mark.parametrize("client", [None, SEEDED], ids=["registered", "seeded"])
def test_it_logs_a_user_in(cloud, client):
    party = RelyingParty(cloud, client)
    url = party.begin()
    query = parse_qs(urlsplit(url).query)
    assert query["code_challenge_method"] == ["S256"]
    outcome = party.finish(alice().authorize(url))
    assert outcome["issuer"] == party.issuer
    assert outcome["userinfo"]["email"] == "alice@company.example"
    assert outcome["id_token"]["sub"] == cloud.issue("company", "alice")["subject"]
    assert outcome["id_token"]["nonce"] == query["nonce"][0]
    assert outcome["id_token"]["aud"] == [party.client.get_client_id()]
    assert party.handler.has_active_authentication(outcome["state"])


def test_two_issuers_are_not_mixed_up(cloud):
    """The library compares the state with the issuer that it was made for."""
    party, other = RelyingParty(cloud), RelyingParty(cloud)
    redirect = alice().authorize(party.begin())
    other.begin()
    with pytest.raises(KeyError):
        other.finish(redirect)


@pytest.mark.parametrize("authentication", ["client_secret_basic", "client_secret_post"])
def test_it_proves_itself_in_each_way(cloud, authentication):
    party = RelyingParty(cloud, authentication=authentication)
    assert party.log_in(alice())["userinfo"]["name"] == "Alice Archer"
    assert party.client.get_context().registration_response["token_endpoint_auth_method"] == authentication


def test_it_signs_an_assertion_with_its_secret(cloud):
    """The library finds no client ID for the assertion of a client that registered itself, so the client is one of the seed."""
    methods = [*METHODS, "client_secret_jwt"]
    party = RelyingParty(
        cloud, SEEDED, authentication="client_secret_jwt", client_authn_methods=methods, token_endpoint_auth_signing_alg="HS256",
        token_endpoint_auth_signing_alg_values_supported=["HS256"])
    assert party.log_in(alice())["userinfo"]["name"] == "Alice Archer"


def test_an_assertion_with_the_librarys_own_key_is_refused_with_the_reason(cloud, caplog):
    """Without a setting, the library takes the first algorithm of the metadata, which is RS256, also for a method that needs the secret."""
    methods = [*METHODS, "client_secret_jwt"]
    party = RelyingParty(cloud, SEEDED, authentication="client_secret_jwt", client_authn_methods=methods)
    with pytest.raises(OidcServiceError, match="invalid_client"):
        party.log_in(alice())
    assert "signed with RS256, and the client has registered no keys. client_secret_jwt needs HS256" in caplog.text


def test_it_refreshes(cloud):
    party = RelyingParty(cloud, SEEDED, scope=["offline_access"])
    first = party.log_in(alice(), prompt="consent")
    second = party.handler.refresh_access_token(first["state"])
    assert second["access_token"] != first["token"]
    claims = party.handler.get_user_info(first["state"], access_token=second["access_token"])
    assert claims["sub"] == first["userinfo"]["sub"]
    token, _ = party.handler.get_valid_access_token(first["state"])
    assert token == second["access_token"]


def test_a_wrong_secret_is_refused(cloud):
    party = RelyingParty(cloud, SEEDED | {"client_secret": "a-secret-of-another-client"})
    with pytest.raises(OidcServiceError, match="invalid_client"):
        party.log_in(alice())


def test_a_user_may_decline(cloud):
    party = RelyingParty(cloud)
    person = alice()
    redirect = person.press(person.open(party.begin()), ("action", "deny"))
    assert party.finish(redirect)["error"] == "access_denied"


def test_a_silent_login_needs_a_session(cloud):
    party = RelyingParty(cloud, SEEDED)
    person = Person("bob")
    assert party.finish(person.open(party.begin(prompt="none")))["error"] == "login_required"
    party.log_in(person)
    assert party.finish(person.open(party.begin(prompt="none")))["userinfo"]["email"] == "bob@company.example"


def test_it_logs_out(cloud):
    """The library does not register an address for the time after the logout, so an administrator does."""
    client = {"id": "leaver", "secret": "the-secret-of-the-leaver", "redirectURIs": [REDIRECT_URI]}
    cloud.control("PUT", "providers/company/clients/leaver", client | {"metadata": {"post_logout_redirect_uris": [GOODBYE]}})
    party = RelyingParty(cloud, {"client_id": "leaver", "client_secret": "the-secret-of-the-leaver"})
    person = alice()
    outcome = party.log_in(person)
    step = person.open(party.handler.logout(outcome["state"])["url"])
    assert isinstance(step, Redirect)
    assert step.url.startswith(GOODBYE)
    assert party.finish(person.open(party.begin(prompt="none")))["error"] == "login_required"
