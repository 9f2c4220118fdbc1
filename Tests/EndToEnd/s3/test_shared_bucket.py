"""One bucket of both services: S3 reads what OSS writes, and vice versa, each in its own format."""

import hashlib
import os

import oss2
import pytest
import requests
from oss2.models import PartInfo

from clients import client, refused as refused_by_s3
from harbour import EXCHANGE, PHOTOS, WARDEN, bucket, refused, service

KIB, MIB = 1 << 10, 1 << 20


@pytest.fixture
def by_oss(harbour):
    return bucket(harbour, EXCHANGE)


@pytest.fixture
def by_s3(harbour):
    return client(harbour, "s3")


def test_what_oss_writes_s3_reads(by_oss, by_s3):
    body = os.urandom(300 * KIB)
    by_oss.put_object("boats/ü two.bin", body, headers={
        "Content-Type": "application/x-boat", "Cache-Control": "max-age=60", "Content-Disposition": "attachment", "Content-Language": "zh",
        "x-oss-meta-author": "alice", "x-oss-tagging": "colour=red"})
    got = by_s3.get_object(Bucket=EXCHANGE, Key="boats/ü two.bin")
    digest = hashlib.md5(body).hexdigest()
    assert got["Body"].read() == body
    assert (got["ContentType"], got["CacheControl"], got["ContentDisposition"], got["ContentLanguage"]) == (
        "application/x-boat", "max-age=60", "attachment", "zh")
    assert got["Metadata"] == {"author": "alice"}
    # Each service spells the digest in its own way.
    assert got["ETag"] == f'"{digest}"' and by_oss.head_object("boats/ü two.bin").headers["ETag"] == f'"{digest.upper()}"'
    assert by_s3.get_object_tagging(Bucket=EXCHANGE, Key="boats/ü two.bin")["TagSet"] == [{"Key": "colour", "Value": "red"}]
    headers = got["ResponseMetadata"]["HTTPHeaders"]
    assert not [name for name in headers if name.startswith("x-oss-")], headers


def test_what_s3_writes_oss_reads(by_oss, by_s3):
    body = os.urandom(200 * KIB)
    by_s3.put_object(
        Bucket=EXCHANGE, Key="crew/list.bin", Body=body, ContentType="application/x-crew", CacheControl="no-store", Metadata={"author": "bob"},
        Tagging="size=2")
    got = by_oss.get_object("crew/list.bin")
    # The client compares the CRC-64, which was not requested from S3.
    assert got.read() == body and got.server_crc == got.client_crc
    assert (got.content_type, got.headers["Cache-Control"], got.headers["x-oss-meta-author"]) == ("application/x-crew", "no-store", "bob")
    assert got.headers["ETag"] == f'"{hashlib.md5(body).hexdigest().upper()}"' and got.object_type == "Normal"
    assert by_oss.get_object_tagging("crew/list.bin").tag_set.tagging_rule == {"size": "2"}
    assert not [name for name in got.headers if name.lower().startswith("x-amz-")], got.headers


def test_both_list_the_same_keys(by_oss, by_s3):
    by_oss.put_object("a/from oss", b"1")
    by_s3.put_object(Bucket=EXCHANGE, Key="a/from s3", Body=b"22")
    expected = {"a/from oss": (1, hashlib.md5(b"1").hexdigest()), "a/from s3": (2, hashlib.md5(b"22").hexdigest())}
    listed = by_s3.list_objects_v2(Bucket=EXCHANGE, Prefix="a/")["Contents"]
    assert {entry["Key"]: (entry["Size"], entry["ETag"].strip('"')) for entry in listed} == expected
    assert {entry.key: (entry.size, entry.etag.strip('"').lower()) for entry in oss2.ObjectIterator(by_oss, prefix="a/")} == expected
    # Objects that are deleted through one service are deleted for the other.
    by_s3.delete_object(Bucket=EXCHANGE, Key="a/from oss")
    with refused("NoSuchKey", 404):
        by_oss.get_object("a/from oss")


