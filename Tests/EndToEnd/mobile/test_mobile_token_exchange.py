"""The exchange of tokens of external issuers for those of the mobile cloud: JWTs by POST, over sockets."""

import base64
import time

import pytest
import requests

from issuer import Issuer
from token_exchange import claims, me, post, refusal, start  # noqa: F401, a fixture

CLIENT_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def trusted(issuer, **members):
    return {
        "issuerName": issuer.url, "virtualUserEnabled": True, "roleAttributes": ["roles"], "audience": ["web"],
        "jwks": {"discoveryUri": f"{issuer.url}/.well-known/openid-configuration", "allowHttp": True, "minReloadInterval": 60}} | members


@pytest.fixture
def issuer():
    """An external issuer: a listener with its own keys."""
    with Issuer() as issuer:
        yield issuer


def test_a_token_of_our_own_provider_is_exchanged_in_each_of_the_three_ways(start):
    """(R39, R41, R89-R96, X2, X12)"""
    cloud = start()
    token = cloud.token("company", "tessa", client="depot-app")
    basic = base64.b64encode(b"depot-client:depot-secret").decode()
    client_token = requests.post(
        f"{cloud.url}/oam/oauth2/tokens", {"grant_type": "client_credentials"}, auth=("depot-client", "depot-secret")).json()["access_token"]
    nothing = {"client_id": None, "client_secret": None}
    answers = [
        post(cloud, token, headers={"Authorization": f"Basic {basic}"}, **nothing),
        post(cloud, token, headers={"Authorization": f"Bearer {basic}"}, **nothing),
        post(cloud, token),
        post(cloud, token, client_assertion_type=CLIENT_ASSERTION, client_assertion=client_token, **nothing)]
    for answer in answers:
        assert answer.status_code == 200, answer.text
        assert answer.headers["Content-Type"].startswith("application/json") and answer.headers["Cache-Control"] == "no-store"
        body = answer.json()
        assert set(body) == {"access_token", "token_type", "id_token", "expires_in"}
        assert (body["token_type"], body["id_token"], body["expires_in"]) == ("Bearer", None, 21600)
        said = claims(body["access_token"])
        assert said["sub"] == "employee-1" and said["roles"] == ["Technician"] and said["exp"] - said["iat"] == 21600
        assert me(cloud, answer).status_code == 200


def test_our_own_provider_is_meant_by_each_spelling_of_its_name(start):
    """(R48) Tokens contain the issuer with the host of the request."""
    cloud = start()
    for host in ["127.0.0.1", "localhost"]:
        url = f"http://{host}:{cloud.port}"
        issued = requests.post(f"{url}/_virga/tokens", json={"provider": "company", "user": "tessa", "client": "depot-app"}).json()
        assert post(cloud, issued["token"]).status_code == 200


def test_a_foreign_issuer_is_asked_for_its_keys_and_a_rotation_is_learnt_after_the_interval(start, issuer):
    """(R76, R81) The control API ages the clock."""
    cloud = start(trusted(issuer))
    assert post(cloud, issuer.token(roles="Technician")).status_code == 200
    assert post(cloud, issuer.token()).status_code == 200
    assert issuer.asked == ["/.well-known/openid-configuration", "/keys"]
    issuer.rotate()
    status, error, description = refusal(post(cloud, issuer.token()))
    assert (status, error) == (400, "invalid_grant")
    assert description.startswith(f"No matching public key found for issuer {issuer.url}.")
    assert len(issuer.asked) == 2
    cloud.age("PT1M")
    assert post(cloud, issuer.token()).status_code == 200
    assert len(issuer.asked) == 4


def test_keys_that_are_old_are_asked_for_again(start, issuer):
    """(R82)"""
    cloud = start(trusted(issuer))
    assert post(cloud, issuer.token()).status_code == 200
    cloud.age("PT8H1S")
    assert post(cloud, issuer.token()).status_code == 200
    assert len(issuer.asked) == 4


def test_an_issuer_that_fails_is_asked_again_by_the_next_token(start, issuer):
    cloud = start(trusted(issuer))
    issuer.failures = 1
    description = refusal(post(cloud, issuer.token()))[2]
    assert description == (
        f"No matching public key found for issuer {issuer.url}. "
        f"{issuer.url}/.well-known/openid-configuration answered with the status 503.")
    assert post(cloud, issuer.token()).status_code == 200


def test_http_must_be_allowed(start, issuer):
    """(R80)"""
    jwks = {"discoveryUri": f"{issuer.url}/.well-known/openid-configuration"}
    cloud = start(trusted(issuer, jwks=jwks))
    assert refusal(post(cloud, issuer.token()))[2].endswith("is not HTTPS. Set allowHttp to permit it.")
    assert issuer.asked == []


