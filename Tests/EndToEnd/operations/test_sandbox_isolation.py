"""Many test workers against one process, a sandbox each, which they restore before every test."""

import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from clients import assume, client, keys_of
from cloud import BUCKET, Cloud
from sandboxes import Sandbox

WORKERS, TESTS = 16, 12
FOLDER = "employee-0001-alice"


@pytest.fixture(scope="module")
def process(environment_of_the_tests):
    with Cloud.ephemeral() as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def run_of_a_worker(process, number):
    sandbox = Sandbox.create(process, f"w{number}", **{"from": "base"})
    for count in range(TESTS):
        sandbox.restore("base")
        text = f"{number}/{count}".encode()
        s3 = client(sandbox, "s3", **keys_of(assume(sandbox, "company", sandbox.token("company", "alice"))))
        before = s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{FOLDER}/")["Contents"]
        s3.put_object(Bucket=BUCKET, Key=f"{FOLDER}/{number}-{count}", Body=text * 1000)
        s3.put_object(Bucket=BUCKET, Key=f"{FOLDER}/same", Body=text)
        assert s3.get_object(Bucket=BUCKET, Key=f"{FOLDER}/same")["Body"].read() == text
        assert s3.get_object(Bucket=BUCKET, Key=f"{FOLDER}/{number}-{count}")["Body"].read() == text * 1000
        listed = s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{FOLDER}/")["Contents"]
        assert {found["Key"] for found in listed} == {found["Key"] for found in before} | {f"{FOLDER}/same", f"{FOLDER}/{number}-{count}"}
        assert {found["Key"] for found in before} == {f"{FOLDER}/template"}
        callers = {entry["caller"] for entry in sandbox.control("GET", "journal")["entries"] if entry.get("caller")}
        assert callers == {
            "arn:aws:iam::000000000000:oidc-provider/login.company.example:employee-0001-alice",
            "arn:aws:sts::000000000000:assumed-role/personal-files-company/tester"}
    return number


def test_no_worker_sees_anything_of_another(process):
    with Sandbox.create(process, "template") as template:
        client(template, "s3").put_object(Bucket=BUCKET, Key=f"{FOLDER}/template", Body=b"x")
        hello = client(template, "s3").list_objects_v2(Bucket=BUCKET, Prefix=f"{FOLDER}/").get("Contents", [])
        for found in hello:
            if found["Key"] != f"{FOLDER}/template":
                client(template, "s3").delete_object(Bucket=BUCKET, Key=found["Key"])
        template.snapshot("base")
    with ThreadPoolExecutor(WORKERS) as pool:
        assert list(pool.map(lambda number: run_of_a_worker(process, number), range(WORKERS))) == list(range(WORKERS))
    for number in range(WORKERS):
        process.control("DELETE", f"sandboxes/w{number}")


@pytest.mark.parametrize("name", ["default", "a"])
def test_a_restore_ends_no_download(name):
    """The default sandbox's first restore is special: its files are not in a folder of their own."""
    with Cloud.ephemeral() as process:
        sandbox = process if name == "default" else Sandbox.create(process, name)
        body = os.urandom(48 << 20)
        s3 = client(sandbox, "s3")
        process.control("POST", f"sandboxes/{name}/snapshots", {"name": "base"})
        s3.put_object(Bucket=BUCKET, Key="film", Body=body)
        url = s3.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "film"})
        streams = [requests.get(url, stream=True) for _ in range(12)]
        begins = [stream.raw.read(1000) for stream in streams]
        for _ in range(3):
            process.control("POST", f"sandboxes/{name}/restore", {"snapshot": "base"})
        assert requests.get(url).status_code == 404
        with ThreadPoolExecutor(12) as pool:
            digests = pool.map(lambda pair: hashlib.sha256(pair[0] + pair[1].raw.read()).digest(), zip(begins, streams))
            assert set(digests) == {hashlib.sha256(body).digest()}
        assert process.stop() == 0


@pytest.mark.parametrize("name", ["default", "a"])
def test_no_answer_is_lost_while_a_sandbox_is_restored(name):
    with Cloud.ephemeral() as process:
        sandbox = process if name == "default" else Sandbox.create(process, name)
        client(sandbox, "s3").put_object(Bucket=BUCKET, Key="note", Body=b"note" * 20_000)
        process.control("POST", f"sandboxes/{name}/snapshots", {"name": "base"})
        ended = threading.Event()

        def visit(number):
            s3, count = client(sandbox, "s3"), 0
            while not ended.is_set():
                assert s3.get_object(Bucket=BUCKET, Key="note")["Body"].read() == b"note" * 20_000
                s3.put_object(Bucket=BUCKET, Key=f"n{number}", Body=b"x")
                assert "note" in {found["Key"] for found in s3.list_objects_v2(Bucket=BUCKET)["Contents"]}
                count += 1
            return count

        with ThreadPoolExecutor(6) as pool:
            visits = [pool.submit(visit, number) for number in range(6)]
            try:
                for _ in range(60):
                    process.control("POST", f"sandboxes/{name}/restore", {"snapshot": "base"})
            finally:
                ended.set()
            assert min(visit.result() for visit in visits) > 0
        assert process.stop() == 0
