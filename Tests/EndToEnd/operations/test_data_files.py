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
        # Which world it had is known from some descriptions only. Otherwise it stays.
        left = used - {world(data, "a").name} if "'seed'" not in reason else set()
        assert worlds(data) == {world(data, "a").name} | left and health(process, "a").status_code == 200
        assert process.stop() == 0
        for name in left:
            assert "No sandbox has this database" in process.logged() and str(data / "worlds" / name) in process.logged()


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
    drafts, copy = [data / "sandboxes/a.json.draft-123", data / "tls-authority.pem.draft-123"], data / "sandboxes/a.json.20261128"
    for draft in [*drafts, copy]:
        draft.write_text("secret")
    with Cloud.over(data) as process:
        assert not [draft for draft in drafts if draft.exists()] and copy.exists()
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


def names(process):
    return {sandbox["name"] for sandbox in process.control("GET", "sandboxes")["sandboxes"]}


def assert_refused(data, path, reason):
    """Asserts that a process does not start, and that the next one says the same."""
    for _ in range(2):
        result = run("serve", "--port", 0, "--data", data)
        assert result.returncode != 0 and f"{path} cannot be used: {reason}" in result.stderr, result.stderr


@pytest.mark.parametrize("folder, reason", [
    ("sandboxes", "it has no description of a sandbox, but 'worlds' has states of sandboxes."),
    ("worlds", "it has the state of no sandbox that 'sandboxes' describes.")])
def test_a_start_with_an_empty_folder_removes_nothing(data, folder, reason):
    with Cloud.over(data) as process:
        client(process, "s3").create_bucket(Bucket="kept")
        process.control("POST", "sandboxes/default/snapshots", {"name": "kept"})
        process.control("POST", "sandboxes/default/restore", {"snapshot": "kept"})
        assert process.stop() == 0
    before = worlds(data)
    (data / folder).rename(data / "moved")
    (data / folder).mkdir()
    if folder == "worlds":
        # Without its world, the default sandbox is refused first.
        (data / "sandboxes/default.json").rename(data / "default.json")
        (data / "virga.sqlite").write_bytes((data / "snapshots/kept/virga.sqlite").read_bytes())
    assert_refused(data, data / folder, reason)
    (data / folder).rmdir()
    (data / "moved").rename(data / folder)
    if folder == "worlds":
        (data / "virga.sqlite").unlink()
        (data / "default.json").rename(data / "sandboxes/default.json")
    assert worlds(data) == before
    with Cloud.over(data) as process:
        assert {"kept"} <= {bucket["Name"] for bucket in client(process, "s3").list_buckets()["Buckets"]}
        assert [health(process, name).status_code for name in ("a", "b")] == [200, 200]
        assert process.stop() == 0


def test_a_start_without_the_worlds_is_refused(data):
    (data / "worlds").rename(data / "moved")
    assert_refused(data, data / "worlds", "it does not exist, but 'sandboxes' has descriptions of sandboxes.")
    (data / "moved").rename(data / "worlds")
    with Cloud.over(data) as process:
        assert [health(process, name).status_code for name in ("a", "b")] == [200, 200]
        assert process.stop() == 0


@pytest.mark.parametrize("damage", ["missing", "empty"])
def test_a_default_sandbox_without_its_database_is_not_replaced_by_a_new_one(data, damage):
    file = data / "virga.sqlite"
    content = file.read_bytes()
    DAMAGES[damage](file)
    reason = {"missing": "it does not exist", "empty": "it is empty"}[damage]
    result = run("serve", "--port", 0, "--data", data)
    assert result.returncode != 0 and f"{file} cannot be used: {reason}, but 'worlds' has states of sandboxes." in result.stderr
    # The process that was refused leaves an empty file.
    assert_refused(data, file, "it is empty, but 'worlds' has states of sandboxes.")
    file.write_bytes(content)
    with Cloud.over(data) as process:
        assert health(process, "default").status_code == 200
        assert process.stop() == 0


def test_a_world_whose_description_is_lost_stays(data):
    lost, before = world(data, "b"), worlds(data)
    (data / "sandboxes/b.json").rename(data / "b.json")
    with Cloud.over(data) as process:
        assert names(process) == {"default", "a"} and worlds(data) == before
        assert process.stop() == 0
        assert "No sandbox has this database" in process.logged() and f"{lost}/virga.sqlite" in process.logged()
    (data / "b.json").rename(data / "sandboxes/b.json")
    with Cloud.over(data) as process:
        assert health(process, "b").status_code == 200
        assert process.stop() == 0


def test_a_process_that_was_killed_during_its_first_creation_starts_again(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("killed")
    with Cloud.over(folder) as process:
        assert process.stop() == 0
    for name in ("worlds", "sandboxes", "snapshots"):
        (folder / name).mkdir()
    shutil.copytree(world(data, "a"), folder / "worlds/1")
    (folder / "worlds/1/virga.sqlite-unowned").touch()
    with Cloud.over(folder) as process:
        assert names(process) == {"default"}
        Sandbox.create(process, "first", port=False)
        assert process.stop() == 0
    with Cloud.over(folder) as process:
        assert names(process) == {"default", "first"} and worlds(folder) == {world(folder, "first").name}
        assert os.listdir(world(folder, "first")).count("virga.sqlite-unowned") == 0
        assert process.stop() == 0


def test_a_folder_beside_the_snapshots_stays(data):
    file = data / "snapshots/archive/2026/notes"
    file.parent.mkdir(parents=True)
    file.write_text("text")
    with Cloud.over(data) as process:
        assert process.stop() == 0
        assert f"{data}/snapshots/archive/snapshot.json cannot be used: it does not exist" in process.logged()
    assert file.read_text() == "text"


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
