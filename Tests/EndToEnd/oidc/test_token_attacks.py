"""Attacks on pushed requests, devices, signed responses and the hosts of products: what one client or one issuer was given must not serve
another."""

import base64
import hashlib
import json
from urllib.parse import urlencode

import pytest
import requests
from joserfc import jwk, jwt
from joserfc.jws import extract_compact

from company import company, issuer
from login_page import OTHER_REDIRECT_URI, REDIRECT_URI, Person, Redirect, Refusal

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
VERIFIER = "verifier-" + "v" * 40
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
ORDERS, MAIL = "https://orders.company.example", "https://mail.company.example"
APIS = [
    {"identifier": ORDERS, "scopes": ["orders.read", "orders.write"]}, {"identifier": MAIL, "scopes": ["mail.send"], "clients": ["web"]}]


def client(name, **further):
    return {"id": name, "secret": f"{name}-secret", "redirectURIs": [REDIRECT_URI], "grants": [DEVICE, EXCHANGE], **further}


CLIENTS = [
    client("web", scopes=["openid", "offline_access", "orders.read", "orders.write", "mail.send"]),
    client("other", scopes=["openid", "orders.read"])]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with company(tmp_path_factory.mktemp("attacks"), CLIENTS, apis=APIS) as cloud:
        yield cloud


@pytest.fixture
def metadata(server):
    return requests.get(f"{issuer(server)}/.well-known/openid-configuration").json()


def as_client(name):
    return (name, f"{name}-secret")


def request(name="web", **further):
    return {"client_id": name, "response_type": "code", "redirect_uri": REDIRECT_URI, "state": "s", "code_challenge": CHALLENGE,
            "code_challenge_method": "S256", **further}


def push(metadata, name="web", **further):
    parameters = request(name, **further)
    return requests.post(metadata["pushed_authorization_request_endpoint"], auth=as_client(name), data=parameters)


def redeem(metadata, code, name="web", **further):
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI, "code_verifier": VERIFIER, **further}
    return requests.post(metadata["token_endpoint"], auth=as_client(name), data=form)


def url(metadata, **parameters):
    return f"{metadata['authorization_endpoint']}?{urlencode(parameters)}"


# Pushed authorization requests (RFC 9126).

@pytest.mark.parametrize("further", [
    {"scope": "openid orders.read orders.write mail.send"}, {"resource": MAIL}, {"redirect_uri": OTHER_REDIRECT_URI},
    {"code_challenge": "x" * 43}, {"response_type": "token"}, {"response_mode": "form_post"}], ids=lambda further: next(iter(further)))
def test_parameters_beside_a_pushed_request_do_not_count(metadata, further):
    pushed = push(metadata, scope="openid orders.read").json()["request_uri"]
    redirect = Person("alice").authorize(url(metadata, client_id="web", request_uri=pushed, **further))
    assert redirect.url.startswith(f"{REDIRECT_URI}?")
    token = redeem(metadata, redirect.query["code"]).json()
    assert token["scope"].split() == ["openid", "orders.read"]


def test_a_pushed_request_is_for_its_client_and_for_one_use(metadata):
    pushed = push(metadata, scope="openid").json()["request_uri"]
    refused = Person("alice").open(url(metadata, client_id="other", request_uri=pushed))
    assert isinstance(refused, Refusal) and "invalid_request_uri" in refused.text
    person = Person("alice")
    assert "code" in person.authorize(url(metadata, client_id="web", request_uri=pushed)).query
    again = person.open(url(metadata, client_id="web", request_uri=pushed))
    assert isinstance(again, Refusal) and "invalid_request_uri" in again.text


@pytest.mark.parametrize("name, parameters, error", [
    ("web", {"scope": "openid admin"}, "invalid_scope"), ("other", {"scope": "mail.send"}, "invalid_scope"),
    ("other", {"resource": MAIL}, "invalid_target"), ("web", {"redirect_uri": "https://evil.example/"}, "invalid_request"),
    ("web", {"request_uri": "urn:ietf:params:oauth:request_uri:x"}, "invalid_request")],
    ids=["scope", "api", "resource", "address", "nested"])
