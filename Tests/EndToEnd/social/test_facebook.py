"""The Facebook lookalike: dialog, Graph reads, token inspection, revocation."""

import base64
import hashlib
import json
import secrets
from urllib.parse import urlencode

import jwt
import pytest
import requests

from clients import assume, client, keys_of
from cloud import BUCKET
from login_page import REDIRECT_URI, Person, Refusal

APP, SECRET = "1234567890123456", "facebook-app-secret"


class Facebook:
    def __init__(self, cloud):
        self.cloud = cloud

    def get(self, path, **parameters):
        return requests.get(f"{self.cloud.url}/idp/facebook/{path}", params=parameters)

    def dialog(self, **parameters):
        fields = {"client_id": APP, "redirect_uri": REDIRECT_URI, "state": "s t&te"} | parameters
        return f"{self.cloud.url}/idp/facebook/dialog/oauth?{urlencode(fields)}"

    def exchange(self, code, **parameters):
        fields = {"client_id": APP, "client_secret": SECRET, "redirect_uri": REDIRECT_URI, "code": code}
        return self.get("oauth/access_token", **fields | parameters)


@pytest.fixture
def facebook(cloud):
    return Facebook(cloud)


def error_of(response):
    assert response.status_code == 400, response.text
    error = response.json()["error"]
    assert error["message"] and error["type"] == "OAuthException"
    return error


@pytest.mark.parametrize("password", ["alice-password", None], ids=["typed", "chosen"])
def test_a_person_signs_in_with_a_code(cloud, facebook, password):
    redirect = Person("alice", password).authorize(facebook.dialog())
    assert redirect.query["state"] == "s t&te"
    answer = facebook.exchange(redirect.query["code"]).json()
    assert answer["token_type"] == "bearer" and answer["expires_in"] > 3600
    me = facebook.get("me", access_token=answer["access_token"]).json()
    assert me["id"] == cloud.issue("facebook", "alice")["subject"] and me["name"]


def test_an_app_without_a_server_gets_the_token_in_the_fragment(facebook):
    redirect = Person("bob").authorize(facebook.dialog(response_type="token"))
    assert redirect.fragment["state"] == "s t&te" and int(redirect.fragment["expires_in"]) > 0
    assert "access_token" not in redirect.query
    assert facebook.get("me", access_token=redirect.fragment["access_token"]).json()["id"]


def test_paths_may_name_a_version(cloud, facebook):
    redirect = Person("alice").authorize(facebook.dialog(response_type="token").replace("/dialog/", "/v19.0/dialog/"))
    assert facebook.get("v2.5/me", access_token=redirect.fragment["access_token"]).json()["id"]


def test_a_graph_read_returns_the_fields_that_are_asked_for(facebook, cloud):
    token = cloud.token("facebook", "carol")
    assert set(facebook.get("me", access_token=token, fields="id,name,email").json()) == {"id", "name", "email"}
    assert set(facebook.get("me", access_token=token, fields="name").json()) == {"id", "name"}
    header = {"Authorization": f"Bearer {token}"}
    assert requests.get(f"{cloud.url}/idp/facebook/me", headers=header).json()["id"]


def test_an_app_inspects_a_token(facebook, cloud):
    issued = cloud.issue("facebook", "alice")
    data = facebook.get("debug_token", input_token=issued["token"], access_token=f"{APP}|{SECRET}").json()["data"]
    assert (data["app_id"], data["type"], data["is_valid"], data["user_id"]) == (APP, "USER", True, issued["subject"])
    assert data["expires_at"] > 0 and "public_profile" in data["scopes"]
    data = facebook.get("debug_token", input_token="garbage", access_token=f"{APP}|{SECRET}").json()["data"]
    assert data["is_valid"] is False and data["error"]["code"] == 190


@pytest.mark.parametrize("app_token", [f"{APP}|wrong", "garbage", ""])
def test_only_the_app_inspects_its_tokens(facebook, cloud, app_token):
    error_of(facebook.get("debug_token", input_token=cloud.token("facebook", "alice"), access_token=app_token))


def test_an_app_token_is_issued_for_the_secret(facebook):
    answer = facebook.get(
        "oauth/access_token", client_id=APP, client_secret=SECRET, grant_type="client_credentials").json()
    assert answer["access_token"].startswith(f"{APP}|") and answer["token_type"] == "bearer"


def test_the_whole_chain_to_an_object(cloud, facebook):
    redirect = Person("alice", "alice-password").authorize(facebook.dialog())
    token = facebook.exchange(redirect.query["code"]).json()["access_token"]
    answer = assume(cloud, "facebook", token)
    s3 = client(cloud, "s3", **keys_of(answer))
    key = f"{answer['SubjectFromWebIdentityToken']}/photo"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"sunset")
    assert s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() == b"sunset"


