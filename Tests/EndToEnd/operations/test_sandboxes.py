"""The sandboxes of a process: the calls that keep them, their limits, and what a restart keeps."""

import json
import sqlite3

import pytest
import requests

from clients import assume, client, keys_of, refused
from cloud import BUCKET, Cloud
from sandboxes import Sandbox, refusal, serving

KEY = "note.txt"


@pytest.fixture(scope="module")
def process(environment_of_the_tests, tmp_path_factory):
    with serving(tmp_path_factory) as cloud:
        yield cloud


@pytest.fixture
def sandbox(process):
    with Sandbox.create(process) as sandbox:
        yield sandbox


def test_a_sandbox_is_created_described_replaced_and_deleted(process):
    created = requests.post(f"{process.url}/_virga/sandboxes", json={"name": "gw0", "port": True, "expires": "PT2H"})
    assert created.status_code == 201
    answer = created.json()
    assert answer["url"] == f"http://gw0.sandbox.localhost:{process.port}" and answer["state"] == "open" and answer["from"] == "seed"
    assert (answer["accessKeyId"], answer["secretAccessKey"]) == ("test", "test") and "token" not in answer
    gw0 = Sandbox(process, answer)
    client(gw0, "s3").put_object(Bucket=BUCKET, Key=KEY, Body=b"first")
    listed = {sandbox["name"]: sandbox for sandbox in process.control("GET", "sandboxes")["sandboxes"]}
    assert list(listed)[0] == "default" and listed["gw0"] == process.control("GET", "sandboxes/gw0")
    assert listed["gw0"]["bytes"] > 0 and listed["gw0"]["used"] and listed["gw0"]["expires"] > listed["gw0"]["created"]
    replaced = requests.put(f"{process.url}/_virga/sandboxes/gw0", json={})
    assert replaced.status_code == 200 and replaced.json()["portURL"] == answer["portURL"]
    with refused("NoSuchKey", 404):
        client(gw0, "s3").get_object(Bucket=BUCKET, Key=KEY)
    assert requests.put(f"{process.url}/_virga/sandboxes/gw1", json={"from": "gw0"}).status_code == 201
    for name in ("gw0", "gw1"):
        assert process.control("DELETE", f"sandboxes/{name}") == {"status": "ok"}
    with pytest.raises(requests.ConnectionError):
        requests.get(gw0.url)


def test_a_body_may_be_left_out(process):
    created = requests.post(f"{process.url}/_virga/sandboxes")
    assert created.status_code == 201, created.text
    forked = requests.post(f"{process.url}/_virga/sandboxes/{created.json()['name']}/fork")
    assert forked.status_code == 201, forked.text
    for answer in (created, forked):
        process.control("DELETE", f"sandboxes/{answer.json()['name']}")


def test_names_are_made_from_a_prefix(process):
    with Sandbox(process, process.control("POST", "sandboxes", {"prefix": "ci"})) as sandbox:
        assert sandbox.name.startswith("ci-") and len(sandbox.name) == len("ci-") + 8


def test_a_sandbox_has_a_seed_of_its_own_or_nothing(process):
    seed = {"accounts": [{"id": "000000000000", "rootKeys": [{"id": "own", "secret": "key"}], "buckets": [{"name": "own-bucket"}]}]}
    for given in (seed, json.dumps(seed)):
        with Sandbox.create(process, **{"from": {"seed": given}}) as sandbox:
            keys = {"aws_access_key_id": "own", "aws_secret_access_key": "key"}
            assert sandbox.answer["accessKeyId"] == "own"
            sandbox.reset()
            assert [bucket["Name"] for bucket in client(sandbox, "s3", **keys).list_buckets()["Buckets"]] == ["own-bucket"]
    with Sandbox.create(process, **{"from": "nothing"}) as sandbox:
        assert "accessKeyId" not in sandbox.answer
        with refused("InvalidAccessKeyId", 403):
            client(sandbox, "s3").list_buckets()


def test_random_root_keys_replace_those_of_the_seed(process):
    with Sandbox.create(process, root="random") as sandbox:
        with refused("InvalidAccessKeyId", 403):
            client(sandbox, "s3").list_buckets()
        own = {"aws_access_key_id": sandbox.answer["accessKeyId"], "aws_secret_access_key": sandbox.answer["secretAccessKey"]}
        assert client(sandbox, "s3", **own).list_buckets()["Buckets"]
        with sandbox.fork() as fork:
            assert client(fork, "s3", **own).list_buckets()["Buckets"]