def test_a_request_that_is_not_allowed_is_not_pushed(metadata, name, parameters, error):
    response = push(metadata, name, **parameters)
    assert (response.status_code, response.json()["error"]) == (400, error)


@pytest.mark.parametrize("credentials, status, error", [
    (None, 401, "invalid_client"), (("web", "other-secret"), 401, "invalid_client"), (("other", "other-secret"), 400, "invalid_request")],
    ids=["none", "wrong", "another's"])
def test_nobody_pushes_for_another_client(metadata, credentials, status, error):
    response = requests.post(
        metadata["pushed_authorization_request_endpoint"], auth=credentials, data=request("web", scope="openid"))
    assert (response.status_code, response.json()["error"]) == (status, error)


# Devices (RFC 8628).

def begin(metadata, name="web", **further):
    response = requests.post(metadata["device_authorization_endpoint"], auth=as_client(name), data=further)
    assert response.status_code == 200, response.text
    return response.json()


def poll(metadata, code, name="web", **further):
    form = {"grant_type": DEVICE, "device_code": code, **further}
    return requests.post(metadata["token_endpoint"], auth=as_client(name), data=form)


def allow(device, person):
    page = person.open(device["verification_uri_complete"])
    while not page.is_consent:
        page = person.sign_in(page) if page.is_login else person.submit(page)
    assert "signed in" in person.press(page, ("action", "allow")).text


def test_a_device_gets_the_scopes_that_the_person_saw(metadata):
    device = begin(metadata, scope="openid orders.read")
    allow(device, Person("alice"))
    response = poll(metadata, device["device_code"], scope="openid orders.read orders.write mail.send")
    assert response.json()["scope"].split() == ["openid", "orders.read"]


def test_a_device_code_is_for_its_client(metadata):
    device = begin(metadata, scope="openid orders.read")
    allow(device, Person("alice"))
    assert poll(metadata, device["device_code"], "other").json()["error"] == "invalid_grant"
    assert poll(metadata, device["user_code"]).json()["error"] == "invalid_grant"
    assert poll(metadata, device["device_code"]).status_code == 200
    assert poll(metadata, device["device_code"]).json()["error"] in ("invalid_grant", "expired_token")


def test_a_device_code_is_not_an_authorization_code(metadata):
    device = begin(metadata, scope="openid")
    allow(device, Person("alice"))
    assert redeem(metadata, device["device_code"]).json()["error"] == "invalid_grant"


# Refresh and exchange.

def tokens(metadata, scope):
    redirect = Person("alice").authorize(url(metadata, **request(scope=scope)))
    return redeem(metadata, redirect.query["code"]).json()


def test_a_refresh_token_is_for_its_client(metadata):
    first = tokens(metadata, "openid offline_access orders.read")
    form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    assert requests.post(metadata["token_endpoint"], auth=as_client("other"), data=form).json()["error"] == "invalid_grant"
    wider = form | {"scope": "openid orders.read mail.send"}
    assert requests.post(metadata["token_endpoint"], auth=as_client("web"), data=wider).json()["error"] == "invalid_scope"
    target = form | {"resource": MAIL}
    assert requests.post(metadata["token_endpoint"], auth=as_client("web"), data=target).json()["error"] == "invalid_target"


def test_another_client_does_not_exchange_a_token(metadata):
    first = tokens(metadata, "openid orders.read")
    form = {"grant_type": EXCHANGE, "subject_token": first["access_token"],
            "subject_token_type": "urn:ietf:params:oauth:token-type:access_token"}
    refused = requests.post(metadata["token_endpoint"], auth=as_client("other"), data=form)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")


# Signed responses (JARM).

