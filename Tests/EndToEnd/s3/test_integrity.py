"""Protection of bodies: checksums, Content-MD5, and signatures of chunks and trailers."""

import base64
import hashlib
import hmac
import io
import os
import socket
import zlib

import pytest
import requests
from botocore.awsrequest import AWSRequest
from botocore.config import Config

from clients import client, error_of, refusal_of, refused, sign, signed
from cloud import BUCKET, Cloud

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


ALGORITHMS = ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256", "SHA512", "XXHASH64", "XXHASH3", "XXHASH128"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_checksum_algorithm_is_checked_and_returned(root, bucket, algorithm):
    body = os.urandom(300_000)
    put = root.put_object(Bucket=bucket, Key="x", Body=body, ChecksumAlgorithm=algorithm)
    got = root.get_object(Bucket=bucket, Key="x", ChecksumMode="ENABLED")
    # boto3 compares the checksum only if the body is read to the end.
    assert got["Body"].read() == body
    assert got[f"Checksum{algorithm}"] == put[f"Checksum{algorithm}"] != ""


def test_an_md5_that_the_client_computed_is_checked_and_returned(root, bucket):
    body = os.urandom(300_000)
    md5 = base64.b64encode(hashlib.md5(body).digest()).decode()
    assert root.put_object(Bucket=bucket, Key="x", Body=body, ChecksumMD5=md5)["ChecksumMD5"] == md5
    assert root.head_object(Bucket=bucket, Key="x", ChecksumMode="ENABLED")["ChecksumMD5"] == md5
    with refused("BadDigest", 400, "MD5"):
        root.put_object(Bucket=bucket, Key="x", Body=b"other", ChecksumMD5=md5)


@pytest.mark.parametrize("algorithm", ["SHA512", "XXHASH64", "XXHASH3", "XXHASH128"])
def test_an_upload_in_parts_has_the_checksum_of_its_parts_checksums(root, bucket, algorithm):
    created = root.create_multipart_upload(Bucket=bucket, Key="x", ChecksumAlgorithm=algorithm)
    assert (created["ChecksumAlgorithm"], created["ChecksumType"]) == (algorithm, "COMPOSITE")
    name = f"Checksum{algorithm}"
    parts = []
    for number, body in enumerate([os.urandom(5 << 20), b"the rest"], 1):
        part = root.upload_part(
            Bucket=bucket, Key="x", UploadId=created["UploadId"], PartNumber=number, Body=body, ChecksumAlgorithm=algorithm
        )
        parts.append({"PartNumber": number, "ETag": part["ETag"], name: part[name]})
    done = root.complete_multipart_upload(
        Bucket=bucket, Key="x", UploadId=created["UploadId"], MultipartUpload={"Parts": parts}
    )
    # The composite checksum of the object is that of the upload.
    joined = b"".join(base64.b64decode(part[name]) for part in parts)
    whole = root.put_object(Bucket=bucket, Key="joined", Body=joined, ChecksumAlgorithm=algorithm)[name]
    assert done[name] == f"{whole}-2"
    assert root.head_object(Bucket=bucket, Key="x", ChecksumMode="ENABLED")[name] == done[name]
    with refused("InvalidRequest", 400, "FULL_OBJECT"):
        root.create_multipart_upload(Bucket=bucket, Key="x", ChecksumAlgorithm=algorithm, ChecksumType="FULL_OBJECT")


