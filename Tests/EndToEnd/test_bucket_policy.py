"""Bucket policies that allow strangers, deny owners and sessions, or are malformed."""

import json

import pytest
import requests

from clients import anonymous, client, refusal_of, refused, session
from cloud import ACCOUNT, BUCKET

DEVELOPER = {"aws_access_key_id": "AKIAVIRGADEVELOPER00",
             "aws_secret_access_key": "developer/secret/access/key/0123456789ab"}


@pytest.fixture(autouse=True)
def open_to_the_public(root):
    """Without this a new bucket refuses policies that allow strangers."""
    root.delete_public_access_block(Bucket=BUCKET)


def policy(*statements, bucket=BUCKET):
    """A policy of these statements. The default statement allows everyone every object."""
    usual = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{bucket}/*"}
    return json.dumps({"Version": "2012-10-17", "Statement": [usual | statement for statement in statements]})


def test_strangers_may_do_what_the_policy_lets_them(cloud, root):
    root.put_object(Bucket=BUCKET, Key="public/page", Body=b"for all")
    root.put_object(Bucket=BUCKET, Key="private/page", Body=b"for some")
    page = f"{cloud.url}/{BUCKET}/public/page"
    assert refusal_of(requests.get(page)) == (403, "AccessDenied")

    root.put_bucket_policy(Bucket=BUCKET, Policy=policy(
        {"Resource": f"arn:aws:s3:::{BUCKET}/public/*"},
        {"Action": "s3:ListBucket", "Resource": f"arn:aws:s3:::{BUCKET}",
         "Condition": {"StringEquals": {"s3:prefix": "public/"}}}))

    response = requests.get(page)
    assert (response.status_code, response.content) == (200, b"for all")
    assert requests.head(page).status_code == 200
    for answer in [requests.get(f"{cloud.url}/{BUCKET}/private/page"), requests.put(page, data=b"mine"),
                   requests.delete(page), requests.get(f"{cloud.url}/{BUCKET}"), requests.get(f"{cloud.url}/{BUCKET}?policy")]:
        assert refusal_of(answer) == (403, "AccessDenied"), answer.request.method + answer.url
    listed = anonymous(cloud, "s3").list_objects_v2(Bucket=BUCKET, Prefix="public/")
    assert [entry["Key"] for entry in listed["Contents"]] == ["public/page"]

    root.delete_bucket_policy(Bucket=BUCKET)
    assert refusal_of(requests.get(page)) == (403, "AccessDenied")


def test_a_missing_object_is_shown_as_missing_only_to_whoever_may_list(cloud, root):
    root.put_bucket_policy(Bucket=BUCKET, Policy=policy({}))
    assert refusal_of(requests.get(f"{cloud.url}/{BUCKET}/missing")) == (403, "AccessDenied")
    root.put_bucket_policy(Bucket=BUCKET, Policy=policy(
        {}, {"Action": "s3:ListBucket", "Resource": f"arn:aws:s3:::{BUCKET}"}))
    assert refusal_of(requests.get(f"{cloud.url}/{BUCKET}/missing")) == (404, "NoSuchKey")


def test_a_stranger_may_write_where_the_policy_says_so(cloud, root):
    root.put_bucket_policy(Bucket=BUCKET, Policy=policy(
        {"Action": "s3:PutObject", "Resource": f"arn:aws:s3:::{BUCKET}/inbox/*"}))
    assert requests.put(f"{cloud.url}/{BUCKET}/inbox/note", data=b"hello").status_code == 200
    assert root.get_object(Bucket=BUCKET, Key="inbox/note")["Body"].read() == b"hello"
    assert refusal_of(requests.put(f"{cloud.url}/{BUCKET}/other", data=b"x")) == (403, "AccessDenied")


def test_a_policy_may_open_a_bucket_to_one_role(cloud, root):
    root.put_object(Bucket=BUCKET, Key="shared/x", Body=b"x")
    alice, _ = session(cloud, "company", "alice")
    other, _ = session(cloud, "google", "alice")
    with refused("AccessDenied", 403):
        alice.get_object(Bucket=BUCKET, Key="shared/x")
    root.put_bucket_policy(Bucket=BUCKET, Policy=policy(
        {"Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:role/personal-files-company"}}))
    assert alice.get_object(Bucket=BUCKET, Key="shared/x")["Body"].read() == b"x"
    with refused("AccessDenied", 403):
        other.get_object(Bucket=BUCKET, Key="shared/x")


def test_a_denial_is_stronger_than_any_permission(cloud, root):
    alice, subject = session(cloud, "company", "alice")
    developer = client(cloud, "s3", **DEVELOPER)
    for s3 in [alice, developer]:
        s3.put_object(Bucket=BUCKET, Key=f"{subject}/x", Body=b"x")
    root.put_bucket_policy(Bucket=BUCKET, Policy=policy({"Effect": "Deny"}))
    for s3 in [alice, developer]:
        with refused("AccessDenied", 403, "explicit deny in a resource-based policy"):
            s3.get_object(Bucket=BUCKET, Key=f"{subject}/x")
    with refused("AccessDenied", 403):
        root.get_object(Bucket=BUCKET, Key=f"{subject}/x")


def test_the_root_user_cannot_be_locked_out_of_the_policy(root):
    everything = {"Effect": "Deny", "Action": "s3:*", "Resource": [f"arn:aws:s3:::{BUCKET}", f"arn:aws:s3:::{BUCKET}/*"]}
    root.put_bucket_policy(Bucket=BUCKET, Policy=policy(everything))
    with refused("AccessDenied", 403):
        root.list_objects_v2(Bucket=BUCKET)
    root.delete_bucket_policy(Bucket=BUCKET)
    assert root.list_objects_v2(Bucket=BUCKET)["KeyCount"]


def test_a_condition_may_name_the_transport(cloud, root):
    insecure = {"Effect": "Deny", "Action": "s3:*", "Condition": {"Bool": {"aws:SecureTransport": "false"}}}
    root.put_object(Bucket=BUCKET, Key="x", Body=b"x")
    root.put_bucket_policy(Bucket=BUCKET, Policy=policy({}, insecure))
    assert refusal_of(requests.get(f"{cloud.url}/{BUCKET}/x")) == (403, "AccessDenied")


def test_a_policy_comes_back_as_it_was_put(root):
    text = policy({"Sid": "Pages"})
    with refused("NoSuchBucketPolicy", 404):
        root.get_bucket_policy(Bucket=BUCKET)
    root.put_bucket_policy(Bucket=BUCKET, Policy=text)
    assert root.get_bucket_policy(Bucket=BUCKET)["Policy"] == text
    root.delete_bucket_policy(Bucket=BUCKET)
    with refused("NoSuchBucketPolicy", 404):
        root.get_bucket_policy(Bucket=BUCKET)


@pytest.mark.parametrize("statement", [
    {"Condition": {"StringNearly": {"aws:username": "a"}}}, {"Effect": "Perhaps"}, {"Action": "sts:AssumeRole"},
    {"Resource": "arn:aws:s3:::another-bucket/*"}, {"Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:user/nobody"}},
    {"Surprise": 1}], ids=lambda statement: "-".join(statement))
def test_a_policy_that_makes_no_sense_is_refused(root, statement):
    with refused("MalformedPolicy", 400):
        root.put_bucket_policy(Bucket=BUCKET, Policy=policy(statement))
    with refused("NoSuchBucketPolicy", 404):
        root.get_bucket_policy(Bucket=BUCKET)


@pytest.mark.parametrize("text", ["", "{", "[]", "text"])
def test_a_policy_that_is_no_document_is_refused(root, text):
    with refused("MalformedPolicy", 400):
        root.put_bucket_policy(Bucket=BUCKET, Policy=text)
