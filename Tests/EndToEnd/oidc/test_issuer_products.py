"""Issuers of Microsoft Entra ID, Sign in with Apple and Auth0, at their own host names over TLS, for strict clients."""

import json
import time
from urllib.parse import urlencode, urlsplit

import jwt
import msal
import pytest
import requests
import urllib3.util.connection
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from cloud import Cloud
from login_page import REDIRECT_URI, Page, Person

TENANT = "11111111-2222-3333-4444-555555555555"
ENTRA = f"https://login.microsoftonline.com/{TENANT}"
APPLE = "https://appleid.apple.com"
AUTH0 = "https://tenant.auth0.com/"
KEY = ec.generate_private_key(ec.SECP256R1())
PEOPLE = [{"name": "alice", "subject": "alice-1", "password": "alice-password", "claims": {
    "name": "Alice Archer", "given_name": "Alice", "family_name": "Archer", "email": "alice@example.com", "email_verified": True,
    "oid": "99999999-0000-0000-0000-000000000001"}}]


def seed():
    public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "KEY1234567", "alg": "ES256", "use": "sig"}
    web = {"secret": "a-secret-of-the-app", "redirectURIs": [REDIRECT_URI], "grants": ["client_credentials"]}
    device = {"redirectURIs": [REDIRECT_URI], "grants": ["urn:ietf:params:oauth:grant-type:device_code"]}
    return {"identityProviders": [
        {"name": "entra", "issuer": f"{ENTRA}/v2.0", "product": "entra", "accessTokenFormat": "jwt", "people": PEOPLE, "clients": [
            {"id": "app", **web}, {"id": "device", **device}]},
        {"name": "apple", "issuer": APPLE, "product": "apple", "people": PEOPLE, "clients": [
            {"id": "com.example.web", "redirectURIs": [REDIRECT_URI], "metadata": {
                "jwks": {"keys": [public]}, "token_endpoint_auth_method": "private_key_jwt",
                "response_types": ["code", "code id_token"]}}]},
        {"name": "auth0", "issuer": AUTH0, "product": "auth0", "accessTokenFormat": "jwt", "people": PEOPLE, "clients": [
            {"id": "app", **web}]},
    ]}


@pytest.fixture(scope="module")
def secure(tmp_path_factory, environment_of_the_tests):
    folder = tmp_path_factory.mktemp("products")
    file, authority = folder / "seed.json", folder / "ca.pem"
    file.write_text(json.dumps(seed()))
    with Cloud.ephemeral("--tls-port", 0, "--ca-file", authority, "--seed", file, listeners=2) as cloud:
        cloud.authority = authority
        cloud.secure_port = int(max(cloud.urls).rsplit(":", 1)[1])
        yield cloud


def trusting(session, cloud):
    """Makes a session trust the cloud's authority. A bundle that the environment names would replace it."""
    session.trust_env = False
    session.verify = str(cloud.authority)
    return session


@pytest.fixture
def web(secure, monkeypatch):
    """A client for which every https host is the cloud, as with a line in `/etc/hosts` and the port 443."""
    connect = urllib3.util.connection.create_connection

    def connected(address, *arguments, **options):
        return connect(("127.0.0.1", secure.secure_port) if address[1] == 443 else address, *arguments, **options)

    monkeypatch.setattr(urllib3.util.connection, "create_connection", connected)
    return trusting(requests.Session(), secure)


@pytest.fixture
def alice(web, secure):
    person = Person("alice", "alice-password")
    trusting(person.browser, secure)
    return person


def verified(token, keys, issuer, audience):
    """The claims of a token, which PyJWT verifies with the issuer's keys."""
    key = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(token)["kid"]]
    return jwt.decode(token, key.key, algorithms=["RS256"], issuer=issuer, audience=audience)


def metadata(web, issuer):
    return web.get(f"{issuer.rstrip('/')}/.well-known/openid-configuration").json()


