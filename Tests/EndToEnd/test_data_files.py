"""What a process says of files in its data folder that are not what it wrote, and of a disk without space."""

import base64
import ctypes
import json
import os
import shutil
import socket

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


def assert_snapshot_failed(process):
    """Asserts that every call which needs the snapshot `base` is refused."""
    for method, path, body in [
            ("POST", "sandboxes", {"from": "base"}), ("POST", "sandboxes/a/restore", {"snapshot": "base"}), ("GET", "snapshots/base/file", None)]:
        answer = requests.request(method, f"{process.url}/_virga/{path}", json=body)
        assert (answer.status_code, answer.json()["error"]) == (503, "snapshot_failed"), path


def test_a_snapshot_whose_description_cannot_be_used_stays(data):
    file = data / "snapshots/base/snapshot.json"
    file.write_text("{")
    with Cloud.over(data) as process:
        assert [snapshot["name"] for snapshot in process.control("GET", "snapshots")["snapshots"]] == ["base"]
        assert_snapshot_failed(process)
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


DAMAGES = {
    "missing": lambda file: file.unlink(), "empty": lambda file: file.write_bytes(b""),
    "link": lambda file: (file.unlink(), file.symlink_to(file.parent / "elsewhere")),
    "pipe": lambda file: (file.unlink(), os.mkfifo(file)), "log": lambda file: os.mkfifo(f"{file}-wal")}


def world(data, name):
    return data / "worlds" / str(json.loads((data / f"sandboxes/{name}.json").read_text())["world"])


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_sandbox_without_its_database_is_not_replaced_by_a_new_one(data, damage):
    file = world(data, "a") / "virga.sqlite"
    DAMAGES[damage](file)
    with Cloud.over(data) as process:
        assert health(process, "b").status_code == 200
        for answer in [
                health(process, "a"), requests.post(f"{process.url}/_virga/sandboxes/a/fork", json={}),
                requests.post(f"{process.url}/_virga/sandboxes/a/snapshots", json={"name": "new"})]:
            assert (answer.status_code, answer.json()["error"]) == (503, "sandbox_failed")
        assert process.stop() == 0
        assert f"{file} cannot be used: " in process.logged()
    assert not (file.parent / "elsewhere").exists()


@pytest.mark.parametrize("damage", [name for name in DAMAGES if name != "log"])
def test_a_snapshot_without_its_database_replaces_nothing(data, damage):
    file = data / "snapshots/base/virga.sqlite"
    DAMAGES[damage](file)
    with Cloud.over(data) as process:
        before = world(data, "a")
        assert_snapshot_failed(process)
        assert health(process, "a").status_code == 200
        assert world(data, "a") == before
        assert process.stop() == 0
        assert f"{file} cannot be used: " in process.logged()


def test_sandboxes_with_one_world_lose_nothing(data):
    shutil.copy(data / "sandboxes/a.json", data / "sandboxes/a2.json")
    with Cloud.over(data) as process:
        assert [health(process, name).status_code for name in ("a", "a2", "b")] == [503, 503, 200]
        process.control("DELETE", "sandboxes/a2")
        assert (world(data, "a") / "virga.sqlite").stat().st_size > 0
        assert process.stop() == 0
    with Cloud.over(data) as process:
        assert health(process, "a").status_code == 200
        assert process.stop() == 0


@pytest.mark.parametrize("link", [True, False])
def test_a_start_without_the_descriptions_removes_no_world(data, link):
    before, folder = worlds(data), data / "sandboxes"
    folder.rename(data / "moved")
    if link:
        folder.symlink_to(data / "unmounted")
    result = run("serve", "--port", 0, "--data", data)
    assert result.returncode != 0 and str(folder) in result.stderr
    assert worlds(data) == before


def test_a_default_sandbox_without_its_world_keeps_its_file(data):
    (data / "sandboxes/default.json").write_text('{"from": "x", "created": 1, "world": 77}')
    result = run("serve", "--port", 0, "--data", data)
    assert result.returncode != 0 and "worlds/77/virga.sqlite cannot be used: it does not exist" in result.stderr
    assert (data / "virga.sqlite").stat().st_size > 0


def test_a_default_database_whose_link_leads_nowhere_creates_nothing(data):
    file = data / "virga.sqlite"
    file.unlink()
    file.symlink_to(data / "elsewhere")
    result = run("serve", "--port", 0, "--data", data)
    assert result.returncode != 0 and str(file) in result.stderr
    assert not (data / "elsewhere").exists()


def test_a_description_that_cannot_be_removed_keeps_the_sandbox(data):
    with Cloud.over(data) as process:
        file, folder = data / "sandboxes/a.json", world(data, "a")
        file.unlink()
        # A folder in its place cannot be unlinked, not even by root.
        file.mkdir()
        assert requests.delete(f"{process.url}/_virga/sandboxes/a").status_code == 500
        assert health(process, "a").status_code == 200
        file.rmdir()
        process.control("DELETE", "sandboxes/a")
        assert process.stop() == 0
    assert not folder.exists()


def test_a_port_that_another_program_uses_is_named_in_the_log(data):
    with Cloud.over(data) as process:
        Sandbox.create(process, "p", port=True)
        assert process.stop() == 0
    port = json.loads((data / "sandboxes/p.json").read_text())["ports"][0]
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        with Cloud.over(data) as process:
            assert process.stop() == 0
            assert "another port than before" in process.logged() and str(port) in process.logged()
