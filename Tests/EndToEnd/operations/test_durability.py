"""Acknowledged writes survive a `kill -9`, and no incomplete write is ever visible."""

import hashlib
import io
import itertools
import json
import os
import random
import socket
import sqlite3
import threading
from contextlib import closing

import botocore.exceptions
import pytest
import requests
from boto3.s3.transfer import TransferConfig
from botocore.awsrequest import AWSRequest
from botocore.config import Config

from clients import assume, client, keys_of, refused, sign
from cloud import BUCKET as FILES
from cloud import TIMEOUT_SECONDS, Cloud

ROUNDS = 20
WRITERS = 6
BUCKET = "written"
POLICY = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{FILES}/public/*"}]}, separators=(",", ":"))
MIB = 1 << 20
IN_PARTS = TransferConfig(multipart_threshold=8 * MIB, multipart_chunksize=5 * MIB, max_concurrency=2)


class Ledger:
    """The state that the writers know: for each key the digest that was acknowledged last, and the one in progress."""

    def __init__(self):
        self.acknowledged = {}
        self.pending = {}
        self.count = 0
        self.changed = threading.Condition()

    def begin(self, key, digest):
        with self.changed:
            self.pending[key] = digest

    def end(self, key):
        with self.changed:
            self.acknowledged[key] = self.pending.pop(key)
            self.count += 1
            self.changed.notify_all()

    def wait_for(self, count, writers):
        """Waits for a number of acknowledgements, or until all writers have ended."""
        with self.changed:
            while self.count < count and any(writer.is_alive() for writer in writers):
                self.changed.wait(1)

    def allowed(self, key):
        """The digests that a reader may see; None means no object."""
        return {self.acknowledged.get(key)} | ({self.pending[key]} if key in self.pending else set())

    def settle(self, key, digest):
        """Records what a reader saw, which later rounds must see as well."""
        self.pending.pop(key, None)
        if digest is not None:
            self.acknowledged[key] = digest


class Writer(threading.Thread):
    """Puts new random bodies, sometimes over its own older keys, until the connection breaks."""

    def __init__(self, cloud, ledger, name):
        super().__init__(daemon=True)
        self.s3 = client(cloud, "s3", config=Config(max_pool_connections=4))
        self.ledger, self.prefix = ledger, name
        self.unexpected = None

    def run(self):
        choice = random.Random(self.prefix)
        keys = []
        try:
            for number in itertools.count():
                key = choice.choice(keys) if keys and choice.random() < 0.2 else f"{self.prefix}/{number}"
                keys.append(key)
                self.put(key, os.urandom(self.size(choice)))
        except botocore.exceptions.ClientError as error:
            # A killed server may break a connection, but must not return an error.
            self.unexpected = error
        except (botocore.exceptions.HTTPClientError, botocore.exceptions.BotoCoreError, OSError):
            pass
        except Exception as error:  # noqa: BLE001, transfers wrap connection errors in errors of their own
            if "ConnectionClosed" not in repr(error) and "Connect" not in repr(error):
                self.unexpected = error

    def size(self, choice):
        return 12 * MIB if choice.random() < 0.02 else int(1024 * 1024 ** choice.random())

    def put(self, key, body):
        self.ledger.begin(key, hashlib.md5(body).hexdigest())
        if len(body) > 8 * MIB:
            self.s3.upload_fileobj(io.BytesIO(body), BUCKET, key, Config=IN_PARTS)
        else:
            self.s3.put_object(Bucket=BUCKET, Key=key, Body=body)
        self.ledger.end(key)


def check(cloud, ledger, keys):
    """Reads every key, whose content must be acknowledged, complete, and match its entity tag."""
    s3 = client(cloud, "s3")
    listed = {
        entry["Key"]: entry for page in s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
        for entry in page.get("Contents", [])}
    assert set(listed) <= set(ledger.acknowledged) | set(ledger.pending), "an object that nobody wrote"
    for key in keys:
        digest = None
        if key in listed:
            got = s3.get_object(Bucket=BUCKET, Key=key)
            body = got["Body"].read()
            digest = hashlib.md5(body).hexdigest()
            assert len(body) == got["ContentLength"] == listed[key]["Size"], key
            assert got["ETag"] == listed[key]["ETag"]
            if "-" not in got["ETag"]:
                assert got["ETag"] == f'"{digest}"', key
        assert digest in ledger.allowed(key), f"{key}: read {digest}, expected one of {ledger.allowed(key)}"
        ledger.settle(key, digest)


def test_acknowledged_writes_survive_twenty_kills(tmp_path):
    ledger = Ledger()
    kills = random.Random(20)
    with Cloud.over(tmp_path) as cloud:
        client(cloud, "s3").create_bucket(Bucket=BUCKET)
        cloud.kill()
    for round_number in range(ROUNDS):
        with Cloud.over(tmp_path) as cloud:
            assert client(cloud, "s3").head_bucket(Bucket=BUCKET)
            before = ledger.count
            writers = [Writer(cloud, ledger, f"{round_number}/{number}") for number in range(WRITERS)]
            for writer in writers:
                writer.start()
            ledger.wait_for(before + kills.randint(30, 150), writers)
            assert ledger.count > before, "nothing was written"
            cloud.kill()
            for writer in writers:
                writer.join()
                assert writer.unexpected is None, writer.unexpected
        with Cloud.over(tmp_path) as cloud:
            check(cloud, ledger, [
                key for key in set(ledger.acknowledged) | set(ledger.pending) if key.startswith(f"{round_number}/")])
            cloud.kill()
    with Cloud.over(tmp_path) as cloud:
        check(cloud, ledger, set(ledger.acknowledged))
        assert cloud.stop() == 0
    with closing(sqlite3.connect(tmp_path / "virga.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    for file in tmp_path.iterdir():
        file.unlink()


def hold(cloud):
    """Creates one of everything that a cloud issues or stores."""
    issued = {provider: cloud.issue(provider, "alice") for provider in ["company", "google", "facebook", "amazon"]}
    answer = assume(cloud, "company", issued["company"]["token"])
    subject = answer["SubjectFromWebIdentityToken"]
    session = client(cloud, "s3", **keys_of(answer))
    session.put_object(Bucket=FILES, Key=f"{subject}/x", Body=b"kept")
    root = client(cloud, "s3")
    # New buckets refuse public policies.
    root.delete_public_access_block(Bucket=FILES)
    root.put_bucket_policy(Bucket=FILES, Policy=POLICY)
    upload = {"Bucket": FILES, "Key": "film"}
    upload["UploadId"] = root.create_multipart_upload(**upload)["UploadId"]
    tag = root.upload_part(**upload, PartNumber=1, Body=b"the end")["ETag"]
    return {"issued": issued, "keys": keys_of(answer), "key": f"{subject}/x", "upload": upload, "tag": tag}


def check_held(cloud, held):
    for provider, issued in held["issued"].items():
        assert assume(cloud, provider, issued["token"])["SubjectFromWebIdentityToken"] == issued["subject"]
    assert client(cloud, "s3", **held["keys"]).get_object(Bucket=FILES, Key=held["key"])["Body"].read() == b"kept"
    root = client(cloud, "s3")
    assert json.loads(root.get_bucket_policy(Bucket=FILES)["Policy"]) == json.loads(POLICY)
    parts = {"Parts": [{"PartNumber": 1, "ETag": held["tag"]}]}
    root.complete_multipart_upload(**held["upload"], MultipartUpload=parts)
    assert root.get_object(Bucket=FILES, Key="film")["Body"].read() == b"the end"


@pytest.mark.parametrize("end", [Cloud.stop, Cloud.kill], ids=["stopped", "killed"])
def test_what_was_issued_before_a_restart_is_good_afterwards(tmp_path, end):
    with Cloud.over(tmp_path) as cloud:
        held = hold(cloud)
        keys = requests.get(f"{cloud.url}/idp/company/jwks").content
        end(cloud)
    with Cloud.over(tmp_path) as cloud:
        assert requests.get(f"{cloud.url}/idp/company/jwks").content == keys
        check_held(cloud, held)


@pytest.mark.parametrize("end", [Cloud.stop, Cloud.kill], ids=["stopped", "killed"])
def test_a_clock_stays_aged_after_a_restart(tmp_path, end):
    with Cloud.over(tmp_path) as cloud:
        held = hold(cloud)
        cloud.age("PT1H10M")
        end(cloud)
    with Cloud.over(tmp_path) as cloud:
        with refused("ExpiredToken", 400):
            client(cloud, "s3", **held["keys"]).list_buckets()
        with refused("ExpiredTokenException", 400):
            assume(cloud, "company", held["issued"]["company"]["token"])
        with refused("IDPRejectedClaim", 403):
            assume(cloud, "amazon", held["issued"]["amazon"]["token"])
        assert assume(cloud, "company", cloud.token("company", "alice"))["Credentials"]


def test_a_reset_is_kept_as_well(tmp_path):
    with Cloud.over(tmp_path) as cloud:
        held = hold(cloud)
        cloud.reset()
        cloud.kill()
    with Cloud.over(tmp_path) as cloud:
        with refused("InvalidToken", 400):
            client(cloud, "s3", **held["keys"]).list_buckets()
        with refused("NoSuchUpload", 404):
            client(cloud, "s3").list_parts(**held["upload"])


def unfinished(cloud, path, sent, length):
    """A PUT whose client stops after a number of bytes. Returns when the server has received nearly all of them."""
    request = AWSRequest(method="PUT", url=cloud.url + path, data=b"", headers={"X-Amz-Content-SHA256": "UNSIGNED-PAYLOAD"})
    sign(request)
    fields = {"Host": f"127.0.0.1:{cloud.port}", "Content-Length": str(length), **dict(request.headers)}
    connection = socket.create_connection(("127.0.0.1", cloud.port), timeout=TIMEOUT_SECONDS)
    # Limits the bytes that wait in the kernel, which would not reach the server.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MIB)
    connection.sendall(
        f"PUT {path} HTTP/1.1\r\n".encode() + "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()
        + b"\r\n")
    for _ in range(sent // MIB):
        connection.sendall(os.urandom(MIB))
    return connection


def occupied(folder):
    return sum(file.stat().st_size for file in folder.iterdir())


def kill_unfinished(cloud, connections):
    cloud.kill()
    for connection in connections:
        connection.close()


def break_off(cloud, connections):
    for connection in connections:
        connection.close()
    assert cloud.stop() == 0


@pytest.mark.parametrize("end", [kill_unfinished, break_off], ids=["killed", "broken off"])
def test_what_was_never_finished_is_never_seen_and_its_space_is_used_again(tmp_path, end):
    occupied_after = []
    with Cloud.over(tmp_path) as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket=BUCKET)
        s3.put_object(Bucket=BUCKET, Key="overwritten", Body=b"before")
        assert cloud.stop() == 0
    for _ in range(4):
        with Cloud.over(tmp_path) as cloud:
            s3 = client(cloud, "s3")
            upload = {"Bucket": BUCKET, "Key": "film"}
            upload["UploadId"] = s3.create_multipart_upload(**upload)["UploadId"]
            tag = s3.upload_part(**upload, PartNumber=1, Body=bytes(5 * MIB))["ETag"]
            part = f"/{BUCKET}/film?partNumber=2&uploadId={upload['UploadId']}"
            connections = [
                unfinished(cloud, f"/{BUCKET}/new", 24 * MIB, 30 * MIB),
                unfinished(cloud, f"/{BUCKET}/overwritten", 12 * MIB, 16 * MIB),
                unfinished(cloud, part, 12 * MIB, 16 * MIB)]
            assert occupied(tmp_path) > 40 * MIB, "the bodies were not written yet: this would prove nothing"
            assert [entry["Key"] for entry in s3.list_objects_v2(Bucket=BUCKET)["Contents"]] == ["overwritten"]
            end(cloud, connections)
        with Cloud.over(tmp_path) as cloud:
            s3 = client(cloud, "s3")
            assert [entry["Key"] for entry in s3.list_objects_v2(Bucket=BUCKET)["Contents"]] == ["overwritten"]
            assert s3.get_object(Bucket=BUCKET, Key="overwritten")["Body"].read() == b"before"
            with refused("NoSuchKey", 404):
                s3.get_object(Bucket=BUCKET, Key="new")
            assert [(part["PartNumber"], part["ETag"]) for part in s3.list_parts(**upload)["Parts"]] == [(1, tag)]
            s3.abort_multipart_upload(**upload)
            assert cloud.stop() == 0
        occupied_after.append(occupied(tmp_path))
    # The size of a round's writes. The first round may have ended before all of it was written, so it is not a good measure.
    one_round = (5 + 24 + 12 + 12) * MIB
    assert max(occupied_after) <= one_round + 4 * MIB, occupied_after


def test_a_cloud_that_is_overwritten_again_and_again_does_not_grow(tmp_path):
    occupied_after = []
    with Cloud.over(tmp_path) as cloud:
        client(cloud, "s3").create_bucket(Bucket=BUCKET)
        cloud.kill()
    for _ in range(4):
        with Cloud.over(tmp_path) as cloud:
            s3 = client(cloud, "s3")
            for number in range(4):
                s3.upload_fileobj(io.BytesIO(os.urandom(12 * MIB)), BUCKET, f"{number}", Config=IN_PARTS)
            cloud.kill()
        with Cloud.over(tmp_path) as cloud:
            assert cloud.stop() == 0
        occupied_after.append(occupied(tmp_path))
    # An overwrite needs the space of the new content before it frees that of the old.
    assert max(occupied_after[1:]) <= occupied_after[0] + 24 * MIB, occupied_after


def test_an_ephemeral_cloud_leaves_nothing_behind(tmp_path):
    with Cloud.ephemeral(TMPDIR=str(tmp_path)) as cloud:
        client(cloud, "s3").put_object(Bucket="personal-files", Key="x", Body=bytes(1_000_000))
        assert cloud.stop() == 0
    assert list(tmp_path.iterdir()) == []
