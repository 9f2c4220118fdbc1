"""Sandboxes under the flags that bound them, and what the data folder keeps."""

import json
import os
import random
import socket
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import botocore.exceptions
import pytest
import requests

from clients import anonymous, assume, client, keys_of, refused
from cloud import BUCKET, TIMEOUT_SECONDS, Cloud, free_port, run, wait_until
from destination import listening
from issuer import Issuer
from sandboxes import Sandbox
from test_sandboxes import refusal

KEY = "note.txt"
QUEUE = "arn:aws:sqs:us-east-1:000000000000:uploads"


def put(sandbox, body=b"x", key=KEY):
    client(sandbox, "s3").put_object(Bucket=BUCKET, Key=key, Body=body)


def got(sandbox, key=KEY):
    return client(sandbox, "s3").get_object(Bucket=BUCKET, Key=key)["Body"].read()


def states(process):
    return {found["name"]: found["state"] for found in process.control("GET", "sandboxes")["sandboxes"]}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def test_a_token_of_a_sandbox_opens_its_own_calls_alone():
    with Cloud.ephemeral("--control-token", "main") as process:
        made = [requests.post(f"{process.url}/_virga/sandboxes", json={"port": True}, headers=bearer("main")).json() for _ in range(2)]
        own, other = made

        def status(url, path, token):
            return requests.get(f"{url}/_virga/{path}", headers=bearer(token)).status_code

        assert own["token"] and own["token"] != other["token"]
        assert status(own["portURL"], "clock", own["token"]) == 200
        assert status(own["portURL"], "clock", other["token"]) == 401
        assert status(process.url, "clock", own["token"]) == 401
        for path in ("sandboxes", f"sandboxes/{own['name']}", "snapshots"):
            assert status(own["portURL"], path, own["token"]) == 401
            assert status(own["portURL"], path, "main") == 200
        assert status(own["portURL"], "clock", "main") == 200
        assert refusal(process, "POST", "sandboxes", {}) == (401, "token_missing")
        listed = requests.get(f"{process.url}/_virga/sandboxes", headers=bearer("main")).text
        assert own["token"] not in listed
        assert process.stop() == 0


def test_there_are_as_many_sandboxes_as_the_flag_says():
    with Cloud.ephemeral("--sandboxes", "1") as process:
        Sandbox.create(process, "a", port=False)
        assert refusal(process, "POST", "sandboxes", {"name": "b"}) == (429, "too_many_sandboxes")
        assert refusal(process, "POST", "sandboxes/a/fork", {"name": "b"}) == (429, "too_many_sandboxes")
        process.control("PUT", "sandboxes/a", {})
        process.control("DELETE", "sandboxes/a")
        Sandbox.create(process, "b", port=False)
        assert process.stop() == 0


def test_ports_come_from_the_range_and_return_to_it():
    first = free_port()
    with Cloud.ephemeral("--sandbox-ports", f"{first}-{first}") as process:
        with Sandbox.create(process) as sandbox:
            assert sandbox.url == f"http://127.0.0.1:{first}"
            assert refusal(process, "POST", "sandboxes", {"name": "b", "port": True}) == (409, "no_port_left")
            assert refusal(process, "GET", "sandboxes/b") == (404, "unknown_sandbox")
        with Sandbox.create(process) as sandbox:
            assert sandbox.url == f"http://127.0.0.1:{first}"
        assert process.stop() == 0


def test_a_sandbox_without_a_port_for_tls_gets_none_at_all():
    first = free_port()
    with Cloud.ephemeral("--tls-port", "0", "--sandbox-ports", f"{first}-{first}", listeners=2) as process:
        assert refusal(process, "POST", "sandboxes", {"name": "b", "port": True}) == (409, "no_port_left")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", first))
        assert process.stop() == 0


def test_a_sandbox_expires():
    with Cloud.ephemeral("--sandbox-idle", "PT4S") as process:
        Sandbox.create(process, "short", expires="PT1S")
        Sandbox.create(process, "long", expires="PT1H")
        wait_until(lambda: "short" not in states(process))
        assert "long" in states(process)
        assert process.stop() == 0


