"""The settings of a collection's bucket also apply to objects that apps store."""

import datetime

import oss2
import pytest
import requests

import harbour
from clients import client, refused
from cloud import ACCOUNT, TIMEOUT_SECONDS
from destination import listening
from ridgeline import Backend, serving

QUEUE = "arn:aws:sqs:us-east-1:000000000000:manuals"
BUCKET = "ridgeline-manuals"
OBJECTS = "/mobile/platform/storage/collections/manuals/objects"


@pytest.fixture
def arrivals():
    with listening() as destination:
        yield destination


@pytest.fixture
def care(arrivals):
    """The employees' app, in a process that sends the events of buckets to the destination. Marc logs in with a password."""
    url, _ = arrivals
    with serving("--event-target", f"{QUEUE}={url}/queue") as cloud:
        marc = cloud.control("GET", "mobile/realms/Default(1.0)/users/marc")
        cloud.control("PUT", "mobile/realms/Default(1.0)/users/marc", marc | {"password": "marc-password"})
        yield Backend(cloud, "LiftCare")


def test_a_bucket_treats_what_apps_store_as_it_treats_everything(care, arrivals):
    """The bucket's default retention and encryption apply to writes of the Storage API, and its events are sent for them."""
    _, received = arrivals
    s3 = client(care.cloud, "s3")
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    s3.put_object_lock_configuration(Bucket=BUCKET, ObjectLockConfiguration={
        "ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 3}}})
    s3.put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration={"Rules": [
        {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "alias/manuals"}, "BucketKeyEnabled": True}]})
    s3.put_bucket_notification_configuration(Bucket=BUCKET, NotificationConfiguration={
        "QueueConfigurations": [{"Id": "q", "QueueArn": QUEUE, "Events": ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]}]})
    assert received.get(timeout=TIMEOUT_SECONDS)[2]["Event"] == "s3:TestEvent"

    care.cloud.freeze()
    s3.put_object(Bucket=BUCKET, Key="by S3", Body=b"content")
    made = requests.put(f"{care.cloud.url}{OBJECTS}/by%20app", data=b"content", headers=care.basic("marc"))
    assert made.status_code == 201, made.text
    by_s3, by_app = (s3.head_object(Bucket=BUCKET, Key=key, ChecksumMode="ENABLED") for key in ("by S3", "by app"))
    assert by_app["ObjectLockMode"] == "GOVERNANCE" and by_app["ServerSideEncryption"] == "aws:kms"
    assert by_app["ObjectLockRetainUntilDate"] - by_app["LastModified"] == datetime.timedelta(days=3)
    same = ("ETag", "SSEKMSKeyId", "BucketKeyEnabled", "ChecksumType")
    assert {name: by_app[name] for name in same} == {name: by_s3[name] for name in same}
    assert by_app["ChecksumCRC64NVME"] and made.json()["eTag"] == by_app["ETag"]

    # A deletion by the app adds a delete marker; the lock keeps the version.
    assert requests.delete(f"{care.cloud.url}{OBJECTS}/by%20app", headers=care.basic("marc")).status_code == 204
    with refused("AccessDenied", 403):
        s3.delete_object(Bucket=BUCKET, Key="by app", VersionId=by_app["VersionId"])

    messages = [received.get(timeout=TIMEOUT_SECONDS)[2]["Records"][0] for _ in range(3)]
    assert [(message["eventName"], message["s3"]["object"]["key"]) for message in messages] == [
        ("ObjectCreated:Put", "by+S3"), ("ObjectCreated:Put", "by+app"), ("ObjectRemoved:DeleteMarkerCreated", "by+app")]
    own, app = (message["s3"]["object"] for message in messages[:2])
    assert (app["size"], app["eTag"], app["versionId"]) == (own["size"], own["eTag"], by_app["VersionId"])
    assert messages[1]["userIdentity"]["principalId"] == f"AWS:{ACCOUNT}"


def test_a_bucket_of_oss_treats_what_apps_store_as_oss_does():
    """The bucket's storage class and encryption apply to writes of the Storage API, and OSS returns the same for both objects."""
    with serving("--seed", harbour.SEED) as cloud:
        care = Backend(cloud, "LiftCare")
        charts = harbour.bucket(cloud, "app-charts")
        charts.create_bucket(oss2.BUCKET_ACL_PRIVATE, oss2.models.BucketCreateConfig(oss2.BUCKET_STORAGE_CLASS_IA))
        rule = oss2.models.ServerSideEncryptionRule()
        rule.sse_algorithm, rule.kms_master_keyid = "KMS", "9468da86-3509-4f8d-a61e-6eab1eac0001"
        charts.put_bucket_encryption(rule)
        cloud.control("PUT", "mobile/collections/charts", {
            "id": "charts", "bucket": "app-charts", "permissions": {"READ_WRITE": ["Dispatcher"]}})

        charts.put_object("by-oss", b"content")
        url = f"{cloud.url}/mobile/platform/storage/collections/charts/objects/by-app"
        assert requests.put(url, data=b"content", headers=care.basic("dora")).status_code == 201
        by_oss, by_app = (charts.head_object(key).headers for key in ("by-oss", "by-app"))
        for name in ("x-oss-storage-class", "x-oss-server-side-encryption", "x-oss-server-side-encryption-key-id", "x-oss-hash-crc64ecma", "ETag"):
            assert by_app[name] == by_oss[name], name
        assert by_app["x-oss-storage-class"] == "IA" and charts.get_object("by-app").read() == b"content"
        assert requests.get(url.replace("by-app", "by-oss"), headers=care.basic("dora")).content == b"content"
