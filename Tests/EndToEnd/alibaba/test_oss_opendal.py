"""Apache OpenDAL's service for OSS."""

import os

import opendal
import pytest
from opendal.exceptions import ConditionNotMatch, NotFound, PermissionDenied

from harbour import LIGHTHOUSE, PHOTOS, REGION, WARDEN, bucket, folder_policy, session

MIB = 1 << 20

pytestmark = pytest.mark.usefixtures("opendal_client")


def operator_of(cloud, name, keys, **options):
    given = {"access_key_id": keys.id, "access_key_secret": keys.secret} | ({"security_token": keys.token} if keys.token else {})
    return opendal.Operator(
        "oss", bucket=name, endpoint=cloud.url, presign_endpoint=cloud.url, region=REGION, addressing_style="path",
        presign_addressing_style="path", **given, **options)


@pytest.fixture
def operator(harbour):
    bucket(harbour, "workshop").create_bucket()
    return operator_of(harbour, "workshop", WARDEN, root="/root of all")


def test_a_large_object_goes_in_parts_and_comes_in_ranges(operator):
    body = os.urandom(9 * MIB)
    operator.write("film", body, chunk=2 * MIB, concurrent=4, content_type="video/mp4")
    metadata = operator.stat("film")
    assert (metadata.content_length, metadata.content_type) == (9 * MIB, "video/mp4")
    assert metadata.etag.endswith('-5"')
    operator.write("x", b"text", user_metadata={"author": "alice"})
    assert operator.stat("x").user_metadata == {"author": "alice"}
    assert bytes(operator.read("film", chunk=3 * MIB, concurrent=4)) == body
    assert bytes(operator.read("film", offset=1000, size=1000)) == body[1000:2000]
    with operator.open("film", "rb") as file:
        file.seek(-10, os.SEEK_END)
        assert bytes(file.read()) == body[-10:]


def test_objects_are_appended_to(operator):
    operator.write("log", b"one\n", append=True)
    operator.write("log", b"two\n", append=True)
    assert bytes(operator.read("log")) == b"one\ntwo\n"


def test_conditions_are_kept(operator):
    operator.write("x", b"first", if_not_exists=True)
    with pytest.raises(ConditionNotMatch):
        operator.write("x", b"second", if_not_exists=True)
    etag = operator.stat("x").etag
    assert bytes(operator.read("x", if_match=etag)) == b"first"
    with pytest.raises(ConditionNotMatch):
        operator.read("x", if_match='"0"')


def test_objects_are_listed_copied_and_deleted(operator):
    for key in ("a/1", "a/two words", "a/ü+%&", "b/c/d"):
        operator.write(key, key.encode())
    assert sorted(entry.path for entry in operator.list("/")) == ["a/", "b/"]
    assert sorted(entry.path for entry in operator.scan("a/") if not entry.path.endswith("/")) == ["a/1", "a/two words", "a/ü+%&"]
    operator.copy("a/ü+%&", "copy of ü+%&")
    assert bytes(operator.read("copy of ü+%&")) == "a/ü+%&".encode()
    operator.delete("a/1")
    with pytest.raises(NotFound):
        operator.read("a/1")
    assert bytes(operator.read("b/c/d")) == b"b/c/d"


def test_a_session_is_held_to_its_policy(harbour):
    alice = operator_of(harbour, PHOTOS, session(harbour, folder_policy("alice/")))
    assert bytes(alice.read("alice/hello.txt")) == b"Hello Alice, this is your folder.\n"
    alice.write("alice/new.txt", b"new")
    with pytest.raises(PermissionDenied):
        alice.read("bob/hello.txt")
    with pytest.raises(PermissionDenied):
        operator_of(harbour, PHOTOS, LIGHTHOUSE).read("alice/hello.txt")
