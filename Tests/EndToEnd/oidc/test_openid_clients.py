"""Clients that register themselves at the issuer `company`, with the independent libraries Authlib and joserfc: they authenticate, wait
for a user on another device, refresh, introspect tokens, and bind them to keys."""

import hashlib
import time
import uuid
from base64 import urlsafe_b64encode
from urllib.parse import urlsplit

import pytest
import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import ClientSecretJWT, PrivateKeyJWT
from joserfc import jwk, jwt

from login_page import REDIRECT_URI, Page, Person

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

GRANTS = "urn:ietf:params:oauth:grant-type:"
TYPES = "urn:ietf:params:oauth:token-type:"


@pytest.fixture
def metadata(cloud):
    return requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()


def register(metadata, **document):
    """A new client as the issuer has registered it."""
    response = requests.post(metadata["registration_endpoint"], json={"redirect_uris": [REDIRECT_URI]} | document)
    assert response.status_code == 201, response.text
    return response.json()


def session_of(registered, **parameters):
    return OAuth2Session(
        registered["client_id"], registered.get("client_secret"), redirect_uri=REDIRECT_URI,
        token_endpoint_auth_method=registered["token_endpoint_auth_method"], **parameters)


def sign_in(metadata, session, person="alice", scope="openid profile offline_access"):
    """The session after a login through the page."""
    session.scope = scope
    session.code_challenge_method = "S256"
    verifier = generate_token(48)
    url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    redirect = Person(person).authorize(url)
    session.fetch_token(metadata["token_endpoint"], authorization_response=redirect.url, state=state, code_verifier=verifier)
    return session


def digest(text):
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


@pytest.mark.parametrize("algorithm, kind, size", [
    ("RS256", "RSA", 2048), ("PS256", "RSA", 2048), ("ES256", "EC", "P-256"), ("ES384", "EC", "P-384"), ("EdDSA", "OKP", "Ed25519"),
    ("Ed25519", "OKP", "Ed25519")])
def test_a_client_proves_itself_with_its_key(metadata, algorithm, kind, size):
    key = jwk.generate_key(kind, size, {"kid": "mine"}, private=True)
    registered = register(
        metadata, token_endpoint_auth_method="private_key_jwt", token_endpoint_auth_signing_alg=algorithm,
        jwks={"keys": [key.as_dict(private=False)]}, grant_types=["client_credentials"], response_types=[])
    now = int(time.time())
    assertion = jwt.encode(
        {"alg": algorithm, "kid": "mine"},
        {"iss": registered["client_id"], "sub": registered["client_id"], "aud": metadata["token_endpoint"], "iat": now, "exp": now + 60,
         "jti": str(uuid.uuid4())}, key, algorithms=[algorithm])
    form = {"grant_type": "client_credentials", "client_assertion": assertion,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}
    assert requests.post(metadata["token_endpoint"], data=form).json()["token_type"] == "Bearer"
    again = requests.post(metadata["token_endpoint"], data=form)
    assert (again.status_code, again.json()["error"]) == (401, "invalid_client")


