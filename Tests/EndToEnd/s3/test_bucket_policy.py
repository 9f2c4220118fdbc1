"""Bucket policies that allow strangers, deny owners and sessions, or are malformed."""

import json

import pytest
import requests

from clients import anonymous, client, keys_of, refusal_of, refused, session
from cloud import ACCOUNT, BUCKET
from sandboxes import Sandbox

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


def test_a_policy_comes_back_in_the_form_that_s3_gives_it(root):
    text = json.dumps({"Statement": {
        "Resource": [f"arn:aws:s3:::{BUCKET}/*"], "Action": ["s3:PutObject", "s3:GetObject"], "Effect": "Allow",
        "Principal": {"AWS": ACCOUNT}, "Sid": "Pages"}})
    with refused("NoSuchBucketPolicy", 404):
        root.get_bucket_policy(Bucket=BUCKET)
    root.put_bucket_policy(Bucket=BUCKET, Policy=text)
    assert root.get_bucket_policy(Bucket=BUCKET)["Policy"] == (
        '{"Version":"2008-10-17","Statement":[{"Sid":"Pages","Effect":"Allow",'
        f'"Principal":{{"AWS":"arn:aws:iam::{ACCOUNT}:root"}},"Action":["s3:PutObject","s3:GetObject"],'
        f'"Resource":"arn:aws:s3:::{BUCKET}/*"}}]}}')
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


SECOND_ACCOUNT = """{accounts: [
  {id: "000000000000", name: "main", rootKeys: [{id: "test", secret: "test"}], buckets: [{name: "box"}]},
  {id: "111111111111", name: "second", rootKeys: [{id: "second", secret: "second"}]}]}"""


def test_a_user_or_role_created_again_under_its_name_has_no_access(cloud, root):
    iam = client(cloud, "iam")
    root.put_object(Bucket=BUCKET, Key="x", Body=b"x")
    user, role = f"arn:aws:iam::{ACCOUNT}:user/guest", f"arn:aws:iam::{ACCOUNT}:role/guests"
    trust = json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "sts:AssumeRole"}]})
    iam.create_user(UserName="caller")
    iam.put_user_policy(UserName="caller", PolicyName="assume", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": role}]}))

    def keys_of_user(name):
        key = iam.create_access_key(UserName=name)["AccessKey"]
        return {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}

    caller = client(cloud, "sts", **keys_of_user("caller"))

    def create():
        ids = iam.create_user(UserName="guest")["User"]["UserId"], \
            iam.create_role(RoleName="guests", AssumeRolePolicyDocument=trust)["Role"]["RoleId"]
        return ids, client(cloud, "s3", **keys_of_user("guest"))

    def as_role():
        return client(cloud, "s3", **keys_of(caller.assume_role(RoleArn=role, RoleSessionName="session")))

    (user_id, role_id), guest = create()
    text = policy({"Principal": {"AWS": [user, role]}})
    root.put_bucket_policy(Bucket=BUCKET, Policy=text)
    for s3 in [guest, as_role()]:
        assert s3.get_object(Bucket=BUCKET, Key="x")["Body"].read() == b"x"
    assert json.loads(root.get_bucket_policy(Bucket=BUCKET)["Policy"]) == json.loads(text)

    for key in iam.list_access_keys(UserName="guest")["AccessKeyMetadata"]:
        iam.delete_access_key(UserName="guest", AccessKeyId=key["AccessKeyId"])
    iam.delete_user(UserName="guest")
    iam.delete_role(RoleName="guests")
    shown = json.loads(root.get_bucket_policy(Bucket=BUCKET)["Policy"])
    assert shown["Statement"][0]["Principal"] == {"AWS": [user_id, role_id]}
    with refused("MalformedPolicy", 400, "Invalid principal in policy"):
        root.put_bucket_policy(Bucket=BUCKET, Policy=text)

    _, guest = create()
    for s3 in [guest, as_role()]:
        with refused("AccessDenied", 403):
            s3.get_object(Bucket=BUCKET, Key="x")
    assert json.loads(root.get_bucket_policy(Bucket=BUCKET)["Policy"]) == shown
    root.put_bucket_policy(Bucket=BUCKET, Policy=text)
    for s3 in [guest, as_role()]:
        assert s3.get_object(Bucket=BUCKET, Key="x")["Body"].read() == b"x"


@pytest.mark.parametrize("principal", ["arn:aws-cn:iam::{}:root", "arn:aws-us-gov:iam::{}:user/guest"])
def test_principals_of_other_partitions_are_refused(root, principal):
    with refused("MalformedPolicy", 400, "Invalid principal in policy"):
        root.put_bucket_policy(Bucket=BUCKET, Policy=policy({"Principal": {"AWS": principal.format(ACCOUNT)}}))


def test_the_policy_belongs_to_the_account_of_the_bucket(process):
    with Sandbox.seeded(process, SECOND_ACCOUNT) as sandbox:
        owner, other = client(sandbox, "s3"), client(sandbox, "s3", aws_access_key_id="second", aws_secret_access_key="second")
        text = policy({"Principal": {"AWS": "111111111111"}, "Action": "s3:*",
                       "Resource": ["arn:aws:s3:::box", "arn:aws:s3:::box/*"]}, bucket="box")
        owner.put_bucket_policy(Bucket="box", Policy=text)
        other.put_object(Bucket="box", Key="x", Body=b"x")
        for operation in [other.get_bucket_policy, other.delete_bucket_policy, lambda **names: other.put_bucket_policy(Policy=text, **names)]:
            with refused("MethodNotAllowed", 405, "The specified method is not allowed against this resource."):
                operation(Bucket="box")
        shown = json.loads(owner.get_bucket_policy(Bucket="box")["Policy"])
        assert shown["Statement"][0]["Principal"] == {"AWS": "arn:aws:iam::111111111111:root"}
        owner.delete_bucket_policy(Bucket="box")
        for operation in [other.get_bucket_policy, other.delete_bucket_policy]:
            with refused("AccessDenied", 403):
                operation(Bucket="box")
