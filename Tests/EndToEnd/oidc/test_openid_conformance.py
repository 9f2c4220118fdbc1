"""Tests of the OpenID conformance suite's modules of the Config, Basic, Implicit, Hybrid and Form Post plans, each under its module's
name. `Tests/Conformance/OpenID.md` lists plans, modules and these tests."""

from urllib.parse import urlencode

import pytest
import requests

import company
from login_page import OTHER_REDIRECT_URI, REDIRECT_URI, Page
from openid_flow import RESPONSE_MODES, RESPONSE_TYPES, Flow, alice
from publishing import publishing

FRONT_IDENTITY = [kind for kind in RESPONSE_TYPES if "id_token" in kind.split()]
WITH_CODE = [kind for kind in RESPONSE_TYPES if "code" in kind.split()]
WITH_ACCESS = [kind for kind in RESPONSE_TYPES if kind != "id_token"]
WITHOUT_NONCE = ["code", "code token"]


@pytest.fixture(scope="module")
def request_objects():
    """A site with request objects, in a dictionary of paths and texts."""
    with publishing("application/oauth-authz-req+jwt") as documents:
        yield documents


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory, request_objects):
    def client(name, **metadata):
        return {
            "id": name, "secret": f"{name}-secret", "redirectURIs": [REDIRECT_URI, OTHER_REDIRECT_URI],
            "metadata": {"response_types": RESPONSE_TYPES, **metadata}}

    clients = [
        client("conformance"), client("second"),
        client("unsigned", request_object_signing_alg="none", request_uris=[f"{request_objects['url']}/object"])]
    with company.company(tmp_path_factory.mktemp("company"), clients) as cloud:
        yield cloud


@pytest.fixture
def flow(cloud, response_type, mode):
    return Flow(cloud, response_type, mode)


def every(response_types):
    """Each response type in each response mode, with the names of the table and the plans."""
    variants = [pytest.param(kind, mode, id=f"{kind}-{mode}") for kind in response_types for mode in RESPONSE_MODES]
    return pytest.mark.parametrize("response_type, mode", variants)


def test_discovery_endpoint_verification(cloud):
    metadata, base = Flow(cloud).metadata, company.issuer(cloud)
    assert metadata["issuer"] == base
    for endpoint in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "registration_endpoint"]:
        assert metadata[endpoint].startswith(f"{base}/"), endpoint
    assert set(RESPONSE_TYPES) <= set(metadata["response_types_supported"])
    assert set(metadata["subject_types_supported"]) <= {"public", "pairwise"}
    assert "RS256" in metadata["id_token_signing_alg_values_supported"]
    assert {"authorization_code", "implicit"} <= set(metadata["grant_types_supported"])
    assert {"query", "fragment", "form_post"} <= set(metadata["response_modes_supported"])
    assert "openid" in metadata["scopes_supported"] and {"sub", "name", "email"} <= set(metadata["claims_supported"])
    assert metadata["claims_parameter_supported"] is True
    assert metadata["request_parameter_supported"] is True and metadata["request_uri_parameter_supported"] is True
    assert "RS256" in metadata["request_object_signing_alg_values_supported"]
    assert "S256" in metadata["code_challenge_methods_supported"]
    keys = requests.get(metadata["jwks_uri"]).json()["keys"]
    assert keys and len({key["kid"] for key in keys}) == len(keys)
    for key in keys:
        assert not {"d", "p", "q", "dp", "dq", "qi", "k"} & set(key), "a private key is published"
        assert key["use"] == "sig" and key["kty"] in ("RSA", "EC", "OKP")


@every(RESPONSE_TYPES)
def test_server(flow):
    flow.claims_by_scope(alice())


@every(WITH_CODE)
def test_server_client_secret_post(flow):
    answer = flow.authorize(alice())
    response = requests.post(flow.metadata["token_endpoint"], data={
        "grant_type": "authorization_code", "code": answer.parameters["code"], "redirect_uri": REDIRECT_URI,
        "client_id": flow.client_id, "client_secret": flow.client_secret})
    assert response.status_code == 200, response.text
    assert flow.verified(response.json()["id_token"])


