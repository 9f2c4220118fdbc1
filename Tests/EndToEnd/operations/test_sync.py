"""With `--sync`, an acknowledged write survives a power failure. Without it, nothing is synced while requests run."""

import concurrent.futures

import botocore.exceptions
import pytest
import requests

from clients import client, refused
from cloud import Cloud, run
from disk import disk  # noqa: F401, a fixture
from sandboxes import Sandbox
from test_durability import check_held, hold

BUCKET = "synced"
LONG = bytes(range(256)) * 4096


def body(cloud, key, bucket=BUCKET):
    return client(cloud, "s3").get_object(Bucket=bucket, Key=key)["Body"].read()


def users(cloud):
    return [user["UserName"] for user in client(cloud, "iam").list_users()["Users"]]


def test_an_acknowledged_write_survives_a_power_failure(disk):
    images = []

    def power_fails():
        images.append(disk.after_power_failure(disk.folder / f"image{len(images)}"))

    with disk.cloud("--sync") as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket=BUCKET)
        s3.put_object(Bucket=BUCKET, Key="short", Body=b"short")
        power_fails()
        s3.put_object(Bucket=BUCKET, Key="long", Body=LONG)
        client(cloud, "iam").create_user(UserName="synced")
        held = hold(cloud)
        power_fails()
        s3.delete_object(Bucket=BUCKET, Key="short")
        power_fails()
        assert cloud.stop() == 0
        power_fails()
    for number, image in enumerate(images):
        with Cloud.over(image) as cloud:
            if number < 2:
                assert body(cloud, "short") == b"short"
            else:
                with refused("NoSuchKey", 404):
                    body(cloud, "short")
            if number > 0:
                assert body(cloud, "long") == LONG and "synced" in users(cloud)
                check_held(cloud, held)
            assert cloud.stop() == 0


def test_sandboxes_and_snapshots_survive_a_power_failure(disk):
    with disk.cloud("--sync") as cloud:
        sandbox, gone = Sandbox.create(cloud, "kept"), Sandbox.create(cloud, "gone")
        client(sandbox, "s3").create_bucket(Bucket=BUCKET)
        client(sandbox, "s3").put_object(Bucket=BUCKET, Key="a", Body=LONG)
        sandbox.snapshot("first")
        sandbox.snapshot("second")
        client(sandbox, "s3").delete_object(Bucket=BUCKET, Key="a")
        cloud.control("DELETE", "snapshots/second")
        gone.delete()
        fork = sandbox.fork("forked")
        client(fork, "s3").put_object(Bucket=BUCKET, Key="b", Body=b"b")
        image = disk.after_power_failure(disk.folder / "image")
    with Cloud.over(image) as cloud:
        assert {entry["name"] for entry in cloud.control("GET", "sandboxes")["sandboxes"]} == {"default", "kept", "forked"}
        assert [entry["name"] for entry in cloud.control("GET", "snapshots")["snapshots"]] == ["first"]
        kept = Sandbox(cloud, cloud.control("GET", "sandboxes/kept"))
        forked = Sandbox(cloud, cloud.control("GET", "sandboxes/forked"))
        assert body(forked, "b") == b"b"
        with refused("NoSuchKey", 404):
            body(kept, "a")
        kept.restore("first")
        assert body(kept, "a") == LONG
        assert cloud.stop() == 0


def test_the_authority_of_tls_survives_a_power_failure(disk):
    with disk.cloud("--sync", "--tls-port", "0", listeners=2):
        image = disk.after_power_failure(disk.folder / "image")
    assert "BEGIN" in (image / "tls-authority.pem").read_text()


def test_what_was_written_without_the_flag_is_synced_at_the_start(disk):
    # Files of others are left alone, and this name is not UTF-8.
    (disk.folder / "data").mkdir()
    open(bytes(disk.folder / "data") + b"/\xff", "w").close()
    with disk.cloud("--quiet", "--tls-port", "0", listeners=2) as cloud:
        authority = (disk.folder / "data" / "tls-authority.pem").read_text()
        client(cloud, "s3").create_bucket(Bucket=BUCKET)
        client(cloud, "s3").put_object(Bucket=BUCKET, Key="a", Body=LONG)
        Sandbox.create(cloud, "kept").snapshot("first")
        cloud.kill()
    with disk.cloud("--quiet", "--sync", "--tls-port", "0", listeners=2):
        image = disk.after_power_failure(disk.folder / "image")
    assert (image / "tls-authority.pem").read_text() == authority
    with Cloud.over(image) as cloud:
        assert body(cloud, "a") == LONG
        assert "kept" in {entry["name"] for entry in cloud.control("GET", "sandboxes")["sandboxes"]}
        assert [entry["name"] for entry in cloud.control("GET", "snapshots")["snapshots"]] == ["first"]


