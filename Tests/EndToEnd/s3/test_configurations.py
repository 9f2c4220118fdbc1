"""Configurations that are stored and returned, with boto3."""

import json

import pytest

from clients import refused, session
from cloud import ACCOUNT

DESTINATION = {"S3BucketDestination": {"Bucket": "arn:aws:s3:::reports", "Format": "CSV"}}

KINDS = {
    "inventory": {"Destination": DESTINATION, "IsEnabled": True, "IncludedObjectVersions": "All",
                  "Schedule": {"Frequency": "Weekly"}, "OptionalFields": ["Size", "ETag"], "Filter": {"Prefix": "a/"}},
    "analytics": {"Filter": {"And": {"Prefix": "a/", "Tags": [{"Key": "k", "Value": "v"}]}}, "StorageClassAnalysis": {
        "DataExport": {"OutputSchemaVersion": "V_1", "Destination": DESTINATION}}},
    "metrics": {"Filter": {"Prefix": "a/"}},
    "intelligent_tiering": {"Status": "Enabled", "Tierings": [
        {"Days": 90, "AccessTier": "ARCHIVE_ACCESS"}, {"Days": 180, "AccessTier": "DEEP_ARCHIVE_ACCESS"}]},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_configuration_is_kept(root, bucket, kind):
    name = "".join(word.capitalize() for word in kind.split("_")) + "Configuration"

    def call(verb, suffix="", **arguments):
        return getattr(root, f"{verb}_bucket_{kind}_configuration{suffix}")(Bucket=bucket, **arguments)

    with refused("NoSuchConfiguration", 404):
        call("get", Id="one")
    wanted = KINDS[kind] | {"Id": "one"}
    call("put", Id="one", **{name: wanted})
    assert call("get", Id="one")[name] == wanted
    assert call("list", "s")[f"{name}List"] == [wanted]
    with refused("IdMismatch" if kind == "inventory" else "MalformedXML", 400):
        call("put", Id="two", **{name: wanted})
    call("delete", Id="one")
    with refused("NoSuchConfiguration", 404):
        call("delete", Id="one")
    assert f"{name}List" not in call("list", "s")


def test_a_replication_is_kept(root, bucket):
    with refused("ReplicationConfigurationNotFoundError", 404):
        root.get_bucket_replication(Bucket=bucket)
    wanted = {"Role": "arn:aws:iam::000000000000:role/replicator", "Rules": [{
        "ID": "all", "Priority": 1, "Filter": {"Prefix": ""}, "Status": "Enabled", "DeleteMarkerReplication": {"Status": "Disabled"},
        "Destination": {"Bucket": f"arn:aws:s3:::{bucket}", "StorageClass": "STANDARD_IA"}}]}
    with refused("InvalidRequest", 400):
        root.put_bucket_replication(Bucket=bucket, ReplicationConfiguration=wanted)
    root.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    root.put_bucket_replication(Bucket=bucket, ReplicationConfiguration=wanted)
    assert root.get_bucket_replication(Bucket=bucket)["ReplicationConfiguration"] == wanted
    root.delete_bucket_replication(Bucket=bucket)
    with refused("ReplicationConfigurationNotFoundError", 404):
        root.get_bucket_replication(Bucket=bucket)


@pytest.mark.parametrize("key", ["aws:ResourceTag/team", "s3:BucketTag/team"])
def test_the_tags_of_a_bucket_decide_once_that_is_enabled(cloud, root, bucket, key):
    alice, _ = session(cloud, "company", "alice")
    root.put_bucket_tagging(Bucket=bucket, Tagging={"TagSet": [{"Key": "team", "Value": "blue"}]})
    root.put_bucket_policy(Bucket=bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:role/personal-files-company"}, "Action": "s3:PutObject",
        "Resource": f"arn:aws:s3:::{bucket}/*", "Condition": {"StringEquals": {key: "blue"}}}]}))
    assert root.get_bucket_abac(Bucket=bucket)["AbacStatus"] == {"Status": "Disabled"}
    with refused("AccessDenied", 403):
        alice.put_object(Bucket=bucket, Key="a", Body=b"x")

    root.put_bucket_abac(Bucket=bucket, AbacStatus={"Status": "Enabled"})
    assert root.get_bucket_abac(Bucket=bucket)["AbacStatus"] == {"Status": "Enabled"}
    alice.put_object(Bucket=bucket, Key="a", Body=b"x")
    with refused("BadRequest", 400, "initiate a TagResource request"):
        root.delete_bucket_tagging(Bucket=bucket)
    root.put_bucket_abac(Bucket=bucket, AbacStatus={"Status": "Disabled"})
    root.delete_bucket_tagging(Bucket=bucket)
