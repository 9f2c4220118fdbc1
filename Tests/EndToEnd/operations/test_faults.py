"""Fault rules: the errors of every service, and how SDKs handle them."""

import time

import boto3
import botocore.endpoint
import botocore.exceptions
import pytest
import requests
from botocore.config import Config

from clients import assume, client, error_of, refused, role_arn, signed
from cloud import ACCOUNT, BUCKET, Cloud


def fault(cloud, **rule):
    return cloud.control("POST", "faults", rule)


def struck(cloud, rule):
    return cloud.control("GET", f"faults/{rule['id']}")["struck"]


def attempts(cloud, **filters):
    """Entries of the journal, the oldest first."""
    return cloud.control("GET", "journal", params=filters)["entries"][::-1]


@pytest.fixture
def impatient(monkeypatch):
    """Shortens the delay of an SDK between its attempts."""
    sleep = time.sleep
    monkeypatch.setattr(botocore.endpoint.time, "sleep", lambda seconds: sleep(min(seconds, 0.01)))


def sdk(cloud, service, mode):
    """A client with the default retries of a mode."""
    return boto3.Session().client(
        service, endpoint_url=cloud.url, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test",
        config=Config(retries={"mode": mode}, signature_version="s3v4" if service == "s3" else None,
                      s3={"addressing_style": "path"}))


# The documented number of attempts in each mode.
MODES = {"legacy": 5, "standard": 3, "adaptive": 3}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("code", ["Throttling", "ThrottlingException", "RequestLimitExceeded"])
def test_throttling_is_retried_until_it_ends(cloud, impatient, mode, code):
    rule = fault(cloud, service="sts", action="GetCallerIdentity", error=code, times=2)
    assert sdk(cloud, "sts", mode).get_caller_identity()["Account"] == ACCOUNT
    entries = attempts(cloud, operation="GetCallerIdentity")
    assert [entry["error"] for entry in entries] == [code, code, None]
    assert [entry["faults"] for entry in entries] == [[rule["id"]], [rule["id"]], []]
    assert struck(cloud, rule) == 2


@pytest.mark.parametrize("mode", MODES)
def test_throttling_that_does_not_end_is_given_up(cloud, impatient, mode):
    fault(cloud, service="sts", error="Throttling", times="always")
    with pytest.raises(botocore.exceptions.ClientError, match="Rate exceeded") as raised:
        sdk(cloud, "sts", mode).get_caller_identity()
    assert raised.value.response["ResponseMetadata"]["RetryAttempts"] == MODES[mode] - 1
    assert len(attempts(cloud, operation="GetCallerIdentity", error="Throttling")) == MODES[mode]


@pytest.mark.parametrize("mode", MODES)
def test_a_provider_that_cannot_be_reached_is_asked_again(cloud, impatient, mode):
    rule = fault(cloud, service="sts", action="AssumeRoleWithWebIdentity", error="IDPCommunicationError", times=2)
    token = cloud.token("company", "alice")
    answer = sdk(cloud, "sts", mode).assume_role_with_web_identity(
        RoleArn=role_arn("company"), RoleSessionName="tester", WebIdentityToken=token)
    assert answer["SubjectFromWebIdentityToken"]
    entries = attempts(cloud, operation="AssumeRoleWithWebIdentity")
    assert [(entry["status"], entry["error"]) for entry in entries] == [
        (400, "IDPCommunicationError"), (400, "IDPCommunicationError"), (200, None)]
    assert struck(cloud, rule) == 2


@pytest.mark.parametrize("mode", MODES)
def test_an_sdk_gives_up_on_a_provider_that_cannot_be_reached(cloud, impatient, mode):
    fault(cloud, service="sts", error="IDPCommunicationError", times="always")
    token = cloud.token("company", "alice")
    with pytest.raises(botocore.exceptions.ClientError) as raised:
        sdk(cloud, "sts", mode).assume_role_with_web_identity(
            RoleArn=role_arn("company"), RoleSessionName="tester", WebIdentityToken=token)
    assert raised.value.response["Error"]["Code"] == "IDPCommunicationError"
    assert len(attempts(cloud, operation="AssumeRoleWithWebIdentity", error="IDPCommunicationError")) == MODES[mode]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("code", ["SlowDown", "InternalError", "ServiceUnavailable"])
def test_a_store_that_is_too_busy_is_asked_again(cloud, impatient, mode, code):
    fault(cloud, service="s3", action="PutObject", error=code, times=2)
    sdk(cloud, "s3", mode).put_object(Bucket=BUCKET, Key="note", Body=b"text")
    entries = attempts(cloud, operation="PutObject")
    status = {"InternalError": 500}.get(code, 503)
    assert [(entry["status"], entry["error"]) for entry in entries] == [(status, code), (status, code), (200, None)]
    assert client(cloud, "s3").get_object(Bucket=BUCKET, Key="note")["Body"].read() == b"text"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("place", ["request", "answer"])
