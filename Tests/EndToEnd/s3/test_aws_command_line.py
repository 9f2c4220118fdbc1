"""The aws command line, as a user at a terminal uses it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from clients import role_arn
from cloud import ACCOUNT, BUCKET, clean_environment

AWS = Path(sys.executable).parent / "aws"


@pytest.fixture
def aws(endpoint, tmp_path):
    """Runs `aws` against the cloud as its root user, or with other variables. Fails unless it exits with `status`."""
    authority = {"AWS_CA_BUNDLE": str(endpoint.authority)} if endpoint.authority else {}

    def run(*arguments, status=0, **variables):
        credentials = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
        if "AWS_ROLE_ARN" in variables:
            credentials = {}
        result = subprocess.run(
            [AWS, *map(str, arguments)], text=True, capture_output=True, cwd=tmp_path, env=clean_environment(
                AWS_ENDPOINT_URL=endpoint.url, AWS_DEFAULT_REGION="us-east-1", AWS_DEFAULT_OUTPUT="json", AWS_PAGER="",
                AWS_MAX_ATTEMPTS="1",
                **credentials | authority | variables))
        assert result.returncode == status, result.stdout + result.stderr
        return result.stdout if status == 0 else result.stderr

    return run


def test_a_folder_is_synchronised_there_and_back(aws, tmp_path):
    source = tmp_path / "source"
    (source / "deep" / "er").mkdir(parents=True)
    contents = {"a.txt": b"text", "deep/two words.bin": os.urandom(300_000), "deep/er/ü+%.txt": b"odd"}
    for name, content in contents.items():
        (source / name).write_bytes(content)
        # A file newer than its copy is uploaded again, and copies have times in whole seconds.
        os.utime(source / name, (1_700_000_000, 1_700_000_000))

    aws("s3", "mb", "s3://workshop")
    aws("s3", "sync", source, "s3://workshop/backup")
    assert aws("s3", "sync", source, "s3://workshop/backup") == ""
    aws("s3", "sync", "s3://workshop/backup", tmp_path / "restored")

    for name, content in contents.items():
        assert (tmp_path / "restored" / name).read_bytes() == content
    (source / "a.txt").unlink()
    assert "delete: s3://workshop/backup/a.txt" in aws("s3", "sync", "--delete", source, "s3://workshop/backup")


def test_files_are_copied_listed_moved_and_removed(aws, tmp_path):
    (tmp_path / "large").write_bytes(os.urandom(20 << 20))
    aws("s3", "mb", "s3://workshop")
    aws("s3", "cp", "large", "s3://workshop/folder/large")
    assert "20971520 large" in aws("s3", "ls", "s3://workshop/folder/")
    assert "PRE folder/" in aws("s3", "ls", "s3://workshop")
    aws("s3", "cp", "s3://workshop/folder/large", "s3://workshop/copy")
    aws("s3", "mv", "s3://workshop/copy", "returned")
    assert (tmp_path / "returned").read_bytes() == (tmp_path / "large").read_bytes()
    assert "remove_bucket failed" in aws("s3", "rb", "s3://workshop", status=1)
    aws("s3", "rm", "--recursive", "s3://workshop")
    aws("s3", "rb", "s3://workshop")
    assert "workshop" not in aws("s3", "ls")


def test_single_operations_work_through_s3api(aws, tmp_path):
    (tmp_path / "body").write_bytes(b"hello")
    aws("s3api", "put-object", "--bucket", BUCKET, "--key", "x", "--body", "body", "--content-type", "text/plain",
        "--metadata", "a=1")
    head = json.loads(aws("s3api", "head-object", "--bucket", BUCKET, "--key", "x"))
    assert (head["ContentLength"], head["ContentType"], head["Metadata"]) == (5, "text/plain", {"a": "1"})
    aws("s3api", "get-object", "--bucket", BUCKET, "--key", "x", "--range", "bytes=1-3", "part")
    assert (tmp_path / "part").read_bytes() == b"ell"
    keys = json.loads(aws("s3api", "list-objects-v2", "--bucket", BUCKET, "--query", "Contents[].Key"))
    assert "x" in keys
    assert "(404)" in aws("s3api", "head-object", "--bucket", BUCKET, "--key", "y", status=255)
    assert "(NoSuchBucket)" in aws("s3api", "list-objects-v2", "--bucket", "nowhere", status=255)


def test_writes_are_checked_and_conditional(aws, tmp_path):
    (tmp_path / "body").write_bytes(b"hello")
    put = ["s3api", "put-object", "--bucket", BUCKET, "--key", "x", "--body", "body"]
    first = json.loads(aws(*put, "--if-none-match", "*", "--checksum-algorithm", "SHA256"))
    assert first["ChecksumSHA256"] == "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
    assert "(PreconditionFailed)" in aws(*put, "--if-none-match", "*", status=255)
    aws(*put, "--if-match", first["ETag"])
    assert "(BadDigest)" in aws(*put, "--checksum-sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", status=255)
    assert aws("s3", "cp", f"s3://{BUCKET}/x", "-") == "hello"


def test_a_signed_url_may_be_given_away(aws, endpoint, tmp_path):
    (tmp_path / "body").write_bytes(b"hello")
    aws("s3", "cp", "body", f"s3://{BUCKET}/folder/ü +%")
    url = aws("s3", "presign", f"s3://{BUCKET}/folder/ü +%", "--expires-in", 60).strip()
    got = requests.get(url, verify=str(endpoint.authority) if endpoint.authority else True)
    assert (got.status_code, got.content) == (200, b"hello"), got.text


def test_the_caller_is_the_root_user(aws):
    identity = json.loads(aws("sts", "get-caller-identity"))
    assert identity == {"UserId": ACCOUNT, "Account": ACCOUNT, "Arn": f"arn:aws:iam::{ACCOUNT}:root"}


def test_a_wrong_secret_is_refused(aws):
    assert "(SignatureDoesNotMatch)" in aws("sts", "get-caller-identity", status=255, AWS_SECRET_ACCESS_KEY="wrong")


def test_a_role_is_assumed_by_hand(aws, cloud):
    issued = cloud.issue("facebook", "alice")
    answer = json.loads(aws(
        "sts", "assume-role-with-web-identity", "--role-arn", role_arn("facebook"), "--role-session-name", "terminal",
        "--provider-id", "graph.facebook.com", "--web-identity-token", issued["token"]))
    assert answer["SubjectFromWebIdentityToken"] == issued["subject"]
    message = aws(
        "sts", "assume-role-with-web-identity", "--role-arn", role_arn("google"), "--role-session-name", "terminal",
        "--provider-id", "graph.facebook.com", "--web-identity-token", issued["token"], status=255)
    assert "(AccessDenied)" in message and "Not authorized to perform sts:AssumeRoleWithWebIdentity" in message


def test_a_role_is_assumed_from_the_environment(aws, cloud, tmp_path):
    issued = cloud.issue("company", "alice")
    (tmp_path / "token").write_text(issued["token"])
    role = {"AWS_ROLE_ARN": role_arn("company"), "AWS_WEB_IDENTITY_TOKEN_FILE": str(tmp_path / "token"),
            "AWS_ROLE_SESSION_NAME": "terminal"}
    (tmp_path / "note").write_text("mine")
    aws("s3", "cp", "note", f"s3://{BUCKET}/{issued['subject']}/note", **role)
    assert "note" in aws("s3", "ls", f"s3://{BUCKET}/{issued['subject']}/", **role)
    assert "(AccessDenied)" in aws("s3", "ls", f"s3://{BUCKET}/", status=255, **role)
