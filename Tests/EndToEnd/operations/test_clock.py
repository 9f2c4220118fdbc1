"""The sandbox's clock: credentials and tokens age while the clients' clocks run normally."""

import datetime
import email.utils
import json
import time
from unittest import mock

import boto3
import botocore.auth
import jwt
import requests
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from clients import assume, client, error_of, keys_of, refused, role_arn
from cloud import BUCKET, Cloud, wait_until


def later(**duration):
    """A future date, in the form of the control API."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**duration)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_session_expires_and_a_new_token_with_a_new_session_works(cloud, tmp_path, monkeypatch):
    issued = cloud.issue("company", "alice")
    token_file = tmp_path / "token"
    token_file.write_text(issued["token"])
    monkeypatch.setenv("AWS_ROLE_ARN", role_arn("company"))
    monkeypatch.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", str(token_file))
    monkeypatch.setenv("AWS_ENDPOINT_URL", cloud.url)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3 = boto3.Session().client("s3")
    key = f"{issued['subject']}/note"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"before")

    cloud.age("PT1H5M")

    with refused("ExpiredToken", 400, "expired"):
        s3.get_object(Bucket=BUCKET, Key=key)
    with refused("ExpiredToken", 400, "expired"):
        s3.put_object(Bucket=BUCKET, Key=key, Body=b"after")
    token_file.write_text(cloud.token("company", "alice"))
    renewed = boto3.Session().client("s3")
    assert renewed.get_object(Bucket=BUCKET, Key=key)["Body"].read() == b"before"


def test_an_expired_session_is_refused_by_sts_too(cloud):
    keys = keys_of(assume(cloud, "company", cloud.token("company", "alice")))
    cloud.age("PT1H1S")
    with refused("ExpiredToken", 403):
        client(cloud, "sts", **keys).get_caller_identity()


def test_what_is_issued_after_aging_is_fresh(cloud):
    cloud.age("P30D")
    answer = assume(cloud, "company", cloud.token("company", "alice"))
    s3 = client(cloud, "s3", **keys_of(answer))
    key = f"{answer['SubjectFromWebIdentityToken']}/note"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"fresh")
    assert s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() == b"fresh"


def test_ages_add_up(cloud):
    s3 = client(cloud, "s3", **keys_of(assume(cloud, "company", cloud.token("company", "alice"))))
    subject = cloud.issue("company", "alice")["subject"]
    cloud.age("PT40M")
    s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")
    cloud.age("PT40M")
    with refused("ExpiredToken", 400):
        s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")


def test_objects_grow_old_as_well(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="old", Body=b"")
    before = root.head_object(Bucket=bucket, Key="old")["LastModified"]
    cloud.age("P1D")
    after = root.head_object(Bucket=bucket, Key="old")["LastModified"]
    assert (before - after).total_seconds() == 86400


def test_reset_sets_the_clock_back(cloud):
    cloud.age("PT2H")
    cloud.reset()
    token = cloud.token("company", "alice")
    assert assume(cloud, "company", token)["Credentials"]


def test_a_duration_that_is_none_is_refused(cloud):
    for body in [{"age": "an hour"}, {"age": "-PT1H"}, {"age": "PT0S"}, {"age": "PT0.5S"}, {}, {"age": 3600}]:
        response = requests.post(f"{cloud.url}/_virga/clock", json=body)
        assert response.status_code == 400, body


# Moves of the clock.


def move(cloud, **change):
    return cloud.control("POST", "clock", change)


def session_of_alice(cloud):
    answer = assume(cloud, "company", cloud.token("company", "alice"))
    return client(cloud, "s3", **keys_of(answer)), answer


def test_frozen_time_stands_still_for_all_but_header_signatures(cloud, root, bucket):
    # By real time, everything that is issued at this moment has expired.
    moment = "2021-02-03T04:05:06Z"
    assert move(cloud, freeze=moment) | {"wall": None} == {
        "status": "ok", "now": "2021-02-03T04:05:06.000Z", "mode": "frozen", "wall": None, "ages": []}
    # Signed by the client's own clock, which is real time.
    root.put_object(Bucket=bucket, Key="still", Body=b"")
    assert root.head_object(Bucket=bucket, Key="still")["LastModified"].isoformat() == "2021-02-03T04:05:06+00:00"
    s3, answer = session_of_alice(cloud)
    assert answer["Credentials"]["Expiration"].isoformat() == "2021-02-03T05:05:06+00:00"
    token = cloud.token("company", "alice", lifetime=1)
    assert cloud.control("GET", "clock")["now"] == "2021-02-03T04:05:06.000Z"
    assert assume(cloud, "company", token)
    subject = answer["SubjectFromWebIdentityToken"]
    s3.put_object(Bucket=BUCKET, Key=f"{subject}/note", Body=b"")
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["iat"] == datetime.datetime.fromisoformat("2021-02-03T04:05:06+00:00").timestamp()


def test_a_header_that_was_signed_long_ago_is_refused_however_the_clock_stands(cloud):
    stamp = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
    move(cloud, freeze=stamp.strftime("%Y-%m-%dT%H:%M:%SZ"))
    request = AWSRequest("GET", cloud.url + "/")
    with mock.patch.object(botocore.auth, "get_current_datetime", lambda *_, **__: stamp.replace(tzinfo=None)):
        S3SigV4Auth(Credentials("test", "test"), "s3", "us-east-1").add_auth(request)
    response = requests.get(request.url, headers=dict(request.headers))
    assert (response.status_code, error_of(response)["Code"]) == (403, "RequestTimeTooSkewed")


def test_presigned_urls_live_in_the_sandbox_s_time(cloud, root, bucket):
    def presigned():
        return root.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "k"}, ExpiresIn=60)

    root.put_object(Bucket=bucket, Key="k", Body=b"")
    before = presigned()
    assert requests.get(before).status_code == 200
    move(cloud, set=later(hours=2))
    expired = requests.get(before)
    assert (expired.status_code, error_of(expired)["Code"]) == (403, "AccessDenied")
    assert error_of(expired)["Message"] == "Request has expired"
    after = presigned()
    assert requests.get(after).status_code == 200
    move(cloud, resume=True)
    # One was signed at a time that is now in the future; the other is valid again.
    assert requests.get(after).status_code == 403
    assert requests.get(before).status_code == 200


def test_frozen_presigned_urls_do_not_end_and_age_all_the_same(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="k", Body=b"")
    move(cloud, freeze="2020-01-01T00:00:00Z")
    url = root.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "k"}, ExpiresIn=1)
    # Each call returns when the next second of real time has begun.
    move(cloud, freeze="2020-01-01T00:00:00Z")
    move(cloud, freeze="2020-01-01T00:00:00Z")
    assert requests.get(url).status_code == 200
    cloud.age("PT1S")
    assert requests.get(url).status_code == 403


def test_time_runs_on_from_where_it_is_set(cloud):
    s3, answer = session_of_alice(cloud)
    subject = answer["SubjectFromWebIdentityToken"]
    token = cloud.token("company", "alice")
    move(cloud, set=later(hours=2))
    with refused("ExpiredToken", 400):
        s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")
    with refused("ExpiredTokenException", 400):
        assume(cloud, "company", token)
    fresh, _ = session_of_alice(cloud)
    fresh.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")
    first = cloud.control("GET", "clock")
    assert first["mode"] == "set"
    wait_until(lambda: cloud.control("GET", "clock")["now"] > first["now"])


def test_what_was_issued_in_the_future_after_resuming(cloud, root, bucket):
    move(cloud, set=later(hours=2))
    token = cloud.token("company", "alice")
    s3, answer = session_of_alice(cloud)
    root.put_object(Bucket=bucket, Key="ahead", Body=b"first")
    move(cloud, resume=True)
    # A token contains the time of its issue, and STS refuses one from the future.
    with refused("InvalidIdentityToken", 400, "issued in the future"):
        assume(cloud, "company", token)
    # A session remains valid until its own expiry.
    s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{answer['SubjectFromWebIdentityToken']}/")
    # An object keeps its date, and an overwrite has the present one.
    ahead = root.head_object(Bucket=bucket, Key="ahead")["LastModified"]
    assert ahead > datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    root.put_object(Bucket=bucket, Key="ahead", Body=b"second")
    assert root.head_object(Bucket=bucket, Key="ahead")["LastModified"] < ahead
    assert root.get_object(Bucket=bucket, Key="ahead")["Body"].read() == b"second"


def test_lifecycle_rules_follow_the_clock(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="old", Body=b"")
    root.put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration={"Rules": [
        {"ID": "all", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 2}}]})
    move(cloud, set=later(days=10))
    assert root.list_objects_v2(Bucket=bucket)["KeyCount"] == 0
    root.put_object(Bucket=bucket, Key="ahead", Body=b"")
    move(cloud, resume=True)
    assert root.list_objects_v2(Bucket=bucket)["KeyCount"] == 1


def test_answers_are_dated_by_the_wall_clock(cloud):
    move(cloud, freeze="2020-01-01T00:00:00Z")
    before = int(time.time())
    dated = email.utils.parsedate_to_datetime(requests.get(f"{cloud.url}/_virga/health").headers["Date"])
    assert before <= dated.timestamp() <= time.time()


def test_condition_keys_tell_the_sandbox_s_time(cloud, root, bucket):
    root.put_bucket_policy(Bucket=bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{bucket}/*",
        "Condition": {"DateGreaterThan": {"aws:CurrentTime": "2030-01-01T00:00:00Z"}}}]}))
    root.put_object(Bucket=bucket, Key="k", Body=b"")
    root.get_object(Bucket=bucket, Key="k")
    move(cloud, freeze="2030-01-01T00:00:01Z")
    with refused("AccessDenied", 403):
        root.get_object(Bucket=bucket, Key="k")


def test_a_frozen_sandbox_stays_frozen_over_a_restart(tmp_path):
    with Cloud.over(tmp_path) as cloud:
        move(cloud, freeze="2031-02-03T04:05:06Z")
        token = cloud.token("company", "alice", lifetime=60)
        assert cloud.stop() == 0
    with Cloud.over(tmp_path) as cloud:
        assert cloud.control("GET", "clock")["now"] == "2031-02-03T04:05:06.000Z"
        assert assume(cloud, "company", token)
        move(cloud, set="2040-01-01T00:00:00Z")
        cloud.kill()
    with Cloud.over(tmp_path) as cloud:
        clock = cloud.control("GET", "clock")
        assert clock["mode"] == "set" and clock["now"].startswith("2040-01-01T00:")
        cloud.reset()
        assert cloud.control("GET", "clock")["mode"] == "running"


def test_certificates_are_made_by_the_wall_clock(tool, tmp_path):
    authority = tmp_path / "ca.pem"
    with Cloud.ephemeral("--tls-port", "0", "--ca-file", authority, listeners=2) as cloud:
        move(cloud, freeze="2001-01-01T00:00:00Z")
        url = next(url for url in cloud.urls if url.startswith("https"))
        # A host name for which the certificate is issued now.
        port = url.rsplit(":", 1)[1]
        tool("curl", "--silent", "--fail", "--cacert", authority, f"https://fresh.localhost:{port}/_virga/health")
