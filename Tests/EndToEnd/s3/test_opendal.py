"""Apache OpenDAL's Python binding."""

import asyncio
import os

import opendal
import pytest
import requests
from opendal.exceptions import ConditionNotMatch, NotFound

from clients import client

MIB = 1 << 20


@pytest.fixture
def options(endpoint, opendal_client):
    client(endpoint, "s3").create_bucket(Bucket="workshop")
    return {"bucket": "workshop", "root": "/root of all", "endpoint": endpoint.url, "region": "us-east-1",
            "access_key_id": "test", "secret_access_key": "test"}


@pytest.fixture
def operator(options):
    return opendal.Operator("s3", **options, checksum_algorithm="crc32c")


def test_a_large_object_goes_in_parts_and_comes_in_ranges(operator):
    body = os.urandom(20 * MIB)
    operator.write("film", body, chunk=5 * MIB, concurrent=4, content_type="video/mp4", user_metadata={"length": "short"})
    metadata = operator.stat("film")
    assert (metadata.content_length, metadata.content_type) == (20 * MIB, "video/mp4")
    assert metadata.user_metadata == {"length": "short"} and metadata.etag.endswith('-4"')
    assert bytes(operator.read("film", chunk=3 * MIB, concurrent=4)) == body
    assert bytes(operator.read("film", offset=1000, size=1000)) == body[1000:2000]
    with operator.open("film", "rb") as file:
        file.seek(-10, os.SEEK_END)
        assert bytes(file.read()) == body[-10:]
    with operator.open("streamed", "wb") as file:
        for at in range(0, len(body), MIB):
            file.write(body[at:at + MIB])
    assert bytes(operator.read("streamed")) == body


def test_only_the_first_creates_and_only_the_latest_is_replaced(operator):
    operator.write("x", b"first", if_not_exists=True)
    first = operator.stat("x")
    with pytest.raises(ConditionNotMatch):
        operator.write("x", b"second", if_not_exists=True)
    operator.write("x", b"second", if_match=first.etag)
    with pytest.raises(ConditionNotMatch):
        operator.write("x", b"lost", if_match=first.etag)
    with pytest.raises(ConditionNotMatch):
        operator.read("x", if_match=first.etag)
    assert bytes(operator.read("x")) == b"second"


def test_objects_are_listed_copied_and_deleted(operator):
    operator.create_dir("folder/")
    for key in ["a", "folder/b", "folder/deep/c ü+%", "folder/d"]:
        operator.write(key, key.encode())
    assert sorted(entry.path for entry in operator.list("folder/")) == ["folder/", "folder/b", "folder/d", "folder/deep/"]
    assert sorted(entry.path for entry in operator.scan("folder/deep/")) == ["folder/deep/c ü+%"]
    operator.copy("folder/deep/c ü+%", "copy")
    assert bytes(operator.read("copy")) == "folder/deep/c ü+%".encode()
    operator.delete("copy")
    operator.delete("copy")
    assert not operator.exists("copy")
    with pytest.raises(NotFound):
        operator.read("copy")
    operator.remove_all("folder/")
    assert [entry.path for entry in operator.scan("/") if not entry.path.endswith("/")] == ["a"]


def test_a_signed_url_reads_and_writes(options, endpoint):
    verify = str(endpoint.authority) if endpoint.authority else True
    # With checksums enabled, this library signs that of an empty body into its URLs, and S3 then refuses any other body.
    signing = opendal.AsyncOperator("s3", **options)

    async def links():
        return await signing.presign_write("linked", 60), await signing.presign_read("linked", 60)

    write, read = asyncio.run(links())
    put = requests.request(write.method, write.url, headers=dict(write.headers), data=b"through a link", verify=verify)
    assert put.status_code == 200, put.text
    got = requests.request(read.method, read.url, headers=dict(read.headers), verify=verify)
    assert (got.status_code, got.content) == (200, b"through a link"), got.text
