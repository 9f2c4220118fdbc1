"""Multipart uploads, with boto3's transfer manager and step by step."""

import hashlib
import io
import os

import pytest
from boto3.s3.transfer import TransferConfig

from clients import refused, session
from cloud import BUCKET

MIB = 1 << 20
PARTS = TransferConfig(multipart_threshold=8 * MIB, multipart_chunksize=8 * MIB, max_concurrency=4)


def begin(s3, bucket, key="x", **options):
    return {"Bucket": bucket, "Key": key, "UploadId": s3.create_multipart_upload(
        Bucket=bucket, Key=key, **options)["UploadId"]}


def complete(s3, upload, tags):
    return s3.complete_multipart_upload(**upload, MultipartUpload={
        "Parts": [{"PartNumber": number, "ETag": tag} for number, tag in tags]})


def test_a_large_file_is_uploaded_in_parts_and_downloaded_in_ranges(root, bucket):
    body = os.urandom(20 * MIB)
    root.upload_fileobj(
        io.BytesIO(body), bucket, "film", Config=PARTS,
        ExtraArgs={"ContentType": "video/mp4", "Metadata": {"length": "short"}})

    head = root.head_object(Bucket=bucket, Key="film")
    digests = b"".join(hashlib.md5(body[at:at + 8 * MIB]).digest() for at in range(0, len(body), 8 * MIB))
    assert head["ETag"] == f'"{hashlib.md5(digests).hexdigest()}-3"'
    assert (head["ContentLength"], head["ContentType"], head["Metadata"]) == (20 * MIB, "video/mp4", {"length": "short"})
    downloaded = io.BytesIO()
    root.download_fileobj(bucket, "film", downloaded, Config=PARTS)
    assert hashlib.md5(downloaded.getvalue()).digest() == hashlib.md5(body).digest()
    got = root.get_object(Bucket=bucket, Key="film", Range=f"bytes={8 * MIB - 10}-{8 * MIB + 9}")
    assert got["Body"].read() == body[8 * MIB - 10:8 * MIB + 10]


def test_parts_may_come_in_any_order_and_again(root, bucket):
    first, second, third = (os.urandom(5 * MIB), os.urandom(5 * MIB + 1), b"the end")
    upload = begin(root, bucket)
    tags = {}
    for number, body in [(9, third), (2, second), (1, b"wrong"), (1, first)]:
        tags[number] = root.upload_part(**upload, PartNumber=number, Body=body)["ETag"]
    complete(root, upload, sorted(tags.items()))
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == first + second + third


def test_nothing_is_visible_before_an_upload_is_complete(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"before")
    upload = begin(root, bucket)
    tag = root.upload_part(**upload, PartNumber=1, Body=b"after")["ETag"]
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"before"
    complete(root, upload, [(1, tag)])
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"after"
    with refused("NoSuchUpload", 404):
        root.upload_part(**upload, PartNumber=2, Body=b"too late")


def test_an_aborted_upload_leaves_nothing(root, bucket):
    upload = begin(root, bucket)
    tag = root.upload_part(**upload, PartNumber=1, Body=b"x")["ETag"]
    root.abort_multipart_upload(**upload)
    for attempt in [
            lambda: root.upload_part(**upload, PartNumber=2, Body=b"x"), lambda: complete(root, upload, [(1, tag)]),
            lambda: root.abort_multipart_upload(**upload)]:
        with refused("NoSuchUpload", 404):
            attempt()
    with refused("NoSuchKey", 404):
        root.get_object(Bucket=bucket, Key="x")
    root.delete_bucket(Bucket=bucket)


def test_open_uploads_and_their_parts_are_listed(root, bucket):
    upload = begin(root, bucket, "film")
    begin(root, bucket, "another")
    tag = root.upload_part(**upload, PartNumber=3, Body=b"12345")["ETag"]
    listed = root.list_multipart_uploads(Bucket=bucket)["Uploads"]
    assert [entry["Key"] for entry in listed] == ["another", "film"]
    parts = root.list_parts(**upload)["Parts"]
    assert [(part["PartNumber"], part["ETag"], part["Size"]) for part in parts] == [(3, tag, 5)]


def test_a_part_may_be_copied_from_an_object(root, bucket):
    body = os.urandom(6 * MIB)
    root.put_object(Bucket=bucket, Key="source", Body=body)
    upload = begin(root, bucket)
    source = {"Bucket": bucket, "Key": "source"}
    first = root.upload_part_copy(**upload, PartNumber=1, CopySource=source)["CopyPartResult"]["ETag"]
    second = root.upload_part_copy(
        **upload, PartNumber=2, CopySource=source, CopySourceRange="bytes=0-99")["CopyPartResult"]["ETag"]
    complete(root, upload, [(1, first), (2, second)])
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == body + body[:100]


