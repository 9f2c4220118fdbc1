"""Claims of the wrong JSON type, in tokens whose signature is valid, at every endpoint that reads tokens.

Each endpoint refuses them with its own error, or accepts what its specification lets it ignore. None fails.
"""

import itertools
import json
import time
import uuid

import pytest
import requests
from joserfc import jwk, jwt

import harbour
import ridgeline
from cloud import ACCOUNT, REPOSITORY, Cloud

CLAIMS = ["iss", "sub", "aud", "azp", "exp", "iat", "nbf", "auth_time", "amr", "acr", "nonce", "jti", "sid", "typ", "act", "scope", "email",
          "roles", "https://aws.amazon.com/tags", "https://aws.amazon.com/source_identity"]
VALUES = {
    "null": None, "true": True, "an integer": 7, "a negative integer": -1, "the largest integer": 2**63 - 1, "a fraction": 1.5,
    "a large number": 1e300, "an empty text": "", "a text": "text", "an empty array": [], "an array of an integer": [1], "an array of null": [None],
    "an array of arrays": [[]], "an empty object": {}, "an object": {"a": {"b": [1]}}}
# Every claim without a value as well.
CHANGES = [{"claims": {name: value}} for name, value in itertools.product(CLAIMS, VALUES.values())] + [
    {"missingClaims": [name]} for name in CLAIMS]
PROVIDER, CLIENT, SECRET = "company", "web-app", "web-app-client-secret"
GRANTS, TYPES = "urn:ietf:params:oauth:grant-type:", "urn:ietf:params:oauth:token-type:"
# A client that may exchange tokens, and return from a logout.
EXCHANGER, SIGNED_OUT = "exchanging", "http://localhost:8765/signed-out"


def register_exchanger(cloud):
    cloud.control("PUT", f"providers/{PROVIDER}/clients/{EXCHANGER}", {
        "id": EXCHANGER, "secret": SECRET, "redirectURIs": ["http://localhost:8765/callback"], "metadata": {"post_logout_redirect_uris": [SIGNED_OUT]},
        "grants": [GRANTS + "token-exchange"]})


@pytest.fixture(scope="module")
def process(environment_of_the_tests):
    seeds = [argument for name in ("personal-file-store", "mobile-cloud", "alibaba") for argument in
             ("--seed", REPOSITORY / "seed" / f"{name}.json5")]
    with Cloud.ephemeral(*seeds) as cloud:
        register_exchanger(cloud)
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture(scope="module")
def tokens(process):
    """The changed ID tokens of a client of a provider, each made once."""
    made = {}

    def of(provider, user, client):
        if (provider, client) not in made:
            made[provider, client] = [(change, process.token(provider, user, client=client, **change)) for change in CHANGES]
        return made[provider, client]

    return of


def failures(tokens, send, is_refusal):
    """The changes after which an endpoint fails, or refuses in the words of no service."""
    wrong = []
    for change, token in tokens:
        answer = send(token)
        if answer.status_code >= 500 or answer.status_code >= 400 and not is_refusal(answer):
            wrong.append((change, answer.status_code, answer.text[:200]))
    return wrong


def gives(answer):
    """Whether an endpoint gives what a token is for. The business server of an app refuses with the status 200."""
    assert answer.status_code < 500, answer.text
    return answer.ok and '"ErrorCode"' not in answer.text


def oauth(answer):
    return isinstance(answer.json().get("error"), str)


def web_identity(process):
    def send(token):
        return requests.post(process.url, data={
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleSessionName": "alice",
            "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/personal-files-{PROVIDER}", "WebIdentityToken": token})
    return send, lambda answer: any(f"<Code>{code}</Code>" in answer.text for code in (
        "InvalidIdentityToken", "ExpiredTokenException", "AccessDenied", "PackedPolicyTooLarge"))


def ram(process):
    def send(token):
        return requests.post(process.url, headers={"Host": "sts.cn-hangzhou.aliyuncs.com"}, data={
            "Action": "AssumeRoleWithOIDC", "Version": "2015-04-01", "Format": "JSON", "Timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "SignatureNonce": str(uuid.uuid4()), "RoleArn": harbour.WEB_USER, "OIDCProviderArn": harbour.OIDC_PROVIDER,
            "RoleSessionName": "alice", "OIDCToken": token})
    return send, lambda answer: answer.json()["Code"].startswith("AuthenticationFail.") or answer.json()["Code"] == "NoPermission"