@pytest.mark.parametrize("algorithm, kind, curve", [("Ed448", "OKP", "Ed448"), ("ES256K", "EC", "secp256k1")])
def test_an_algorithm_that_is_not_supported_is_refused_by_name(metadata, algorithm, kind, curve):
    key = jwk.generate_key(kind, curve, {"kid": "mine"}, private=True)
    answer = requests.post(metadata["registration_endpoint"], json={
        "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [key.as_dict(private=False)]}})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")
    assert "OKP with Ed25519" in answer.json()["error_description"]
    assertion = jwt.encode({"alg": algorithm}, {"iss": "web-app", "sub": "web-app"}, key, algorithms=[algorithm])
    form = {"grant_type": "client_credentials", "client_assertion": assertion,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}
    answer = requests.post(metadata["token_endpoint"], data=form)
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
    assert f"names the algorithm {algorithm}, which is not supported" in answer.json()["error_description"]
    for name, values in metadata.items():
        assert not name.endswith("alg_values_supported") or algorithm not in values, name


def test_private_key_jwt_of_authlib(metadata):
    key = jwk.RSAKey.generate_key(2048)
    registered = register(
        metadata, token_endpoint_auth_method="private_key_jwt", jwks={"keys": [key.as_dict(private=False)]},
        grant_types=["authorization_code", "refresh_token"])
    session = OAuth2Session(
        registered["client_id"], key.as_pem(private=True).decode(), redirect_uri=REDIRECT_URI,
        token_endpoint_auth_method=PrivateKeyJWT(metadata["token_endpoint"]))
    sign_in(metadata, session)
    assert session.get(metadata["userinfo_endpoint"]).json()["name"] == "Alice Archer"
    before = session.token["refresh_token"]
    assert session.refresh_token(metadata["token_endpoint"])["refresh_token"] != before


def test_client_secret_jwt_of_authlib(metadata):
    registered = register(
        metadata, token_endpoint_auth_method="client_secret_jwt", grant_types=["client_credentials"], response_types=[])
    for secret, works in [(registered["client_secret"], True), ("x" * 43, False)]:
        session = OAuth2Session(
            registered["client_id"], secret, token_endpoint_auth_method=ClientSecretJWT(metadata["token_endpoint"]))
        if works:
            assert session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")["access_token"]
        else:
            with pytest.raises(OAuthError, match="invalid_client"):
                session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")


def test_refresh_tokens_rotate_and_a_stolen_one_ends_the_login(metadata):
    registered = register(metadata, grant_types=["authorization_code", "refresh_token"])
    session = sign_in(metadata, session_of(registered))
    stolen = session.token["refresh_token"]
    session.refresh_token(metadata["token_endpoint"])
    assert session.get(metadata["userinfo_endpoint"]).status_code == 200
    with pytest.raises(OAuthError, match="invalid_grant"):
        session_of(registered).refresh_token(metadata["token_endpoint"], refresh_token=stolen)
    assert session.get(metadata["userinfo_endpoint"]).status_code == 401
    with pytest.raises(OAuthError, match="invalid_grant"):
        session.refresh_token(metadata["token_endpoint"])


def test_introspection_and_revocation(cloud, metadata):
    registered = register(metadata, grant_types=["authorization_code", "refresh_token"])
    session = sign_in(metadata, session_of(registered))
    token = session.token["access_token"]

    def status():
        return session.introspect_token(metadata["introspection_endpoint"], token=token).json()

    before = status()
    assert before["active"] and before["client_id"] == registered["client_id"] and before["username"] == "alice"
    cloud.age("PT10M")
    assert before["exp"] - status()["exp"] == 600
    assert session.revoke_token(metadata["revocation_endpoint"], token=session.token["refresh_token"]).status_code == 200
    assert status() == {"active": False}


def test_a_device_waits_for_a_person(metadata):
    registered = register(
        metadata, token_endpoint_auth_method="none", redirect_uris=[], response_types=[],
        grant_types=[GRANTS + "device_code", "refresh_token"])
    device = requests.post(metadata["device_authorization_endpoint"], data={
        "client_id": registered["client_id"], "scope": "openid offline_access"}).json()
    session = OAuth2Session(registered["client_id"], token_endpoint_auth_method="none")

    def poll():
        return session.fetch_token(
            metadata["token_endpoint"], grant_type=GRANTS + "device_code", device_code=device["device_code"])

    with pytest.raises(OAuthError, match="authorization_pending"):
        poll()
    person = Person("carol", "carol-password")
    page = person.open(device["verification_uri_complete"])
    page = person.sign_in(page)
    assert isinstance(page, Page) and page.is_consent, page.text
    done = person.press(page, ("action", "allow"))
    assert isinstance(done, Page)
    tokens = poll()
    assert tokens["id_token"] and tokens["refresh_token"]
    assert session.get(metadata["userinfo_endpoint"]).json()["sub"] == "employee-0003-carol"
    with pytest.raises(OAuthError, match="invalid_grant"):
        poll()


def test_a_client_looks_after_its_registration(metadata):
    registered = register(metadata, client_name="Photos", contacts=["me@app.example"])
    headers = {"Authorization": f"Bearer {registered['registration_access_token']}"}
    uri = registered["registration_client_uri"]
    assert requests.get(uri, headers=headers).json() == registered
    replaced = requests.put(uri, headers=headers, json={
        "client_id": registered["client_id"], "redirect_uris": [REDIRECT_URI], "client_name": "Films"}).json()
    assert replaced["client_name"] == "Films" and "contacts" not in replaced
    assert requests.delete(uri, headers=headers).status_code == 204
    assert requests.get(uri, headers=headers).status_code == 401
    with pytest.raises(OAuthError, match="invalid_client"):
        session_of(registered).fetch_token(metadata["token_endpoint"], grant_type="client_credentials")


@pytest.mark.parametrize("document, error", [
    ({"redirect_uris": ["https://app.example/#fragment"]}, "invalid_redirect_uri"),
    ({"id_token_signed_response_alg": "none"}, "invalid_client_metadata"),
    ({"response_types": ["magic"]}, "invalid_client_metadata")])
def test_a_faulty_registration_is_refused(metadata, document, error):
    response = requests.post(metadata["registration_endpoint"], json={"redirect_uris": [REDIRECT_URI]} | document)
    assert (response.status_code, response.json()["error"]) == (400, error)


def test_userinfo_is_signed_for_who_asks(metadata):
    registered = register(metadata, userinfo_signed_response_alg="ES256")
    session = sign_in(metadata, session_of(registered), scope="openid profile")
    response = session.get(metadata["userinfo_endpoint"])
    assert response.headers["Content-Type"] == "application/jwt"
    keys = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(response.text, keys, algorithms=["ES256"])
    jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": metadata["issuer"]},
        aud={"essential": True, "value": registered["client_id"]}).validate(decoded.claims)
    assert decoded.claims["name"] == "Alice Archer"