@every(["code", "id_token token", "code id_token"])
def test_response_type_missing(flow):
    answer = flow.ask(alice(), response_type=None)
    assert answer.parameters["error"] in ("invalid_request", "unsupported_response_type")
    assert answer.parameters["state"] == flow.state


@every(RESPONSE_TYPES)
def test_idtoken_signature(flow):
    header = flow.verified(flow.tokens(flow.authorize(alice()))["id_token"]).header
    keys = requests.get(flow.metadata["jwks_uri"]).json()["keys"]
    assert header["alg"] == "RS256"
    assert [key["kty"] for key in keys if key["kid"] == header["kid"]] == ["RSA"]


@every(["code"])
def test_idtoken_unsigned(flow):
    """ID tokens are always signed: `none` is not supported, and a client cannot register it."""
    metadata = flow.metadata
    assert "none" not in metadata["id_token_signing_alg_values_supported"]
    response = requests.post(metadata["registration_endpoint"], json={
        "redirect_uris": ["https://rp.example/cb"], "id_token_signed_response_alg": "none"})
    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")


def access_token(flow):
    tokens = flow.tokens(flow.authorize(alice(), scope="openid profile"))
    return tokens["access_token"]


@every(WITH_ACCESS)
def test_userinfo_get(flow):
    claims = flow.userinfo(access_token(flow))
    assert (claims["sub"], claims["name"]) == (company.subject("alice"), "Alice Archer")


