"""What a process says of files in its data folder that are not what it wrote, and of a disk without space."""

import base64
import ctypes
import json
import os

import botocore.exceptions
import pytest
import requests

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


def worlds(folder):
    return set(os.listdir(folder / "worlds"))


def health(process, name):
    return requests.get(f"{process.url}/_virga/health", headers={"x-virga-sandbox": name})


@pytest.fixture
def data(tmp_path):
    """A data folder with the sandboxes a and b, and a snapshot."""
    with Cloud.over(tmp_path) as process:
        for name in ("a", "b"):
            Sandbox.create(process, name, port=False)
        process.control("POST", "sandboxes/default/snapshots", {"name": "base"})
        assert process.stop() == 0
    return tmp_path


REFUSED_SEED = base64.b64encode(b'{"nonsense": 1}').decode()


@pytest.mark.parametrize("change, reason", [
    (lambda text: "", "it is empty"), (lambda text: "{", "it is not JSON"), (lambda text: "{}", "it has no 'world'"),
    (lambda text: json.dumps(json.loads(text) | {"world": 2**63 - 1}), "its 'world' is no number of a world"),
    (lambda text: json.dumps(json.loads(text) | {"seed": REFUSED_SEED}), "its 'seed' is refused")])
def test_a_sandbox_whose_description_cannot_be_used_fails_alone(data, change, reason):
    file = data / "sandboxes/b.json"
    used = {str(json.loads((data / f"sandboxes/{name}.json").read_text())["world"]) for name in ("a", "b")}
    file.write_text(change(file.read_text()))
    with Cloud.over(data) as process:
        assert used <= worlds(data)
        assert health(process, "a").status_code == 200
        answer = health(process, "b")
        assert (answer.status_code, answer.json()["error"]) == (503, "sandbox_failed")
        assert {sandbox["name"] for sandbox in process.control("GET", "sandboxes")["sandboxes"]} == {"default", "a", "b"}
        # It can be replaced, and so can its seed.
        process.control("PUT", "sandboxes/b", {})
        assert health(process, "b").status_code == 200
        assert process.stop() == 0
        assert f"{file} cannot be used: {reason}" in process.logged()
    with Cloud.over(data) as process:
        assert health(process, "b").status_code == 200
        process.control("DELETE", "sandboxes/b")
        assert process.stop() == 0
    with Cloud.over(data) as process:
        assert len(worlds(data)) == 1 and health(process, "a").status_code == 200
        assert process.stop() == 0


def test_a_default_sandbox_whose_description_cannot_be_used_prevents_the_start(data):
    file, before = data / "sandboxes/default.json", worlds(data)
    file.write_text("{")
    result = run("serve", "--port", 0, "--data", data)
    assert result.returncode != 0 and f"{file} cannot be used: it is not JSON" in result.stderr
    assert worlds(data) == before and (data / "virga.sqlite").exists()


def test_a_snapshot_whose_description_cannot_be_used_stays(data):
    file = data / "snapshots/base/snapshot.json"
    file.write_text("{")
    with Cloud.over(data) as process:
        assert [snapshot["name"] for snapshot in process.control("GET", "snapshots")["snapshots"]] == ["base"]
        assert requests.post(f"{process.url}/_virga/sandboxes", json={"from": "base"}).status_code == 500
        assert (data / "snapshots/base/virga.sqlite").exists()
        process.control("DELETE", "snapshots/base")
        assert not (data / "snapshots/base").exists()
        assert process.stop() == 0
        assert f"{file} cannot be used: it is not JSON" in process.logged()


def test_a_pipe_in_the_place_of_a_file_is_refused(data):
    file = data / "snapshots/base/snapshot.json"
    file.unlink()
    os.mkfifo(file)
    with Cloud.over(data) as process:
        assert process.stop() == 0
        assert f"{file} cannot be used: it is not a regular file" in process.logged()


def test_what_a_killed_process_was_writing_is_removed(data):
    drafts = [data / "sandboxes/a.json.123", data / "tls-authority.pem.123"]
    for draft in drafts:
        draft.write_text("secret")
    with Cloud.over(data) as process:
        assert not [draft for draft in drafts if draft.exists()]
        assert process.stop() == 0


@pytest.mark.parametrize("kind", ["damaged", "pipe"])
def test_a_database_that_cannot_be_read_is_named(data, kind):
    file = data / "virga.sqlite"
    if kind == "damaged":
        content = file.read_bytes()
        file.write_bytes(content[:16_384] + b"\xff" * (len(content) - 16_384))
    else:
        file.unlink()
        os.mkfifo(file)
    result = run("serve", "--port", 0, "--data", data)
    assert result.returncode != 0 and str(file) in result.stderr, result.stderr