class Possessor:
    """The holder of a key, which proves possession in every request."""

    def __init__(self):
        self.key = jwk.ECKey.generate_key("P-256")

    def proof(self, method, url, token=None, **claims):
        payload = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
        if token:
            payload["ath"] = digest(token)
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}
        return {"DPoP": jwt.encode(header, payload | claims, self.key)}


def test_tokens_are_bound_to_a_key(metadata):
    registered = register(metadata, token_endpoint_auth_method="none", grant_types=["authorization_code", "refresh_token"])
    holder, thief = Possessor(), Possessor()
    session = session_of(registered, scope="openid offline_access", code_challenge_method="S256")
    verifier = generate_token(48)
    url, _ = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    form = {"grant_type": "authorization_code", "code": Person("alice").authorize(url).query["code"], "redirect_uri": REDIRECT_URI,
            "client_id": registered["client_id"], "code_verifier": verifier}
    endpoint, userinfo = metadata["token_endpoint"], metadata["userinfo_endpoint"]
    tokens = requests.post(endpoint, data=form, headers=holder.proof("POST", endpoint)).json()
    assert tokens["token_type"] == "DPoP", tokens
    token = tokens["access_token"]
    bound = {"Authorization": f"DPoP {token}"}
    assert requests.get(userinfo, headers=bound | holder.proof("GET", userinfo, token)).status_code == 200
    assert requests.get(userinfo, headers=bound | thief.proof("GET", userinfo, token)).status_code == 401
    assert requests.get(userinfo, headers={"Authorization": f"Bearer {token}"}).status_code == 401
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": registered["client_id"]}
    assert requests.post(endpoint, data=refresh, headers=thief.proof("POST", endpoint)).json()["error"] == "invalid_grant"
    assert requests.post(endpoint, data=refresh, headers=holder.proof("POST", endpoint)).json()["token_type"] == "DPoP"


def test_a_token_is_exchanged_for_one_of_less_scope(metadata):
    registered = register(metadata, grant_types=["authorization_code", GRANTS + "token-exchange"])
    session = sign_in(metadata, session_of(registered), scope="openid profile email")
    answer = requests.post(metadata["token_endpoint"], auth=(registered["client_id"], registered["client_secret"]), data={
        "grant_type": GRANTS + "token-exchange", "subject_token": session.token["access_token"],
        "subject_token_type": TYPES + "access_token", "scope": "openid"}).json()
    assert answer["issued_token_type"] == TYPES + "access_token" and answer["scope"] == "openid"
    info = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {answer['access_token']}"}).json()
    assert info["sub"] == "employee-0001-alice" and "email" not in info


PAGE = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}