def test_a_revoked_token_is_invalid_everywhere(cloud, facebook):
    token = cloud.token("facebook", "alice")
    other = cloud.token("facebook", "bob")
    revoked = requests.delete(f"{cloud.url}/idp/facebook/me/permissions", params={"access_token": token})
    assert revoked.json() == {"success": True}

    response = facebook.get("me", access_token=token)
    assert error_of(response)["code"] == 190
    assert response.headers["WWW-Authenticate"].startswith('OAuth "Facebook Platform" "invalid_token"')
    data = facebook.get("debug_token", input_token=token, access_token=f"{APP}|{SECRET}").json()["data"]
    assert data["is_valid"] is False
    assert facebook.get("me", access_token=other).status_code == 200


def test_an_expired_token_says_that_the_session_has_expired(cloud, facebook):
    token = cloud.token("facebook", "alice", lifetime=3600)
    cloud.age("PT2H")
    error = error_of(facebook.get("me", access_token=token))
    assert (error["code"], error["error_subcode"]) == (190, 463)
    assert error["message"].startswith("Error validating access token: Session has expired")


def test_a_graph_read_without_a_token_is_refused(facebook):
    assert error_of(facebook.get("me"))["code"] == 2500


def test_a_person_who_denies_is_sent_back(facebook):
    redirect = Person("alice").authorize(facebook.dialog(), consent="deny")
    assert (redirect.query["error"], redirect.query["error_reason"]) == ("access_denied", "user_denied")
    assert redirect.query["state"] == "s t&te" and "code" not in redirect.query


@pytest.mark.parametrize("parameters", [
    {"redirect_uri": "https://evil.example/callback"}, {"redirect_uri": REDIRECT_URI + "/more"}, {"client_id": "999"}])
def test_a_dialog_of_an_unknown_app_or_address_goes_nowhere(facebook, parameters):
    answer = Person("alice").open(facebook.dialog(**parameters))
    assert isinstance(answer, Refusal) and answer.status == 400


def test_a_code_works_once_and_only_with_the_right_secret_and_address(facebook):
    code = Person("alice").authorize(facebook.dialog()).query["code"]
    error_of(facebook.exchange(code, client_secret="wrong"))
    error_of(facebook.exchange(code, redirect_uri="http://127.0.0.1:8765/callback"))
    assert facebook.exchange(code).status_code == 200
    error_of(facebook.exchange(code))
    error_of(facebook.exchange("garbage"))


def test_an_id_token_is_verified(facebook):
    verifier = secrets.token_urlsafe(40)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    redirect = Person("alice").authorize(facebook.dialog(
        scope="openid email", nonce="n-1", code_challenge=challenge, code_challenge_method="S256"))
    answer = facebook.get(
        "oauth/access_token", client_id=APP, redirect_uri=REDIRECT_URI, code=redirect.query["code"], code_verifier=verifier)
    metadata = facebook.get(".well-known/openid-configuration/").json()
    keys = jwt.PyJWKSet.from_dict(requests.get(metadata["jwks_uri"]).json())
    token = answer.json()["id_token"]
    claims = jwt.decode(
        token, keys[jwt.get_unverified_header(token)["kid"]].key, algorithms=["RS256"], audience=APP, issuer=metadata["issuer"])
    assert (claims["nonce"], claims["email"]) == ("n-1", "alice@example.com")
    assert claims["sub"] == facebook.get("me", access_token=answer.json()["access_token"]).json()["id"]


def test_a_batch_makes_several_calls(facebook, cloud):
    calls = [{"method": "GET", "name": "self", "relative_url": "me?fields=id", "omit_response_on_success": False},
             {"method": "GET", "relative_url": "{result=self:$.id}?fields=name"}, {"method": "GET", "relative_url": "nobody"}]
    answers = requests.post(f"{cloud.url}/idp/facebook/v19.0/", data={
        "access_token": cloud.token("facebook", "alice"), "batch": json.dumps(calls), "include_headers": "false"}).json()
    assert [answer["code"] for answer in answers] == [200, 200, 404]
    assert json.loads(answers[1]["body"])["name"] == "Alice Archer"


def test_a_batch_has_a_limited_number_of_references(facebook, cloud):
    calls = [{"name": "self", "relative_url": "me?fields=id"}, {"relative_url": "me?x=" + "{result=self:$.id}" * 101}]
    answer = requests.post(f"{cloud.url}/idp/facebook/v19.0/", data={
        "access_token": cloud.token("facebook", "alice"), "batch": json.dumps(calls)})
    assert answer.status_code == 400 and "more than 100 references" in answer.json()["error"]["message"]


def test_a_short_token_is_exchanged_for_a_long_one(cloud, facebook):
    token = cloud.token("facebook", "alice", lifetime=3600)
    answer = facebook.get(
        "oauth/access_token", grant_type="fb_exchange_token", client_id=APP, client_secret=SECRET,
        fb_exchange_token=token).json()
    assert answer["expires_in"] > 50 * 86400
    assert facebook.get("me", access_token=answer["access_token"]).status_code == 200
