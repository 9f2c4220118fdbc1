"""Everyday operations with boto3 over HTTP and over HTTPS, since it sends bodies, checksums and signatures differently."""

import hashlib
import io
import os

import pytest
import requests
from boto3.s3.transfer import TransferConfig
from botocore.config import Config

from clients import client, refused

MIB = 1 << 20
PARTS = TransferConfig(multipart_threshold=8 * MIB, multipart_chunksize=5 * MIB, max_concurrency=4)


@pytest.fixture
def s3(endpoint):
    s3 = client(endpoint, "s3")
    s3.create_bucket(Bucket="workshop")
    return s3


@pytest.mark.parametrize("algorithm", ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"])
def test_transfers_carry_checksums(s3, algorithm):
    body = os.urandom(13 * MIB)
    s3.upload_fileobj(io.BytesIO(body), "workshop", "film", Config=PARTS, ExtraArgs={"ChecksumAlgorithm": algorithm})
    head = s3.head_object(Bucket="workshop", Key="film", ChecksumMode="ENABLED")
    # S3 User Guide, "Checking object integrity": the default checksum type of a multipart upload. CRC64NVME has only one.
    kind = "FULL_OBJECT" if algorithm == "CRC64NVME" else "COMPOSITE"
    assert (head["ChecksumType"], head[f"Checksum{algorithm}"].endswith("-3")) == (kind, kind == "COMPOSITE")
    downloaded = io.BytesIO()
    s3.download_fileobj("workshop", "film", downloaded, Config=PARTS)
    assert downloaded.getvalue() == body
    # boto3 compares the checksum only for a whole object that is read to the end.
    s3.put_object(Bucket="workshop", Key="x", Body=body[:100_000], ChecksumAlgorithm=algorithm)
    got = s3.get_object(Bucket="workshop", Key="x", ChecksumMode="ENABLED")
    assert got["Body"].read() == body[:100_000] and got[f"Checksum{algorithm}"]


def test_a_stream_that_cannot_be_rewound_is_sent(s3, endpoint):
    body = os.urandom(3 * MIB)

    class Stream(io.RawIOBase):
        """A stream that cannot seek and has no length."""

        def __init__(self):
            self.rest = io.BytesIO(body)

        def readable(self):
            return True

        def readinto(self, buffer):
            return self.rest.readinto(buffer)

    s3.upload_fileobj(Stream(), "workshop", "streamed", Config=PARTS)
    assert s3.get_object(Bucket="workshop", Key="streamed")["Body"].read() == body


def test_a_content_coding_keeps_its_spelling(s3):
    # Over HTTPS boto3 appends `,aws-chunked` to it.
    s3.put_object(Bucket="workshop", Key="x", Body=b"x", ContentEncoding="deflate, gzip")
    assert s3.head_object(Bucket="workshop", Key="x")["ContentEncoding"] == "deflate, gzip"


def test_writes_depend_on_what_is_there(s3):
    first = s3.put_object(Bucket="workshop", Key="x", Body=b"first", IfNoneMatch="*")["ETag"]
    with refused("PreconditionFailed", 412):
        s3.put_object(Bucket="workshop", Key="x", Body=b"second", IfNoneMatch="*")
    s3.put_object(Bucket="workshop", Key="x", Body=b"second", IfMatch=first)
    with refused("PreconditionFailed", 412):
        s3.put_object(Bucket="workshop", Key="x", Body=b"lost", IfMatch=first)
    upload = {"Bucket": "workshop", "Key": "x"}
    upload["UploadId"] = s3.create_multipart_upload(**upload)["UploadId"]
    tag = s3.upload_part(**upload, PartNumber=1, Body=b"parts")["ETag"]
    parts = {"Parts": [{"PartNumber": 1, "ETag": tag}]}
    with refused("PreconditionFailed", 412):
        s3.complete_multipart_upload(**upload, MultipartUpload=parts, IfNoneMatch="*")
    assert s3.get_object(Bucket="workshop", Key="x")["Body"].read() == b"second"


@pytest.mark.parametrize("version", ["s3v4", "s3"])
def test_signed_urls_read_and_write(endpoint, s3, version):
    verify = str(endpoint.authority) if endpoint.authority else True
    signing = client(endpoint, "s3", config=Config(signature_version=version))
    name = {"Bucket": "workshop", "Key": "folder/ü linked +%"}
    put = requests.put(signing.generate_presigned_url("put_object", name), data=b"through a link", verify=verify)
    assert put.status_code == 200, put.text
    got = requests.get(
        signing.generate_presigned_url("get_object", name | {"ResponseContentType": "text/plain"}), verify=verify)
    assert (got.status_code, got.content, got.headers["Content-Type"]) == (200, b"through a link", "text/plain")
    gone = requests.delete(signing.generate_presigned_url("delete_object", name), verify=verify)
    assert gone.status_code == 204


def test_a_form_of_a_browser_uploads(endpoint, s3):
    verify = str(endpoint.authority) if endpoint.authority else True
    form = s3.generate_presigned_post(
        "workshop", "uploads/${filename}", Fields={"Content-Type": "text/plain"},
        Conditions=[{"Content-Type": "text/plain"}, ["content-length-range", 1, 100]])
    posted = requests.post(form["url"], data=form["fields"], files={"file": ("notes.txt", b"by hand")}, verify=verify)
    assert posted.status_code == 204, posted.text
    assert s3.get_object(Bucket="workshop", Key="uploads/notes.txt")["Body"].read() == b"by hand"
    large = requests.post(form["url"], data=form["fields"], files={"file": ("large", bytes(101))}, verify=verify)
    assert large.status_code == 400 and "<Code>EntityTooLarge</Code>" in large.text


def test_pages_ranges_and_removals(s3):
    for number in range(25):
        s3.put_object(Bucket="workshop", Key=f"{number % 3}/{number:02}", Body=b"0123456789")
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket="workshop", PaginationConfig={"PageSize": 4})
    keys = [entry["Key"] for page in pages for entry in page["Contents"]]
    assert keys == sorted(keys) and len(keys) == 25
    folders = s3.list_objects_v2(Bucket="workshop", Delimiter="/")["CommonPrefixes"]
    assert [entry["Prefix"] for entry in folders] == ["0/", "1/", "2/"]
    assert s3.get_object(Bucket="workshop", Key=keys[0], Range="bytes=-3")["Body"].read() == b"789"
    deleted = s3.delete_objects(Bucket="workshop", Delete={"Objects": [{"Key": key} for key in keys]})
    assert len(deleted["Deleted"]) == 25 and "Errors" not in deleted
    s3.delete_bucket(Bucket="workshop")


def test_the_tag_of_a_single_body_is_its_digest_however_it_was_sent(endpoint, s3):
    body = os.urandom(300_000)
    tag = f'"{hashlib.md5(body).hexdigest()}"'
    for when in ["when_supported", "when_required"]:
        for sign_payload in [True, False]:
            config = Config(request_checksum_calculation=when, s3={"payload_signing_enabled": sign_payload})
            put = client(endpoint, "s3", config=config).put_object(Bucket="workshop", Key="x", Body=body)
            assert put["ETag"] == tag, (when, sign_payload)
    assert s3.get_object(Bucket="workshop", Key="x")["Body"].read() == body
