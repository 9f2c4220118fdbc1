"""What protects a body on its way: checksums, Content-MD5, and signatures of chunks and trailers."""

import base64
import hashlib
import hmac
import io
import os
import zlib

import pytest
import requests
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from clients import client, refused, signed
from cloud import BUCKET

WRONG = base64.b64encode(hashlib.sha256(b"something else").digest()).decode()


def crc32(body):
    return base64.b64encode(zlib.crc32(body).to_bytes(4, "big")).decode()


def test_the_checksum_that_boto3_adds_by_itself_is_kept(root, bucket):
    body = os.urandom(10_000)
    put = root.put_object(Bucket=bucket, Key="x", Body=body)
    head = root.head_object(Bucket=bucket, Key="x", ChecksumMode="ENABLED")
    assert put["ChecksumCRC32"] == head["ChecksumCRC32"] == crc32(body)
    assert head["ChecksumType"] == "FULL_OBJECT"
    assert "ChecksumCRC32" not in root.head_object(Bucket=bucket, Key="x")


@pytest.mark.parametrize("algorithm", ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"])
def test_every_checksum_algorithm_is_checked_and_returned(root, bucket, algorithm):
    body = os.urandom(300_000)
    put = root.put_object(Bucket=bucket, Key="x", Body=body, ChecksumAlgorithm=algorithm)
    got = root.get_object(Bucket=bucket, Key="x", ChecksumMode="ENABLED")
    # Reading to the end makes boto3 compare the checksum with the bytes.
    assert got["Body"].read() == body
    assert got[f"Checksum{algorithm}"] == put[f"Checksum{algorithm}"] != ""


def test_a_wrong_checksum_is_a_bad_digest(root, bucket):
    with refused("BadDigest", 400, "SHA256"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", ChecksumSHA256=WRONG)
    with refused("BadDigest", 400, "CRC32"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", ChecksumCRC32=crc32(b"other"))
    with refused("NoSuchKey", 404):
        root.get_object(Bucket=bucket, Key="x")


def test_something_that_is_no_checksum_is_refused(root, bucket):
    with refused("InvalidRequest", 400, "x-amz-checksum-sha256"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", ChecksumSHA256="short")


def test_content_md5_is_checked(root, bucket):
    body = b"body"
    right = base64.b64encode(hashlib.md5(body).digest()).decode()
    wrong = base64.b64encode(hashlib.md5(b"other").digest()).decode()
    root.put_object(Bucket=bucket, Key="x", Body=body, ContentMD5=right)
    with refused("BadDigest", 400, "The Content-MD5 you specified did not match what we received"):
        root.put_object(Bucket=bucket, Key="x", Body=body, ContentMD5=wrong)
    with refused("InvalidDigest", 400, "The Content-MD5 you specified is not valid"):
        root.put_object(Bucket=bucket, Key="x", Body=body, ContentMD5="AAAA")


def test_a_body_other_than_the_signed_one_is_refused(cloud, bucket):
    digest = hashlib.sha256(b"the signed body").hexdigest()
    response = signed(
        cloud, "PUT", f"/{bucket}/x", body=b"another body...", headers={"X-Amz-Content-SHA256": digest})
    assert (response.status_code, "<Code>XAmzContentSHA256Mismatch</Code>" in response.text) == (400, True), response.text


def test_an_upload_in_parts_has_a_checksum_of_its_parts(root, bucket):
    body = os.urandom(12 << 20)
    root.upload_fileobj(io.BytesIO(body), bucket, "film", ExtraArgs={"ChecksumAlgorithm": "SHA256"})
    head = root.head_object(Bucket=bucket, Key="film", ChecksumMode="ENABLED")
    digests = b"".join(hashlib.sha256(body[at:at + (8 << 20)]).digest() for at in range(0, len(body), 8 << 20))
    expected = base64.b64encode(hashlib.sha256(digests).digest()).decode()
    assert head["ChecksumSHA256"] in (expected, f"{expected}-2")
    assert head["ChecksumType"] == "COMPOSITE"


def test_a_wrong_checksum_of_a_part_is_refused(root, bucket):
    upload = root.create_multipart_upload(Bucket=bucket, Key="x", ChecksumAlgorithm="SHA256")["UploadId"]
    with refused("BadDigest", 400):
        root.upload_part(Bucket=bucket, Key="x", UploadId=upload, PartNumber=1, Body=b"body", ChecksumSHA256=WRONG)


@pytest.mark.parametrize("size", [0, 1, 65_536, 1_000_000])
def test_a_stream_of_signed_chunks_is_unframed(cloud, bucket, root, size):
    body = os.urandom(size)
    response = chunked_upload(cloud, f"/{bucket}/x", body)
    assert response.status_code == 200, response.text
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == body


def test_a_chunk_with_a_wrong_signature_is_refused(cloud, bucket, root):
    response = chunked_upload(cloud, f"/{bucket}/x", os.urandom(200_000), spoil=True)
    assert (response.status_code, "<Code>SignatureDoesNotMatch</Code>" in response.text) == (403, True), response.text
    with refused("NoSuchKey", 404):
        root.get_object(Bucket=bucket, Key="x")


@pytest.mark.parametrize("spoil", [False, True])
def test_a_checksum_in_the_trailer_is_checked(cloud, bucket, root, spoil):
    body = os.urandom(100_000)
    trailer = crc32(body if not spoil else b"other")
    framed = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces(body, 30_000))
    framed += b"0\r\nx-amz-checksum-crc32:" + trailer.encode() + b"\r\n\r\n"
    response = signed(cloud, "PUT", f"/{bucket}/x", body=framed, headers={
        "X-Amz-Content-SHA256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "Content-Encoding": "aws-chunked",
        "X-Amz-Decoded-Content-Length": str(len(body)), "X-Amz-Trailer": "x-amz-checksum-crc32"})
    if spoil:
        assert (response.status_code, "<Code>BadDigest</Code>" in response.text) == (400, True), response.text
    else:
        assert response.status_code == 200, response.text
        got = root.get_object(Bucket=bucket, Key="x", ChecksumMode="ENABLED")
        assert (got["Body"].read() == body, got["ChecksumCRC32"]) == (True, trailer)
        assert "aws-chunked" not in got.get("ContentEncoding", "")


def test_a_client_that_sends_no_checksum_is_served(cloud, bucket):
    s3 = client(cloud, "s3", config=Config(request_checksum_calculation="when_required"))
    assert "ChecksumCRC32" not in s3.put_object(Bucket=bucket, Key="x", Body=b"x")


def test_an_unsigned_payload_is_accepted(cloud, root):
    s3 = client(cloud, "s3", config=Config(s3={"payload_signing_enabled": False}))
    s3.put_object(Bucket=BUCKET, Key="x", Body=b"unsigned")
    assert root.get_object(Bucket=BUCKET, Key="x")["Body"].read() == b"unsigned"


def pieces(body, size):
    return [body[at:at + size] for at in range(0, len(body), size)]


def chunked_upload(cloud, path, body, spoil=False):
    """A PUT whose body is a chain of signed chunks: STREAMING-AWS4-HMAC-SHA256-PAYLOAD."""
    framing = 0
    sizes = [len(piece) for piece in pieces(body, 65_536)] + [0]
    for size in sizes:
        framing += len(f"{size:x};chunk-signature=") + 64 + 2 + size + 2
    request = AWSRequest(method="PUT", url=cloud.url + path, headers={
        "X-Amz-Content-SHA256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "Content-Encoding": "aws-chunked",
        "X-Amz-Decoded-Content-Length": str(len(body)), "Content-Length": str(framing)})
    signer = S3SigV4Auth(Credentials("test", "test"), "s3", "us-east-1")
    signer.add_auth(request)
    stamp = request.headers["X-Amz-Date"]
    scope = f"{stamp[:8]}/us-east-1/s3/aws4_request"
    key = b"AWS4test"
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    previous = request.headers["Authorization"].rsplit("Signature=", 1)[1]
    empty = hashlib.sha256(b"").hexdigest()
    framed = b""
    for number, piece in enumerate([*pieces(body, 65_536), b""]):
        text = "\n".join(["AWS4-HMAC-SHA256-PAYLOAD", stamp, scope, previous, empty, hashlib.sha256(piece).hexdigest()])
        previous = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        sent = previous if not (spoil and number == 1) else "0" * 64
        framed += f"{len(piece):x};chunk-signature={sent}\r\n".encode() + piece + b"\r\n"
    return requests.put(request.url, data=framed, headers=dict(request.headers))