def test_versions_of_tls_are_as_configured(start, tmp_path):
    """(R85) A server that supports TLS 1.2 and 1.3 cannot be reached by 1.1 and older, nor by SSL."""
    with Issuer(tmp_path) as issuer:
        discovery = f"{issuer.url}/.well-known/openid-configuration"
        for versions, is_reached in [(None, True), (["TLSv1.2"], True), (["TLS"], True), (["TLSv1", "TLSv1.1"], False), (["SSLv3"], False)]:
            jwks = {"discoveryUri": discovery} | ({"tlsVersions": versions} if versions else {})
            cloud = start(trusted(issuer, jwks=jwks), arguments=("--trust-ca", issuer.authority))
            answer = post(cloud, issuer.token())
            assert answer.status_code == (200 if is_reached else 400), (versions, answer.text)
        # The authority of the server's certificate is not trusted.
        cloud = start(trusted(issuer, jwks={"discoveryUri": discovery}))
        assert refusal(post(cloud, issuer.token()))[2] == (
            f"No matching public key found for issuer {issuer.url}. {discovery} did not answer.")


def test_a_foreign_issuers_person_is_a_user_of_the_realm_where_virtual_users_are_off(start, issuer):
    """(R53, R70, R97, R100, R101)"""
    cloud = start(trusted(issuer, virtualUserEnabled=False))
    answer = post(cloud, issuer.token(roles="Technician"))
    assert answer.status_code == 200, answer.text
    assert me(cloud, answer).json()["username"] == "person-1"
    status, error, description = refusal(post(cloud, issuer.token(sub="person-2")))
    assert (status, error, description) == (
        400, "invalid_grant", "The realm Default(1.0) of the backend has no user named person-2.")


def fault(name, description, issuer=None, claims=None, status=400, error="invalid_grant", **request):
    return pytest.param(issuer or {}, claims or {}, request, (status, error, description), id=name)


@pytest.mark.parametrize("members, changes, request_fields, expected", [
    fault("wrong audience (R50)", "The token from issuer URL is for another audience: elsewhere.", claims={"aud": "elsewhere"}),
    fault("wrong address (R51, R52)", "The token from issuer URL is for another audience: http://elsewhere.example/mobile.",
          issuer={"audience": []}, claims={"aud": "http://elsewhere.example/mobile"}),
    fault("expired", "User assertion from issuer URL has expired.", claims={"iat": 1000, "exp": 2000}),
    fault("disabled issuer (R49)", "Issuer URL is disabled.", issuer={"enabled": False}),
    fault("unknown issuer", "Issuer https://elsewhere.example has not been configured.", claims={"iss": "https://elsewhere.example"}),
    fault("filtered out (R63)", "The token from issuer URL does not satisfy the issuer's filters.",
          issuer={"filters": [{"name": "department", "values": ["lifts*"]}]}, claims={"department": "kitchen"}),
    fault("malformed filter (R67)", "The token from issuer URL does not satisfy the issuer's filters.", issuer={"filters": [{"name": "sub"}]}),
    fault("backend not allowed (R68)", "Tokens from issuer URL must not be used with the backend Depot(1.0).",
          issuer={"allowedMbes": [{"name": "Yard", "version": "1.0"}]}),
    fault("client token as user token (R56)", "The token from issuer URL is a client's, which must not become a user's.",
          issuer={"clientIdAttribute": "client_id"}, claims={"client_id": "person-1"}),
    fault("missing client secret (R55)", "The issuer of the token requires client authentication.", status=401,
          error="invalid_client", client_secret=None),
    fault("wrong client secret", "The client ID or the client secret is wrong.", status=401, error="invalid_client", client_secret="x"),
    fault("malformed configuration", "Issuer URL has not been configured. Security_AuthTokenConfiguration: issuers[1].enabled must be "
          "true or false.", issuer={"enabled": "yes"}),
])
def test_each_refusal_is_exact(start, issuer, members, changes, request_fields, expected):
    cloud = start(trusted(issuer, **members))
    status, error, description = expected
    answer = post(cloud, issuer.token(**changes), **request_fields)
    assert refusal(answer) == (status, error, description.replace("URL", issuer.url))
    assert answer.headers["Cache-Control"] == "no-store" and ("WWW-Authenticate" in answer.headers) == (status == 401)
    journal = cloud.control("GET", "journal")["entries"]
    entry = next(one for one in journal if one["target"] == "/mobile/platform/auth/token")
    assert (entry["face"], entry["operation"], entry["status"], entry["error"]) == ("mobile", "exchangeToken", status, error)


def test_the_audience_is_the_base_url_under_each_name(start, issuer):
    """(R51)"""
    cloud = start(trusted(issuer, audience=[]), arguments=("--alias", "mcs.depot.example"))
    paths = ["", "/mobile", "/mobile/platform", "/mobile/platform/auth", "/mobile/platform/auth/token"]
    for host in ["localhost", "127.0.0.1", "mcs.depot.example"]:
        for path in [end for path in paths for end in (path, path + "/")]:
            assert post(cloud, issuer.token(aud=f"http://{host}:{cloud.port}{path}")).status_code == 200
    assert refusal(post(cloud, issuer.token(aud=f"http://other.depot.example:{cloud.port}/mobile")))[1] == "invalid_grant"


def test_a_token_ends_with_the_other_one_where_the_issuer_says_so(start, issuer):
    """(R59)"""
    cloud = start(trusted(issuer, tokenTimeoutPolicy="FromExternalToken"))
    answer = post(cloud, issuer.token(exp=int(time.time()) + 300))
    assert 280 <= answer.json()["expires_in"] <= 300
    assert me(cloud, answer).status_code == 200
    cloud.age("PT5M")
    assert me(cloud, answer).status_code == 401
