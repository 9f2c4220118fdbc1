"""minio-py, the client that many tools include."""

import io
import os
from datetime import timedelta

import pytest
import requests
import urllib3
from minio import Minio, S3Error
from minio.commonconfig import REPLACE, ComposeSource, CopySource
from minio.deleteobjects import DeleteObject

MIB = 1 << 20


@pytest.fixture
def minio(endpoint):
    pool = urllib3.PoolManager(ca_certs=str(endpoint.authority) if endpoint.authority else None, retries=False)
    minio = Minio(endpoint.host, "test", "test", secure=endpoint.scheme == "https", http_client=pool)
    minio.make_bucket("workshop")
    return minio


def keys(minio, **options):
    return [entry.object_name for entry in minio.list_objects("workshop", **options)]


def test_a_large_object_goes_in_parts_and_comes_in_ranges(minio, tmp_path):
    body = os.urandom(20 * MIB)
    # A length of -1 means unknown.
    minio.put_object("workshop", "film", io.BytesIO(body), -1, "video/mp4", {"length": "short"}, part_size=5 * MIB)
    stat = minio.stat_object("workshop", "film")
    assert (stat.size, stat.content_type, stat.metadata["x-amz-meta-length"]) == (20 * MIB, "video/mp4", "short")
    assert stat.etag.endswith("-4")
    minio.fget_object("workshop", "film", str(tmp_path / "film"))
    assert (tmp_path / "film").read_bytes() == body
    with minio.get_object("workshop", "film", offset=1000, length=1000) as got:
        assert got.read() == body[1000:2000]


def test_objects_are_copied_composed_and_removed(minio):
    large = os.urandom(5 * MIB)
    minio.put_object("workshop", "a/first ü+%", io.BytesIO(large), len(large))
    minio.put_object("workshop", "a/second", io.BytesIO(b"the end"), 7)
    minio.compose_object("workshop", "both", [
        ComposeSource("workshop", "a/first ü+%"), ComposeSource("workshop", "a/second", offset=4, length=3)])
    with minio.get_object("workshop", "both") as got:
        assert got.read() == large + b"end"
    minio.copy_object(
        "workshop", "copy", CopySource("workshop", "a/second"), metadata={"kind": "copy"}, metadata_directive=REPLACE)
    assert minio.stat_object("workshop", "copy").metadata["x-amz-meta-kind"] == "copy"
    with pytest.raises(S3Error, match="PreconditionFailed"):
        minio.copy_object("workshop", "copy", CopySource("workshop", "a/second", match_etag="0123"))

    assert keys(minio) == ["both", "copy", "a/"]
    assert keys(minio, recursive=True, start_after="a/first ü+%") == ["a/second", "both", "copy"]
    assert keys(minio, recursive=True, use_api_v1=True) == ["a/first ü+%", "a/second", "both", "copy"]
    minio.remove_object("workshop", "copy")
    with pytest.raises(S3Error, match="NoSuchKey"):
        minio.stat_object("workshop", "copy")
    with pytest.raises(S3Error, match="BucketNotEmpty"):
        minio.remove_bucket("workshop")
    assert list(minio.remove_objects("workshop", [DeleteObject(key) for key in keys(minio, recursive=True)])) == []
    minio.remove_bucket("workshop")
    assert not minio.bucket_exists("workshop")


def test_a_signed_url_reads_and_writes(minio, endpoint):
    verify = str(endpoint.authority) if endpoint.authority else True
    put = requests.put(
        minio.presigned_put_object("workshop", "linked", timedelta(minutes=1)), data=b"through a link", verify=verify)
    assert put.status_code == 200, put.text
    url = minio.presigned_get_object("workshop", "linked", timedelta(minutes=1), {"response-content-type": "text/plain"})
    got = requests.get(url, verify=verify)
    assert (got.status_code, got.content, got.headers["Content-Type"]) == (200, b"through a link", "text/plain"), got.text
