"""Apache's OAuth 2.0 module as a resource server: it verifies access tokens by the issuer's keys, by introspection and by proofs of
possession, and authorizes by their claims."""

import base64
import hashlib
import json
import time
import uuid
from contextlib import contextmanager

import pytest
import requests
from joserfc import jwt
from joserfc.jwk import ECKey

import company
from apache import Apache, readable_folder
from cloud import free_port

API = "https://orders.company.example"
CLIENT = ("batch", "batch-client-secret-of-32-characters")
GUARD = ("guard", "guard-client-secret-of-32-characters")

CONFIGURATION = """
OAuth2TokenVerify {verify}
{further}
OAuth2TargetPass remote_user_claim=client_id&prefix=TOKEN_
<Location /protected>
    AuthType oauth2
    Require oauth2_claim scope:orders.read
</Location>
"""
JSON_WEB_KEYS = "jwks_uri {issuer}/jwks verify.iss={issuer}"
CREDENTIALS = "introspect.auth={method}&client_id={guard}&client_secret={secret}&aud={issuer}"
METADATA = "metadata {issuer}/.well-known/openid-configuration " + CREDENTIALS
INTROSPECTION = "introspect {issuer}/introspect " + CREDENTIALS


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory):
    clients = [{"id": name, "secret": secret, "grants": ["client_credentials"], "scopes": ["orders.read", "orders.write"]}
               for name, secret in [CLIENT, GUARD]]
    apis = [{"identifier": API, "tokenFormat": "jwt", "scopes": {"orders.read": "Read", "orders.write": "Write"}},
            {"identifier": f"{API}/opaque", "tokenFormat": "opaque", "scopes": {"orders.read": "Read"}}]
    with company.company(tmp_path_factory.mktemp("company"), clients, apis=apis) as cloud:
        yield cloud


@contextmanager
def guarded(cloud, verify, further="", **values):
    verify = verify.format(issuer=company.issuer(cloud), guard=GUARD[0], secret=GUARD[1], **values)
    with readable_folder() as folder, Apache(folder, free_port(), ["oauth2"], CONFIGURATION.format(
            verify=verify, further=further)) as apache:
        yield apache


def token(cloud, scope="orders.read", resource=API, **headers):
    answer = requests.post(
        f"{company.issuer(cloud)}/token", auth=CLIENT, headers=headers,
        data={"grant_type": "client_credentials", "scope": scope, "resource": resource})
    assert answer.status_code == 200, answer.text
    return answer.json()["access_token"]


def ask(apache, token, kind="Bearer", **headers):
    return requests.get(apache.page, headers={"Authorization": f"{kind} {token}"} | headers)


@pytest.mark.parametrize("verify", [JSON_WEB_KEYS, METADATA], ids=["keys", "metadata"])
def test_a_signed_token_is_verified(cloud, verify):
    with guarded(cloud, verify, method="client_secret_basic") as apache:
        answer = ask(apache, token(cloud))
        assert answer.status_code == 200, apache.logged()
        assert answer.json()["REMOTE_USER"] == "batch"
        assert answer.json()["TOKEN_aud"] == API
        assert ask(apache, token(cloud, scope="orders.write")).status_code in (401, 403)
        head, claims, _ = token(cloud).split(".")
        assert ask(apache, f"{head}.{claims}.AAAA").status_code == 401


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post", "client_secret_jwt"])
@pytest.mark.parametrize("resource", [API, f"{API}/opaque"], ids=["signed", "opaque"])
def test_a_token_is_introspected(cloud, method, resource):
    with guarded(cloud, INTROSPECTION, method=method) as apache:
        given = token(cloud, resource=resource)
        answer = ask(apache, given)
        assert answer.status_code == 200, apache.logged()
        assert answer.json()["REMOTE_USER"] == "batch"
        assert answer.json()["TOKEN_active"] == "true"
        assert ask(apache, "unknown").status_code == 401


def test_a_revoked_token_is_refused(cloud):
    with guarded(cloud, INTROSPECTION, method="client_secret_basic") as apache:
        given = token(cloud, resource=f"{API}/opaque")
        assert requests.post(f"{company.issuer(cloud)}/revoke", auth=CLIENT, data={"token": given}).status_code == 200
        assert ask(apache, given).status_code == 401


class Holder:
    """A client with a key of its own."""

    def __init__(self):
        self.key = ECKey.generate_key("P-256")

    def proof(self, method, url, token=None):
        claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
        if token:
            claims["ath"] = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
        return jwt.encode({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}, claims, self.key)


@pytest.mark.parametrize("verify", [JSON_WEB_KEYS + "&type=dpop", INTROSPECTION + "&type=dpop"], ids=["keys", "introspection"])
def test_a_bound_token_needs_a_proof(cloud, verify):
    holder = Holder()
    with guarded(cloud, verify, "OAuth2AcceptTokenIn header type=DPoP", method="client_secret_basic") as apache:
        bound = token(cloud, DPoP=holder.proof("POST", f"{company.issuer(cloud)}/token"))
        answer = ask(apache, bound, "DPoP", DPoP=holder.proof("GET", apache.page, bound))
        assert answer.status_code == 200, apache.logged()
        assert json.loads(answer.json()["TOKEN_cnf"])["jkt"] == holder.key.thumbprint()
        assert ask(apache, bound, "DPoP").status_code == 401
        assert ask(apache, bound, "DPoP", DPoP=Holder().proof("GET", apache.page, bound)).status_code == 401
