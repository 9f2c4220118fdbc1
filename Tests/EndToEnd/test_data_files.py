"""What a process says of files in its data folder that are not what it wrote, and of a disk without space."""

import ctypes
import os

import botocore.exceptions
import pytest

from clients import client
from cloud import Cloud, run
from sandboxes import Sandbox


def until_full(s3):
    """Writes objects until one is refused, and returns the message."""
    s3.create_bucket(Bucket="full")
    for number in range(100):
        try:
            s3.put_object(Bucket="full", Key=str(number), Body=os.urandom(200_000))
        except botocore.exceptions.ClientError as error:
            assert error.response["Error"]["Code"] == "QuotaExceeded"
            return error.response["Error"]["Message"]
    raise AssertionError("every write succeeded")


def test_a_full_sandbox_advises_a_larger_one():
    with Cloud.ephemeral("--sandbox-size", "4M") as cloud:
        assert "--sandbox-size" in until_full(client(Sandbox.create(cloud), "s3"))
        assert cloud.stop() == 0


def test_a_full_disk_does_not_advise_a_larger_sandbox(tmp_path):
    system = ctypes.CDLL(None)
    if system.mount(b"tmpfs", bytes(tmp_path), b"tmpfs", 0, b"size=6m") != 0:
        pytest.skip("mounting a small disk needs root")
    try:
        with Cloud.over(tmp_path / "data") as cloud:
            message = until_full(client(cloud, "s3"))
            assert "disk" in message and "--sandbox-size" not in message
            assert cloud.stop() == 0
    finally:
        assert system.umount(bytes(tmp_path)) == 0


@pytest.mark.parametrize("files, warning", [
    ({"virga.sqlite": b""}, "was empty"), ({"virga.sqlite-wal": b"log"}, "beside a write-ahead log"),
    ({"virga.sqlite": b"", "virga.sqlite-wal": b"log"}, "beside a write-ahead log"), ({}, None)])
def test_a_database_that_was_empty_is_named_in_the_log(tmp_path, files, warning):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with Cloud.over(tmp_path) as cloud:
        assert cloud.stop() == 0
        assert warning in cloud.logged() if warning else "database file" not in cloud.logged()


def test_a_pipe_in_the_place_of_a_file_is_refused(tmp_path):
    (tmp_path / "snapshots/x").mkdir(parents=True)
    os.mkfifo(tmp_path / "snapshots/x/snapshot.json")
    result = run("serve", "--port", 0, "--data", tmp_path)
    assert result.returncode != 0 and "it is not a regular file" in result.stderr
