"""Versions, delete markers, locks and tags over S3 with boto3."""

import datetime

import pytest

from clients import refused

FAR = datetime.datetime(2040, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture
def versioned(root, bucket):
    root.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    return bucket


@pytest.fixture
def locking(root, versioned):
    root.put_object_lock_configuration(
        Bucket=versioned, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled"})
    return versioned


def test_a_bucket_tells_of_multi_factor_deletion_once_it_was_told(root, versioned):
    assert "MFADelete" not in root.get_bucket_versioning(Bucket=versioned)
    root.put_bucket_versioning(Bucket=versioned, VersioningConfiguration={"Status": "Enabled", "MFADelete": "Disabled"})
    answer = root.get_bucket_versioning(Bucket=versioned)
    assert (answer["Status"], answer["MFADelete"]) == ("Enabled", "Disabled")


def test_every_version_of_a_large_object_keeps_its_bytes(root, versioned):
    bodies = [bytes([number]) * 1_000_000 for number in range(3)]
    ids = [root.put_object(Bucket=versioned, Key="k", Body=body)["VersionId"] for body in bodies]
    marker = root.delete_object(Bucket=versioned, Key="k")
    assert marker["DeleteMarker"]
    for version, body in zip(ids, bodies):
        assert root.get_object(Bucket=versioned, Key="k", VersionId=version)["Body"].read() == body
    with refused("NoSuchKey", 404) as refusal:
        root.get_object(Bucket=versioned, Key="k")
    assert refusal.response["ResponseMetadata"]["HTTPHeaders"]["x-amz-delete-marker"] == "true"
    with refused("MethodNotAllowed", 405):
        root.get_object(Bucket=versioned, Key="k", VersionId=marker["VersionId"])
    root.delete_object(Bucket=versioned, Key="k", VersionId=marker["VersionId"])
    assert root.get_object(Bucket=versioned, Key="k")["Body"].read() == bodies[-1]


def test_a_paginator_walks_every_version_once(root, versioned):
    written = {
        (f"k{number % 5}", root.put_object(Bucket=versioned, Key=f"k{number % 5}", Body=b"x")["VersionId"])
        for number in range(23)}
    markers = {(key, root.delete_object(Bucket=versioned, Key=key)["VersionId"]) for key in ["k1", "k3"]}
    pages = root.get_paginator("list_object_versions").paginate(Bucket=versioned, PaginationConfig={"PageSize": 4})
    pages = list(pages)
    assert len(pages) == 7
    listed = [(v["Key"], v["VersionId"]) for page in pages for v in page.get("Versions", [])]
    assert (len(listed), set(listed)) == (23, written)
    assert {(m["Key"], m["VersionId"]) for page in pages for m in page.get("DeleteMarkers", [])} == markers
    latest = [v["Key"] for page in pages for v in page.get("Versions", []) + page.get("DeleteMarkers", []) if v["IsLatest"]]
    assert sorted(latest) == ["k0", "k1", "k2", "k3", "k4"]


def test_a_bucket_goes_only_when_the_last_version_is_gone(root, versioned):
    version = root.put_object(Bucket=versioned, Key="k", Body=b"x")["VersionId"]
    marker = root.delete_object(Bucket=versioned, Key="k")["VersionId"]
    for _ in range(2):
        with refused("BucketNotEmpty", 409):
            root.delete_bucket(Bucket=versioned)
        root.delete_objects(
            Bucket=versioned, Delete={"Objects": [{"Key": "k", "VersionId": version}, {"Key": "k", "VersionId": "null"}]})
    root.delete_object(Bucket=versioned, Key="k", VersionId=marker)
    root.delete_bucket(Bucket=versioned)


def test_a_multipart_upload_makes_a_version_with_its_tags_and_lock(root, locking):
    upload = root.create_multipart_upload(
        Bucket=locking, Key="k", Tagging="a=1", ObjectLockMode="GOVERNANCE", ObjectLockRetainUntilDate=FAR)["UploadId"]
    part = root.upload_part(Bucket=locking, Key="k", UploadId=upload, PartNumber=1, Body=b"x" * 100)
    done = root.complete_multipart_upload(
        Bucket=locking, Key="k", UploadId=upload, MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]})
    head = root.head_object(Bucket=locking, Key="k")
    assert head["VersionId"] == done["VersionId"]
    assert (head["TagCount"], head["ObjectLockMode"], head["ObjectLockRetainUntilDate"]) == (1, "GOVERNANCE", FAR)
    with refused("AccessDenied", 403, "protected by object lock"):
        root.delete_object(Bucket=locking, Key="k", VersionId=done["VersionId"])
    root.delete_object(Bucket=locking, Key="k", VersionId=done["VersionId"], BypassGovernanceRetention=True)


def test_a_retention_is_over_once_the_sandbox_is_old_enough(cloud, root, locking):
    until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)
    version = root.put_object(
        Bucket=locking, Key="k", Body=b"x", ObjectLockMode="COMPLIANCE", ObjectLockRetainUntilDate=until)["VersionId"]
    with refused("AccessDenied", 403):
        root.delete_object(Bucket=locking, Key="k", VersionId=version, BypassGovernanceRetention=True)
    cloud.age("P31D")
    root.delete_object(Bucket=locking, Key="k", VersionId=version)


def test_tags_are_written_read_and_copied(root, bucket):
    root.put_object(Bucket=bucket, Key="k", Body=b"x", Tagging="colour=blue")
    root.copy_object(Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": "k"})
    assert root.get_object_tagging(Bucket=bucket, Key="copy")["TagSet"] == [{"Key": "colour", "Value": "blue"}]
    tags = [{"Key": f"key{number}", "Value": "v"} for number in range(10)]
    root.put_object_tagging(Bucket=bucket, Key="k", Tagging={"TagSet": tags})
    assert root.get_object(Bucket=bucket, Key="k")["TagCount"] == 10
    root.put_bucket_tagging(Bucket=bucket, Tagging={"TagSet": tags})
    assert root.get_bucket_tagging(Bucket=bucket)["TagSet"] == tags


def test_a_delete_is_conditional_on_the_current_version(root, versioned):
    tag = root.put_object(Bucket=versioned, Key="k", Body=b"1")["ETag"]
    root.put_object(Bucket=versioned, Key="k", Body=b"2")
    with refused("PreconditionFailed", 412):
        root.delete_object(Bucket=versioned, Key="k", IfMatch=tag)
    assert root.delete_object(Bucket=versioned, Key="k", IfMatch="*")["DeleteMarker"]
    with refused("NoSuchKey", 404):
        root.delete_object(Bucket=versioned, Key="k", IfMatch="*")