def test_without_the_flag_nothing_is_synced_while_requests_run(disk):
    with disk.cloud() as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket=BUCKET)
        before = disk.count()
        for number in range(20):
            s3.put_object(Bucket=BUCKET, Key=f"{number}", Body=b"x")
        s3.put_object(Bucket=BUCKET, Key="long", Body=LONG)
        client(cloud, "iam").create_user(UserName="unsynced")
        hold(cloud)
        s3.delete_object(Bucket=BUCKET, Key="long")
        assert disk.count() == before, disk.syncs[before:]
    with disk.cloud("--sync") as cloud:
        # SQLite syncs the folder with the first sync of a log.
        client(cloud, "s3").put_object(Bucket=BUCKET, Key="x", Body=b"x")
        before = disk.count()
        client(cloud, "s3").put_object(Bucket=BUCKET, Key="x", Body=b"y")
        assert [path.name for path in disk.syncs[before:]] == ["virga.sqlite-wal"]


def test_a_write_that_cannot_be_synced_fails_and_is_not_visible(disk):
    with disk.cloud("--sync") as cloud:
        s3, iam = client(cloud, "s3"), client(cloud, "iam")
        s3.create_bucket(Bucket=BUCKET)
        s3.put_object(Bucket=BUCKET, Key="old", Body=b"old")
        disk.fail()
        for key in ["new", "old"]:
            with refused("InternalError", 500):
                s3.put_object(Bucket=BUCKET, Key=key, Body=b"new")
        with refused("InternalError", 500):
            s3.put_object(Bucket=BUCKET, Key="long", Body=LONG)
        with refused("InternalError", 500):
            s3.delete_object(Bucket=BUCKET, Key="old")
        with pytest.raises(botocore.exceptions.ClientError) as failure:
            iam.create_user(UserName="new")
        assert failure.value.response["ResponseMetadata"]["HTTPStatusCode"] == 500
        assert requests.post(f"{cloud.url}/_virga/sandboxes", json={"name": "new"}).status_code >= 500
        assert [entry["Key"] for entry in s3.list_objects_v2(Bucket=BUCKET)["Contents"]] == ["old"]
        assert body(cloud, "old") == b"old" and "new" not in users(cloud)
        with refused("NoSuchKey", 404):
            body(cloud, "new")
        assert requests.get(f"{cloud.url}/_virga/sandboxes/new").status_code == 404
        disk.fail(False)
        s3.put_object(Bucket=BUCKET, Key="next", Body=b"next")
        Sandbox.create(cloud, "next")
        cloud.kill()
    with Cloud.over(disk.folder / "data") as cloud:
        listed = client(cloud, "s3").list_objects_v2(Bucket=BUCKET)["Contents"]
        assert [entry["Key"] for entry in listed] == ["next", "old"]
        assert body(cloud, "old") == b"old" and "new" not in users(cloud)
        assert {entry["name"] for entry in cloud.control("GET", "sandboxes")["sandboxes"]} == {"default", "next"}
        assert cloud.stop() == 0


def test_writers_share_syncs(disk):
    writers, each = 16, 10
    with disk.cloud("--sync", "--quiet") as cloud:
        client(cloud, "s3").create_bucket(Bucket=BUCKET)
        before = disk.count()

        def write(writer):
            s3 = client(cloud, "s3")
            for number in range(each):
                s3.put_object(Bucket=BUCKET, Key=f"{writer}/{number}", Body=b"x")

        with concurrent.futures.ThreadPoolExecutor(writers) as threads:
            list(threads.map(write, range(writers)))
        assert disk.count() - before < writers * each
        image = disk.after_power_failure(disk.folder / "image")
    with Cloud.over(image) as cloud:
        assert client(cloud, "s3").list_objects_v2(Bucket=BUCKET)["KeyCount"] == writers * each


@pytest.mark.parametrize("arguments, variables", [
    (["--sync"], {}), (["--sync", "--ephemeral"], {}), ([], {"VIRGA_SYNC": "1"}),
    (["--ephemeral"], {"VIRGA_SYNC": "1", "VIRGA_DATA": "x"})])
def test_the_flag_needs_a_data_folder(arguments, variables):
    result = run("serve", "--port", 0, *arguments, **variables)
    assert result.returncode == 64 and "--sync needs --data" in result.stderr
