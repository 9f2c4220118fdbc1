"""Clients that do not read their responses: the memory of all responses together has a limit, other clients are served, and the memory is
free once they are gone."""

import contextlib
import hashlib
import select
import socket

import pytest
import requests
from botocore.awsrequest import AWSRequest
from h2.events import StreamEnded, StreamReset
from h2.settings import SettingCodes

from clients import ROOT, client, sign
from cloud import wait_until
from http2 import HTTP2, connect
from test_connections import HEALTH, answer, signed
from test_slow_clients import serving

BUCKET = "box"
MIB = 1 << 20
# What --response-memory allows, plus what the connections and streams of a test need.
BUDGET = 16 * MIB
BESIDE = 96 * MIB


def body(size):
    """Bytes that differ at each place."""
    return b"".join(hashlib.sha256(str(number).encode()).digest() for number in range(size // 32))


LONG, SMALL = body(8 * MIB), body(256 << 10)


@pytest.fixture(scope="module")
def cloud(tmp_path_factory, environment_of_the_tests):
    with serving(tmp_path_factory, "--response-memory", 16) as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket=BUCKET)
        for key, content in {"long": LONG, "small": SMALL, "tiny": b"tiny"}.items():
            s3.put_object(Bucket=BUCKET, Key=key, Body=content)
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def resident(cloud):
    for line in open(f"/proc/{cloud.process.pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) << 10
    raise AssertionError("the process has ended")


def held(cloud):
    """What the server counts."""
    text = requests.get(f"{cloud.url}/_virga/metrics").text
    return int(next(line for line in text.splitlines() if line.startswith("virga_unread_response_bytes ")).split()[1])


def wait_for_slow_readers(cloud):
    """Waits until the server holds as much as it wants to: two readings are equal."""
    readings = []

    def is_steady():
        readings.append(held(cloud))
        return len(readings) > 4 and len(set(readings[-4:])) == 1

    wait_until(is_steady)
    return readings[-1]


@contextlib.contextmanager
def bounded(cloud, beside=BESIDE):
    """Checks the memory while slow readers are connected, that other clients are served, and that the memory is freed afterwards."""
    before = resident(cloud)
    crowd = []
    try:
        yield crowd
        count = wait_for_slow_readers(cloud)
        grown = resident(cloud) - before
        print(f"{count >> 10} KiB counted, {grown >> 10} KiB more resident")
        assert grown < BUDGET + beside, f"{grown >> 20} MiB more"
        serve_others(cloud)
    finally:
        for one in crowd:
            one.close()
    wait_until(lambda: held(cloud) == 0, lambda: f"{held(cloud)} bytes are still counted")
    wait_until(lambda: resident(cloud) - before < beside, lambda: f"{(resident(cloud) - before) >> 20} MiB more")


def serve_others(cloud):
    s3 = client(cloud, "s3")
    assert s3.get_object(Bucket=BUCKET, Key="tiny")["Body"].read() == b"tiny"
    assert s3.get_object(Bucket=BUCKET, Key="small")["Body"].read() == SMALL
    assert s3.get_object(Bucket=BUCKET, Key="long")["Body"].read() == LONG
    s3.put_object(Bucket=BUCKET, Key="upload", Body=LONG)
    assert s3.get_object(Bucket=BUCKET, Key="upload", Range="bytes=0-99")["Body"].read() == LONG[:100]
    peer = HTTP2(cloud)
    assert peer.get("/_virga/health") == "200"
    peer.go_away()


class Silent(HTTP2):
    """An HTTP/2 client that opens no window."""

    def __init__(self, cloud):
        super().__init__(cloud)
        self.state.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 0})
        self.flush()

    def request(self, cloud, path):
        return self.send("GET", path, headers=fields(cloud, path))

    def close(self):
        self.socket.close()


def fields(cloud, path):
    """The fields of a signed GET over HTTP/2."""
    request = AWSRequest(method="GET", url=f"https://localhost:{cloud.secure_port}{path}")
    sign(request, ROOT)
    return {name.lower(): value for name, value in request.headers.items()}


