"""Encrypted tokens and authorization responses as tokens, read by joserfc and jwcrypto."""

import json
import time
import uuid
from urllib.parse import urlencode

import pytest
import requests
from authlib.common.security import generate_token
from joserfc import jwe, jwk, jwt
from joserfc.jwe import JWERegistry
from jwcrypto import jwe as other_jwe
from jwcrypto import jwk as other_jwk

from login_page import REDIRECT_URI, Page, Person

ALGORITHMS = ["RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW"]
ENCRYPTIONS = ["A128GCM", "A256GCM", "A128CBC-HS256"]
ALLOWED = ALGORITHMS + ENCRYPTIONS
KEYS = {
    "RSA": jwk.RSAKey.generate_key(2048, {"use": "enc", "kid": "rsa"}),
    "EC": jwk.ECKey.generate_key("P-256", {"use": "enc", "kid": "ec"})}


@pytest.fixture
def metadata(cloud):
    return requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()


def key_for(algorithm):
    return KEYS["RSA" if algorithm.startswith("RSA") else "EC"]


def register(metadata, **document):
    keys = {"keys": [key.as_dict(private=False) for key in KEYS.values()]}
    response = requests.post(metadata["registration_endpoint"], json={"redirect_uris": [REDIRECT_URI], "jwks": keys} | document)
    assert response.status_code == 201, response.text
    return response.json()


def credentials(client):
    return client["client_id"], client["client_secret"]


def request_of(client, **parameters):
    return {"client_id": client["client_id"], "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid profile",
            "state": generate_token(10), "nonce": generate_token(10)} | parameters


def tokens(metadata, client):
    redirect = Person("alice").authorize(f"{metadata['authorization_endpoint']}?{urlencode(request_of(client))}")
    form = {"grant_type": "authorization_code", "code": redirect.query["code"], "redirect_uri": REDIRECT_URI}
    response = requests.post(metadata["token_endpoint"], data=form, auth=credentials(client))
    assert response.status_code == 200, response.text
    return response.json()


def opened(text, algorithm, encryption):
    """The content of an encrypted token, as two libraries decrypt it."""
    key = key_for(algorithm)
    found = jwe.decrypt_compact(text, key, registry=JWERegistry(algorithms=ALLOWED))
    assert (found.protected["alg"], found.protected["enc"]) == (algorithm, encryption)
    other = other_jwe.JWE(algs=ALLOWED)
    other.deserialize(text, other_jwk.JWK.from_json(json.dumps(key.as_dict(private=True))))
    assert other.payload == found.plaintext
    return found.plaintext.decode()


def verified(metadata, token):
    keys = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    return jwt.decode(token, keys, algorithms=["RS256", "ES256"])