def at(process, name, path="/_virga/clock"):
    return requests.get(process.url + path, headers={"Host": f"{name}.sandbox.localhost:{process.port}"})


def test_a_name_that_a_request_uses_creates_the_sandbox_where_a_flag_says_so():
    with Cloud.ephemeral("--sandboxes-on-demand", "base", "--sandboxes", "3") as process:
        assert (at(process, "early").status_code, at(process, "early").json()["error"]) == (404, "unknown_origin")
        with Sandbox.create(process, "template", port=False) as template:
            requests.post(f"{process.url}/_virga/clock", json={"freeze": "2030-01-01T00:00:00Z"}, headers={"x-virga-sandbox": "template"})
            template.snapshot("base")
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda number: at(process, f"w{number % 2}"), range(40)))
        assert {answer.json()["now"][:4] for answer in answers} == {"2030"}
        assert list(states(process)) == ["default", "w0", "w1"]
        assert at(process, "w2").status_code == 200
        assert (at(process, "w3").status_code, at(process, "w3").json()["error"]) == (429, "too_many_sandboxes")
        assert (at(process, "w_4").status_code, at(process, "w_4").json()["error"]) == (400, "invalid_name")
        assert (at(process, "s3").status_code, at(process, "s3").json()["error"]) == (400, "reserved_name")
        assert process.stop() == 0


def test_a_snapshot_of_a_sandbox_that_is_deleted_meanwhile_does_not_block_the_process():
    with Cloud.ephemeral("--sandboxes-on-demand", "seed") as process:
        for _ in range(10):
            Sandbox.create(process, "a", port=False)
            with ThreadPoolExecutor(2) as pool:
                taken = pool.submit(requests.post, f"{process.url}/_virga/sandboxes/a/snapshots", json={"name": "x", "replace": True})
                gone = pool.submit(requests.delete, f"{process.url}/_virga/sandboxes/a")
                assert gone.result().status_code == 200 and taken.result().status_code in (201, 404)
        assert process.stop() == 0


def test_the_least_recently_used_sandbox_is_closed_and_opened_by_its_next_request():
    with Cloud.ephemeral("--sandboxes-open", "2") as process:
        sandboxes = [Sandbox.create(process) for _ in range(4)]
        assert list(states(process).values()).count("open") == 3
        for round in range(2):
            for sandbox in sandboxes:
                put(sandbox, sandbox.name.encode(), f"{KEY}{round}")
        for sandbox in sandboxes:
            assert {got(sandbox, f"{KEY}{round}") for round in range(2)} == {sandbox.name.encode()}
        assert list(states(process).values()).count("open") == 3
        snapshot = sandboxes[0].snapshot()
        for sandbox in sandboxes:
            sandbox.restore(snapshot)
        assert list(states(process).values()).count("open") == 3
        assert {got(sandbox, f"{KEY}0") for sandbox in sandboxes} == {sandboxes[0].name.encode()}
        assert process.stop() == 0


def test_an_idle_sandbox_is_closed_and_keeps_what_it_issued():
    with Cloud.ephemeral("--sandbox-idle", "PT1S") as process:
        sandbox = Sandbox.create(process)
        keys = keys_of(assume(sandbox, "company", sandbox.token("company", "alice")))
        sandbox.control("POST", "clock", {"age": "PT1M"})
        body = os.urandom(8 << 20)
        put(sandbox, body)
        url = client(sandbox, "s3").generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": KEY})
        with requests.get(url, stream=True) as streamed:
            begin = streamed.raw.read(1000)
            wait_until(lambda: states(process)[sandbox.name] == "evicted")
            assert begin + streamed.raw.read() == body
        client(sandbox, "s3", **keys).put_object(Bucket=BUCKET, Key="employee-0001-alice/x", Body=b"x")
        assert len(sandbox.control("GET", "clock")["ages"]) == 1
        assert states(process)[sandbox.name] == "open"
        assert process.stop() == 0


