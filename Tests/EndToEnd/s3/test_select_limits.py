"""Queries that would take hours, or expand to much memory: the process stays available, and they end with their clients.

These tests do not measure time: the queries would not end within the patience of a test.
"""

import base64
import contextlib
import gzip
import socket

import pytest
import requests

from clients import client, refused
from cloud import TIMEOUT_SECONDS, Cloud, wait_until
from harbour import CHARTS, SEED, bucket

CONDITION = " or ".join(f"_1 = '{number}'" for number in range(1000))
# What a process allows at the same time, see `SelectSlot`.
MOST_QUERIES = 64
MIB = 1 << 20


@pytest.fixture
def charts(environment_of_the_tests):
    """A process with a long object that everybody may read."""
    with Cloud.ephemeral("--seed", SEED, "--grace", 0) as cloud:
        bucket(cloud, CHARTS).put_object("rows.csv", b"a\n" * (10 * MIB))
        bucket(cloud, CHARTS).put_object("one.csv", b"1\n")
        yield cloud


def body(statement, output=""):
    encoded = base64.b64encode(statement.encode()).decode()
    return f"<SelectRequest><Expression>{encoded}</Expression><OutputSerialization>{output}</OutputSerialization></SelectRequest>".encode()


class Query:
    """An anonymous query whose response is not awaited."""

    def __init__(self, cloud, output=""):
        content = body(f"select count(*) from ossobject where {CONDITION}", output)
        self.connection = socket.create_connection(("127.0.0.1", cloud.port), timeout=TIMEOUT_SECONDS)
        self.connection.sendall(
            f"POST /{CHARTS}/rows.csv?x-oss-process=csv/select HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(content)}\r\n\r\n".encode()
            + content)

    def close(self):
        self.connection.close()


def small_query(cloud):
    return requests.post(
        f"{cloud.url}/{CHARTS}/one.csv?x-oss-process=csv/select", data=body("select * from ossobject"), timeout=TIMEOUT_SECONDS)


def healthy(cloud):
    return requests.get(f"{cloud.url}/_virga/health", timeout=TIMEOUT_SECONDS).ok


def test_other_requests_are_answered_during_long_queries(charts):
    with contextlib.ExitStack() as open_queries:
        queries = [open_queries.enter_context(contextlib.closing(Query(charts))) for _ in range(8)]
        # The response begins although nothing has been found.
        assert queries[0].connection.recv(12) == b"HTTP/1.1 206"
        for _ in range(8):
            assert healthy(charts)
        assert small_query(charts).status_code == 206


@pytest.mark.parametrize("output", ["", "<OutputRawData>true</OutputRawData>"], ids=["frames", "raw"])
def test_queries_are_limited_and_end_with_their_clients(charts, output):
    queries = [Query(charts, output) for _ in range(MOST_QUERIES)]

    def all_places_are_taken():
        if small_query(charts).status_code == 503:
            return True
        # The small query may have had the place of one of the others, which was refused then.
        queries.append(Query(charts, output))
        return False

    wait_until(all_places_are_taken)
    # A refused query does not take or return the place of another one.
    refusal = [small_query(charts) for _ in range(3)][-1].text
    assert "<Code>ActiveRequestLimitExceeded</Code>" in refusal and "<EC>0004-00000601</EC>" in refusal
    assert "<Message>Max active request limit is exceeded</Message>" in refusal
    assert healthy(charts)
    for query in queries:
        query.close()
    wait_until(lambda: small_query(charts).status_code == 206)


def test_the_process_ends_during_queries(charts):
    with contextlib.ExitStack() as open_queries:
        for _ in range(4):
            query = open_queries.enter_context(contextlib.closing(Query(charts)))
        assert query.connection.recv(12) == b"HTTP/1.1 206"
        assert charts.stop() == 0


@pytest.fixture
def packed(environment_of_the_tests):
    """A process of its own, whose memory can be measured."""
    with Cloud.ephemeral() as cloud:
        root = client(cloud, "s3")
        root.create_bucket(Bucket="workshop")
        yield cloud, root


def most_resident(cloud):
    """The largest memory of the process so far, in bytes."""
    with open(f"/proc/{cloud.process.pid}/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


def count(root, key, input):
    answer = root.select_object_content(
        Bucket="workshop", Key=key, Expression="SELECT COUNT(*) FROM S3Object s", ExpressionType="SQL", InputSerialization=input,
        OutputSerialization={"CSV": {}})
    return b"".join(event["Records"]["Payload"] for event in answer["Payload"] if "Records" in event)


def test_a_small_document_does_not_expand_in_memory(packed):
    cloud, root = packed
    root.put_object(Bucket="workshop", Key="x", Body=gzip.compress(b'{"a":[' + b"1," * 30_000_000 + b"1]}"))
    before = most_resident(cloud)
    for _ in range(3):
        # The response begins after a second on a busy machine.
        with refused("OverMaxRecordSize", None, "greater than the maxCharsPerRecord limit of 1 MB"):
            count(root, "x", {"JSON": {"Type": "DOCUMENT"}, "CompressionType": "GZIP"})
    assert most_resident(cloud) - before < 32 * MIB


def test_a_document_of_many_values_takes_bounded_memory(packed):
    cloud, root = packed
    root.put_object(Bucket="workshop", Key="x", Body=b"[" + b"1," * (MIB // 2 - 2) + b"1]")
    before = most_resident(cloud)
    assert count(root, "x", {"JSON": {"Type": "DOCUMENT"}}) == b"1\n"
    assert most_resident(cloud) - before < 256 * MIB


def test_compressed_objects_of_any_length_are_streamed(packed):
    cloud, root = packed
    row = b"a" * 20_000 + b"\n"
    root.put_object(Bucket="workshop", Key="x", Body=gzip.compress(row * 4000))
    before = most_resident(cloud)
    assert count(root, "x", {"CSV": {}, "CompressionType": "GZIP"}) == b"4000\n"
    assert most_resident(cloud) - before < 32 * MIB
