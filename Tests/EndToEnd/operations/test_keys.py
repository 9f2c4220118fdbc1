"""The issuers' keys: every algorithm with independent verifiers, rotation, and tokens with a single fault."""

import base64
import hashlib
import json

import jwt as pyjwt
import pytest
import requests
from authlib.jose import JsonWebKey, JsonWebToken
from cryptography.x509 import load_der_x509_certificate
from joserfc import jwk, jwt

from clients import assume, refused
from cloud import Cloud
from sandboxes import Sandbox

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
TAKEN_BY_STS = [name for name in ALGORITHMS if name[:2] in ("RS", "ES")]
NO_KEY = "Couldn't retrieve verification key from your identity provider"


def issuer(cloud):
    return f"{cloud.url}/idp/company"


def key_set(cloud):
    return requests.get(f"{issuer(cloud)}/jwks").json()


def header_of(token):
    return json.loads(base64.urlsafe_b64decode(token.partition(".")[0] + "=="))


def rotate(cloud, provider="company", **options):
    return cloud.control("POST", "keys/rotate", {"provider": provider, **options})["keys"]


def verified(cloud, issued, algorithms=tuple(ALGORITHMS)):
    """The claims of a token, verified by PyJWT, which fetches the published keys and selects the token's."""
    client = pyjwt.PyJWKClient(f"{issuer(cloud)}/jwks")
    key = client.get_signing_key_from_jwt(issued["token"])
    return pyjwt.decode(
        issued["token"], key, algorithms=list(algorithms), audience=issued["client"], issuer=issuer(cloud),
        options={"require": ["exp", "iat", "iss", "sub", "aud"]})


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_verifies_with_three_libraries(cloud, algorithm):
    issued = cloud.issue("company", "alice", algorithm=algorithm)
    keys = key_set(cloud)
    header = header_of(issued["token"])
    assert header["alg"] == algorithm
    [published] = [key for key in keys["keys"] if key["kid"] == header["kid"]]
    assert (published["alg"], published["use"]) == (algorithm, "sig")
    assert not {"d", "p", "q", "k"} & set(published)

    assert verified(cloud, issued, [algorithm])["sub"] == issued["subject"]
    decoded = jwt.decode(issued["token"], jwk.KeySet.import_key_set(keys), algorithms=[algorithm])
    assert decoded.claims["sub"] == issued["subject"]
    claims = JsonWebToken([algorithm]).decode(issued["token"], JsonWebKey.import_key_set(keys))
    claims.validate()
    assert claims["sub"] == issued["subject"]


def test_the_newer_name_of_ed25519_verifies(cloud):
    # joserfc alone knows the name of RFC 9864.
    issued = cloud.issue("company", "alice", algorithm="Ed25519")
    [published] = [key for key in key_set(cloud)["keys"] if key["kid"] == header_of(issued["token"])["kid"]]
    assert (published["alg"], published["crv"]) == ("Ed25519", "Ed25519")
    decoded = jwt.decode(issued["token"], jwk.KeySet.import_key_set({"keys": [published]}), algorithms=["Ed25519"])
    assert decoded.claims["sub"] == issued["subject"]
    with refused("InvalidIdentityToken", 400, "The ID Token provided is not a valid JWT"):
        assume(cloud, "company", issued["token"])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_sts_takes_what_the_real_service_takes(cloud, algorithm):
    issued = cloud.issue("company", "alice", algorithm=algorithm)
    if algorithm in TAKEN_BY_STS:
        assert assume(cloud, "company", issued["token"])["SubjectFromWebIdentityToken"] == issued["subject"]
    else:
        with refused("InvalidIdentityToken", 400, "The ID Token provided is not a valid JWT"):
            assume(cloud, "company", issued["token"])


def test_keys_have_names_of_their_own_and_say_how_long_to_keep_them(cloud):
    for algorithm in ALGORITHMS:
        cloud.issue("company", "alice", algorithm=algorithm)
    response = requests.get(f"{issuer(cloud)}/jwks")
    names = [key["kid"] for key in response.json()["keys"]]
    assert len(names) == len(set(names)) == len(ALGORITHMS)
    assert response.headers["Cache-Control"] == "public, max-age=60"


def test_certificates_are_of_the_keys_beside_them(cloud):
    cloud.issue("company", "alice", algorithm="PS256")
    cloud.issue("company", "alice", algorithm="ES256")
    cloud.issue("company", "alice")
    rotate(cloud)
    keys = requests.get(f"{cloud.url}/realms/company/protocol/openid-connect/certs").json()["keys"]
    # One key of each algorithm that signs, and the replaced ones.
    assert [key["alg"] for key in keys] == ["RS256", "RS256", "PS256", "PS256", "ES256", "ES256"]
    for key in keys:
        if key["kty"] != "RSA":
            assert "x5c" not in key
            continue
        der = base64.b64decode(key["x5c"][0])
        numbers = load_der_x509_certificate(der).public_key().public_numbers()
        assert numbers.n == int.from_bytes(base64.urlsafe_b64decode(key["n"] + "=="), "big")
        assert key["x5t#S256"] == base64.urlsafe_b64encode(hashlib.sha256(der).digest()).rstrip(b"=").decode()


