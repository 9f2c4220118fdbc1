"""Tests of the OpenID conformance suite's modules on requests that use codes again, POST, request objects, single claims, refresh tokens and
PKCE, each under its module's name. `Tests/Conformance/OpenID.md` lists plans, modules and these tests."""

import base64
import hashlib
import json
from urllib.parse import urlencode

import requests
from authlib.common.security import generate_token

from login_page import OTHER_REDIRECT_URI, REDIRECT_URI
from openid_flow import RESPONSE_TYPES, alice, is_page_for_the_person
from test_openid_conformance import WITH_CODE, cloud, every, flow, request_objects  # noqa: F401, fixtures


def unsigned(claims):
    """A request object with `alg` none."""
    parts = [json.dumps(part).encode() for part in ({"alg": "none"}, claims)]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."


def check_reuse(cloud, flow, pause=None):
    answer = flow.authorize(alice())
    tokens = flow.tokens(answer)
    if pause:
        cloud.age(pause)
    again = flow.redeem(answer.parameters["code"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    return requests.get(flow.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"})


@every(WITH_CODE)
def test_codereuse(cloud, flow):
    check_reuse(cloud, flow)


@every(WITH_CODE)
def test_codereuse_30seconds(cloud, flow):
    """RFC 6749 section 4.1.2: the token of the first use is revoked."""
    answer = check_reuse(cloud, flow, "PT30S")
    assert answer.status_code == 401 and 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


@every(RESPONSE_TYPES)
def test_ensure_registered_redirect_uri(flow):
    step = alice().open(flow.url(redirect_uri=f"{REDIRECT_URI}/{generate_token(8)}"))
    assert is_page_for_the_person(step) and "redirect" in step.text.lower()


@every(["code"])
def test_ensure_post_request_succeeds(flow):
    person = alice()
    response = person.browser.post(
        flow.metadata["authorization_endpoint"], data=flow.request(), allow_redirects=False)
    answer = flow.follow(person, person._follow(response))
    assert flow.tokens(answer)["id_token"] and answer.delivery == flow.delivery


def unsigned_flow(flow):
    flow.client_id, flow.client_secret = "unsigned", "unsigned-secret"
    return flow


@every(RESPONSE_TYPES)
def test_request_uri_unsigned(flow, request_objects):
    """The state in the request object applies."""
    flow = unsigned_flow(flow)
    parameters = flow.request()
    request_objects["/object"] = unsigned(parameters)
    outer = {name: parameters[name] for name in ("client_id", "response_type", "scope")}
    check_carried(flow, outer | {"request_uri": f"{request_objects['url']}/object"})


@every(RESPONSE_TYPES)
def test_unsigned_request_object(flow):
    flow = unsigned_flow(flow)
    parameters = flow.request()
    outer = {name: parameters[name] for name in ("client_id", "response_type", "scope")}
    check_carried(flow, outer | {"request": unsigned(parameters)})


@every(RESPONSE_TYPES)
def test_ensure_request_object_with_redirect_uri(flow):
    """OpenID Connect Core section 6.1: the redirect URI of the request object overrides the other."""
    flow = unsigned_flow(flow)
    parameters = flow.request()
    check_carried(flow, parameters | {"redirect_uri": OTHER_REDIRECT_URI, "request": unsigned(parameters)})


def check_carried(flow, parameters):
    person = alice()
    answer = flow.follow(person, person.open(f"{flow.metadata['authorization_endpoint']}?{urlencode(parameters)}"))
    assert "error" not in answer.parameters, answer.parameters
    assert (answer.parameters["state"], answer.delivery) == (flow.state, flow.delivery)
    tokens = flow.tokens(answer)
    if "id_token" in tokens:
        flow.verified(tokens["id_token"])


@every(RESPONSE_TYPES)
def test_claims_essential(flow):
    place = "id_token" if flow.response_type == "id_token" else "userinfo"
    claims = flow.claims_by_scope(alice(), claims=json.dumps({place: {"name": {"essential": True}}}))
    assert claims["name"] == "Alice Archer"


@every(WITH_CODE)
def test_refresh_token(cloud, flow):
    tokens = flow.tokens(flow.authorize(alice(), scope="openid offline_access", prompt="consent"))
    first = flow.verified(tokens["id_token"]).claims
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    endpoint = flow.metadata["token_endpoint"]
    foreign = requests.post(endpoint, data=form, auth=("second", "second-secret"))
    assert (foreign.status_code, foreign.json()["error"]) == (400, "invalid_grant")
    response = requests.post(endpoint, data=form, auth=(flow.client_id, flow.client_secret))
    assert response.status_code == 200, response.text
    refreshed = response.json()
    assert refreshed["access_token"] != tokens["access_token"]
    assert flow.userinfo(refreshed["access_token"])["sub"] == first["sub"]
    if "id_token" in refreshed:
        # Section 12.2: no nonce is needed, but the same user, issuer and time of authentication.
        flow.nonce = None
        second = flow.verified(refreshed["id_token"]).claims
        assert {name: second.get(name) for name in ("iss", "sub", "aud", "auth_time")} == {
            name: first.get(name) for name in ("iss", "sub", "aud", "auth_time")}


@every(WITH_CODE)
def test_ensure_request_with_valid_pkce_succeeds(flow):
    verifier = generate_token(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    answer = flow.authorize(alice(), code_challenge=challenge, code_challenge_method="S256")
    assert flow.tokens(answer, code_verifier=verifier)["id_token"]
