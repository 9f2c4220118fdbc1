"""The reason of an error without a policy decision: the message in the client's response, without secrets."""

import datetime
import json

import pytest
import requests

from clients import assume, client, refused, signed
from cloud import run

WRONG = {"aws_access_key_id": "test", "aws_secret_access_key": "wrong"}


def newest(cloud):
    return json.loads(run("log", "--endpoint", cloud.url, "--limit", "1", "--json").stdout)


def test_a_wrong_signature(cloud):
    cloud.reset()
    response = signed(cloud, "GET", "/personal-files", keys=WRONG)
    entry = newest(cloud)
    assert (response.status_code, entry["error"]) == (403, "SignatureDoesNotMatch")
    assert entry["reason"].startswith("The request signature we calculated does not match the signature you provided.")
    with refused("SignatureDoesNotMatch", 403):
        client(cloud, "sts", **WRONG).get_caller_identity()
    assert newest(cloud)["reason"].startswith("The request signature we calculated does not match")
    assert "GET" not in newest(cloud)["reason"] and "POST" not in newest(cloud)["reason"]


def test_a_missing_key_and_a_failed_precondition(cloud):
    cloud.reset()
    signed(cloud, "GET", "/personal-files/nothing")
    assert newest(cloud)["reason"] == "The specified key does not exist."
    signed(cloud, "PUT", "/personal-files/a", body=b"a")
    signed(cloud, "GET", "/personal-files/a", headers={"If-Match": '"other"'})
    assert newest(cloud)["reason"] == "At least one of the pre-conditions you specified did not hold"
    signed(cloud, "GET", "/personal-files/a")
    assert newest(cloud)["reason"] is None


def test_a_token_is_not_repeated(cloud):
    cloud.reset()
    token = cloud.token("google", "alice")
    with refused("InvalidIdentityToken", 400):
        assume(cloud, "google", token[:-8] + "AAAAAAAA")
    reason = newest(cloud)["reason"]
    assert reason and "eyJ" not in reason and len(reason) <= 300
    with refused("ValidationError", 400):
        assume(cloud, "google", "abc")
    assert "abc" not in newest(cloud)["reason"]


def test_an_error_of_oauth(cloud):
    cloud.reset()
    answer = requests.post(f"{cloud.url}/idp/google/token", data={"grant_type": "authorization_code", "code": "wrong"})
    assert newest(cloud)["reason"] == answer.json()["error_description"]


def test_the_control_api_and_the_social_provider(cloud):
    cloud.reset()
    answer = requests.get(f"{cloud.url}/idp/facebook/me", params={"access_token": "nonsense"})
    assert newest(cloud)["reason"] == answer.json()["error"]["message"]


def test_the_reason_of_one_request(cloud):
    cloud.reset()
    request = signed(cloud, "GET", "/personal-files", keys=WRONG).headers["x-amz-request-id"]
    result = run("explain", "--endpoint", cloud.url, request)
    assert "The request signature we calculated does not match" in result.stdout


@pytest.mark.parametrize("word, meant", [("sreve", "serve"), ("tokn", "token"), ("explan", "explain")])
def test_a_mistyped_command_is_answered_with_the_one_that_is_meant(word, meant):
    result = run(word)
    assert result.returncode == 64 and f"Unknown command '{word}'. Did you mean '{meant}'?" in result.stderr


def test_a_mistyped_option_is_answered_with_the_one_that_is_meant():
    assert "Did you mean '--port'?" in run("serve", "--prot", "1").stderr
    assert "Did you mean" not in run("xyzzyplugh").stderr


def test_the_string_to_sign_of_alibaba_cloud_is_left_out(harbour):
    parameters = {
        "Action": "GetCallerIdentity", "Version": "2015-04-01", "AccessKeyId": "LTAI5tHarbourServer00001", "Signature": "wrong",
        "SignatureMethod": "HMAC-SHA1", "SignatureVersion": "1.0", "SignatureNonce": "n-1", "Format": "JSON",
        "Timestamp": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}
    answer = requests.get(f"{harbour.url}/", params=parameters)
    assert "SignatureNonce" in answer.json()["Message"]
    reason = newest(harbour)["reason"]
    assert reason and "SignatureNonce" not in reason


def test_the_cause_of_a_refused_token_is_named(cloud):
    cloud.reset()
    with refused("InvalidIdentityToken", 400) as refusal:
        assume(cloud, "company", cloud.token("company", "alice", claims={"aud": "somebody-else"}))
    assert "somebody-else" not in refusal.response["Error"]["Message"]
    reason = newest(cloud)["reason"]
    assert 'Cause: the token\'s audience is "somebody-else"; the provider accepts the client IDs "' in reason
    assert "Cause: the token" in run("explain", "--endpoint", cloud.url, newest(cloud)["request_id"]).stdout
    good = cloud.token("company", "alice")
    with refused("InvalidIdentityToken", 400):
        assume(cloud, "company", good[:-8] + "AAAAAAAA")
    assert "Cause: the signature does not verify with key \"" in newest(cloud)["reason"]
    with refused("ExpiredTokenException", 400):
        assume(cloud, "company", cloud.token("company", "alice", claims={"exp": 1_700_003_600, "iat": 1_700_000_000}))
    assert "Cause: the token expired at 2023-11-14T23:13:20Z; it is " in newest(cloud)["reason"]