@pytest.mark.parametrize("issuer", [f"{ENTRA}/v2.0", APPLE, AUTH0])
def test_an_issuer_has_the_name_that_it_is_asked_by(web, issuer):
    document = metadata(web, issuer)
    assert document["issuer"] == issuer
    host = urlsplit(issuer).netloc
    assert all(urlsplit(document[name]).netloc == host for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    assert web.get(document["jwks_uri"]).json()["keys"]


def test_msal_signs_a_user_in(web, alice):
    app = msal.ConfidentialClientApplication("app", client_credential="a-secret-of-the-app", authority=ENTRA, http_client=web)
    flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri=REDIRECT_URI)
    result = app.acquire_token_by_auth_code_flow(flow, alice.authorize(flow["auth_uri"]).query)
    assert "error" not in result, result
    claims = result["id_token_claims"]
    assert (claims["tid"], claims["oid"], claims["ver"]) == (TENANT, "99999999-0000-0000-0000-000000000001", "2.0")
    assert claims["preferred_username"] == "alice@example.com"
    keys = web.get(metadata(web, f"{ENTRA}/v2.0")["jwks_uri"]).json()
    assert verified(result["id_token"], keys, f"{ENTRA}/v2.0", "app")["sub"] == "alice-1"
    account, = app.get_accounts()
    assert account["home_account_id"] == f"{claims['oid']}.{TENANT}"
    assert app.acquire_token_silent(["User.Read"], account)["access_token"] == result["access_token"]
    renewed = app.acquire_token_silent(["User.Read"], account, force_refresh=True)
    assert renewed["access_token"] != result["access_token"]


def test_msal_gets_a_token_of_an_application(web):
    app = msal.ConfidentialClientApplication("app", client_credential="a-secret-of-the-app", authority=ENTRA, http_client=web)
    assert app.acquire_token_for_client(["https://graph.microsoft.com/.default"])["access_token"]
    wrong = msal.ConfidentialClientApplication("app", client_credential="another", authority=ENTRA, http_client=web)
    assert wrong.acquire_token_for_client(["https://graph.microsoft.com/.default"])["error"] == "invalid_client"


def test_msal_begins_the_device_flow(web):
    app = msal.PublicClientApplication("device", authority=ENTRA, http_client=web)
    flow = app.initiate_device_flow(["User.Read"])
    assert flow["user_code"] in flow["message"] and flow["verification_uri"] in flow["message"]


def test_the_user_of_an_entra_token_is_read_at_microsoft_graph(web, alice):
    app = msal.ConfidentialClientApplication("app", client_credential="a-secret-of-the-app", authority=ENTRA, http_client=web)
    flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri=REDIRECT_URI)
    token = app.acquire_token_by_auth_code_flow(flow, alice.authorize(flow["auth_uri"]).query)["access_token"]
    url = metadata(web, f"{ENTRA}/v2.0")["userinfo_endpoint"]
    assert url == "https://graph.microsoft.com/oidc/userinfo"
    assert web.get(url, headers={"Authorization": f"Bearer {token}"}).json()["sub"] == "alice-1"


def client_secret(**further):
    now = int(time.time())
    claims = {"iss": "TEAM123456", "sub": "com.example.web", "aud": APPLE, "iat": now, "exp": now + 86400} | further
    pem = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return jwt.encode(claims, pem, algorithm="ES256", headers={"kid": "KEY1234567"})


def sign_in_with_apple(alice):
    """The fields that Apple's page posts to the application."""
    page = alice.open(f"{APPLE}/auth/authorize?" + urlencode({
        "client_id": "com.example.web", "redirect_uri": REDIRECT_URI, "response_type": "code id_token", "response_mode": "form_post",
        "scope": "name email", "state": "s", "nonce": "n"}))
    if page.is_login:
        page = alice.sign_in(page)
    if page.is_consent:
        page = alice.press(page, ("action", "allow"))
    assert isinstance(page, Page) and page.form.action == REDIRECT_URI, page.text
    return page.form.fields


def test_a_user_signs_in_with_apple(web, alice):
    document = metadata(web, APPLE)
    keys = web.get(document["jwks_uri"]).json()
    first = sign_in_with_apple(alice)
    assert json.loads(first["user"]) == {"name": {"firstName": "Alice", "lastName": "Archer"}, "email": "alice@example.com"}
    claims = verified(first["id_token"], keys, APPLE, "com.example.web")
    assert (claims["nonce"], claims["nonce_supported"], claims["email"]) == ("n", True, "alice@example.com")
    fields = {"grant_type": "authorization_code", "code": first["code"], "redirect_uri": REDIRECT_URI, "client_id": "com.example.web"}
    wrong = web.post(document["token_endpoint"], data=fields | {"client_secret": client_secret(aud="https://other.example")})
    assert (wrong.status_code, wrong.json()["error"]) == (400, "invalid_client")
    tokens = web.post(document["token_endpoint"], data=fields | {"client_secret": client_secret()}).json()
    assert verified(tokens["id_token"], keys, APPLE, "com.example.web")["sub"] == "alice-1"
    assert "user" not in sign_in_with_apple(alice)
    revoked = web.post(document["revocation_endpoint"], data={
        "client_id": "com.example.web", "client_secret": client_secret(), "token": tokens["refresh_token"],
        "token_type_hint": "refresh_token"})
    assert revoked.status_code == 200
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": "com.example.web"}
    assert web.post(document["token_endpoint"], data=refresh | {"client_secret": client_secret()}).json()["error"] == "invalid_grant"