@every(WITH_ACCESS)
def test_userinfo_post_header(flow):
    answer = requests.post(
        flow.metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {access_token(flow)}"})
    assert answer.status_code == 200 and answer.json()["sub"] == company.subject("alice")


@every(WITH_ACCESS)
def test_userinfo_post_body(flow):
    answer = requests.post(flow.metadata["userinfo_endpoint"], data={"access_token": access_token(flow)})
    assert answer.status_code == 200 and answer.json()["sub"] == company.subject("alice")


@every(FRONT_IDENTITY)
def test_ensure_request_without_nonce_fails(flow):
    answer = flow.ask(alice(), nonce=None)
    assert (answer.parameters["error"], answer.delivery) == ("invalid_request", flow.delivery)
    assert not {"code", "id_token", "access_token"} & set(answer.parameters)


@every(WITHOUT_NONCE)
def test_ensure_request_without_nonce_succeeds_for_code_flow(flow):
    claims, _ = flow.identity(alice(), nonce=None)
    assert "nonce" not in claims


PROFILE = {
    "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture", "website",
    "gender", "birthdate", "zoneinfo", "locale", "updated_at"}
SCOPES = {
    "profile": PROFILE, "email": {"email", "email_verified"}, "address": {"address"},
    "phone": {"phone_number", "phone_number_verified"}}


def check_scopes(flow, *scopes):
    """Expects the seed's claims of these scopes, and those of no other scope."""
    claims = flow.claims_by_scope(alice(), scope=" ".join(["openid", *scopes]))
    expected = set().union(*(SCOPES[scope] for scope in scopes))
    known = set().union(*SCOPES.values())
    assert known & set(claims) == expected
    for name in expected:
        assert claims[name] == company.PEOPLE["alice"][name]


@every(RESPONSE_TYPES)
def test_scope_profile(flow):
    check_scopes(flow, "profile")


@every(RESPONSE_TYPES)
def test_scope_email(flow):
    check_scopes(flow, "email")


@every(RESPONSE_TYPES)
def test_scope_address(flow):
    check_scopes(flow, "address")


@every(RESPONSE_TYPES)
def test_scope_phone(flow):
    check_scopes(flow, "phone")


@every(RESPONSE_TYPES)
def test_scope_all(flow):
    check_scopes(flow, "profile", "email", "address", "phone")


@every(RESPONSE_TYPES)
def test_alternate_happy_flow(flow):
    """The order of the scopes and of the parameters does not matter."""
    parameters = dict(reversed(flow.request(scope="email openid").items()))
    person = alice()
    answer = flow.follow(person, person.open(f"{flow.metadata['authorization_endpoint']}?{urlencode(parameters)}"))
    assert "error" not in answer.parameters and flow.parts <= {
        {"access_token": "token"}.get(name, name) for name in answer.parameters}


@every(RESPONSE_TYPES)
def test_display_page(flow):
    assert "login" in flow.authorize(alice(), display="page").pages


@every(RESPONSE_TYPES)
def test_display_popup(flow):
    assert "login" in flow.authorize(alice(), display="popup").pages


@every(RESPONSE_TYPES)
def test_prompt_login(cloud, flow):
    person = alice()
    first = authentication(flow, person, max_age="15000")
    cloud.age("PT1S")
    second = authentication(flow, person, prompt="login", max_age="15000")
    assert "login" in second.pages
    assert second.claims["auth_time"] > first.claims["auth_time"] and second.claims["sub"] == first.claims["sub"]


class Authentication:
    """The claims of an ID token from either endpoint, and the pages that were shown."""

    def __init__(self, flow, answer):
        self.pages = answer.pages
        self.token = flow.tokens(answer)["id_token"]
        self.claims = flow.verified(self.token).claims


def authentication(flow, person, **parameters):
    return Authentication(flow, flow.authorize(person, **parameters))


@every(RESPONSE_TYPES)
def test_prompt_none_not_logged_in(flow):
    answer = flow.ask(alice(), prompt="none")
    assert (answer.parameters["error"], answer.parameters["state"]) == ("login_required", flow.state)
    assert (answer.delivery, answer.pages) == (flow.delivery, [])


@every(RESPONSE_TYPES)
def test_prompt_none_logged_in(flow):
    person = alice()
    first = authentication(flow, person, max_age="15000")
    second = authentication(flow, person, prompt="none", max_age="15000")
    assert second.pages == []
    assert [second.claims[name] for name in ("sub", "auth_time")] == [first.claims[name] for name in ("sub", "auth_time")]


@every(RESPONSE_TYPES)
def test_max_age_1(cloud, flow):
    person = alice()
    first = authentication(flow, person, max_age="15000")
    cloud.age("PT2S")
    second = authentication(flow, person, max_age="1")
    assert "login" in second.pages
    assert second.claims["auth_time"] > first.claims["auth_time"]


@every(RESPONSE_TYPES)
def test_max_age_10000(flow):
    person = alice()
    first = authentication(flow, person, max_age="15000")
    second = authentication(flow, person, max_age="10000")
    assert "login" not in second.pages
    assert [second.claims[name] for name in ("sub", "auth_time")] == [first.claims[name] for name in ("sub", "auth_time")]


@every(RESPONSE_TYPES)
def test_ensure_request_with_unknown_parameter_succeeds(flow):
    flow.authorize(alice(), extra="foobar")


@every(RESPONSE_TYPES)
def test_id_token_hint(flow):
    person = alice()
    first = authentication(flow, person)
    second = authentication(flow, person, prompt="none", id_token_hint=first.token)
    assert second.pages == [] and second.claims["sub"] == first.claims["sub"]


@every(RESPONSE_TYPES)
def test_login_hint(flow):
    page = alice().open(flow.url(login_hint="bob"))
    assert isinstance(page, Page) and page.form.fields["username"] == "bob"


@every(RESPONSE_TYPES)
def test_ui_locales(flow):
    flow.authorize(alice(), ui_locales="se")


@every(RESPONSE_TYPES)
def test_claims_locales(flow):
    flow.authorize(alice(), claims_locales="se")


@every(RESPONSE_TYPES)
def test_ensure_request_with_acr_values_succeeds(flow):
    offered = flow.metadata["acr_values_supported"]
    claims = authentication(flow, alice(), acr_values=" ".join(offered)).claims
    assert claims["acr"] in offered