def signed(metadata, response, name="web"):
    keys = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(response, keys, algorithms=["RS256"])
    assert decoded.claims["aud"] == name
    assert decoded.claims["iss"] == metadata["issuer"]
    return decoded.claims


def test_a_signed_response_names_its_client_and_nothing_is_beside_it(metadata):
    redirect = Person("alice").authorize(url(metadata, **request(scope="openid", response_mode="jwt")))
    assert set(redirect.query) == {"response"}
    claims = signed(metadata, redirect.query["response"])
    assert claims["state"] == "s"
    # A response is no token of another kind.
    form = {"grant_type": EXCHANGE, "subject_token": redirect.query["response"]}
    for kind in ["access_token", "id_token", "jwt"]:
        asked = form | {"subject_token_type": f"urn:ietf:params:oauth:token-type:{kind}"}
        assert requests.post(metadata["token_endpoint"], auth=as_client("web"), data=asked).status_code == 400
    header = {"Authorization": f"Bearer {redirect.query['response']}"}
    assert requests.get(metadata["userinfo_endpoint"], headers=header).status_code == 401
    hinted = Person("alice").open(url(metadata, **request(scope="openid", prompt="none", id_token_hint=redirect.query["response"])))
    assert hinted.query["error"] == "invalid_request"


def test_a_signed_response_goes_to_a_registered_address(metadata):
    refused = Person("alice").open(url(metadata, **request(
        scope="openid", response_mode="jwt", redirect_uri="https://evil.example/callback")))
    assert isinstance(refused, Refusal)


def test_an_error_is_signed_too(metadata):
    redirect = Person("alice").open(url(metadata, **request(scope="openid", response_mode="jwt", prompt="none")))
    assert isinstance(redirect, Redirect)
    assert signed(metadata, redirect.query["response"])["error"] == "login_required"


def test_tokens_are_not_in_a_query(metadata):
    redirect = Person("alice").open(url(metadata, **request(
        scope="openid", response_type="code id_token", nonce="n", response_mode="query.jwt")))
    assert redirect.fragment["error"] == "invalid_request"
    assert "id_token" not in redirect.fragment


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_client_does_not_choose_a_weak_algorithm(metadata, algorithm):
    response = requests.post(metadata["registration_endpoint"], json={
        "redirect_uris": [REDIRECT_URI], "authorization_signed_response_alg": algorithm})
    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")


# Request objects.

def compact(header, payload=b"{}"):
    encoded = [base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (json.dumps(header).encode(), payload)]
    return ".".join(encoded + [""])


@pytest.mark.parametrize("header", [
    {"alg": "dir", "enc": "A128GCM"}, {"alg": "none", "enc": "A128GCM"}, {"alg": "RSA1_5", "enc": "A128GCM"},
    {"alg": "ECDH-ES", "enc": "A128GCM", "zip": "DEF"}, {"alg": "PBES2-HS256+A128KW", "enc": "A128GCM", "p2c": 2_000_000_000}],
    ids=lambda header: header["alg"] + header.get("zip", ""))
def test_an_unsafe_encryption_of_a_request_is_refused(metadata, header):
    encrypted = ".".join([base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("="), "AAAA", "AAAA", "AAAA", "AAAA"])
    answer = Person("alice").open(url(metadata, **request(scope="openid", request=encrypted)))
    assert answer.query["error"] == "invalid_request_object"


def test_a_request_object_of_another_client_is_refused(metadata):
    key = jwk.OctKey.import_key("other-secret".ljust(32, "x"))
    text = jwt.encode({"alg": "HS256"}, {"iss": "web", "aud": metadata["issuer"], **request(scope="openid")}, key)
    assert extract_compact(text.encode()).protected["alg"] == "HS256"
    answer = Person("alice").open(url(metadata, client_id="web", response_type="code", scope="openid", request=text))
    assert isinstance(answer, Refusal) and "invalid_request_object" in answer.text