def test_objects_in_parts_are_the_same_through_both(by_oss, by_s3):
    parts = [os.urandom(5 * MIB), os.urandom(100)]
    upload = by_oss.init_multipart_upload("film", headers={"x-oss-meta-length": "short"}).upload_id
    sent = [PartInfo(number, by_oss.upload_part("film", upload, number, part).etag) for number, part in enumerate(parts, 1)]
    by_oss.complete_multipart_upload("film", upload, sent)
    got = by_s3.get_object(Bucket=EXCHANGE, Key="film")
    assert got["Body"].read() == b"".join(parts) and got["Metadata"] == {"length": "short"}
    assert got["ETag"].strip('"').upper() == by_oss.head_object("film").etag.strip('"')
    upload = by_s3.create_multipart_upload(Bucket=EXCHANGE, Key="other")["UploadId"]
    made = [{"PartNumber": number, "ETag": by_s3.upload_part(
        Bucket=EXCHANGE, Key="other", UploadId=upload, PartNumber=number, Body=part)["ETag"]} for number, part in enumerate(parts, 1)]
    by_s3.complete_multipart_upload(Bucket=EXCHANGE, Key="other", UploadId=upload, MultipartUpload={"Parts": made})
    got = by_oss.get_object("other")
    # The parts had no CRC-64, so there may be none; the client would refuse a wrong one.
    assert got.read() == b"".join(parts) and got.server_crc in (None, got.client_crc)


def test_what_only_oss_has_s3_reads_as_objects(by_oss, by_s3):
    by_oss.append_object("log", 0, b"one\n")
    by_oss.append_object("log", 4, b"two\n")
    assert by_s3.get_object(Bucket=EXCHANGE, Key="log")["Body"].read() == b"one\ntwo\n"
    # After S3 replaces it, it is a normal object.
    by_s3.put_object(Bucket=EXCHANGE, Key="log", Body=b"12345678")
    with refused("ObjectNotAppendable", 409):
        by_oss.append_object("log", 8, b"more")


def test_the_seeded_object_is_there_for_both(by_oss, by_s3):
    got = by_s3.get_object(Bucket=EXCHANGE, Key="manifest.json")
    assert (got["Body"].read(), got["ContentType"], got["Metadata"]) == (b'{"boats": 12}\n', "application/json", {"origin": "harbour"})
    assert by_oss.get_object("manifest.json").read() == b'{"boats": 12}\n'


def test_a_bucket_that_is_not_shared_is_seen_by_its_own_cloud_alone(harbour, by_s3):
    by_s3.create_bucket(Bucket="amazon-only")
    assert {found["Name"] for found in by_s3.list_buckets()["Buckets"]} == {"amazon-only", EXCHANGE}
    names = {found.name for found in oss2.BucketIterator(service(harbour))}
    assert EXCHANGE in names and PHOTOS in names and "amazon-only" not in names
    with refused_by_s3("NoSuchBucket", 404):
        by_s3.get_object(Bucket=PHOTOS, Key="alice/hello.txt")
    with refused("NoSuchBucket", 404):
        bucket(harbour, "amazon-only").put_object("x", b"")
    # Bucket names are one namespace, as in each cloud.
    with refused("BucketAlreadyExists", 409):
        bucket(harbour, "amazon-only").create_bucket()
    with refused_by_s3("BucketAlreadyExists", 409):
        by_s3.create_bucket(Bucket=PHOTOS)


def test_keys_of_one_cloud_are_unknown_to_the_other(harbour, by_oss):
    with refused_by_s3("InvalidAccessKeyId", 403):
        client(harbour, "s3", aws_access_key_id=WARDEN.id, aws_secret_access_key=WARDEN.secret).list_buckets()
    foreign = oss2.Bucket(oss2.AuthV4("test", "test"), harbour.url, EXCHANGE, region="cn-hangzhou")
    with refused("InvalidAccessKeyId", 403):
        foreign.get_object("manifest.json")


def test_presigned_urls_of_both(by_oss, by_s3):
    by_oss.put_object("x", b"text")
    assert requests.get(by_oss.sign_url("GET", "x", 60)).headers["x-oss-request-id"]
    answer = requests.get(by_s3.generate_presigned_url("get_object", {"Bucket": EXCHANGE, "Key": "x"}))
    assert answer.content == b"text" and answer.headers["x-amz-request-id"]