def test_a_wrong_checksum_is_a_bad_digest(root, bucket):
    with refused("BadDigest", 400, "SHA256"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", ChecksumSHA256=WRONG)
    with refused("BadDigest", 400, "CRC32"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", ChecksumCRC32=crc32(b"other"))
    with refused("NoSuchKey", 404):
        root.get_object(Bucket=bucket, Key="x")


def test_something_that_is_no_checksum_is_refused(root, bucket):
    with refused("InvalidRequest", 400, "x-amz-checksum-sha256"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", ChecksumSHA256="c2hvcnQ=")


def test_content_md5_is_checked(root, bucket):
    body = b"body"
    right = base64.b64encode(hashlib.md5(body).digest()).decode()
    wrong = base64.b64encode(hashlib.md5(b"other").digest()).decode()
    root.put_object(Bucket=bucket, Key="x", Body=body, ContentMD5=right)
    with refused("BadDigest", 400, "The Content-MD5 you specified did not match what we received"):
        root.put_object(Bucket=bucket, Key="x", Body=body, ContentMD5=wrong)
    with refused("InvalidDigest", 400, "The Content-MD5 you specified was invalid"):
        root.put_object(Bucket=bucket, Key="x", Body=body, ContentMD5="AAAA")


def test_a_body_other_than_the_signed_one_is_refused(cloud, bucket):
    digest = hashlib.sha256(b"the signed body").hexdigest()
    response = signed(
        cloud, "PUT", f"/{bucket}/x", body=b"another body...", headers={"X-Amz-Content-SHA256": digest})
    assert refusal_of(response) == (400, "XAmzContentSHA256Mismatch")
    assert error_of(response)["ClientComputedContentSHA256"] == digest
    assert signed(cloud, "GET", f"/{bucket}/x").status_code == 404


def test_an_upload_in_parts_has_a_checksum_of_its_parts(root, bucket):
    body = os.urandom(12 << 20)
    root.upload_fileobj(io.BytesIO(body), bucket, "film", ExtraArgs={"ChecksumAlgorithm": "SHA256"})
    head = root.head_object(Bucket=bucket, Key="film", ChecksumMode="ENABLED")
    digests = b"".join(hashlib.sha256(body[at:at + (8 << 20)]).digest() for at in range(0, len(body), 8 << 20))
    expected = base64.b64encode(hashlib.sha256(digests).digest()).decode()
    assert head["ChecksumSHA256"] == f"{expected}-2"
    assert head["ChecksumType"] == "COMPOSITE"


def test_a_wrong_checksum_of_a_part_is_refused(root, bucket):
    upload = root.create_multipart_upload(Bucket=bucket, Key="x", ChecksumAlgorithm="SHA256")["UploadId"]
    with refused("BadDigest", 400):
        root.upload_part(Bucket=bucket, Key="x", UploadId=upload, PartNumber=1, Body=b"body", ChecksumSHA256=WRONG)


@pytest.mark.parametrize("size", [0, 1, 65_536, 1_000_000])
@pytest.mark.parametrize("trailer", [False, True], ids=["plain", "trailer"])
def test_a_stream_of_signed_chunks_is_unframed(cloud, bucket, root, size, trailer):
    body = os.urandom(size)
    response = chunked_upload(cloud, f"/{bucket}/x", body, trailer=crc32(body) if trailer else None)
    assert response.status_code == 200, response.text
    got = root.get_object(Bucket=bucket, Key="x", ChecksumMode="ENABLED")
    assert got["Body"].read() == body
    assert not trailer or got["ChecksumCRC32"] == crc32(body)
    assert "aws-chunked" not in got.get("ContentEncoding", "")


@pytest.mark.parametrize("spoiled", ["first chunk", "last chunk", "trailer"])
def test_a_chunk_with_a_wrong_signature_is_refused(cloud, bucket, root, spoiled):
    body = os.urandom(200_000)
    response = chunked_upload(cloud, f"/{bucket}/x", body, trailer=crc32(body), spoil=spoiled)
    assert refusal_of(response) == (403, "SignatureDoesNotMatch")
    with refused("NoSuchKey", 404):
        root.get_object(Bucket=bucket, Key="x")


def test_a_signed_trailer_with_a_wrong_checksum_is_a_bad_digest(cloud, bucket):
    response = chunked_upload(cloud, f"/{bucket}/x", b"body", trailer=crc32(b"other"))
    assert refusal_of(response) == (400, "BadDigest")


def test_a_stream_of_another_length_than_announced_is_refused(cloud, bucket, root):
    response = chunked_upload(cloud, f"/{bucket}/x", os.urandom(100_000), announced=99_999)
    assert refusal_of(response) == (400, "IncompleteBody")
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
        assert refusal_of(response) == (400, "BadDigest")
        assert signed(cloud, "GET", f"/{bucket}/x").status_code == 404
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


def test_a_request_that_says_nothing_of_its_body_is_refused(cloud, bucket):
    request = AWSRequest(method="PUT", url=f"{cloud.url}/{bucket}/x", data=b"x")
    sign(request)
    del request.headers["X-Amz-Content-SHA256"]
    response = requests.put(request.url, data=b"x", headers=dict(request.headers))
    assert refusal_of(response) == (400, "InvalidRequest")


def test_a_body_that_breaks_off_is_never_stored(cloud, bucket, root):
    root.put_object(Bucket=bucket, Key="x", Body=b"before")
    request = AWSRequest(method="PUT", url=f"{cloud.url}/{bucket}/x", data=b"", headers={
        "X-Amz-Content-SHA256": "UNSIGNED-PAYLOAD"})
    sign(request)
    with socket.create_connection(("127.0.0.1", cloud.port)) as connection:
        lines = [f"PUT /{bucket}/x HTTP/1.1", f"Host: 127.0.0.1:{cloud.port}", "Content-Length: 500000"]
        lines += [f"{name}: {value}" for name, value in request.headers.items()]
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + bytes(300_000))
        connection.shutdown(socket.SHUT_WR)
        # If there is a response at all, it is an error. Then the server closes the connection.
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert not answer.startswith(b"HTTP/1.1 2")
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"before"


@pytest.mark.parametrize("secret, status", [("test", b"100"), ("wrong", b"403")])
def test_a_client_that_waits_to_be_told_to_go_on_is_told_once_it_may(cloud, bucket, secret, status):
    request = AWSRequest(method="PUT", url=f"{cloud.url}/{bucket}/x", data=b"hello", headers={"Expect": "100-continue"})
    sign(request, {"aws_access_key_id": "test", "aws_secret_access_key": secret})
    with socket.create_connection(("127.0.0.1", cloud.port)) as connection:
        lines = [f"PUT /{bucket}/x HTTP/1.1", f"Host: 127.0.0.1:{cloud.port}", "Content-Length: 5"]
        lines += [f"{name}: {value}" for name, value in request.headers.items()]
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        answer = connection.makefile("rb")
        assert answer.readline().startswith(b"HTTP/1.1 " + status)
        if status == b"403":
            # The server cannot know whether the body will follow, so the connection closes (RFC 9110 section 10.1.1).
            assert b"connection: close\r\n" in answer.read().lower()
            return
        assert answer.readline() == b"\r\n"
        connection.sendall(b"hello")
        assert answer.readline().startswith(b"HTTP/1.1 200")


def pieces(body, size):
    return [body[at:at + size] for at in range(0, len(body), size)]


def chunked_upload(cloud, path, body, trailer=None, spoil=None, announced=None):
    """A PUT whose body is a chain of signed chunks, with a signed trailer if there is a CRC-32 to send in it (S3 API Reference,
    "Transferring payload in multiple chunks", with and without trailing headers)."""
    headers = {"X-Amz-Content-SHA256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "Content-Encoding": "aws-chunked",
               "X-Amz-Decoded-Content-Length": str(len(body) if announced is None else announced)}
    if trailer:
        headers |= {"X-Amz-Content-SHA256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
                    "X-Amz-Trailer": "x-amz-checksum-crc32"}
    request = AWSRequest(method="PUT", url=cloud.url + path, headers=headers)
    sign(request)
    stamp = request.headers["X-Amz-Date"]
    scope = f"{stamp[:8]}/us-east-1/s3/aws4_request"
    key = b"AWS4test"
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    signature = request.headers["Authorization"].rsplit("Signature=", 1)[1]

    def chained(kind, *hashed):
        nonlocal signature
        text = "\n".join([f"AWS4-HMAC-SHA256-{kind}", stamp, scope, signature, *hashed])
        signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        return signature

    empty = hashlib.sha256(b"").hexdigest()
    chunks = [*pieces(body, 65_536), b""]
    framed = b""
    for number, piece in enumerate(chunks):
        right = chained("PAYLOAD", empty, hashlib.sha256(piece).hexdigest())
        name = {0: "first chunk", len(chunks) - 1: "last chunk"}.get(number)
        framed += f"{len(piece):x};chunk-signature={'0' * 64 if spoil and spoil == name else right}\r\n".encode() + piece
        framed += b"\r\n" if piece or not trailer else b""
    if trailer:
        line = f"x-amz-checksum-crc32:{trailer}"
        right = chained("TRAILER", hashlib.sha256(f"{line}\n".encode()).hexdigest())
        framed += f"{line}\r\nx-amz-trailer-signature:{'0' * 64 if spoil == 'trailer' else right}\r\n\r\n".encode()
    return requests.put(request.url, data=framed, headers=dict(request.headers))


@pytest.mark.parametrize("dialect, status", [("aws", 501), ("ceph", 200)])
def test_a_body_in_chunks_of_http_alone_is_a_matter_of_dialect(dialect, status):
    body = os.urandom(400_000)
    with Cloud.ephemeral("--dialect", dialect) as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket="chunks")
        url = s3.generate_presigned_url("put_object", Params={"Bucket": "chunks", "Key": "x"})
        response = requests.put(url, data=iter([body[:5], body[5:]]))
        assert response.status_code == status, response.text
        if status == 200:
            assert s3.get_object(Bucket="chunks", Key="x")["Body"].read() == body
        else:
            assert (error_of(response)["Code"], error_of(response)["Header"]) == ("NotImplemented", "Transfer-Encoding")