def test_a_dropped_connection_is_tried_again(cloud, impatient, mode, place):
    fault(cloud, service="s3", action="CreateBucket", connection=place)
    # If the first attempt has created the bucket, its owner can create it again in us-east-1.
    sdk(cloud, "s3", mode).create_bucket(Bucket="dropped")
    entries = attempts(cloud, operation="CreateBucket")
    assert [entry["status"] for entry in entries] == [0, 200]
    assert len(entries[0]["faults"]) == 1


@pytest.mark.parametrize("place, done", [("request", False), ("answer", True)])
def test_a_dropped_connection_tells_nothing_of_what_was_done(cloud, place, done):
    s3 = client(cloud, "s3")
    fault(cloud, service="s3", action="PutObject", connection=place)
    with pytest.raises(botocore.exceptions.ConnectionClosedError):
        s3.put_object(Bucket=BUCKET, Key="lost", Body=b"text")
    listed = s3.list_objects_v2(Bucket=BUCKET, Prefix="lost")["KeyCount"]
    assert listed == (1 if done else 0)


@pytest.mark.parametrize("size", [10, 300_000, 3_000_000])
def test_a_connection_is_dropped_amid_a_body(cloud, size):
    s3 = client(cloud, "s3")
    s3.put_object(Bucket=BUCKET, Key="half", Body=bytes(size))
    fault(cloud, service="s3", action="GetObject", connection="body")
    answer = s3.get_object(Bucket=BUCKET, Key="half")
    assert answer["ContentLength"] == size
    with pytest.raises((botocore.exceptions.ResponseStreamingError, botocore.exceptions.IncompleteReadError)):
        answer["Body"].read()
    assert s3.get_object(Bucket=BUCKET, Key="half")["Body"].read() == bytes(size)


def test_head_of_a_dropped_connection(cloud):
    s3 = client(cloud, "s3")
    fault(cloud, service="s3", action="HeadBucket", connection="answer")
    with pytest.raises(botocore.exceptions.ConnectionClosedError):
        s3.head_bucket(Bucket=BUCKET)
    s3.head_bucket(Bucket=BUCKET)


def test_latency_alone_and_with_an_error(cloud):
    """`CallFaultsTests` shows that a call waits."""
    fault(cloud, service="sts", latency="PT0.1S", times="always")
    assert client(cloud, "sts").get_caller_identity()
    fault(cloud, service="sts", error="ServiceUnavailable")
    with refused("ServiceUnavailable", 503):
        client(cloud, "sts").get_caller_identity()
    assert len(attempts(cloud, operation="GetCallerIdentity")[-1]["faults"]) == 2


def test_services_of_the_query_protocol_answer_in_xml(cloud):
    fault(cloud, error={"code": "Teapot", "status": 418, "message": "Short & stout"})
    with refused("Teapot", 418, "Short & stout"):
        client(cloud, "sts").get_caller_identity()
    fault(cloud, service="iam", error="ServiceFailure")
    with refused("ServiceFailure", 500):
        client(cloud, "iam").list_users()
    fault(cloud, service="sts", error="ExpiredTokenException")
    with refused("ExpiredTokenException", 400, "The security token included in the request is expired"):
        assume(cloud, "company", cloud.token("company", "alice"))


def test_s3_answers_in_its_own_xml(cloud):
    fault(cloud, service="s3", error="SlowDown")
    answer = signed(cloud, "GET", f"/{BUCKET}")
    assert answer.status_code == 503 and answer.headers["Content-Type"] == "application/xml"
    assert error_of(answer) == {
        "Code": "SlowDown", "Message": "Please reduce your request rate.", "RequestId": answer.headers["x-amz-request-id"],
        "HostId": answer.headers["x-amz-id-2"]}
    fault(cloud, service="s3", error="ExpiredToken")
    with refused("ExpiredToken", 400, "The provided token has expired."):
        client(cloud, "s3").list_buckets()


@pytest.mark.parametrize("error, status, expected", [
    ("InternalError", 500, "server_error"), ("ServiceUnavailable", 503, "temporarily_unavailable"),
    ("Throttling", 429, "temporarily_unavailable"), ("ExpiredToken", 401, "invalid_token"),
    ({"code": "invalid_grant", "status": 400, "message": "No."}, 400, "invalid_grant")])
@pytest.mark.parametrize("provider, path", [
    ("company", "/token"), ("google", "/token"), ("amazon", "/auth/o2/token"), ("company", "/userinfo"),
    ("google", "/v1/userinfo"), ("amazon", "/user/profile")])
