"""Tokens that are bound to a key (RFC 9449), at an issuer that requires its nonce in every proof, and the discovery of that issuer (RFC
7033)."""

import base64
import hashlib
import time

import pytest
import requests
from authlib.common.security import generate_token
from joserfc import jwk, jwt

import company
from login_page import REDIRECT_URI
from openid_flow import Flow, alice

RELATION = "http://openid.net/specs/connect/1.0/issuer"


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory):
    clients = [{"id": "conformance", "secret": "conformance-secret", "redirectURIs": [REDIRECT_URI]}]
    with company.company(tmp_path_factory.mktemp("company"), clients, requiresDPoPNonce=True) as cloud:
        yield cloud


class Holder:
    """An application with a key, which repeats the newest nonce that it received."""

    def __init__(self):
        self.key = jwk.ECKey.generate_key("P-256")
        self.nonce = None

    def proof(self, method, url, token=None):
        claims = {"jti": generate_token(20), "htm": method, "htu": url, "iat": int(time.time())}
        if self.nonce:
            claims["nonce"] = self.nonce
        if token:
            claims["ath"] = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}
        return jwt.encode(header, claims, self.key)

    def send(self, method, url, token=None, **options):
        headers = {"DPoP": self.proof(method, url, token)} | ({"Authorization": f"DPoP {token}"} if token else {})
        response = requests.request(method, url, headers=headers, **options)
        self.nonce = response.headers["DPoP-Nonce"]
        return response


def test_a_client_learns_the_nonce_and_goes_on(cloud):
    flow, holder = Flow(cloud), Holder()
    answer = flow.authorize(alice(), scope="openid profile")
    form = {"grant_type": "authorization_code", "code": answer.parameters["code"], "redirect_uri": REDIRECT_URI}
    endpoint, credentials = flow.metadata["token_endpoint"], (flow.client_id, flow.client_secret)
    refused = holder.send("POST", endpoint, data=form, auth=credentials)
    assert (refused.status_code, refused.json()["error"]) == (400, "use_dpop_nonce")
    tokens = holder.send("POST", endpoint, data=form, auth=credentials)
    assert tokens.status_code == 200 and tokens.json()["token_type"] == "DPoP", tokens.text
    token, userinfo = tokens.json()["access_token"], flow.metadata["userinfo_endpoint"]
    assert holder.send("GET", userinfo, token).json()["name"] == "Alice Archer"
    holder.nonce = "guess"
    refused = holder.send("GET", userinfo, token)
    assert refused.status_code == 401 and 'error="use_dpop_nonce"' in refused.headers["WWW-Authenticate"]
    assert holder.send("GET", userinfo, token).status_code == 200


@pytest.mark.parametrize("resource", ["acct:alice@localhost", "acct:alice@company.example", "https://login.company.example"])
def test_a_name_leads_to_the_issuer(cloud, resource):
    response = requests.get(f"{cloud.url}/.well-known/webfinger", params={"resource": resource, "rel": RELATION})
    assert response.status_code == 200 and response.headers["Content-Type"] == "application/jrd+json", response.text
    [link] = response.json()["links"]
    assert link == {"rel": RELATION, "href": company.issuer(cloud)}
    metadata = requests.get(f"{link['href']}/.well-known/openid-configuration").json()
    assert metadata["issuer"] == link["href"]


def test_a_name_that_nobody_has_leads_nowhere(cloud):
    asked = {"resource": "acct:nobody@localhost", "rel": RELATION}
    assert requests.get(f"{cloud.url}/.well-known/webfinger", params=asked).status_code == 404
