"""The Login with Amazon lookalike: authorization, tokens, tokeninfo, profile."""

from urllib.parse import urlencode

import pytest
import requests

from clients import assume, client, keys_of
from cloud import BUCKET
from login_page import REDIRECT_URI, Person, Refusal

CLIENT, SECRET = "amzn1.application-oa2-client.personalfiles", "amazon-client-secret"


class Amazon:
    def __init__(self, cloud):
        self.url = f"{cloud.url}/idp/amazon"

    def authorization(self, **parameters):
        fields = {"client_id": CLIENT, "scope": "profile", "response_type": "code", "redirect_uri": REDIRECT_URI,
                  "state": "s t&te"}
        return f"{self.url}/ap/oa?{urlencode(fields | parameters)}"

    def exchange(self, code, **parameters):
        return requests.post(f"{self.url}/auth/o2/token", data={
            "grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI, "client_id": CLIENT,
            "client_secret": SECRET} | parameters)

    def token_information(self, token):
        return requests.get(f"{self.url}/auth/o2/tokeninfo", params={"access_token": token})


@pytest.fixture
def amazon(cloud):
    return Amazon(cloud)


@pytest.mark.parametrize("password", ["alice-password", None], ids=["typed", "chosen"])
def test_a_person_signs_in_with_a_code(cloud, amazon, password):
    redirect = Person("alice", password).authorize(amazon.authorization())
    assert redirect.query["state"] == "s t&te"
    answer = amazon.exchange(redirect.query["code"]).json()
    assert answer["access_token"].startswith("Atza|") and 350 <= len(answer["access_token"]) <= 2048
    assert answer["refresh_token"].startswith("Atzr|")
    assert (answer["token_type"], answer["expires_in"]) == ("bearer", 3600)

    information = amazon.token_information(answer["access_token"]).json()
    assert information["iss"] == "https://www.amazon.com"
    assert (information["aud"], information["app_id"]) == (CLIENT, "amzn1.application.personalfiles")
    assert information["user_id"] == cloud.issue("amazon", "alice")["subject"]
    assert 0 < information["exp"] <= 3600 < information["iat"]


def test_an_app_without_a_server_gets_the_token_in_the_fragment(amazon):
    redirect = Person("bob").authorize(amazon.authorization(response_type="token"))
    assert redirect.fragment["access_token"].startswith("Atza|")
    assert (redirect.fragment["token_type"], redirect.fragment["expires_in"]) == ("bearer", "3600")
    assert redirect.fragment["state"] == "s t&te"


def test_the_whole_chain_to_an_object(cloud, amazon):
    redirect = Person("alice", "alice-password").authorize(amazon.authorization())
    answer = assume(cloud, "amazon", amazon.exchange(redirect.query["code"]).json()["access_token"])
    s3 = client(cloud, "s3", **keys_of(answer))
    key = f"{answer['SubjectFromWebIdentityToken']}/photo"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"sunset")
    assert s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() == b"sunset"


@pytest.mark.parametrize("send", [
    lambda url, token: requests.get(url, params={"access_token": token}),
    lambda url, token: requests.get(url, headers={"Authorization": f"bearer {token}"}),
    lambda url, token: requests.get(url, headers={"x-amz-access-token": token})], ids=["query", "bearer", "header"])
def test_the_profile_is_read_with_the_token(cloud, amazon, send):
    issued = cloud.issue("amazon", "carol")
    profile = send(f"{amazon.url}/user/profile", issued["token"]).json()
    assert profile["user_id"] == issued["subject"] and profile["name"] and "@" in profile["email"]


def test_a_small_scope_gives_a_small_profile(amazon):
    redirect = Person("alice").authorize(amazon.authorization(response_type="token", scope="profile:user_id"))
    profile = requests.get(f"{amazon.url}/user/profile", params={"access_token": redirect.fragment["access_token"]})
    assert set(profile.json()) == {"user_id"}


def test_a_token_is_refreshed(amazon):
    first = amazon.exchange(Person("alice").authorize(amazon.authorization()).query["code"]).json()
    second = requests.post(f"{amazon.url}/auth/o2/token", auth=(CLIENT, SECRET), data={
        "grant_type": "refresh_token", "refresh_token": first["refresh_token"]}).json()
    assert second["access_token"] != first["access_token"]
    assert amazon.token_information(second["access_token"]).status_code == 200


@pytest.mark.parametrize("token", ["garbage", "Atza|unknown", ""])
def test_an_unknown_token_is_refused_in_amazons_words(amazon, token):
    response = amazon.token_information(token)
    assert response.status_code == 400
    if token:
        assert response.json()["error"] == "invalid_token"
        assert response.json()["error_description"] == "The request has an invalid parameter : access_token"


def test_a_token_grows_old(cloud, amazon):
    token = cloud.token("amazon", "alice")
    cloud.age("PT30M")
    assert amazon.token_information(token).json()["exp"] <= 1800
    cloud.age("PT31M")
    assert amazon.token_information(token).json()["error"] == "invalid_token"


def test_a_person_who_denies_is_sent_back(amazon):
    redirect = Person("alice").authorize(amazon.authorization(), consent="deny")
    assert (redirect.query["error"], redirect.query["state"]) == ("access_denied", "s t&te")


@pytest.mark.parametrize("parameters", [{"redirect_uri": "https://evil.example/"}, {"client_id": "amzn1.nobody"}])
def test_an_unknown_client_or_address_goes_nowhere(amazon, parameters):
    answer = Person("alice").open(amazon.authorization(**parameters))
    assert isinstance(answer, Refusal) and answer.status == 400


@pytest.mark.parametrize("parameters, error", [
    ({"scope": "everything"}, "invalid_scope"), ({"response_type": "magic"}, "unsupported_response_type")])
def test_a_faulty_authorization_request_is_answered_to_the_client(amazon, parameters, error):
    redirect = Person("alice").authorize(amazon.authorization(**parameters))
    assert (redirect.query["error"], redirect.query["state"]) == (error, "s t&te")


def test_a_code_works_once_and_only_with_the_right_secret_and_address(amazon):
    code = Person("alice").authorize(amazon.authorization()).query["code"]
    wrong = amazon.exchange(code, client_secret="wrong")
    assert (wrong.status_code, wrong.json()["error"]) == (401, "invalid_client")
    elsewhere = amazon.exchange(code, redirect_uri="http://127.0.0.1:8765/callback")
    assert (elsewhere.status_code, elsewhere.json()["error"]) == (400, "invalid_grant")
    assert amazon.exchange(code).status_code == 200
    assert amazon.exchange(code).json()["error"] == "invalid_grant"


def test_an_unknown_grant_is_unsupported(amazon):
    response = requests.post(f"{amazon.url}/auth/o2/token", auth=(CLIENT, SECRET), data={"grant_type": "magic"})
    assert (response.status_code, response.json()["error"]) == (400, "unsupported_grant_type")
