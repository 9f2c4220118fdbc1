"""Objects over S3 with boto3: put, get, head, delete, copy, ranges, conditions, metadata, multi-delete."""

import base64
import datetime
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from clients import refusal_of, refused, session, signed
from cloud import BUCKET


def test_an_object_comes_back_as_it_was_put(root, bucket):
    body = os.urandom(70_000)
    put = root.put_object(
        Bucket=bucket, Key="photo", Body=body, ContentType="image/png", CacheControl="no-cache",
        ContentDisposition="attachment", ContentLanguage="de", Metadata={"camera": "pinhole", "Place": "Ulm an der Donau"})
    assert put["ETag"] == f'"{hashlib.md5(body).hexdigest()}"'

    got = root.get_object(Bucket=bucket, Key="photo")
    assert got["Body"].read() == body
    head = root.head_object(Bucket=bucket, Key="photo")
    for answer in [got, head]:
        assert answer["ContentLength"] == len(body)
        assert answer["ContentType"] == "image/png"
        assert answer["CacheControl"] == "no-cache"
        assert answer["ContentDisposition"] == "attachment"
        assert answer["ContentLanguage"] == "de"
        assert answer["ETag"] == put["ETag"]
        assert answer["Metadata"] == {"camera": "pinhole", "place": "Ulm an der Donau"}
        assert answer["AcceptRanges"] == "bytes"
        age = datetime.datetime.now(datetime.UTC) - answer["LastModified"]
        assert -1 < age.total_seconds() < 120