def test_a_rotation_leaves_the_old_key_for_the_overlap(cloud):
    old = cloud.issue("company", "alice")
    keys = rotate(cloud, overlap="PT1H")
    assert [key["stage"] for key in keys] == ["current", "retired"]
    assert keys[1]["kid"] == header_of(old["token"])["kid"]
    new = cloud.issue("company", "alice")
    assert header_of(new["token"])["kid"] == keys[0]["kid"]
    assert [key["kid"] for key in key_set(cloud)["keys"]] == [key["kid"] for key in keys]
    for issued in (old, new):
        assert verified(cloud, issued)["sub"] == issued["subject"]
        assume(cloud, "company", issued["token"])

    # The key is removed before its tokens have expired.
    cloud.age("PT59M")
    assert len(key_set(cloud)["keys"]) == 2
    cloud.age("PT2M")
    assert [key["kid"] for key in key_set(cloud)["keys"]] == [keys[0]["kid"]]
    with pytest.raises(pyjwt.PyJWKClientError):
        verified(cloud, old)


def test_sts_refuses_a_token_whose_key_has_left(cloud):
    old = cloud.issue("company", "alice", lifetime=86400)["token"]
    rotate(cloud, overlap="PT10M")
    assume(cloud, "company", old)
    cloud.age("PT11M")
    with refused("InvalidIdentityToken", 400, NO_KEY):
        assume(cloud, "company", old)
    rotate(cloud, overlap="PT0S")
    assume(cloud, "company", cloud.token("company", "alice"))


def test_the_endpoints_of_the_issuer_refuse_a_token_whose_key_has_left(cloud):
    token = cloud.token("company", "alice", type="access_token", format="jwt", lifetime=86400)
    bearer = {"Authorization": f"Bearer {token}"}
    introspection = {"token": token, "client_id": "web-app", "client_secret": "web-app-client-secret"}
    userinfo = f"{issuer(cloud)}/userinfo"
    introspect = f"{cloud.url}/realms/company/protocol/openid-connect/token/introspect"
    assert requests.get(userinfo, headers=bearer).status_code == 200
    assert requests.post(introspect, data=introspection).json()["active"] is True
    rotate(cloud, overlap="PT0S")
    assert requests.get(userinfo, headers=bearer).status_code == 401
    assert requests.post(introspect, data=introspection).json() == {"active": False}