def slow(cloud, request):
    """A connection of HTTP/1.1 that sends a request and reads nothing."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", cloud.port))
    connection.sendall(request)
    return connection


@pytest.mark.parametrize("key", ["long", "small"])
def test_streams_without_a_window_hold_a_bounded_memory(cloud, key):
    with bounded(cloud, beside=160 * MIB) as crowd:
        for _ in range(20):
            crowd.append(Silent(cloud))
            for _ in range(100):
                crowd[-1].request(cloud, f"/{BUCKET}/{key}")


@pytest.mark.parametrize("key", ["long", "small"])
def test_connections_that_are_not_read_hold_a_bounded_memory(cloud, key):
    with bounded(cloud) as crowd:
        request = signed(cloud, "GET", f"/{BUCKET}/{key}")
        crowd += [slow(cloud, request) for _ in range(600)]


def test_pipelined_requests_wait_until_the_responses_are_read(cloud):
    with bounded(cloud) as crowd:
        request = signed(cloud, "GET", f"/{BUCKET}/small")
        for _ in range(4):
            connection = slow(cloud, request)
            crowd.append(connection)
            connection.settimeout(1)
            # The server stops reading at some time.
            with contextlib.suppress(TimeoutError):
                connection.sendall(request * 2000)


def test_pipelined_requests_are_all_answered(cloud):
    count = 50
    with connect(cloud, cloud.port) as connection:
        connection.sendall(signed(cloud, "GET", f"/{BUCKET}/small") * count + HEALTH)
        stream = connection.makefile("rb")
        for _ in range(count):
            assert answer(stream)[2] == SMALL
        assert answer(stream)[2] == b'{"status":"ok"}'


@pytest.fixture(scope="module")
def listing(cloud):
    """The path of a listing of 0.6 MiB."""
    s3 = client(cloud, "s3")
    s3.create_bucket(Bucket="many")
    for number in range(120):
        s3.put_object(Bucket="many", Key=f"{number:03}" + "&" * 1000, Body=b"")
    return "/many"


def test_documents_that_are_not_read_are_cut_off(cloud, listing):
    """Listings cannot be read again in pieces: of too many, those that were not read for the longest time lose their connection."""
    with bounded(cloud) as crowd:
        early = Silent(cloud)
        crowd.append(early)
        streams = [early.request(cloud, listing) for _ in range(20)]
        assert [early.status(stream) for stream in streams] == ["200"] * 20

        def is_one_cut_off():
            crowd.append(Silent(cloud))
            assert crowd[-1].status(crowd[-1].request(cloud, listing)) == "200"
            # Other frames may arrive first, and the responses of one connection begin in any order.
            while select.select([early.socket], [], [], 0)[0]:
                assert early.receive()
            return any(isinstance(event, StreamReset) for event in early.events)

        wait_until(is_one_cut_off)
    assert client(cloud, "s3").list_objects_v2(Bucket="many")["KeyCount"] == 120


def test_documents_that_many_ask_for_at_once_hold_a_bounded_memory(cloud, listing):
    with bounded(cloud) as crowd:
        crowd += [Silent(cloud) for _ in range(200)]
        for one in crowd:
            one.request(cloud, listing)


def test_a_document_is_not_cut_off_while_it_is_read(cloud, listing):
    with bounded(cloud) as crowd:
        reader = Silent(cloud)
        crowd.append(reader)
        stream = reader.request(cloud, listing)
        assert reader.status(stream) == "200"
        reader.state.increment_flow_control_window(1 << 28)
        for _ in range(30):
            reader.state.increment_flow_control_window(16 << 10, stream)
            reader.flush()
            crowd.append(Silent(cloud))
            assert crowd[-1].status(crowd[-1].request(cloud, listing)) == "200"
        reader.state.increment_flow_control_window(1 << 20, stream)
        reader.flush()
        assert reader.until(StreamEnded, stream)


def is_open(cloud, connection):
    own = connection.getsockname()[1]
    rows = [line.split() for line in open(f"/proc/{cloud.process.pid}/net/tcp")]
    # The server's end of the connection: 01 is ESTABLISHED.
    return any(row[2].endswith(f":{own:04X}") and row[3] == "01" for row in rows)


@pytest.mark.parametrize("key, content", [("long", LONG), ("small", SMALL)])
def test_slow_readers_get_every_byte(cloud, key, content):
    request = signed(cloud, "GET", f"/{BUCKET}/{key}")
    crowd = [slow(cloud, request) for _ in range(100)]
    wait_for_slow_readers(cloud)
    for connection in crowd:
        with connection:
            assert answer(connection.makefile("rb"))[2] == content
    wait_until(lambda: held(cloud) == 0, lambda: f"{held(cloud)} bytes are still counted")


def test_streams_get_every_byte_when_they_open_their_windows(cloud):
    peer = Silent(cloud)
    streams = [peer.request(cloud, f"/{BUCKET}/small") for _ in range(100)]
    wait_for_slow_readers(cloud)
    peer.state.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 1 << 20})
    peer.state.increment_flow_control_window(1 << 28)
    peer.flush()
    for stream in streams:
        assert peer.until(StreamEnded, stream)
    peer.go_away()
    wait_until(lambda: held(cloud) == 0, lambda: f"{held(cloud)} bytes are still counted")


def test_a_small_object_that_is_replaced_while_memory_is_scarce_is_cut_off(cloud):
    """It is read in pieces, and pieces of two objects are never mixed."""
    s3 = client(cloud, "s3")
    s3.put_object(Bucket=BUCKET, Key="changing", Body=SMALL)
    crowd = [slow(cloud, signed(cloud, "GET", f"/{BUCKET}/long")) for _ in range(100)]
    wait_for_slow_readers(cloud)
    reader = Silent(cloud)
    stream = reader.request(cloud, f"/{BUCKET}/changing")
    assert reader.status(stream) == "200"
    s3.put_object(Bucket=BUCKET, Key="changing", Body=bytes(len(SMALL)))
    reader.state.increment_flow_control_window(1 << 20)
    reader.state.increment_flow_control_window(1 << 20, stream)
    reader.flush()
    assert reader.until(StreamReset, stream)
    for one in [*crowd, reader]:
        one.close()
    wait_until(lambda: held(cloud) == 0, lambda: f"{held(cloud)} bytes are still counted")


def test_streams_that_are_not_read_are_reset(tmp_path_factory, environment_of_the_tests):
    with serving(tmp_path_factory, "--idle-timeout", 1) as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket=BUCKET)
        for key, content in {"long": LONG, "tiny": b"tiny"}.items():
            s3.put_object(Bucket=BUCKET, Key=key, Body=content)
        peer = Silent(cloud)
        for stream in [peer.request(cloud, f"/{BUCKET}/{key}") for key in ("long", "tiny")]:
            assert peer.until(StreamReset, stream)
        peer.close()
        wait_until(lambda: held(cloud) == 0)
        assert cloud.stop() == 0, cloud.logged()


@pytest.mark.parametrize("request_", ["tiny", "small"])
def test_connections_that_are_not_read_are_closed(tmp_path_factory, environment_of_the_tests, request_):
    """Also those whose responses are complete as far as the server is concerned."""
    with serving(tmp_path_factory, "--idle-timeout", 1) as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket=BUCKET)
        for key, content in {"small": SMALL, "tiny": b"tiny" * 200}.items():
            s3.put_object(Bucket=BUCKET, Key=key, Body=content)
        connection = slow(cloud, signed(cloud, "GET", f"/{BUCKET}/{request_}"))
        connection.settimeout(1)
        with contextlib.suppress(TimeoutError):
            connection.sendall(signed(cloud, "GET", f"/{BUCKET}/{request_}") * 20_000)
        wait_until(lambda: not is_open(cloud, connection))
        connection.close()
        assert cloud.stop() == 0, cloud.logged()