def test_an_object_without_a_type_is_a_stream_of_bytes(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    assert root.head_object(Bucket=bucket, Key="x")["ContentType"] == "binary/octet-stream"


@pytest.mark.parametrize("size", [0, 1, 1024, 262_143, 262_144, 262_145, 1_048_576, 5_000_000])
def test_bodies_of_every_size_keep_their_bytes(root, bucket, size):
    body = os.urandom(size)
    root.put_object(Bucket=bucket, Key="x", Body=body)
    got = root.get_object(Bucket=bucket, Key="x")
    assert (got["ContentLength"], got["Body"].read() == body) == (size, True)


def test_putting_again_replaces_the_object_and_its_metadata(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"first, and longer", Metadata={"a": "1"})
    root.put_object(Bucket=bucket, Key="x", Body=b"second")
    got = root.get_object(Bucket=bucket, Key="x")
    assert (got["Body"].read(), got["Metadata"]) == (b"second", {})


def test_a_missing_object_is_missing_in_every_way(root, bucket):
    with refused("NoSuchKey", 404, "The specified key does not exist.") as refusal:
        root.get_object(Bucket=bucket, Key="missing")
    assert refusal.response["Error"]["Key"] == "missing"
    with refused("404", 404):
        root.head_object(Bucket=bucket, Key="missing")
    with refused("NoSuchKey", 404):
        root.copy_object(Bucket=bucket, Key="x", CopySource={"Bucket": bucket, "Key": "missing"})
    assert root.delete_object(Bucket=bucket, Key="missing")["ResponseMetadata"]["HTTPStatusCode"] == 204


def test_a_deleted_object_is_gone(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    root.delete_object(Bucket=bucket, Key="x")
    with refused("NoSuchKey", 404):
        root.get_object(Bucket=bucket, Key="x")
    assert "Contents" not in root.list_objects_v2(Bucket=bucket)


@pytest.mark.parametrize("asked, expected, content_range", [
    ("bytes=0-9", slice(0, 10), "bytes 0-9/1000"), ("bytes=990-", slice(990, None), "bytes 990-999/1000"),
    ("bytes=-5", slice(995, None), "bytes 995-999/1000"), ("bytes=5-5", slice(5, 6), "bytes 5-5/1000"),
    ("bytes=900-5000", slice(900, None), "bytes 900-999/1000"), ("bytes=-5000", slice(0, None), "bytes 0-999/1000")])
def test_a_range_is_answered_with_that_part(root, bucket, asked, expected, content_range):
    body = os.urandom(1000)
    root.put_object(Bucket=bucket, Key="x", Body=body)
    got = root.get_object(Bucket=bucket, Key="x", Range=asked)
    assert got["ResponseMetadata"]["HTTPStatusCode"] == 206
    assert (got["Body"].read(), got["ContentRange"]) == (body[expected], content_range)
    assert root.head_object(Bucket=bucket, Key="x", Range=asked)["ContentRange"] == content_range


def test_a_range_across_stored_pieces_is_exact(root, bucket):
    body = os.urandom(1_000_000)
    root.put_object(Bucket=bucket, Key="x", Body=body)
    for first, last in [(262_143, 262_144), (262_144, 524_287), (100, 999_000), (786_431, 999_999)]:
        got = root.get_object(Bucket=bucket, Key="x", Range=f"bytes={first}-{last}")
        assert got["Body"].read() == body[first:last + 1]


@pytest.mark.parametrize("asked", ["bytes=1000-", "bytes=5000-6000", "bytes=-0"])
def test_a_range_beyond_the_end_cannot_be_satisfied(root, bucket, asked):
    root.put_object(Bucket=bucket, Key="x", Body=bytes(1000))
    with refused("InvalidRange", 416, "The requested range is not satisfiable"):
        root.get_object(Bucket=bucket, Key="x", Range=asked)


@pytest.mark.parametrize("asked", ["bytes=9-3", "characters=0-9", "bytes=a-b"])
def test_a_range_that_makes_no_sense_is_ignored(root, bucket, asked):
    root.put_object(Bucket=bucket, Key="x", Body=bytes(1000))
    got = root.get_object(Bucket=bucket, Key="x", Range=asked)
    assert (got["ResponseMetadata"]["HTTPStatusCode"], len(got["Body"].read())) == (200, 1000)


def test_a_conditional_read_answers_when_its_condition_holds(root, bucket):
    tag = root.put_object(Bucket=bucket, Key="x", Body=b"x")["ETag"]
    modified = root.head_object(Bucket=bucket, Key="x")["LastModified"]
    hour = datetime.timedelta(hours=1)
    for condition in [
            {"IfMatch": tag}, {"IfMatch": "*"}, {"IfNoneMatch": '"0123"'}, {"IfModifiedSince": modified - hour},
            {"IfUnmodifiedSince": modified}, {"IfMatch": tag, "IfUnmodifiedSince": modified - hour}]:
        assert root.get_object(Bucket=bucket, Key="x", **condition)["Body"].read() == b"x", condition


def test_a_conditional_read_fails_when_its_condition_does_not_hold(root, bucket):
    tag = root.put_object(Bucket=bucket, Key="x", Body=b"x")["ETag"]
    modified = root.head_object(Bucket=bucket, Key="x")["LastModified"]
    hour = datetime.timedelta(hours=1)
    for condition in [{"IfMatch": '"0123"'}, {"IfUnmodifiedSince": modified - hour}]:
        with refused("PreconditionFailed", 412):
            root.get_object(Bucket=bucket, Key="x", **condition)
        with refused("412", 412):
            root.head_object(Bucket=bucket, Key="x", **condition)
    for condition in [
            {"IfNoneMatch": tag}, {"IfNoneMatch": "*"}, {"IfModifiedSince": modified},
            {"IfNoneMatch": tag, "IfModifiedSince": modified - hour}]:
        with refused("304", 304):
            root.get_object(Bucket=bucket, Key="x", **condition)
        with refused("304", 304):
            root.head_object(Bucket=bucket, Key="x", **condition)


def test_a_copy_has_body_and_metadata_of_its_source(root, bucket):
    body = os.urandom(600_000)
    put = root.put_object(Bucket=bucket, Key="a b/ü", Body=body, ContentType="image/png", Metadata={"a": "1"})
    copied = root.copy_object(Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": "a b/ü"})
    assert copied["CopyObjectResult"]["ETag"] == put["ETag"]
    got = root.get_object(Bucket=bucket, Key="copy")
    assert (got["Body"].read() == body, got["ContentType"], got["Metadata"]) == (True, "image/png", {"a": "1"})
    root.delete_object(Bucket=bucket, Key="a b/ü")
    assert root.get_object(Bucket=bucket, Key="copy")["Body"].read() == body


def test_a_copy_may_replace_the_metadata(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x", ContentType="image/png", Metadata={"a": "1"})
    root.copy_object(
        Bucket=bucket, Key="x", CopySource={"Bucket": bucket, "Key": "x"}, MetadataDirective="REPLACE",
        ContentType="text/plain", Metadata={"b": "2"})
    head = root.head_object(Bucket=bucket, Key="x")
    assert (head["ContentType"], head["Metadata"]) == ("text/plain", {"b": "2"})


def test_copying_an_object_onto_itself_without_a_change_is_refused(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    with refused("InvalidRequest", 400, "copy an object to itself without changing"):
        root.copy_object(Bucket=bucket, Key="x", CopySource={"Bucket": bucket, "Key": "x"})


def test_a_copy_may_depend_on_its_source(root, bucket):
    tag = root.put_object(Bucket=bucket, Key="x", Body=b"x")["ETag"]
    source = {"Bucket": bucket, "Key": "x"}
    root.copy_object(Bucket=bucket, Key="y", CopySource=source, CopySourceIfMatch=tag)
    with refused("PreconditionFailed", 412):
        root.copy_object(Bucket=bucket, Key="y", CopySource=source, CopySourceIfMatch='"0123"')
    with refused("PreconditionFailed", 412):
        root.copy_object(Bucket=bucket, Key="y", CopySource=source, CopySourceIfNoneMatch=tag)


def test_many_objects_are_deleted_in_one_request(root, bucket):
    keys = ["a", "b c", "ü/ß", "<&>", "missing"]
    for key in keys[:-1] + ["kept"]:
        root.put_object(Bucket=bucket, Key=key, Body=b"x")
    answer = root.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": key} for key in keys]})
    assert sorted(entry["Key"] for entry in answer["Deleted"]) == sorted(keys)
    assert "Errors" not in answer
    assert [entry["Key"] for entry in root.list_objects_v2(Bucket=bucket)["Contents"]] == ["kept"]


def test_a_quiet_multi_delete_names_only_failures(root, bucket):
    root.put_object(Bucket=bucket, Key="a", Body=b"x")
    answer = root.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": "a"}], "Quiet": True})
    assert "Deleted" not in answer and "Errors" not in answer


def test_a_quiet_multi_delete_still_names_its_failures(cloud):
    s3, subject = session(cloud, "company", "alice")
    answer = s3.delete_objects(Bucket=BUCKET, Delete={
        "Objects": [{"Key": f"{subject}/a"}, {"Key": "somebody-else/a"}], "Quiet": True})
    assert "Deleted" not in answer
    failure, = answer["Errors"]
    assert (failure["Key"], failure["Code"]) == ("somebody-else/a", "AccessDenied")
    assert "is not authorized to perform: s3:DeleteObject" in failure["Message"]


def test_a_multi_delete_without_keys_or_without_a_checksum_is_refused(cloud, bucket):
    document = b'<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>x</Key></Object></Delete>'
    assert refusal_of(signed(cloud, "POST", f"/{bucket}?delete", body=document)) == (400, "InvalidRequest")
    empty = b'<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></Delete>'
    digest = {"Content-MD5": base64.b64encode(hashlib.md5(empty).digest()).decode()}
    assert refusal_of(signed(cloud, "POST", f"/{bucket}?delete", body=empty, headers=digest)) == (400, "MalformedXML")


def test_a_write_may_depend_on_what_is_there(root, bucket):
    tag = root.put_object(Bucket=bucket, Key="x", Body=b"first", IfNoneMatch="*")["ETag"]
    with refused("PreconditionFailed", 412):
        root.put_object(Bucket=bucket, Key="x", Body=b"second", IfNoneMatch="*")
    with refused("PreconditionFailed", 412):
        root.put_object(Bucket=bucket, Key="x", Body=b"second", IfMatch='"0123"')
    with refused("NoSuchKey", 404):
        root.put_object(Bucket=bucket, Key="y", Body=b"second", IfMatch=tag)
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"first"
    root.put_object(Bucket=bucket, Key="x", Body=b"second", IfMatch=tag)
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"second"


def test_of_many_writers_that_want_to_be_first_one_is(root, bucket):
    def write(number):
        try:
            root.put_object(Bucket=bucket, Key="x", Body=b"%d" % number, IfNoneMatch="*")
            return number
        except root.exceptions.ClientError as error:
            assert error.response["Error"]["Code"] in ("PreconditionFailed", "ConditionalRequestConflict")

    with ThreadPoolExecutor(8) as pool:
        winners = [number for number in pool.map(write, range(16)) if number is not None]
    assert len(winners) == 1
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"%d" % winners[0]


def test_readers_see_one_whole_body_or_the_other_while_it_is_replaced(root, bucket):
    bodies = {hashlib.md5(body).hexdigest(): body for body in [bytes([number]) * 1_500_000 for number in range(4)]}
    root.put_object(Bucket=bucket, Key="x", Body=next(iter(bodies.values())))

    def read(_):
        got = root.get_object(Bucket=bucket, Key="x")
        return hashlib.md5(got["Body"].read()).hexdigest(), got["ETag"].strip('"')

    with ThreadPoolExecutor(8) as pool:
        reads = [pool.submit(read, number) for number in range(40)]
        writes = [pool.submit(root.put_object, Bucket=bucket, Key="x", Body=body) for body in bodies.values()]
        for number in range(40):
            reads.append(pool.submit(read, number))
        for write in writes:
            write.result()
        for one in reads:
            digest, tag = one.result()
            assert digest == tag and digest in bodies


def test_headers_that_ask_for_what_is_not_here_are_never_ignored(cloud, bucket):
    for headers, refusal in [
            ({"x-amz-object-lock-mode": "GOVERNANCE"}, (400, "InvalidRequest")),
            ({"x-amz-server-side-encryption-customer-algorithm": "AES256"}, (400, "InvalidArgument")),
            ({"x-amz-acl": "public-read"}, (400, "AccessControlListNotSupported")), ({"x-amz-tagging": "a=b,c"}, (400, "InvalidArgument")),
            ({"x-amz-write-offset-bytes": "1"}, (501, "NotImplemented"))]:
        assert refusal_of(signed(cloud, "PUT", f"/{bucket}/x", body=b"x", headers=headers)) == refusal, headers
    for query in ["metadataConfiguration", "metadataTable"]:
        response = signed(cloud, "GET", f"/{bucket}?{query}")
        assert refusal_of(response) == (501, "NotImplemented"), query


def test_a_multi_delete_has_at_most_a_thousand_keys(root, bucket):
    thousand = [{"Key": f"{number}"} for number in range(1000)]
    assert len(root.delete_objects(Bucket=bucket, Delete={"Objects": thousand})["Deleted"]) == 1000
    with refused("MalformedXML", 400):
        root.delete_objects(Bucket=bucket, Delete={"Objects": [*thousand, {"Key": "one more"}]})


def test_a_multi_delete_asks_for_each_key(cloud):
    s3, subject = session(cloud, "company", "alice")
    s3.put_object(Bucket=BUCKET, Key=f"{subject}/a", Body=b"x")
    answer = s3.delete_objects(
        Bucket=BUCKET, Delete={"Objects": [{"Key": f"{subject}/a"}, {"Key": "somebody-else/a"}]})
    assert [entry["Key"] for entry in answer["Deleted"]] == [f"{subject}/a"]
    assert [(entry["Key"], entry["Code"]) for entry in answer["Errors"]] == [("somebody-else/a", "AccessDenied")]


def test_a_key_has_at_most_1024_bytes(root, bucket):
    root.put_object(Bucket=bucket, Key="k" * 1024, Body=b"x")
    with refused("KeyTooLongError", 400):
        root.put_object(Bucket=bucket, Key="k" * 1025, Body=b"x")
    with refused("KeyTooLongError", 400):
        root.put_object(Bucket=bucket, Key="ü" * 513, Body=b"x")


def test_metadata_has_at_most_two_kilobytes(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x", Metadata={"a": "m" * 2000})
    with refused("MetadataTooLarge", 400):
        root.put_object(Bucket=bucket, Key="x", Body=b"x", Metadata={"a": "m" * 2100})


def test_answers_may_override_their_headers(root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x", ContentType="image/png")
    got = root.get_object(
        Bucket=bucket, Key="x", ResponseContentType="text/plain", ResponseContentDisposition="inline")
    assert (got["ContentType"], got["ContentDisposition"]) == ("text/plain", "inline")