def test_providers_answer_in_the_words_of_oauth(cloud, provider, path, error, status, expected):
    rule = fault(cloud, service=provider, error=error, resource=path)
    url = f"{cloud.url}/idp/{provider}{path}"
    answer = requests.post(url, data={"grant_type": "x"}) if path.endswith("token") else requests.get(url)
    assert answer.status_code == status
    if provider == "amazon" and expected == "server_error":
        expected = "ServerError"
    assert answer.json()["error"] == expected
    assert struck(cloud, rule) == 1


@pytest.mark.parametrize("error, status, code", [
    ("InternalError", 500, 1), ("ServiceUnavailable", 503, 2), ("Throttling", 403, 4), ("ExpiredToken", 401, 190),
    ({"code": "368", "status": 400, "message": "Blocked"}, 400, 368)])
def test_facebook_answers_in_the_words_of_the_graph_api(cloud, error, status, code):
    fault(cloud, service="facebook", action="Me", error=error)
    answer = requests.get(f"{cloud.url}/idp/facebook/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["fbtrace_id"]


def test_a_login_page_shows_the_error(cloud):
    fault(cloud, service="company", action="Authorize", error="ServiceUnavailable")
    answer = requests.get(f"{cloud.url}/idp/company/authorize", params={"client_id": "web-app"})
    assert answer.status_code == 503 and "temporarily_unavailable" in answer.text
    assert answer.headers["Content-Type"].startswith("text/html")


def test_rules_know_callers_and_resources(cloud):
    s3, developer = client(cloud, "s3"), client(
        cloud, "s3", aws_access_key_id="AKIAVIRGADEVELOPER00", aws_secret_access_key="developer/secret/access/key/0123456789ab")
    fault(cloud, service="s3", caller=f"arn:aws:iam::{ACCOUNT}:user/*", resource=f"arn:aws:s3:::{BUCKET}/cursed/*",
          error="AccessDenied", times="always")
    s3.put_object(Bucket=BUCKET, Key="cursed/a", Body=b"")
    developer.put_object(Bucket=BUCKET, Key="blessed/a", Body=b"")
    with refused("AccessDenied", 403):
        developer.put_object(Bucket=BUCKET, Key="cursed/a", Body=b"")


def test_rules_know_web_identities_and_their_roles(cloud):
    fault(cloud, service="sts", caller="*:" + cloud.issue("company", "alice")["subject"], resource=role_arn("company"),
          error="IDPCommunicationError", times="always")
    with refused("IDPCommunicationError", 400):
        assume(cloud, "company", cloud.token("company", "alice"))
    assert assume(cloud, "company", cloud.token("company", "bob"))
    assert assume(cloud, "facebook", cloud.token("facebook", "alice"))


def test_a_wrong_signature_stays_one(cloud):
    fault(cloud, error="SlowDown", times="always")
    wrong = {"aws_access_key_id": "test", "aws_secret_access_key": "wrong"}
    with refused("SignatureDoesNotMatch", 403):
        client(cloud, "s3", **wrong).list_buckets()
    with refused("SignatureDoesNotMatch", 403):
        client(cloud, "sts", **wrong).get_caller_identity()


def test_chance_is_drawn_from_the_seed(cloud):
    def pattern(seed):
        cloud.control("DELETE", "faults")
        fault(cloud, service="sts", error="Throttling", probability=0.5, seed=seed)
        sts, outcomes = client(cloud, "sts"), []
        for _ in range(24):
            try:
                sts.get_caller_identity()
                outcomes.append(True)
            except botocore.exceptions.ClientError:
                outcomes.append(False)
        return outcomes

    first = pattern(1)
    assert first == pattern(1) and set(first) == {True, False} and first != pattern(2)


def test_a_reset_takes_all_rules_away(cloud):
    fault(cloud, error="SlowDown", times="always")
    cloud.reset()
    assert cloud.control("GET", "faults") == {"faults": []}
    client(cloud, "s3").list_buckets()


def test_over_http2_a_stream_is_reset(tool, tmp_path):
    authority = tmp_path / "ca.pem"
    with Cloud.ephemeral("--tls-port", "0", "--ca-file", authority, listeners=2) as cloud:
        url = next(url for url in cloud.urls if url.startswith("https"))
        fault(cloud, service="company", action="Discovery", connection="answer")
        path = f"{url}/idp/company/.well-known/openid-configuration"
        # Exit code 92: "Stream error in HTTP/2 framing layer". Not even a head arrives.
        assert tool("curl", "--silent", "--include", "--http2", "--cacert", authority, path, status=92) == ""
        assert "issuer" in tool("curl", "--silent", "--http2", "--cacert", authority, path)