@pytest.mark.parametrize("header", [{"kid": None}, {"crit": ["exp"]}, {"typ": 1}], ids=str)
def test_a_signed_access_token_that_cannot_be_parsed_does_not_outlive_its_key(cloud, header):
    """It is not an opaque one."""
    token = cloud.token("company", "alice", type="access_token", format="jwt", header=header)
    rotate(cloud, overlap="PT0S")
    assert requests.get(f"{issuer(cloud)}/userinfo", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    introspection = {"token": token, "client_id": "web-app", "client_secret": "web-app-client-secret"}
    assert requests.post(f"{issuer(cloud)}/introspect", data=introspection).json() == {"active": False}


def test_the_next_key_is_published_before_it_signs(cloud):
    first = header_of(cloud.token("company", "alice"))["kid"]
    keys = rotate(cloud, publish="before")
    assert [key["stage"] for key in keys] == ["current", "next"]
    assert header_of(cloud.token("company", "alice"))["kid"] == first
    known = {key["kid"] for key in key_set(cloud)["keys"]}
    rotate(cloud, overlap="PT5M")
    signing = header_of(cloud.token("company", "alice"))["kid"]
    # A client that fetched the keys before the rotation can verify later tokens.
    assert signing != first and signing in known


def test_keys_outlive_a_restart(tmp_path):
    with Cloud.over(tmp_path / "data") as cloud:
        old = cloud.token("company", "alice", algorithm="ES256")
        rotate(cloud, overlap="PT1H")
        before = cloud.control("GET", "keys")["providers"]["company"]
        assert cloud.stop() == 0
    with Cloud.over(tmp_path / "data") as cloud:
        assert cloud.control("GET", "keys")["providers"]["company"] == before
        assume(cloud, "company", old)
        assert header_of(cloud.token("company", "alice", algorithm="ES256"))["kid"] in [key["kid"] for key in before]


def test_a_reset_keeps_the_key_and_changes_its_name(cloud):
    old = cloud.token("company", "alice")
    [before] = key_set(cloud)["keys"]
    cloud.reset()
    [after] = key_set(cloud)["keys"]
    assert after["n"] == before["n"] and after["kid"] != before["kid"]
    with refused("InvalidIdentityToken", 400, NO_KEY):
        assume(cloud, "company", old)


def test_an_issuer_signs_as_its_seed_and_its_clients_say(process):
    seed = """
        {identityProviders: [{name: "company", issuer: "https://login.company.example", signingAlgorithm: "ES256",
          clients: [{id: "plain"}, {id: "edwards", metadata: {id_token_signed_response_alg: "EdDSA"}}],
          people: [{name: "alice", subject: "1", password: "p"}]}]}"""
    with Sandbox.seeded(process, seed) as cloud:
        # The key is published before it has signed anything.
        assert [key["alg"] for key in key_set(cloud)["keys"]] == ["ES256", "EdDSA"]
        for client, algorithm in [("plain", "ES256"), ("edwards", "EdDSA")]:
            issued = cloud.issue("company", "alice", client=client)
            assert header_of(issued["token"])["alg"] == algorithm
            assert verified(cloud, issued)["sub"] == "1"


# PyJWT's error for each fault. It does not check nonce, at_hash and duplicates, which is the relying party's task.
FAULTS = {
    "expired": pyjwt.ExpiredSignatureError, "notYetValid": pyjwt.ImmatureSignatureError,
    "issuedInTheFuture": pyjwt.ImmatureSignatureError, "wrongAudience": pyjwt.InvalidAudienceError,
    "wrongIssuer": pyjwt.InvalidIssuerError, "unknownKeyID": pyjwt.PyJWKClientError, "missingKeyID": pyjwt.PyJWKClientError,
    "algNone": pyjwt.InvalidAlgorithmError, "hs256WithPublicKey": pyjwt.InvalidTokenError,
    "flippedSignatureBit": pyjwt.InvalidSignatureError, "emptySignature": pyjwt.InvalidSignatureError,
    "otherKey": pyjwt.InvalidSignatureError, "embeddedKey": pyjwt.InvalidSignatureError,
    "keySetURL": pyjwt.InvalidSignatureError, "embeddedCertificate": pyjwt.InvalidSignatureError,
    "certificateURL": pyjwt.InvalidSignatureError, "criticalExtension": pyjwt.InvalidTokenError,
    "nestedToken": pyjwt.DecodeError}


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_token_with_a_fault_is_refused_by_who_checks(cloud, fault, algorithm):
    issued = cloud.issue("company", "alice", fault=fault, algorithm=algorithm)
    with pytest.raises(FAULTS[fault]):
        verified(cloud, issued)
    # STS does not read the claims of a token with an unsupported signature.
    code = "ExpiredTokenException" if fault == "expired" and algorithm != "EdDSA" else "InvalidIdentityToken"
    with refused(code, 400):
        assume(cloud, "company", issued["token"])


def test_missing_and_huge_claims_are_there_on_request(cloud):
    issued = cloud.issue("company", "alice", missingClaims=["sub"])
    with pytest.raises(pyjwt.MissingRequiredClaimError):
        verified(cloud, issued)
    with refused("InvalidIdentityToken", 400, "Missing a required claim: sub"):
        assume(cloud, "company", issued["token"])
    huge = cloud.issue("company", "alice", fault="hugeClaims")
    assert len(verified(cloud, huge)["groups"]) == 5000


# Each provider's token endpoint, and the seeded client with its secret.
ENDPOINTS = {
    "company": ("token", "web-app", "web-app-client-secret"),
    "google": ("token", "1234567890.apps.googleusercontent.com", "google-client-secret"),
    "amazon": ("auth/o2/token", "amzn1.application-oa2-client.personalfiles", "amazon-client-secret"),
    "facebook": ("oauth/access_token", "1234567890123456", "facebook-app-secret")}


def redeem(cloud, provider, **form):
    path, client_id, secret = ENDPOINTS[provider]
    form |= {"client_id": client_id, "client_secret": secret}
    return requests.post(f"{cloud.url}/idp/{provider}/{path}", data=form)


@pytest.mark.parametrize("provider", ENDPOINTS)
def test_a_code_without_a_browser_is_redeemed_once(cloud, provider):
    code = cloud.issue(provider, "alice", type="code")
    assert (code["type"], code["expires_in"]) == ("code", 300)
    form = {"grant_type": "authorization_code", "code": code["token"], "redirect_uri": "http://localhost:8765/callback"}
    answer = redeem(cloud, provider, **form)
    assert answer.status_code == 200, answer.text
    assert answer.json()["access_token"]
    assert redeem(cloud, provider, **form).status_code == 400
    expired = cloud.token(provider, "alice", type="code", fault="expired")
    assert redeem(cloud, provider, **form | {"code": expired}).status_code == 400


@pytest.mark.parametrize("provider", ["company", "google", "amazon"])
def test_a_refresh_token_without_a_browser_is_good_until_it_expires(cloud, provider):
    form = {"grant_type": "refresh_token"}
    answer = redeem(cloud, provider, refresh_token=cloud.token(provider, "alice", type="refresh_token"), **form)
    assert answer.status_code == 200, answer.text
    expired = cloud.token(provider, "alice", type="refresh_token", fault="expired")
    answer = redeem(cloud, provider, refresh_token=expired, **form)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
