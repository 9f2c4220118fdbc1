"""Many clients at the same keys see only what S3 allows: one winner, no lost updates, no torn bodies, nothing stale.

S3 User Guide, "Amazon S3 data consistency model" and "Add preconditions to S3 operations with conditional requests".
"""

import hashlib
import http.client
import os
import random
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.awsrequest import AWSRequest
from botocore.config import Config

from clients import client, sign
from cloud import TIMEOUT_SECONDS

CLIENTS = 64
MIB = 1 << 20

# The errors of requests that lose a race: the condition failed, or another write came in between.
LOST = {412: "PreconditionFailed", 409: "ConditionalRequestConflict"}


@pytest.fixture
def crowd(cloud, bucket):
    """A boto3 client with a connection for each of many threads."""
    made = client(cloud, "s3", config=Config(max_pool_connections=CLIENTS))
    # boto3 creates these classes on first use. If two threads do so at once, one of them waits forever.
    assert made.exceptions
    return made


def together(work):
    """Runs `work(number)` in as many threads as there are clients, all started at once. Returns their results in order."""
    start = threading.Barrier(CLIENTS)

    def begin(number):
        start.wait()
        return work(number)

    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(begin, range(CLIENTS)))


class Shot:
    """A signed request of which all but the last byte has been sent."""

    def __init__(self, cloud, method, path, body=b"", headers=None):
        request = AWSRequest(method=method, url=cloud.url + path, data=body, headers=headers or {})
        sign(request)
        fields = {"Host": f"127.0.0.1:{cloud.port}", "Content-Length": str(len(body)), **dict(request.headers)}
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
        self.socket = socket.create_connection(("127.0.0.1", cloud.port), timeout=TIMEOUT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.body, self.last = body, (head.encode() + body)[-1:]
        self.socket.sendall((head.encode() + body)[:-1])

    def answer(self):
        response = http.client.HTTPResponse(self.socket)
        response.begin()
        self.status, self.text = response.status, response.read().decode()
        self.tag = response.getheader("ETag")
        self.socket.close()


def volley(shots):
    """Completes all requests within a millisecond, which no client library can do."""
    for shot in shots:
        shot.socket.sendall(shot.last)
    for shot in shots:
        shot.answer()
    return shots


def winner(shots):
    """Returns the one request that succeeded. All others must have the error of a lost race."""
    won = [shot for shot in shots if shot.status == 200]
    for shot in shots:
        assert shot.status == 200 or f"<Code>{LOST[shot.status]}</Code>" in shot.text, (shot.status, shot.text)
    assert len(won) == 1, f"{len(won)} winners"
    return won[0]


@pytest.mark.parametrize("size", [100, 300_000])
def test_of_all_who_create_at_once_one_wins(cloud, root, bucket, size):
    for number in range(10):
        key = f"created/{number}"
        won = winner(volley([
            Shot(cloud, "PUT", f"/{bucket}/{key}", os.urandom(size), {"If-None-Match": "*"}) for _ in range(CLIENTS)]))
        got = root.get_object(Bucket=bucket, Key=key)
        assert (got["Body"].read(), got["ETag"]) == (won.body, won.tag)


def test_of_all_uploads_in_parts_that_create_at_once_one_wins(cloud, root, bucket):
    for number in range(3):
        shots = []
        for contender in range(CLIENTS):
            upload = {"Bucket": bucket, "Key": f"film/{number}"}
            upload["UploadId"] = root.create_multipart_upload(**upload)["UploadId"]
            tag = root.upload_part(**upload, PartNumber=1, Body=b"%d" % contender)["ETag"]
            shots.append(Shot(
                cloud, "POST", f"/{bucket}/film/{number}?uploadId={upload['UploadId']}",
                f"<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>{tag}</ETag></Part>"
                "</CompleteMultipartUpload>".encode(), {"If-None-Match": "*"}))
        won = winner(volley(shots))
        body = root.get_object(Bucket=bucket, Key=f"film/{number}")["Body"].read()
        assert body == b"%d" % shots.index(won)


def test_of_all_who_replace_the_same_state_one_wins(cloud, root, bucket):
    tag = root.put_object(Bucket=bucket, Key="x", Body=b"0")["ETag"]
    for _ in range(20):
        won = winner(volley([
            Shot(cloud, "PUT", f"/{bucket}/x", os.urandom(50), {"If-Match": tag}) for _ in range(CLIENTS)]))
        got = root.get_object(Bucket=bucket, Key="x")
        assert (got["Body"].read(), got["ETag"]) == (won.body, won.tag)
        tag = won.tag


def test_a_counter_loses_no_increment(crowd, bucket):
    crowd.put_object(Bucket=bucket, Key="counter", Body=b"0")

    def increment(_):
        mine = []
        for _ in range(12):
            got = crowd.get_object(Bucket=bucket, Key="counter")
            value = int(got["Body"].read()) + 1
            try:
                crowd.put_object(Bucket=bucket, Key="counter", Body=b"%d" % value, IfMatch=got["ETag"])
                mine.append(value)
            except crowd.exceptions.ClientError as error:
                status = error.response["ResponseMetadata"]["HTTPStatusCode"]
                assert error.response["Error"]["Code"] == LOST[status]
        return mine

    made = sorted(value for mine in together(increment) for value in mine)
    assert made and made == list(range(1, len(made) + 1))
    assert crowd.get_object(Bucket=bucket, Key="counter")["Body"].read() == b"%d" % len(made)


def sealed(size):
    """A body of a size, which starts with its own digest."""
    payload = os.urandom(size - 64)
    return hashlib.sha256(payload).hexdigest().encode() + payload


def whole(body):
    return hashlib.sha256(body[64:]).hexdigest().encode() == body[:64]


# Stored in a row, in pieces, and in two parts.
SIZES = {"inline": 1_000, "row": 262_144, "pieces": 300_000, "parts": 5 * MIB + 100_000}


def test_a_reader_sees_one_whole_body(crowd, bucket):
    written = {key: set() for key in SIZES}

    def write(key, body):
        written[key].add(len(body))
        if key != "parts":
            crowd.put_object(Bucket=bucket, Key=key, Body=body)
            return
        upload = {"Bucket": bucket, "Key": key}
        upload["UploadId"] = crowd.create_multipart_upload(**upload)["UploadId"]
        parts = [{"PartNumber": number, "ETag": crowd.upload_part(**upload, PartNumber=number, Body=piece)["ETag"]}
                 for number, piece in [(1, body[:5 * MIB]), (2, body[5 * MIB:])]]
        crowd.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})

    def read(key):
        got = crowd.get_object(Bucket=bucket, Key=key)
        body = got["Body"].read()
        assert whole(body) and len(body) == got["ContentLength"], key
        assert got["ETag"].endswith('-2"') if key == "parts" else got["ETag"] == f'"{hashlib.md5(body).hexdigest()}"'

    def read_in_halves(key):
        head = crowd.head_object(Bucket=bucket, Key=key)
        half = head["ContentLength"] // 2
        try:
            body = b"".join(
                crowd.get_object(Bucket=bucket, Key=key, Range=span, IfMatch=head["ETag"])["Body"].read()
                for span in [f"bytes=0-{half - 1}", f"bytes={half}-"])
        except crowd.exceptions.ClientError as error:
            assert error.response["Error"]["Code"] == "PreconditionFailed"
        else:
            assert whole(body), key

    def look(key):
        listed = crowd.list_objects_v2(Bucket=bucket)["Contents"]
        assert [entry["Key"] for entry in listed] == sorted(SIZES)
        assert all(entry["Size"] in written[entry["Key"]] for entry in listed)

    for key, size in SIZES.items():
        write(key, sealed(size))

    def work(number):
        choice = random.Random(number)
        for _ in range(8):
            # Only one body in sixteen is large, because more would slow the clients down.
            key = choice.choice(["inline", "row", "pieces"] * 5 + ["parts"])
            match number % 4:
                case 0: write(key, sealed(SIZES[key] + choice.randrange(1, 50) * (key != "row")))
                case 1: read(key)
                case 2: read_in_halves(key)
                case _: look(key)

    together(work)
    for key in SIZES:
        read(key)