def test_a_sandbox_that_is_closed_during_a_request_goes_on_to_deliver_events():
    """The request takes the sandbox back, with the events that it causes."""
    with listening() as (url, received), Cloud.ephemeral("--sandboxes-open", "1", "--event-target", f"{QUEUE}={url}/queue") as process:
        sandbox = Sandbox.create(process)
        s3 = client(sandbox, "s3")
        s3.put_bucket_notification_configuration(Bucket=BUCKET, NotificationConfiguration={
            "QueueConfigurations": [{"Id": "q", "QueueArn": QUEUE, "Events": ["s3:ObjectCreated:*"]}]})
        received.get(timeout=TIMEOUT_SECONDS)
        upload = s3.generate_presigned_url("put_object", Params={"Bucket": BUCKET, "Key": KEY})

        def body():
            yield b"first"
            Sandbox.create(process)
            assert states(process)[sandbox.name] == "evicted"
            s3.put_object(Bucket=BUCKET, Key="between", Body=b"x")
            assert states(process)[sandbox.name] == "open"
            yield b"second"

        class Sized:
            """A body that is sent in pieces, with its length."""
            def __init__(self):
                self.pieces = body()

            def __iter__(self):
                return self.pieces

            def __len__(self):
                return len(b"firstsecond")

        assert requests.put(upload, data=Sized()).status_code == 200
        events = [received.get(timeout=TIMEOUT_SECONDS)[2]["Records"][0]["s3"]["object"]["key"] for _ in range(2)]
        assert events == ["between", KEY]
        assert process.stop() == 0


def test_a_full_sandbox_refuses_writes_and_goes_on():
    with Cloud.ephemeral("--sandbox-size", "4M") as process:
        sandbox, other = Sandbox.create(process), Sandbox.create(process)
        put(sandbox, os.urandom(1 << 20), "small")
        with refused("QuotaExceeded", 403):
            put(sandbox, os.urandom(8 << 20))
        with refused("NoSuchKey", 404):
            got(sandbox)
        assert len(got(sandbox, "small")) == 1 << 20
        client(sandbox, "s3").delete_object(Bucket=BUCKET, Key="small")
        put(sandbox, b"fits")
        put(other, os.urandom(1 << 20))
        assert process.stop() == 0


def test_a_restored_default_sandbox_keeps_its_own_limits():
    with Cloud.ephemeral("--sandbox-size", "4M") as process:
        process.control("POST", "sandboxes/default/snapshots", {"name": "base"})
        for _ in range(3):
            process.control("POST", "sandboxes/default/restore", {"snapshot": "base"})
            put(process, os.urandom(8 << 20))
        with Sandbox.create(process, **{"from": "base"}) as sandbox, refused("QuotaExceeded", 403):
            put(sandbox, os.urandom(8 << 20))
        assert process.stop() == 0


def test_no_requests_leave_the_process_where_a_flag_says_so():
    for arguments in ([], ["--no-outbound"]):
        with Issuer() as issuer, Cloud.ephemeral("--issuers-over-http", *arguments) as process:
            sandbox = Sandbox.create(process)
            client(sandbox, "iam").create_open_id_connect_provider(Url=issuer.url, ClientIDList=["web"])
            with pytest.raises(botocore.exceptions.ClientError) as raised:
                anonymous(sandbox, "sts").assume_role_with_web_identity(
                    RoleArn="arn:aws:iam::000000000000:role/nowhere-0000", RoleSessionName="session", WebIdentityToken=issuer.token())
            if arguments:
                assert issuer.asked == [] and raised.value.response["Error"]["Code"] == "IDPCommunicationError"
            else:
                assert issuer.asked
            assert process.stop() == 0


# The data folder.


def entries(folder, name):
    return set(os.listdir(folder / name)) if (folder / name).exists() else set()


