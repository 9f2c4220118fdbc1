"""APIs behind an issuer: scopes, audiences and claims, as applications (Authlib) and resource servers (joserfc) see them."""

import pytest
import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwk, jwt

from company import company, issuer
from login_page import REDIRECT_URI, Page, Person

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ORDERS, MAIL = "https://orders.company.example", "https://mail.company.example"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
APIS = [
    {"identifier": ORDERS, "tokenFormat": "jwt", "tokenLifetime": 600, "claims": {"department": "attribute:department", "tier": "=gold"},
     "scopes": {"orders.read": "See your orders", "orders.write": "Change your orders"}},
    {"identifier": MAIL, "scopes": ["mail.send"], "clients": ["web"]}]
CLIENTS = [
    {"id": "web", "secret": "web-secret", "redirectURIs": [REDIRECT_URI], "grants": [EXCHANGE],
     "scopes": ["openid", "offline_access", "orders.read", "orders.write", "mail.send"], "claims": {"unit": "attribute:department"}},
    {"id": "batch", "secret": "batch-secret", "grants": ["client_credentials", EXCHANGE], "scopes": ["orders.read"],
     "attributes": {"roles": ["reader"], "groups": ["services"]}},
    {"id": "plain", "secret": "plain-secret", "redirectURIs": [REDIRECT_URI], "grants": ["client_credentials", "password"]}]
PEOPLE = [
    {"name": "alice", "subject": "1", "password": "alice-password",
     "claims": {"groups": ["admins"], "roles": ["editor"], "department": "sales"}},
    {"name": "dora", "subject": "2", "password": "dora-password", "enabled": False}]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with company(tmp_path_factory.mktemp("scopes"), CLIENTS, apis=APIS, people=PEOPLE) as cloud:
        yield cloud


@pytest.fixture
def metadata(server):
    return requests.get(f"{issuer(server)}/.well-known/openid-configuration").json()


def login(metadata, scope, **parameters):
    """The session of the application `web` after alice's login."""
    session = OAuth2Session("web", "web-secret", scope=scope, redirect_uri=REDIRECT_URI, code_challenge_method="S256")
    verifier = generate_token(48)
    url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, **parameters)
    redirect = Person("alice").authorize(url)
    assert "code" in redirect.query, redirect.url
    session.fetch_token(metadata["token_endpoint"], authorization_response=redirect.url, state=state, code_verifier=verifier)
    return session


def own_token(metadata, client, scope):
    session = OAuth2Session(client, f"{client}-secret", scope=scope)
    return session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")


def claims_of(metadata, token):
    """The claims of a token, as a resource server verifies it."""
    keys = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token, keys)
    assert decoded.header["typ"] == "at+jwt"
    registry = jwt.JWTClaimsRegistry(iss={"essential": True, "value": metadata["issuer"]}, exp={"essential": True})
    registry.validate(decoded.claims)
    return decoded.claims


def test_a_service_gets_the_scopes_of_its_registration(metadata):
    token = own_token(metadata, "batch", "orders.read")
    claims = claims_of(metadata, token["access_token"])
    assert (token["scope"], token["expires_in"]) == ("orders.read", 600)
    assert (claims["scope"], claims["aud"], claims["sub"]) == ("orders.read", ORDERS, "batch")
    assert (claims["roles"], claims["groups"], claims["tier"]) == (["reader"], ["services"], "gold")
    assert not {"typ", "realm_access", "preferred_username", "department"} & set(claims)
    for scope in ["orders.write", "orders.read invoices.read", "openid"]:
        with pytest.raises(OAuthError) as refused:
            own_token(metadata, "batch", scope)
        assert refused.value.error == "invalid_scope"


def test_an_application_gets_the_scopes_that_a_person_sees(metadata):
    person = Person("alice")
    session = OAuth2Session("web", "web-secret", scope="openid orders.read", redirect_uri=REDIRECT_URI)
    page = person.sign_in(person.open(session.create_authorization_url(metadata["authorization_endpoint"])[0]))
    assert isinstance(page, Page) and page.is_consent
    assert "See your orders" in page.text

    token = login(metadata, "openid orders.read").token
    claims = claims_of(metadata, token["access_token"])
    assert token["scope"] == claims["scope"] == "openid orders.read"
    assert (claims["aud"], claims["client_id"], claims["sub"]) == (ORDERS, "web", "1")
    assert (claims["groups"], claims["roles"]) == (["admins"], ["editor"])
    assert (claims["department"], claims["tier"], claims["unit"]) == ("sales", "gold", "sales")
    status = requests.post(metadata["introspection_endpoint"], data={"token": token["access_token"]}, auth=("web", "web-secret")).json()
    assert (status["active"], status["scope"], status["aud"]) == (True, "openid orders.read", [ORDERS])
    headers = {"Authorization": f"Bearer {token['access_token']}"}
    assert requests.get(metadata["userinfo_endpoint"], headers=headers).json()["unit"] == "sales"