def put_seed(sandbox, _):
    sandbox.control("PUT", "seed", {"accounts": [{"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}]}]})


def restore(sandbox, process):
    process.control("POST", "sandboxes/default/snapshots", {"name": f"of-default-{sandbox.name}"})
    sandbox.restore(f"of-default-{sandbox.name}")


@pytest.mark.parametrize("change", [lambda sandbox, _: sandbox.reset(), put_seed, restore], ids=["reset", "seed", "restore"])
def test_random_root_keys_outlive_the_content(process, change):
    with Sandbox.create(process, root="random") as sandbox, sandbox.fork() as fork:
        own = {"aws_access_key_id": sandbox.answer["accessKeyId"], "aws_secret_access_key": sandbox.answer["secretAccessKey"]}
        for each in (sandbox, fork):
            change(each, process)
            with refused("InvalidAccessKeyId", 403):
                client(each, "s3").list_buckets()
            client(each, "s3", **own).list_buckets()


def test_random_root_keys_outlive_the_process(tmp_path):
    with Cloud.over(tmp_path) as cloud:
        sandbox = Sandbox.create(cloud, root="random")
    own = {"aws_access_key_id": sandbox.answer["accessKeyId"], "aws_secret_access_key": sandbox.answer["secretAccessKey"]}
    with Cloud.over(tmp_path) as cloud:
        sandbox.process_ = cloud
        for _ in range(2):
            client(sandbox, "s3", **own).list_buckets()
            sandbox.reset()
            with refused("InvalidAccessKeyId", 403):
                client(sandbox, "s3").list_buckets()


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a.b", "a_b", "a" * 41, "ä", "..", "a/b"])
def test_malformed_names_are_refused(process, sandbox, name):
    assert refusal(process, "POST", "sandboxes", {"name": name}) == (400, "invalid_name")
    assert refusal(process, "POST", f"sandboxes/{sandbox.name}/snapshots", {"name": name}) == (400, "invalid_name")


@pytest.mark.parametrize("name", ["default", "s3", "sts", "iam", "oss", "tvm", "www", "seed", "nothing"])
def test_names_with_a_meaning_are_refused(process, name):
    assert refusal(process, "POST", "sandboxes", {"name": name}) == (400, "reserved_name")


@pytest.mark.parametrize("method, path, body, status, error", [
    ("POST", "sandboxes", {"name": "taken"}, 409, "sandbox_exists"),
    ("POST", "sandboxes", {"from": "nowhere"}, 404, "unknown_origin"),
    ("POST", "sandboxes", {"from": ".seed"}, 404, "unknown_origin"),
    ("POST", "sandboxes", {"from": 1}, 400, "malformed_member"),
    ("POST", "sandboxes", {"from": {"seed": {"nonsense": 1}}}, 400, "invalid_seed"),
    ("POST", "sandboxes", {"from": {}}, 400, "malformed_member"),
    ("POST", "sandboxes", {"expires": "P400D"}, 400, "malformed_member"),
    ("POST", "sandboxes", {"expires": "soon"}, 400, "malformed_member"),
    ("POST", "sandboxes", {"root": "test"}, 400, "malformed_member"),
    ("POST", "sandboxes", {"port": 1}, 400, "malformed_member"),
    ("POST", "sandboxes", {"size": 1}, 400, "unknown_member"),
    ("PUT", "sandboxes/taken", {"name": "other"}, 400, "malformed_member"),
    ("PUT", "sandboxes/default", {}, 409, "default_sandbox"),
    ("DELETE", "sandboxes/default", None, 409, "default_sandbox"),
    ("DELETE", "sandboxes/nowhere", None, 404, "unknown_sandbox"),
    ("GET", "sandboxes/nowhere", None, 404, "unknown_sandbox"),
    ("POST", "sandboxes/nowhere/fork", {}, 404, "unknown_sandbox"),
    ("POST", "sandboxes/nowhere/snapshots", {"name": "x"}, 404, "unknown_sandbox"),
    ("POST", "sandboxes/nowhere/restore", {"snapshot": "x"}, 404, "unknown_sandbox"),
    ("POST", "sandboxes/taken/restore", {"snapshot": "nowhere"}, 404, "unknown_snapshot"),
    ("POST", "sandboxes/taken/restore", {"snapshot": ".seed"}, 404, "unknown_snapshot"),
    ("POST", "sandboxes/taken/restore", {}, 400, "malformed_member"),
    ("POST", "sandboxes/taken/snapshots", {}, 400, "malformed_member"),
    ("POST", "sandboxes/taken/fork", {"from": "seed"}, 400, "unknown_member"),
    ("GET", "snapshots/nowhere", None, 404, "unknown_snapshot"),
    ("GET", "snapshots/nowhere/file", None, 404, "unknown_snapshot"),
    ("DELETE", "snapshots/nowhere", None, 404, "unknown_snapshot"),
    ("DELETE", "snapshots/.seed", None, 404, "unknown_snapshot"),
    ("PATCH", "sandboxes/taken", {}, 405, "method_not_allowed"),
])
def test_refusals(process, method, path, body, status, error):
    with Sandbox.create(process, "taken"):
        assert refusal(process, method, path, body) == (status, error)


def test_a_snapshot_is_taken_once_replaced_on_demand_and_deleted(process, sandbox):
    name = sandbox.snapshot()
    assert refusal(process, "POST", f"sandboxes/{sandbox.name}/snapshots", {"name": name}) == (409, "snapshot_exists")
    sandbox.restore(name)
    sandbox.restore(name)
    client(sandbox, "s3").put_object(Bucket=BUCKET, Key=KEY, Body=b"second")
    sandbox.snapshot(name, replace=True)
    client(sandbox, "s3").delete_object(Bucket=BUCKET, Key=KEY)
    assert sandbox.restore(name)["restored"] == name
    assert client(sandbox, "s3").get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == b"second"
    described = process.control("GET", f"snapshots/{name}")
    assert described in process.control("GET", "snapshots")["snapshots"] and described["from"] == sandbox.name
    process.control("DELETE", f"snapshots/{name}")
    assert refusal(process, "POST", f"sandboxes/{sandbox.name}/restore", {"snapshot": name}) == (404, "unknown_snapshot")
    assert client(sandbox, "s3").get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == b"second"


def test_a_snapshot_carries_the_clock_and_neither_journal_nor_faults(process, sandbox):
    sandbox.control("POST", "clock", {"freeze": "2030-01-01T00:00:00Z"})
    snapshot = sandbox.snapshot()
    sandbox.control("POST", "clock", {"freeze": "2031-01-01T00:00:00Z"})
    sandbox.control("POST", "faults", {"service": "s3", "action": "GetObject", "error": "SlowDown"})
    sandbox.restore(snapshot)
    assert sandbox.control("GET", "clock")["now"].startswith("2030-01-01T00:00:00")
    assert sandbox.control("GET", "faults")["faults"] == []
    assert {entry["face"] for entry in sandbox.control("GET", "journal")["entries"]} == {"control"}
    process.control("DELETE", f"snapshots/{snapshot}")


def test_rules_for_errors_are_copied_on_demand(process, sandbox):
    def rules(cloud):
        return [(fault["action"], fault["met"]) for fault in cloud.control("GET", "faults")["faults"]]

    sandbox.control("POST", "faults", {"service": "s3", "action": "GetObject", "error": "SlowDown", "times": "always"})
    with refused("SlowDown", 503):
        client(sandbox, "s3").get_object(Bucket=BUCKET, Key=KEY)
    snapshot = sandbox.snapshot()
    order = {"with": ["faults"]}
    with sandbox.fork(**order) as fork, sandbox.fork() as plain, Sandbox.create(process, **{"from": sandbox.name}, **order) as copy:
        assert [len(rules(cloud)) for cloud in (fork, plain, copy)] == [1, 0, 1]
        with refused("SlowDown", 503):
            client(fork, "s3").get_object(Bucket=BUCKET, Key=KEY)
        assert rules(fork) != rules(sandbox) == rules(copy)
        process.control("POST", f"sandboxes/{fork.name}/restore", {"snapshot": snapshot} | order)
        process.control("PUT", f"sandboxes/{copy.name}", {"from": snapshot} | order)
        assert [len(rules(cloud)) for cloud in (fork, copy)] == [1, 1]
        fork.restore(snapshot)
        assert rules(fork) == []
    assert refusal(process, "POST", "sandboxes", {"name": "x", "from": snapshot} | order) == (400, "no_faults")
    assert refusal(process, "POST", f"sandboxes/{sandbox.name}/restore", {"snapshot": snapshot, "with": "faults"}) == (
        400, "malformed_member")
    process.control("DELETE", f"snapshots/{snapshot}")


def test_an_exported_snapshot_is_imported_elsewhere(process, sandbox):
    client(sandbox, "s3").put_object(Bucket=BUCKET, Key=KEY, Body=b"far")
    snapshot = sandbox.snapshot()
    keys = keys_of(assume(sandbox, "company", sandbox.token("company", "alice")))
    exported = requests.get(f"{process.url}/_virga/snapshots/{snapshot}/file")
    assert exported.headers["Content-Type"] == "application/vnd.sqlite3" and exported.content.startswith(b"SQLite format 3\0")
    with Cloud.ephemeral() as other:
        url = f"{other.url}/_virga/snapshots/far/file"
        assert requests.put(url, data=exported.content).status_code == 201
        assert requests.put(url, data=exported.content).json()["error"] == "snapshot_exists"
        with Sandbox.create(other, **{"from": "far"}) as copy:
            assert client(copy, "s3").get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == b"far"
            with refused("InvalidToken", 400):
                client(copy, "s3", **keys).list_buckets()
        foreign = sqlite3.connect(":memory:")
        foreign.execute("CREATE TABLE t (x)")
        for content in (b"nonsense", b"", foreign.serialize(), exported.content[:100_000]):
            answer = requests.put(f"{other.url}/_virga/snapshots/foreign/file", data=content)
            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_snapshot"), len(content)
        assert [found["name"] for found in other.control("GET", "snapshots")["snapshots"]] == ["far"]
        assert other.stop() == 0
    process.control("DELETE", f"snapshots/{snapshot}")


def test_a_slow_import_delays_no_other_call(process):
    """The client sends half of a file and waits for a sandbox to be made."""
    def pieces():
        yield b"SQLite format 3\0"
        with Sandbox.create(process):
            yield b"nonsense"

    answer = requests.put(f"{process.url}/_virga/snapshots/slow/file", data=pieces(), timeout=60)
    assert answer.json()["error"] == "invalid_snapshot"