def test_a_restart_keeps_sandboxes_and_snapshots(tmp_path):
    seed = {"accounts": [{"id": "000000000000", "rootKeys": [{"id": "own", "secret": "key"}], "buckets": [{"name": "own-bucket"}]}]}
    own = {"aws_access_key_id": "own", "aws_secret_access_key": "key"}
    with Cloud.over(tmp_path) as process:
        put(process, b"default, then")
        put(Sandbox.create(process, "a", expires="PT2H"), b"a")
        Sandbox.create(process, "b", **{"from": {"seed": seed}}, port=False)
        requests.post(f"{process.url}/_virga/sandboxes/default/snapshots", json={"name": "base"}).raise_for_status()
        put(process, b"default, now")
        Sandbox.create(process, "c", **{"from": "base"}, port=False)
        described = process.control("GET", "sandboxes")["sandboxes"]
        assert process.stop() == 0
    for made in ("worlds/999", "snapshots/.draft-1", "snapshots/incomplete"):
        (tmp_path / made).mkdir()
        (tmp_path / made / "virga.sqlite").write_bytes(b"nonsense")
    (tmp_path / "worlds/999/virga.sqlite-unowned").touch()
    with Cloud.over(tmp_path) as process:
        again = process.control("GET", "sandboxes")["sandboxes"]
        for before, after in zip(described, again, strict=True):
            for member in ("name", "from", "created", "expires") if before["name"] != "default" else ("name",):
                assert before[member] == after[member]
        a = next(found for found in again if found["name"] == "a")
        assert a["portURL"] == next(found for found in described if found["name"] == "a")["portURL"]
        # A killed process leaves no visible snapshot without a description, so that one is not its own.
        assert entries(tmp_path, "snapshots") == {"base", "incomplete"} and len(entries(tmp_path, "worlds")) == 3
        assert got(process) == b"default, now"
        assert got(Sandbox(process, a)) == b"a"
        for name in ("b", "c"):
            requests.post(f"{process.url}/_virga/reset", headers={"x-virga-sandbox": name}).raise_for_status()
        listed = client(process, "s3", **own)
        listed.meta.events.register("before-sign.s3", lambda request, **_: request.headers.add_header("x-virga-sandbox", "b"))
        assert [bucket["Name"] for bucket in listed.list_buckets()["Buckets"]] == ["own-bucket"]
        process.control("POST", "sandboxes/default/restore", {"snapshot": "base"})
        assert got(process) == b"default, then"
        put(process, b"default, later")
        assert process.stop() == 0
    with Cloud.over(tmp_path) as process:
        assert got(process) == b"default, later"
        assert len(entries(tmp_path, "worlds")) == 4
        process.control("DELETE", "sandboxes/a")
        assert process.stop() == 0
    assert len(entries(tmp_path, "worlds")) == 3 and entries(tmp_path, "sandboxes") == {"b.json", "c.json", "default.json"}


def buckets(process, name):
    listing = client(process, "s3", aws_access_key_id="own", aws_secret_access_key="key")
    listing.meta.events.register("before-sign.s3", lambda request, **_: request.headers.add_header("x-virga-sandbox", name))
    return [bucket["Name"] for bucket in listing.list_buckets()["Buckets"]]


def test_a_seed_that_was_loaded_is_applied_by_resets_after_a_restart(tmp_path):
    names = ["default", "a", "fork"]
    with Cloud.over(tmp_path, "--sandboxes-open", "1") as process:
        Sandbox.create(process, "a", port=False)
        for name in names[:2]:
            seed = {"accounts": [{
                "id": "000000000000", "rootKeys": [{"id": "own", "secret": "key"}], "buckets": [{"name": f"bucket-of-{name}"}]}]}
            requests.put(f"{process.url}/_virga/seed", json=seed, headers={"x-virga-sandbox": name}).raise_for_status()
        process.control("POST", "sandboxes/a/fork", {"name": "fork"})
        assert process.stop() == 0
    with Cloud.over(tmp_path) as process:
        for name in names:
            requests.post(f"{process.url}/_virga/reset", headers={"x-virga-sandbox": name}).raise_for_status()
        assert [buckets(process, name) for name in names] == [["bucket-of-default"], ["bucket-of-a"], ["bucket-of-a"]]
        assert "other seeds" not in process.logged()
        assert process.stop() == 0