def app_server(process):
    def send(token):
        return requests.get(f"{process.url}/distribute-token.json", headers={"Authorization": f"Bearer {token}"})
    return send, lambda answer: "StatusCode" in answer.json() or "ErrorCode" in answer.json()


def relay(process):
    backend = ridgeline.Backend(process, "LiftCare")
    return backend.exchange_jwt, lambda answer: "MOBILE-" in answer.text or "error" in answer.json()


def token_exchange(kind):
    def at(process):
        def send(token):
            return requests.post(f"{process.url}/idp/{PROVIDER}/token", auth=(EXCHANGER, SECRET), data={
                "grant_type": GRANTS + "token-exchange", "subject_token": token, "subject_token_type": TYPES + kind})
        return send, oauth
    return at


def actor(process):
    subject = process.token(PROVIDER, "alice", client=EXCHANGER)

    def send(token):
        return requests.post(f"{process.url}/idp/{PROVIDER}/token", auth=(EXCHANGER, SECRET), data={
            "grant_type": GRANTS + "token-exchange", "subject_token": subject, "subject_token_type": TYPES + "id_token",
            "actor_token": token, "actor_token_type": TYPES + "id_token"})
    return send, oauth


def userinfo(process):
    return lambda token: requests.get(f"{process.url}/idp/{PROVIDER}/userinfo", headers={"Authorization": f"Bearer {token}"}), oauth


def introspection(process):
    return lambda token: requests.post(f"{process.url}/idp/{PROVIDER}/introspect", data={"token": token}, auth=(CLIENT, SECRET)), oauth


def revocation(process):
    return lambda token: requests.post(f"{process.url}/idp/{PROVIDER}/revoke", data={"token": token}, auth=(CLIENT, SECRET)), oauth


def logout_hint(process):
    return lambda token: requests.get(
        f"{process.url}/idp/{PROVIDER}/logout", params={"id_token_hint": token}, allow_redirects=False), lambda answer: "<html" in answer.text


def login_hint(process):
    return lambda token: requests.get(f"{process.url}/idp/{PROVIDER}/authorize", allow_redirects=False, params={
        "id_token_hint": token, "prompt": "none", "client_id": CLIENT, "redirect_uri": "http://localhost:8765/callback", "scope": "openid",
        "response_type": "code", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    }), lambda answer: "<html" in answer.text


def inspection(process):
    return lambda token: requests.post(f"{process.url}/_virga/inspect", json={"text": token}), oauth


READERS = {
    "AssumeRoleWithWebIdentity": web_identity, "AssumeRoleWithOIDC": ram, "the business server of an app": app_server,
    "the exchange of the mobile cloud": relay, "token exchange of an ID token": token_exchange("id_token"),
    "token exchange of a JWT": token_exchange("jwt"), "token exchange of an access token": token_exchange("access_token"),
    "an actor's token": actor, "userinfo": userinfo, "introspection": introspection, "revocation": revocation,
    "a hint at the logout": logout_hint, "a hint at the login": login_hint, "an inspection": inspection}
# Where the tokens come from that the reader knows.
SOURCES = {
    "AssumeRoleWithOIDC": (harbour.PROVIDER, "alice", harbour.WEB_CLIENT),
    "the business server of an app": (harbour.PROVIDER, "alice", harbour.WEB_CLIENT),
    "the exchange of the mobile cloud": (ridgeline.PROVIDER, "tessa", "ridgeline-app")} | {
        name: (PROVIDER, "alice", EXCHANGER) for name in READERS if name.startswith("token exchange") or name == "an actor's token"}


@pytest.mark.parametrize("reader", READERS)
def test_no_claim_of_another_type_makes_a_reader_fail(process, tokens, reader):
    send, is_refusal = READERS[reader](process)
    source = SOURCES.get(reader, (PROVIDER, "alice", CLIENT))
    # It reads tokens of this source.
    control = send(process.token(source[0], source[1], client=source[2]))
    assert control.status_code < 500, control.text
    assert failures(tokens(*source), send, is_refusal) == []


