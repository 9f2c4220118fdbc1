"""SIGTERM: no new connections, idle ones close at once, requests may finish within the grace, a second signal ends everything.

These tests do not measure time: a grace of a day would keep the process from ending, one of 0 would not let it wait.
"""

import contextlib
import signal
import socket
import threading

import h2.events
import pytest

from cloud import TIMEOUT_SECONDS, Cloud, run
from http2 import HTTP2, connect, secure
from test_connections import HEALTH, answer

A_DAY = 86_400
# A request that has begun, since the server sends 100 Continue.
BEGINNING = b"POST /_virga/clock HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"


@pytest.fixture
def serve(tmp_path, environment_of_the_tests):
    """Starts a process that listens over HTTP and HTTPS, with a grace."""
    clouds = []

    def start(grace):
        file = tmp_path / "ca.pem"
        cloud = Cloud.ephemeral("--tls-port", 0, "--ca-file", file, "--grace", grace, listeners=2)
        clouds.append(cloud)
        cloud.authority = file
        cloud.secure_port = int(next(url for url in cloud.urls if url.startswith("https:")).rsplit(":", 1)[1])
        return cloud

    yield start
    for cloud in clouds:
        cloud.__exit__()


def terminate(cloud, number=signal.SIGTERM):
    cloud.process.send_signal(number)


def wait_until_deaf(cloud):
    """Waits until neither port accepts a connection."""
    for port in [cloud.port, cloud.secure_port]:
        while True:
            try:
                connect(cloud, port).close()
            except (ConnectionRefusedError, ConnectionResetError):
                break


def begun(connection):
    """The stream of responses to a request whose body the server waits for."""
    connection.sendall(BEGINNING)
    stream = connection.makefile("rb")
    assert answer(stream)[0] == "HTTP/1.1 100 Continue"
    return stream


def begun_http2(cloud):
    """A connection with a request whose body has begun to arrive, and its stream's number."""
    client = HTTP2(cloud)
    assert client.get("/_virga/health") == "200"
    stream = client.send("POST", "/_virga/clock", b"{", ends=False)
    # A later response on the same connection shows that it has arrived.
    assert client.get("/_virga/health") == "200"
    return client, stream


def idle(connection):
    connection.sendall(HEALTH)
    assert answer(connection.makefile("rb"))[0] == "HTTP/1.1 200 OK"
    return connection


IDLE = {
    "silent": lambda cloud: connect(cloud, cloud.port),
    "idle": lambda cloud: idle(connect(cloud, cloud.port)),
    "amid a head": lambda cloud: [c := connect(cloud, cloud.port), c.sendall(b"GET / HTTP/1.1\r\n")][0],
    "without a handshake": lambda cloud: connect(cloud, cloud.secure_port),
    "amid the handshake": lambda cloud: [c := connect(cloud, cloud.secure_port), c.sendall(b"\x16\x03\x01\x02\x00\x01")][0],
    "silent over TLS": lambda cloud: secure(cloud, "http/1.1"),
    "idle over TLS": lambda cloud: idle(secure(cloud, "http/1.1")),
    "silent over HTTP/2": lambda cloud: secure(cloud, "h2")}


@pytest.mark.parametrize("state", IDLE)
def test_idle_connections_do_not_delay_the_end(serve, state):
    cloud = serve(A_DAY)
    connection = IDLE[state](cloud)
    # Connections are accepted in the order in which they connect.
    idle(connect(cloud, cloud.port)).close()
    assert cloud.stop() == 0
    connection.close()


def test_an_idle_connection_of_http2_is_told_to_go_away(serve):
    cloud = serve(A_DAY)
    client = HTTP2(cloud)
    assert client.get("/_virga/health") == "200"
    assert cloud.stop() == 0
    event = client.until(h2.events.ConnectionTerminated)
    assert (event.error_code, event.last_stream_id) == (0, 1)


@pytest.mark.parametrize("over", ["plain", "TLS"])
def test_a_request_finishes_while_nothing_new_is_accepted(serve, over):
    cloud = serve(A_DAY)
    with connect(cloud, cloud.port) if over == "plain" else secure(cloud, "http/1.1") as connection:
        stream = begun(connection)
        terminate(cloud)
        wait_until_deaf(cloud)
        connection.sendall(b"{}")
        line, fields, _ = answer(stream)
        assert line == "HTTP/1.1 400 Bad Request" and fields["connection"] == "close"
        assert stream.read() == b""
    assert cloud.process.wait(TIMEOUT_SECONDS) == 0


def test_a_stream_finishes_while_no_further_one_begins(serve):
    cloud = serve(A_DAY)
    client, stream = begun_http2(cloud)
    terminate(cloud)
    event = client.until(h2.events.ConnectionTerminated)
    assert (event.error_code, event.last_stream_id) == (0, stream + 2)
    wait_until_deaf(cloud)
    client.state.send_data(stream, b"}", end_stream=True)
    client.flush()
    assert client.status(stream) == "400"
    assert client.until(h2.events.StreamEnded, stream)
    assert client.until(h2.events.ConnectionTerminated)
    assert client.until(h2.events.StreamReset) is None, "the connection ends"
    client.socket.close()
    assert cloud.process.wait(TIMEOUT_SECONDS) == 0


@pytest.mark.parametrize("grace", [0, 1])
@pytest.mark.parametrize("over", ["plain", "TLS", "HTTP/2"])
def test_a_request_that_takes_longer_is_cut_off(serve, grace, over):
    cloud = serve(grace)
    if over == "HTTP/2":
        connection = begun_http2(cloud)[0].socket
    else:
        connection = connect(cloud, cloud.port) if over == "plain" else secure(cloud, "http/1.1")
        begun(connection)
    # The client does nothing and stays connected.
    assert cloud.stop() == 0
    connection.close()


def test_a_stop_amid_connections_ends_cleanly():
    """Connections that arrive while the process ends find neither a crash nor another status."""
    for _ in range(12):
        with Cloud.ephemeral() as cloud:
            over = threading.Event()
            callers = [threading.Thread(target=call_until, args=(over, cloud.port)) for _ in range(6)]
            for caller in callers:
                caller.start()
            status = cloud.stop()
            over.set()
            for caller in callers:
                caller.join()
            assert status == 0, cloud.logged()


def call_until(over, port):
    while not over.is_set():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS):
            pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_second_signal_ends_at_once(serve, number):
    cloud = serve(A_DAY)
    with connect(cloud, cloud.port) as connection:
        begun(connection)
        terminate(cloud)
        wait_until_deaf(cloud)
        assert cloud.process.poll() is None
        terminate(cloud, number)
        assert cloud.process.wait(TIMEOUT_SECONDS) == 128 + number


def test_the_grace_can_be_a_variable():
    with Cloud.ephemeral(VIRGA_GRACE="0") as cloud, socket.create_connection(("127.0.0.1", cloud.port)) as connection:
        begun(connection)
        assert cloud.stop() == 0


@pytest.mark.parametrize("text", ["-1", "86401", "soon"])
def test_a_grace_is_a_number_of_seconds(text):
    result = run("serve", "--port", 0, VIRGA_GRACE=text)
    assert result.returncode == 64 and "GRACE" in result.stderr.upper()