@pytest.mark.parametrize("parameter", ["resource", "audience"])
def test_an_application_selects_an_api(metadata, parameter):
    token = login(metadata, "openid mail.send", **{parameter: MAIL}).token
    status = requests.post(metadata["introspection_endpoint"], data={"token": token["access_token"]}, auth=("web", "web-secret")).json()
    assert (status["aud"], status["groups"]) == ([MAIL], ["admins"])
    for scope, target, error in [("orders.read", MAIL, "invalid_scope"), ("mail.send", "https://none.example", "invalid_target")]:
        query = {"client_id": "web", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": scope, parameter: target}
        answer = requests.get(metadata["authorization_endpoint"], query, allow_redirects=False)
        assert f"error={error}" in answer.headers["Location"]


def test_no_flow_gives_an_unknown_scope(metadata):
    query = {"client_id": "plain", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid foo"}
    answer = requests.get(metadata["authorization_endpoint"], query, allow_redirects=False)
    assert "error=invalid_scope" in answer.headers["Location"]
    auth = ("plain", "plain-secret")
    pushed = requests.post(metadata["pushed_authorization_request_endpoint"], query, auth=auth)
    assert (pushed.status_code, pushed.json()["error"]) == (400, "invalid_scope")
    for form in [{"grant_type": "client_credentials"}, {"grant_type": "password", "username": "alice", "password": "alice-password"}]:
        answer = requests.post(metadata["token_endpoint"], form | {"scope": "foo"}, auth=auth)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_scope")
    # This API does not admit the client.
    assert requests.post(
        metadata["token_endpoint"], {"grant_type": "client_credentials", "scope": "mail.send"}, auth=auth).json()["error"] == "invalid_scope"


def test_neither_refresh_nor_exchange_extends_a_scope(metadata):
    session = login(metadata, "openid offline_access orders.read")
    for scope in ["orders.read orders.write", "orders.read invoices.read"]:
        answer = requests.post(metadata["token_endpoint"], {
            "grant_type": "refresh_token", "refresh_token": session.token["refresh_token"], "scope": scope}, auth=("web", "web-secret"))
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_scope")
    refreshed = session.refresh_token(metadata["token_endpoint"])
    assert refreshed["scope"] == "openid offline_access orders.read"

    def exchange(token, client, **further):
        return requests.post(metadata["token_endpoint"], {
            "grant_type": EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN, **further}, auth=(client, f"{client}-secret"))

    wide = login(metadata, "openid orders.read orders.write").token["access_token"]
    passed = exchange(wide, "web", audience="batch").json()["access_token"]
    assert exchange(passed, "batch", scope="orders.write").json()["error"] == "invalid_scope"
    narrow = exchange(passed, "batch").json()
    assert (narrow["scope"], claims_of(metadata, narrow["access_token"])["scope"]) == ("orders.read", "orders.read")


def test_a_client_registers_scopes_of_its_own(metadata):
    document = {"redirect_uris": [REDIRECT_URI], "grant_types": ["client_credentials"], "scope": "invoices.read invoices.write"}
    registered = requests.post(metadata["registration_endpoint"], json=document).json()
    auth = (registered["client_id"], registered["client_secret"])

    def ask(scope):
        return requests.post(metadata["token_endpoint"], {"grant_type": "client_credentials", "scope": scope}, auth=auth).json()

    assert ask("invoices.read")["scope"] == "invoices.read"
    assert claims_of(metadata, ask("invoices.write")["access_token"])["scope"] == "invoices.write"
    assert ask("orders.read")["error"] == "invalid_scope"


def test_keycloak_refuses_unknown_scopes_in_its_words(server):
    connect = f"{server.url}/realms/company/protocol/openid-connect"
    form = {"grant_type": "client_credentials", "scope": "openid foo"}
    answer = requests.post(f"{connect}/token", form, auth=("plain", "plain-secret"))
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid_scope", "error_description": "Invalid scopes: openid foo"})
    query = {"client_id": "plain", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid foo"}
    answer = requests.get(f"{connect}/auth", query, allow_redirects=False)
    assert "error=invalid_scope" in answer.headers["Location"]


@pytest.mark.parametrize("path, status, description, text", [
    ("idp/company/token", 400, "The user is disabled.", "This account is disabled."),
    ("realms/company/protocol/openid-connect/token", 400, "Account disabled", "Account is disabled, contact your administrator.")])
def test_a_disabled_person_is_refused(server, path, status, description, text):
    form = {"grant_type": "password", "username": "dora", "password": "dora-password"}
    answer = requests.post(f"{server.url}/{path}", form, auth=("plain", "plain-secret"))
    assert (answer.status_code, answer.json()) == (status, {"error": "invalid_grant", "error_description": description})
    page = f"{server.url}/{path}".replace("openid-connect/token", "openid-connect/auth").replace("company/token", "company/authorize")
    person = Person("dora", "dora-password")
    step = person.sign_in(person.open(f"{page}?client_id=plain&response_type=code&scope=openid&redirect_uri={REDIRECT_URI}"))
    assert isinstance(step, Page) and step.is_login
    assert text in step.text


def test_the_control_api_describes_apis_and_claims(server, metadata):
    provider = server.control("GET", "providers/company")
    assert provider["apis"][0]["scopes"] == {"orders.read": "See your orders", "orders.write": "Change your orders"}
    assert provider["apis"][0]["claims"] == {"department": "attribute:department", "tier": "=gold"}
    server.control("PUT", "providers/company/clients/late", {
        "id": "late", "secret": "late-secret", "grants": ["client_credentials"], "scopes": ["late.read"], "attributes": {"tenant": "t"}})
    token = own_token(metadata, "late", "late.read")
    assert claims_of(metadata, token["access_token"])["tenant"] == "t"
    assert server.control("GET", "providers/company/clients/late")["metadata"] == {"scope": "late.read"}