def test_nothing_that_begins_after_a_write_is_blind_to_it(crowd, bucket):
    crowd.put_object(Bucket=bucket, Key="x", Body=b"")
    acknowledged = 0
    done = threading.Event()

    # The length of the object identifies the write.
    def write():
        nonlocal acknowledged
        try:
            for length in range(1, 25):
                crowd.put_object(Bucket=bucket, Key="x", Body=bytes(length))
                acknowledged = length
        finally:
            done.set()

    looks = [
        lambda: crowd.get_object(Bucket=bucket, Key="x")["ContentLength"],
        lambda: crowd.head_object(Bucket=bucket, Key="x")["ContentLength"],
        lambda: crowd.list_objects_v2(Bucket=bucket)["Contents"][0]["Size"]]

    def work(number):
        if number == 0:
            return write()
        seen = 0
        while not done.is_set():
            least = max(acknowledged, seen)
            seen = looks[number % 3]()
            assert seen >= least, f"length {seen} after {least}"

    together(work)


def test_everybody_sees_their_own_writes_and_deletions_at_once(crowd, bucket):
    def listed(prefix):
        return [(entry["Key"], entry["ETag"]) for entry in crowd.list_objects_v2(Bucket=bucket, Prefix=prefix).get("Contents", [])]

    def work(number):
        prefix = f"{number:02}/"
        for turn in range(4):
            key, body = f"{prefix}{turn}", os.urandom(300_000 if turn == 3 else 200)
            tag = crowd.put_object(Bucket=bucket, Key=key, Body=body)["ETag"]
            assert listed(prefix) == [(key, tag)]
            assert crowd.get_object(Bucket=bucket, Key=key)["Body"].read() == body
            crowd.delete_object(Bucket=bucket, Key=key)
            assert listed(prefix) == []
            with pytest.raises(crowd.exceptions.NoSuchKey):
                crowd.get_object(Bucket=bucket, Key=key)

    together(work)
    assert "Contents" not in crowd.list_objects_v2(Bucket=bucket)
