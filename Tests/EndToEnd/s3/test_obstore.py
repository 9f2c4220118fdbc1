"""obstore, the Python binding of Rust's object_store, which relies on conditional writes."""

import os
from datetime import timedelta

import obstore
import pytest
import requests
from obstore.exceptions import AlreadyExistsError, NotModifiedError, PreconditionError
from obstore.store import S3Store

from clients import client

MIB = 1 << 20


@pytest.fixture
def store(endpoint):
    client(endpoint, "s3").create_bucket(Bucket="workshop")
    trust = {"root_certificate": endpoint.authority.read_bytes()} if endpoint.authority else {"allow_http": True}
    return S3Store(
        "workshop", endpoint=endpoint.url, region="us-east-1", access_key_id="test", secret_access_key="test",
        checksum_algorithm="SHA256", copy_if_not_exists="multipart", client_options=trust)


def test_a_large_object_goes_in_parts_and_comes_in_ranges(store):
    body = os.urandom(20 * MIB)
    put = store.put("film", body, attributes={"Content-Type": "video/mp4", "length": "short"}, chunk_size=5 * MIB)
    assert put["e_tag"].endswith('-4"')
    got = store.get("film")
    assert (got.meta["size"], got.attributes["Content-Type"], got.attributes["length"]) == (20 * MIB, "video/mp4", "short")
    assert bytes(got.bytes()) == body
    assert bytes(store.get_range("film", start=1000, end=2000)) == body[1000:2000]
    pieces = store.get_ranges("film", starts=[0, 7 * MIB, 20 * MIB - 5], ends=[10, 7 * MIB + 10, 20 * MIB])
    assert [bytes(piece) for piece in pieces] == [body[:10], body[7 * MIB:7 * MIB + 10], body[-5:]]
    assert bytes(store.get("film", options={"range": {"suffix": 7}}).bytes()) == body[-7:]


def test_only_the_first_creates_and_only_the_latest_is_replaced(store):
    first = store.put("table/log/1", b"first", mode="create")
    with pytest.raises(AlreadyExistsError):
        store.put("table/log/1", b"second", mode="create")
    second = store.put("table/log/1", b"second", mode={"e_tag": first["e_tag"]})
    with pytest.raises(PreconditionError):
        store.put("table/log/1", b"lost", mode={"e_tag": first["e_tag"]})
    with pytest.raises(NotModifiedError):
        store.get("table/log/1", options={"if_none_match": second["e_tag"]})
    with pytest.raises(PreconditionError):
        store.get("table/log/1", options={"if_match": first["e_tag"]})
    assert bytes(store.get("table/log/1", options={"if_match": second["e_tag"]}).bytes()) == b"second"


def test_objects_are_listed_copied_renamed_and_deleted(store):
    for key in ["a", "folder/b", "folder/deep/c ü+%", "folder/d"]:
        store.put(key, key.encode())
    listed = store.list_with_delimiter("folder")
    assert [entry["path"] for entry in listed["objects"]] == ["folder/b", "folder/d"]
    assert listed["common_prefixes"] == ["folder/deep"]
    after = [entry["path"] for page in store.list(offset="folder/b") for entry in page]
    assert after == ["folder/d", "folder/deep/c ü+%"]
    store.copy("folder/deep/c ü+%", "copy")
    assert bytes(store.get("copy").bytes()) == "folder/deep/c ü+%".encode()
    store.copy("a", "fresh", overwrite=False)
    with pytest.raises(AlreadyExistsError):
        store.copy("folder/b", "fresh", overwrite=False)
    assert bytes(store.get("fresh").bytes()) == b"a"
    store.rename("copy", "renamed")
    with pytest.raises(FileNotFoundError):
        store.head("copy")
    keys = [entry["path"] for page in store.list() for entry in page]
    assert keys == ["a", "folder/b", "folder/d", "folder/deep/c ü+%", "fresh", "renamed"]
    store.delete([*keys, "missing"])
    assert [entry for page in store.list() for entry in page] == []


def test_a_signed_url_reads_and_writes(store, endpoint):
    verify = str(endpoint.authority) if endpoint.authority else True
    put = requests.put(obstore.sign(store, "PUT", "linked", timedelta(minutes=1)), data=b"through a link", verify=verify)
    assert put.status_code == 200, put.text
    got = requests.get(obstore.sign(store, "GET", "linked", timedelta(minutes=1)), verify=verify)
    assert (got.status_code, got.content) == (200, b"through a link"), got.text