@pytest.mark.parametrize("headers", [{}, PAGE], ids=["program", "page of another site"])
def test_open_registration_accepts_no_client_that_asserts_identities(metadata, headers):
    document = {"client_name": "page", "redirect_uris": ["https://evil.example/"],
                "grant_types": ["authorization_code", GRANTS + "jwt-bearer"]}
    refused = requests.post(metadata["registration_endpoint"], json=document, headers=headers)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_client_metadata")
    document["grant_types"] = ["authorization_code"]
    assert requests.post(metadata["registration_endpoint"], json=document, headers=headers).status_code == 201


def test_a_client_that_registered_itself_exchanges_tokens_only_for_itself(cloud, metadata):
    registered = register(metadata, grant_types=["authorization_code", GRANTS + "token-exchange"])
    session = sign_in(metadata, session_of(registered), scope="openid")

    def exchange(**target):
        return requests.post(metadata["token_endpoint"], auth=(registered["client_id"], registered["client_secret"]), data={
            "grant_type": GRANTS + "token-exchange", "subject_token": session.token["access_token"],
            "subject_token_type": TYPES + "access_token", "requested_token_type": TYPES + "id_token"} | target)

    refused = exchange(audience="web-app")
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
    assert exchange(audience=registered["client_id"]).status_code == 200
    # The control API permits it: its document has no mark of an open registration.
    place = f"{cloud.url}/_virga/providers/company/clients/{registered['client_id']}"
    client = requests.get(place).json()
    assert client.pop("openRegistration") is True
    assert requests.put(place, json=client).status_code == 200
    token = exchange(audience="web-app").json()["access_token"]
    assert jwt.decode(token, jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())).claims["aud"] == "web-app"


def test_an_assertion_about_a_person_is_a_grant(cloud, metadata):
    key = jwk.ECKey.generate_key("P-256")
    name = f"issuer-{uuid.uuid4()}"
    added = requests.put(f"{cloud.url}/_virga/providers/company/clients/{name}", json={
        "id": name, "metadata": {
            "token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [key.as_dict(private=False)]},
            "response_types": [], "grant_types": [GRANTS + "jwt-bearer"]}})
    assert added.status_code == 201, added.text
    now = int(time.time())
    assertion = jwt.encode({"alg": "ES256"}, {
        "iss": name, "sub": "bob", "aud": metadata["issuer"], "iat": now, "exp": now + 60}, key)
    tokens = requests.post(metadata["token_endpoint"], data={
        "grant_type": GRANTS + "jwt-bearer", "assertion": assertion, "scope": "openid"}).json()
    info = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"}).json()
    assert info["sub"] == "employee-0002-bob"


def test_applications_in_browsers_may_call(metadata):
    for name in ["token_endpoint", "userinfo_endpoint", "jwks_uri", "revocation_endpoint", "registration_endpoint",
                 "device_authorization_endpoint"]:
        response = requests.options(metadata[name], headers={
            "Origin": "https://app.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,dpop"})
        assert response.status_code == 204, name
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "DPoP" in response.headers["Access-Control-Allow-Headers"]
    refused = requests.get(metadata["userinfo_endpoint"], headers={"Origin": "https://app.example"})
    assert "WWW-Authenticate" in refused.headers["Access-Control-Expose-Headers"]


def test_what_the_metadata_names_is_there(metadata):
    for name in ["introspection_endpoint", "revocation_endpoint", "registration_endpoint", "device_authorization_endpoint"]:
        assert requests.post(metadata[name], data={}).status_code == 400, name
        assert urlsplit(metadata[name]).netloc == urlsplit(metadata["issuer"]).netloc
    for method in ["private_key_jwt", "client_secret_jwt", "none"]:
        assert method in metadata["token_endpoint_auth_methods_supported"]
    for grant in ["device_code", "token-exchange", "jwt-bearer"]:
        assert GRANTS + grant in metadata["grant_types_supported"]
    assert "ES256" in metadata["dpop_signing_alg_values_supported"] and "none" not in metadata["dpop_signing_alg_values_supported"]


def test_a_former_secret_still_works(metadata):
    def answer(secret):
        return requests.post(metadata["introspection_endpoint"], data={"token": "x"}, auth=("web-app", secret)).status_code

    assert [answer(secret) for secret in ["web-app-client-secret", "web-app-secret", "web-app", ""]] == [200, 200, 401, 401]