def test_restored_and_deleted_sandboxes_leave_no_files(tmp_path):
    with Cloud.over(tmp_path, "--sandbox-idle", "PT1S") as process:
        sandbox = Sandbox.create(process)
        snapshot = sandbox.snapshot()
        wait_until(lambda: states(process)[sandbox.name] == "evicted")
        sandbox.restore(snapshot)
        # The one that is open, at most two in stock, and the seed's two.
        wait_until(lambda: len(entries(tmp_path, "worlds")) <= 1)
        sandbox.delete()
        wait_until(lambda: not entries(tmp_path, "worlds"))
        assert process.stop() == 0


def test_a_second_process_does_not_use_the_same_folder(tmp_path):
    with Cloud.over(tmp_path) as process:
        sandbox = Sandbox.create(process)
        second = run("serve", "--port", "0", "--data", tmp_path)
        assert second.returncode != 0 and "is in use by another process" in second.stderr
        put(sandbox)
        assert process.stop() == 0


def busy(process, number):
    """Forks, replaces snapshots, restores and writes until the process is gone."""
    choice = random.Random(number)
    with suppress(requests.RequestException, botocore.exceptions.BotoCoreError):
        for count in range(1_000_000):
            name, path = f"w{number}-{count % 3}", choice.choice(["fork", "fork", "snapshot", "restore", "write", "delete"])
            if path == "fork":
                requests.put(f"{process.url}/_virga/sandboxes/{name}", json={"from": choice.choice(["base", "template"])})
            elif path == "snapshot":
                requests.post(f"{process.url}/_virga/sandboxes/template/snapshots", json={"name": f"snap{number}", "replace": True})
            elif path == "restore":
                requests.post(f"{process.url}/_virga/sandboxes/{name}/restore", json={"snapshot": choice.choice(["base", f"snap{number}"])})
            elif path == "delete":
                requests.delete(f"{process.url}/_virga/sandboxes/{name}")
            else:
                with suppress(botocore.exceptions.ClientError):
                    client(process, "s3").put_object(Bucket=BUCKET, Key=f"{number}/{count}", Body=os.urandom(100_000))


def is_sound(file):
    with closing(sqlite3.connect(file)) as database:
        return database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_kill_amid_forks_and_restores_leaves_no_half_sandbox(tmp_path):
    with Cloud.over(tmp_path) as process:
        template = Sandbox.create(process, "template", port=False)
        for number in range(4):
            requests.put(
                client(process, "s3").generate_presigned_url("put_object", Params={"Bucket": BUCKET, "Key": "mark"}), data=b"mark",
                headers={"x-virga-sandbox": "template"}).raise_for_status()
            template.snapshot(f"snap{number}")
        template.snapshot("base")
        assert process.stop() == 0
    for round in range(10):
        with Cloud.over(tmp_path) as process:
            workers = [threading.Thread(target=busy, args=(process, number)) for number in range(4)]
            for worker in workers:
                worker.start()
            # Kills after some operations, at no particular one of them.
            wait_until(lambda: any(entry["number"] > 60 + 13 * round for entry in process.control("GET", "journal")["entries"]))
            process.kill()
            for worker in workers:
                worker.join()
        with Cloud.over(tmp_path) as process:
            names = states(process)
            assert not [name for folder in ("worlds", "snapshots") for name in entries(tmp_path, folder) if name.startswith(".")]
            assert len(entries(tmp_path, "worlds")) == len(names) - 1
            snapshots = {found["name"] for found in process.control("GET", "snapshots")["snapshots"]}
            assert snapshots == {"base", "snap0", "snap1", "snap2", "snap3"}
            for name in names:
                url = client(process, "s3").generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "mark"})
                assert requests.get(url, headers={"x-virga-sandbox": name}).status_code == (404 if name == "default" else 200), name
            for name in snapshots:
                Sandbox.create(process, "probe", **{"from": name}, port=False).delete()
            assert process.stop() == 0
        for file in tmp_path.glob("**/virga.sqlite"):
            assert is_sound(file), file