def test_a_user_signs_in_with_auth0(web, alice):
    document = metadata(web, AUTH0)
    redirect = alice.authorize(f"{document['authorization_endpoint']}?" + urlencode({
        "client_id": "app", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid profile", "state": "s",
        "audience": "https://api.example/"}))
    tokens = web.post(document["token_endpoint"], data={
        "grant_type": "authorization_code", "code": redirect.query["code"], "redirect_uri": REDIRECT_URI, "client_id": "app",
        "client_secret": "a-secret-of-the-app"}).json()
    keys = web.get(document["jwks_uri"]).json()
    assert verified(tokens["id_token"], keys, AUTH0, "app")["name"] == "Alice Archer"
    assert verified(tokens["access_token"], keys, AUTH0, "https://api.example/")["azp"] == "app"
    header = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert web.get(document["userinfo_endpoint"], headers=header).json()["sub"] == "alice-1"


def redirected(web, alice, issuer):
    """The code of alice's login at the client `app`, which Entra ID and Auth0 both have, with the same secret."""
    return alice.authorize(f"{metadata(web, issuer)['authorization_endpoint']}?" + urlencode({
        "client_id": "app", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid profile", "state": "s"})).query["code"]


def redeemed(web, issuer, code):
    return web.post(metadata(web, issuer)["token_endpoint"], data={
        "grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI, "client_id": "app",
        "client_secret": "a-secret-of-the-app"})


def test_what_one_product_issues_is_unknown_to_another(web, alice):
    entra, auth0 = f"{ENTRA}/v2.0", AUTH0
    assert redeemed(web, entra, redirected(web, alice, auth0)).json()["error"] == "invalid_grant"
    tokens = {issuer: redeemed(web, issuer, redirected(web, alice, issuer)).json() for issuer in [entra, auth0]}
    for issuer, other in [(entra, auth0), (auth0, entra)]:
        document, foreign = metadata(web, issuer), tokens[other]
        for token, status in [(foreign["access_token"], 401), (tokens[issuer]["access_token"], 200), (foreign["id_token"], 401)]:
            header = {"Authorization": f"Bearer {token}"}
            assert web.get(document["userinfo_endpoint"], headers=header).status_code == status
        silent = alice.open(f"{document['authorization_endpoint']}?" + urlencode({
            "client_id": "app", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid", "state": "s", "prompt": "none",
            "id_token_hint": foreign["id_token"]}))
        assert silent.query["error"] == "invalid_request"
        keys = {key["kid"] for key in web.get(document["jwks_uri"]).json()["keys"]}
        assert jwt.get_unverified_header(foreign["id_token"])["kid"] not in keys


def test_apples_client_secret_is_for_apple(web):
    form = {"grant_type": "authorization_code", "code": "x", "redirect_uri": REDIRECT_URI, "client_id": "com.example.web"}
    for audience in [AUTH0, f"{ENTRA}/v2.0", "https://appleid.apple.com.evil.example", "https://appleid.apple.com@evil.example"]:
        refused = web.post(metadata(web, APPLE)["token_endpoint"], data=form | {"client_secret": client_secret(aud=audience)})
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_client")


@pytest.mark.parametrize("host", [
    "appleid.apple.com.evil.example", "evil.example", "appleid.apple.com@evil.example", "tenant.auth0.com:1@evil.example",
    "xtenant.auth0.com", "auth0.com"])
def test_another_host_is_no_issuer(secure, host):
    """A page that rebinds its name to this address sends its own name as the host."""
    plain = min(secure.urls)
    for path in ["/.well-known/openid-configuration", "/oauth/token", "/auth/token", f"/{TENANT}/v2.0/.well-known/openid-configuration"]:
        response = requests.get(f"{plain}{path}", headers={"Host": host})
        assert response.status_code >= 400
        assert '"issuer"' not in response.text


def test_a_token_on_demand_has_the_issuer_of_the_product(secure, web):
    keys = web.get(metadata(web, AUTH0)["jwks_uri"]).json()
    assert verified(secure.token("auth0", "alice"), keys, AUTH0, "app")["sub"] == "alice-1"


def test_the_issuer_of_a_seed_answers_at_its_own_host(cloud):
    document = requests.get(f"{cloud.url}/.well-known/openid-configuration", headers={"Host": "login.company.example"})
    assert (document.status_code, document.json()["issuer"]) == (200, "https://login.company.example")