def test_a_copied_part_must_exist_and_lie_within_its_source(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="source", Body=bytes(100))
    upload = begin(root, bucket)
    source = {"Bucket": bucket, "Key": "source"}
    for given, code, status in [
            ("bytes=50-100", "InvalidArgument", 400), ("bytes=9-3", "InvalidArgument", 400),
            ("bytes=0-", "InvalidArgument", 400), ("0-9", "InvalidArgument", 400)]:
        with refused(code, status):
            root.upload_part_copy(**upload, PartNumber=1, CopySource=source, CopySourceRange=given)
    with refused("NoSuchKey", 404):
        root.upload_part_copy(**upload, PartNumber=1, CopySource={"Bucket": bucket, "Key": "missing"})
    with refused("PreconditionFailed", 412):
        root.upload_part_copy(**upload, PartNumber=1, CopySource=source, CopySourceIfMatch='"0123"')
    assert "Parts" not in root.list_parts(**upload)


def test_a_part_is_copied_only_by_whoever_may_read_its_source(cloud):
    alice, subject = session(cloud, "company", "alice")
    bob, of_bob = session(cloud, "company", "bob")
    bob.put_object(Bucket=BUCKET, Key=f"{of_bob}/diary", Body=b"private")
    upload = begin(alice, BUCKET, f"{subject}/copy")
    with refused("AccessDenied", 403):
        alice.upload_part_copy(**upload, PartNumber=1, CopySource={"Bucket": BUCKET, "Key": f"{of_bob}/diary"})
    for attempt in [lambda: bob.upload_part(**upload, PartNumber=1, Body=b"x"), lambda: bob.abort_multipart_upload(**upload),
                    lambda: complete(bob, upload, [(1, '"0123"')]), lambda: bob.list_parts(**upload)]:
        with refused("AccessDenied", 403):
            attempt()


def test_a_copy_of_an_object_in_parts_has_a_tag_of_its_own(root, bucket):
    body = os.urandom(5 * MIB + 10)
    upload = begin(root, bucket, "film")
    tags = [(number, root.upload_part(**upload, PartNumber=number, Body=piece)["ETag"])
            for number, piece in [(1, body[:5 * MIB]), (2, body[5 * MIB:])]]
    tag = complete(root, upload, tags)["ETag"]
    assert tag.endswith('-2"')
    copied = root.copy_object(Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": "film"})
    # The copy is not multipart: the tag is the digest of the whole.
    assert copied["CopyObjectResult"]["ETag"] == f'"{hashlib.md5(body).hexdigest()}"'
    assert root.head_object(Bucket=bucket, Key="copy")["ETag"] == copied["CopyObjectResult"]["ETag"]
    assert root.get_object(Bucket=bucket, Key="copy")["Body"].read() == body


def test_completing_again_answers_the_same(root, bucket):
    upload = begin(root, bucket)
    tag = root.upload_part(**upload, PartNumber=1, Body=b"x")["ETag"]
    first = complete(root, upload, [(1, tag)])
    assert (first["Bucket"], first["Key"]) == (bucket, "x") and first["Location"].endswith(f"/{bucket}/x")
    assert complete(root, upload, [(1, tag)])["ETag"] == first["ETag"]


def test_every_part_but_the_last_has_at_least_five_megabytes(root, bucket):
    upload = begin(root, bucket)
    tags = [(number, root.upload_part(**upload, PartNumber=number, Body=b"small")["ETag"]) for number in (1, 2)]
    with refused("EntityTooSmall", 400):
        complete(root, upload, tags)


def test_an_upload_is_completed_only_with_its_own_parts(root, bucket):
    upload = begin(root, bucket)
    first = root.upload_part(**upload, PartNumber=1, Body=bytes(5 * MIB))["ETag"]
    second = root.upload_part(**upload, PartNumber=2, Body=b"x")["ETag"]
    with refused("InvalidPart", 400):
        complete(root, upload, [(1, second)])
    with refused("InvalidPart", 400):
        complete(root, upload, [(1, first), (7, second)])
    with refused("InvalidPartOrder", 400):
        complete(root, upload, [(2, second), (1, first)])
    with refused("MalformedXML", 400):
        complete(root, upload, [])
    complete(root, upload, [(1, first), (2, second)])


@pytest.mark.parametrize("number", [0, 10_001])
def test_part_numbers_go_from_one_to_ten_thousand(root, bucket, number):
    upload = begin(root, bucket)
    with refused("InvalidArgument", 400):
        root.upload_part(**upload, PartNumber=number, Body=b"x")


def test_an_unknown_upload_is_unknown(root, bucket):
    with refused("NoSuchUpload", 404):
        root.upload_part(Bucket=bucket, Key="x", UploadId="unknown", PartNumber=1, Body=b"x")


def test_a_completion_minds_what_was_deleted_meanwhile(root, bucket):
    root.put_object(Bucket=bucket, Key="k", Body=b"before")
    upload = {"Bucket": bucket, "Key": "k", "UploadId": root.create_multipart_upload(Bucket=bucket, Key="k")["UploadId"]}
    part = root.upload_part(**upload, PartNumber=1, Body=b"one")
    parts = {"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]}
    with refused("PreconditionFailed", 412):
        root.complete_multipart_upload(**upload, MultipartUpload=parts, IfNoneMatch="*")
    root.delete_object(Bucket=bucket, Key="k")
    with refused("ConditionalRequestConflict", 409):
        root.complete_multipart_upload(**upload, MultipartUpload=parts, IfNoneMatch="*")
    root.complete_multipart_upload(**upload, MultipartUpload=parts)
    assert root.get_object(Bucket=bucket, Key="k")["Body"].read() == b"one"
