"""Buckets over S3 with boto3, as the account's root user."""

import pytest

from clients import anonymous, client, refusal_of, refused, signed
from cloud import BUCKET


def test_the_seeded_bucket_is_there(root):
    names = [entry["Name"] for entry in root.list_buckets()["Buckets"]]
    assert names == [BUCKET]


def test_a_bucket_is_created_found_listed_and_deleted(root):
    root.create_bucket(Bucket="workshop")
    assert root.head_bucket(Bucket="workshop")["ResponseMetadata"]["HTTPStatusCode"] == 200
    assert [entry["Name"] for entry in root.list_buckets()["Buckets"]] == [BUCKET, "workshop"]

    root.delete_bucket(Bucket="workshop")
    with refused("404", 404):
        root.head_bucket(Bucket="workshop")
    with refused("NoSuchBucket", 404, "The specified bucket does not exist"):
        root.delete_bucket(Bucket="workshop")


def test_a_bucket_has_the_region_it_was_created_in(cloud):
    s3 = client(cloud, "s3", region="eu-central-1")
    s3.create_bucket(Bucket="workshop", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    assert s3.head_bucket(Bucket="workshop")["BucketRegion"] == "eu-central-1"


def test_creating_ones_own_bucket_twice_is_refused(cloud):
    s3 = client(cloud, "s3", region="eu-central-1")
    configuration = {"LocationConstraint": "eu-central-1"}
    s3.create_bucket(Bucket="workshop", CreateBucketConfiguration=configuration)
    with refused("BucketAlreadyOwnedByYou", 409):
        s3.create_bucket(Bucket="workshop", CreateBucketConfiguration=configuration)


def test_only_in_the_first_region_ones_own_bucket_may_be_created_again(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    root.create_bucket(Bucket=bucket)
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"x"


def test_a_bucket_is_created_only_where_the_request_was_sent(cloud):
    with refused("IllegalLocationConstraintException", 400):
        client(cloud, "s3", region="eu-central-1").create_bucket(
            Bucket="workshop", CreateBucketConfiguration={"LocationConstraint": "eu-west-3"})
    with refused("IllegalLocationConstraintException", 400):
        client(cloud, "s3", region="eu-central-1").create_bucket(Bucket="workshop")
    with refused("404", 404):
        client(cloud, "s3").head_bucket(Bucket="workshop")


@pytest.mark.parametrize("body", ["text", "<CreateBucketConfiguration><Location", "<Other/>"])
def test_a_bucket_configuration_that_is_none_is_refused(cloud, body):
    assert refusal_of(signed(cloud, "PUT", "/workshop", body=body.encode())) == (400, "MalformedXML")


@pytest.mark.parametrize("body", [
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><CreateBucketConfiguration>&e;</CreateBucketConfiguration>",
    "<CreateBucketConfiguration>" + "<a>" * 5000 + "</a>" * 5000 + "</CreateBucketConfiguration>"])
def test_a_document_that_attacks_its_reader_is_refused(cloud, body):
    assert refusal_of(signed(cloud, "PUT", "/workshop", body=body.encode())) == (400, "MalformedXML")


@pytest.mark.parametrize("name", ["ab", "Upper", "under_score", "-dash", "dash-", "two..dots", "192.168.5.4", "x" * 64])
def test_an_invalid_name_is_refused(cloud, name):
    # boto3 would refuse some of these names itself.
    response = signed(cloud, "PUT", f"/{name}")
    assert refusal_of(response) == (400, "InvalidBucketName")


def test_a_bucket_with_objects_is_not_deleted(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    with refused("BucketNotEmpty", 409, "The bucket you tried to delete is not empty"):
        root.delete_bucket(Bucket=bucket)


def test_operations_on_a_missing_bucket_say_so(root):
    with refused("NoSuchBucket", 404):
        root.put_object(Bucket="nowhere", Key="x", Body=b"x")
    with refused("NoSuchBucket", 404):
        root.get_object(Bucket="nowhere", Key="x")
    with refused("NoSuchBucket", 404):
        root.list_objects_v2(Bucket="nowhere")
    with refused("NoSuchBucket", 404):
        root.create_multipart_upload(Bucket="nowhere", Key="x")


def test_the_owner_stands_in_listings(root, bucket):
    owner = root.list_buckets()["Owner"]
    assert owner["ID"]
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    assert root.list_objects(Bucket=bucket)["Contents"][0]["Owner"]["ID"] == owner["ID"]


def test_strangers_are_refused(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    s3 = anonymous(cloud, "s3")
    for attempt in [
            lambda: s3.list_buckets(), lambda: s3.list_objects_v2(Bucket=bucket),
            lambda: s3.get_object(Bucket=bucket, Key="x"), lambda: s3.put_object(Bucket=bucket, Key="y", Body=b"y"),
            lambda: s3.delete_object(Bucket=bucket, Key="x"), lambda: s3.create_bucket(Bucket="strange")]:
        with refused("AccessDenied", 403):
            attempt()
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"x"
