"""ACLs, ownership and public access with boto3, in buckets with old and new defaults."""

import pytest
import requests

from clients import client, refusal_of, refused
from cloud import Cloud
from sandboxes import Sandbox

SEED = """{accounts: [
  {id: "000000000000", name: "main", rootKeys: [{id: "test", secret: "test"}],
   buckets: [{name: "old", ownership: "ObjectWriter", publicAccess: "allowed"}, {name: "kept", versioning: true}]},
  {id: "111111111111", name: "neighbour", email: "next@door.example", rootKeys: [{id: "neighbour", secret: "neighbour"}]}]}"""


@pytest.fixture(scope="module")
def two_accounts(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.fixture
def owner(two_accounts):
    two_accounts.reset()
    return client(two_accounts, "s3")


@pytest.fixture
def neighbour(two_accounts):
    return client(two_accounts, "s3", aws_access_key_id="neighbour", aws_secret_access_key="neighbour")


def test_a_canned_list_opens_an_object_to_the_world(two_accounts, owner):
    owner.put_object(Bucket="old", Key="page", Body=b"for all", ACL="public-read")
    owner.put_object(Bucket="old", Key="note", Body=b"for me")
    assert requests.get(f"{two_accounts.url}/old/page").content == b"for all"
    assert refusal_of(requests.get(f"{two_accounts.url}/old/note")) == (403, "AccessDenied")
    owner.copy_object(Bucket="old", Key="copy", CopySource="old/page")
    assert refusal_of(requests.get(f"{two_accounts.url}/old/copy")) == (403, "AccessDenied")


def test_nobody_is_granted_anything_by_mail(owner):
    with refused("MethodNotAllowed", 405):
        owner.put_bucket_acl(Bucket="old", GrantRead='emailAddress="next@door.example"')


def test_a_grant_lets_another_account_in(owner, neighbour):
    # Owners and grantees have identifiers, but no display names since AWS removed them.
    owner_of_theirs = neighbour.list_buckets()["Owner"]
    assert list(owner_of_theirs) == ["ID"]
    grantee = f'id="{owner_of_theirs["ID"]}"'
    owner.put_bucket_acl(Bucket="old", GrantRead=grantee, GrantWrite=grantee)
    grants = owner.get_bucket_acl(Bucket="old")["Grants"]
    assert [(grant["Grantee"], grant["Permission"]) for grant in grants] == [
        (owner_of_theirs | {"Type": "CanonicalUser"}, permission) for permission in ["READ", "WRITE"]]
    neighbour.put_object(Bucket="old", Key="theirs", Body=b"x")
    listed = neighbour.list_objects(Bucket="old")["Contents"]
    assert [entry["Owner"] for entry in listed] == [owner_of_theirs]
    with refused("AccessDenied", 403):
        owner.get_object(Bucket="old", Key="theirs")
    owner.delete_object(Bucket="old", Key="theirs")


def test_a_new_bucket_has_no_lists_and_blocks_the_public(owner):
    owner.create_bucket(Bucket="new")
    assert all(owner.get_public_access_block(Bucket="new")["PublicAccessBlockConfiguration"].values())
    rules = owner.get_bucket_ownership_controls(Bucket="new")["OwnershipControls"]["Rules"]
    assert rules == [{"ObjectOwnership": "BucketOwnerEnforced"}]
    with refused("AccessControlListNotSupported", 400):
        owner.put_object(Bucket="new", Key="x", Body=b"x", ACL="public-read")
    with refused("InvalidBucketAclWithObjectOwnership", 400):
        owner.create_bucket(Bucket="newer", ACL="public-read")


def test_a_seed_says_how_its_buckets_are(owner):
    assert owner.get_bucket_versioning(Bucket="kept")["Status"] == "Enabled"
    with refused("NoSuchPublicAccessBlockConfiguration", 404):
        owner.get_public_access_block(Bucket="old")


def test_buckets_can_be_as_they_were(tmp_path):
    with Cloud.ephemeral("--bucket-defaults", "legacy") as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket="old-times", ACL="public-read")
        assert requests.get(f"{cloud.url}/old-times").status_code == 200
        with refused("OwnershipControlsNotFoundError", 404):
            s3.get_bucket_ownership_controls(Bucket="old-times")
