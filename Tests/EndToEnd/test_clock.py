"""The sandbox's clock: what was issued grows old, while no client's clock is touched."""

import boto3
import requests

from clients import assume, client, keys_of, refused, role_arn
from cloud import BUCKET


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


def test_what_is_issued_after_ageing_is_fresh(cloud):
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