@pytest.mark.parametrize("encryption", ENCRYPTIONS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_id_token_and_userinfo_are_encrypted(metadata, algorithm, encryption):
    assert algorithm in metadata["id_token_encryption_alg_values_supported"]
    assert encryption in metadata["userinfo_encryption_enc_values_supported"]
    names = {f"{message}_encrypted_response_{part}": value for message in ["id_token", "userinfo"]
             for part, value in [("alg", algorithm), ("enc", encryption)]}
    client = register(metadata, userinfo_signed_response_alg="ES256", **names)
    assert client.items() >= names.items()
    issued = tokens(metadata, client)
    claims = verified(metadata, opened(issued["id_token"], algorithm, encryption)).claims
    assert (claims["iss"], claims["aud"]) == (metadata["issuer"], client["client_id"])
    response = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {issued['access_token']}"})
    assert response.headers["Content-Type"] == "application/jwt"
    assert verified(metadata, opened(response.text, algorithm, encryption)).claims["name"] == "Alice Archer"


@pytest.mark.parametrize("encryption", ENCRYPTIONS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_request_object_may_be_encrypted(metadata, algorithm, encryption):
    signing = jwk.ECKey.generate_key("P-256", {"kid": "own"})
    client = register(
        metadata, request_object_encryption_alg=algorithm, request_object_encryption_enc=encryption,
        jwks={"keys": [signing.as_dict(private=False)]})
    published = [key for key in requests.get(metadata["jwks_uri"]).json()["keys"] if key["use"] == "enc"]
    [key] = [key for key in published if key["kty"] == ("RSA" if algorithm.startswith("RSA") else "EC")]
    now = int(time.time())
    claims = request_of(client, state="inner", iss=client["client_id"], aud=metadata["issuer"], exp=now + 60, jti=str(uuid.uuid4()))
    signed = jwt.encode({"alg": "ES256", "kid": "own"}, claims, signing)
    message = other_jwe.JWE(
        signed.encode(), json.dumps({"alg": algorithm, "enc": encryption, "kid": key["kid"], "cty": "JWT"}), algs=ALLOWED)
    message.add_recipient(other_jwk.JWK.from_json(json.dumps(key)))
    outer = {name: claims[name] for name in ["client_id", "response_type", "scope", "redirect_uri"]}
    url = f"{metadata['authorization_endpoint']}?{urlencode(outer | {'request': message.serialize(compact=True)})}"
    redirect = Person("alice").authorize(url)
    assert "code" in redirect.query and redirect.query["state"] == "inner"


def test_compressed_and_unsafe_request_objects_are_refused(metadata):
    signing = jwk.ECKey.generate_key("P-256", {"kid": "own"})
    client = register(metadata, request_object_encryption_alg="ECDH-ES", jwks={"keys": [signing.as_dict(private=False)]})
    [key] = [key for key in requests.get(metadata["jwks_uri"]).json()["keys"] if key["use"] == "enc" and key["kty"] == "EC"]
    signed = jwt.encode({"alg": "ES256", "kid": "own"}, request_of(client, iss=client["client_id"]), signing)
    for header, reason in [
        ({"alg": "ECDH-ES", "enc": "A128CBC-HS256", "zip": "DEF"}, "zip"), ({"alg": "ECDH-ES", "enc": "A256CBC-HS512"}, "enc"),
        ({"alg": "ECDH-ES+A192KW", "enc": "A128GCM"}, "alg"), ({"alg": "ECDH-ES", "enc": "A128GCM"}, "as the client has registered"),
    ]:
        message = other_jwe.JWE(signed.encode(), json.dumps(header), algs=list(header.values()))
        message.add_recipient(other_jwk.JWK.from_json(json.dumps(key)))
        parameters = request_of(client, request=message.serialize(compact=True))
        redirect = Person("alice").open(f"{metadata['authorization_endpoint']}?{urlencode(parameters)}")
        assert redirect.query["error"] == "invalid_request_object"
        assert reason in redirect.query["error_description"], redirect.query


@pytest.mark.parametrize("mode", ["jwt", "query.jwt", "fragment.jwt", "form_post.jwt"])
def test_a_response_is_a_token(metadata, mode):
    client = register(metadata, authorization_signed_response_alg="ES256")
    parameters, person = request_of(client, response_mode=mode), Person("alice")
    step = person.open(f"{metadata['authorization_endpoint']}?{urlencode(parameters)}")
    while isinstance(step, Page) and not step.forms[0].action.startswith(REDIRECT_URI):
        step = person.sign_in(step) if step.is_login else person.press(step, ("action", "allow"))
    if mode == "form_post.jwt":
        received = step.forms[0].fields
    else:
        received = step.fragment if mode == "fragment.jwt" else step.query
    assert set(received) == {"response"}
    token = verified(metadata, received["response"])
    assert token.header["alg"] == "ES256"
    assert (token.claims["iss"], token.claims["aud"]) == (metadata["issuer"], client["client_id"])
    assert token.claims["state"] == parameters["state"] and time.time() < token.claims["exp"] <= time.time() + 601
    form = {"grant_type": "authorization_code", "code": token.claims["code"], "redirect_uri": REDIRECT_URI}
    assert requests.post(metadata["token_endpoint"], data=form, auth=credentials(client)).status_code == 200


def test_a_response_may_be_encrypted(metadata):
    client = register(
        metadata, authorization_encrypted_response_alg="ECDH-ES+A128KW", authorization_encrypted_response_enc="A256GCM")
    url = f"{metadata['authorization_endpoint']}?{urlencode(request_of(client, response_mode='jwt'))}"
    redirect = Person("alice").authorize(url)
    token = opened(redirect.query["response"], "ECDH-ES+A128KW", "A256GCM")
    assert "code" in verified(metadata, token).claims


def test_introspection_may_be_a_token(metadata):
    client = register(metadata, introspection_encrypted_response_alg="RSA-OAEP-256", introspection_encrypted_response_enc="A256GCM")
    form = {"token": tokens(metadata, client)["access_token"]}
    plain = requests.post(metadata["introspection_endpoint"], data=form, auth=credentials(client))
    assert plain.headers["Content-Type"] == "application/json" and plain.json()["active"]
    accept = {"Accept": "application/token-introspection+jwt"}
    response = requests.post(metadata["introspection_endpoint"], data=form, auth=credentials(client), headers=accept)
    assert response.headers["Content-Type"] == "application/token-introspection+jwt"
    token = verified(metadata, opened(response.text, "RSA-OAEP-256", "A256GCM"))
    assert token.header["typ"] == "token-introspection+jwt"
    assert token.claims["token_introspection"]["sub"] == plain.json()["sub"]
    assert (token.claims["iss"], token.claims["aud"]) == (metadata["issuer"], client["client_id"])


@pytest.mark.parametrize("document, name", [
    ({"id_token_encrypted_response_alg": "RSA1_5"}, "id_token_encrypted_response_alg"),
    ({"id_token_encrypted_response_alg": "RSA-OAEP"}, "id_token_encrypted_response_alg"),
    ({"userinfo_encrypted_response_enc": "A128GCM"}, "userinfo_encrypted_response_alg"),
    ({"id_token_encrypted_response_alg": "ECDH-ES", "jwks": {"keys": []}}, "ECDH-ES"),
    ({"token_endpoint_auth_method": "tls_client_auth"}, "tls_client_auth"),
    ({"tls_client_certificate_bound_access_tokens": True}, "tls_client_certificate_bound_access_tokens"),
    ({"backchannel_token_delivery_mode": "poll"}, "backchannel_token_delivery_mode"),
    ({"authorization_details_types": ["payment"]}, "authorization_details_types")])
def test_what_is_not_served_is_refused_by_name(metadata, document, name):
    response = requests.post(metadata["registration_endpoint"], json={"redirect_uris": [REDIRECT_URI]} | document)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")
    assert name in response.json()["error_description"]