# The endpoints that give something for an ID token, and the claims that they read.
GIVERS = {
    "AssumeRoleWithWebIdentity": "sub aud exp iat nbf", "AssumeRoleWithOIDC": "sub aud exp iat nbf",
    "the business server of an app": "sub aud exp iat nbf", "the exchange of the mobile cloud": "aud exp iat nbf",
    "token exchange of an ID token": "sub aud exp iat nbf", "token exchange of a JWT": "sub aud exp iat nbf",
    "an actor's token": "sub aud exp iat nbf"}
# What is no value of a claim: a fraction of a second is a time (RFC 7519 section 2), and before 1970 a token was valid or issued long ago.
NO_VALUES = {
    "sub": [None, "", 1.5, [], ["alice"]], "aud": [None, "", 1.5, -1, "text", [], [None], [7]],
    "exp": [None, "", 1.5, -1, "text", []], "iat": [None, "", "text", []], "nbf": [None, "", "text", []]}


@pytest.mark.parametrize("giver", GIVERS)
def test_nothing_is_given_for_a_claim_without_a_value(process, giver):
    send, _ = READERS[giver](process)
    provider, user, client = SOURCES.get(giver, (PROVIDER, "alice", CLIENT))
    assert gives(send(process.token(provider, user, client=client)))
    accepted = []
    for name in GIVERS[giver].split():
        for value in NO_VALUES[name]:
            if gives(send(process.token(provider, user, client=client, claims={name: value}))):
                accepted.append((name, value))
    assert accepted == []


# The service accepts integers and texts.
@pytest.mark.parametrize("value", [name for name, value in VALUES.items() if type(value) not in (int, str)])
def test_a_subject_of_another_type_is_an_invalid_identity_token(process, value):
    send, _ = web_identity(process)
    answer = send(process.token(PROVIDER, "alice", client=CLIENT, claims={"sub": VALUES[value]}))
    assert answer.status_code == 400 and "<Code>InvalidIdentityToken</Code>" in answer.text, answer.text


@pytest.mark.parametrize("use", ["client authentication", "a grant"])
def test_no_claim_of_another_type_makes_an_assertion_fail(process, use):
    """Assertions that a client signs itself (RFC 7523)."""
    key = jwk.generate_key("EC", "P-256", {"kid": "mine"}, private=True)
    issuer = f"{process.url}/idp/{PROVIDER}"
    process.control("PUT", f"providers/{PROVIDER}/clients/signing", {
        "id": "signing", "redirectURIs": ["http://localhost:8765/callback"], "grants": ["client_credentials", GRANTS + "jwt-bearer"],
        "metadata": {"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [key.as_dict(private=False)]},
                     "grant_types": ["client_credentials", GRANTS + "jwt-bearer"]}})

    def assertion(subject, change=None):
        now = int(time.time())
        claims = {"iss": "signing", "sub": subject, "aud": f"{issuer}/token", "iat": now, "exp": now + 60, "jti": str(uuid.uuid4())}
        claims |= (change or {}).get("claims", {})
        for name in (change or {}).get("missingClaims", []):
            claims.pop(name, None)
        return jwt.encode({"alg": "ES256", "kid": "mine"}, json.loads(json.dumps(claims)), key, algorithms=["ES256"])

    def send(change):
        form = {"client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}
        if use == "client authentication":
            form |= {"grant_type": "client_credentials", "client_assertion": assertion("signing", change)}
        else:
            form |= {"grant_type": GRANTS + "jwt-bearer", "client_assertion": assertion("signing"), "assertion": assertion("alice", change)}
        return requests.post(f"{issuer}/token", data=form)

    accepted = send(None)
    assert accepted.status_code == 200, accepted.text
    assert failures([(change, change) for change in CHANGES], send, oauth) == []
    for name, value in itertools.product(["iss", "sub", "exp"], [None, True, [], {}]):
        refused = send({"claims": {name: value}})
        expected = (401, "invalid_client") if use == "client authentication" else (400, "invalid_grant")
        assert (refused.status_code, refused.json()["error"]) == expected, (name, value, refused.text)
