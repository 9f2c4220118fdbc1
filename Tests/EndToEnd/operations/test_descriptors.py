"""Connections free their file descriptors however they end, and a process without free descriptors waits for some."""

import os
import resource
import socket
import time
import urllib.parse

import pytest
import requests
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from cloud import REGION, TIMEOUT_SECONDS, Cloud, wait_until
from http2 import HTTP2, connect, half_close, reset, say_goodbye, secure
from test_connections import HEALTH, answer, signed

LIMIT = 256
CONNECTIONS = 2_000
SIZE = 4 << 20


@pytest.fixture(scope="module")
def limited(tmp_path_factory, environment_of_the_tests):
    """A process with few descriptors that listens over HTTP and HTTPS, and an object that is slow to read."""
    file = tmp_path_factory.mktemp("tls") / "ca.pem"
    with Cloud.ephemeral("--tls-port", 0, "--ca-file", file, listeners=2, descriptors=LIMIT) as cloud:
        cloud.authority = file
        cloud.secure_port = int(next(url for url in cloud.urls if url.startswith("https:")).rsplit(":", 1)[1])
        for path, body in [("/box", b""), ("/box/long", bytes(SIZE))]:
            assert requests.put(presigned(cloud, "PUT", path, cloud.url), data=body).status_code == 200
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def presigned(cloud, method, path, origin):
    request = AWSRequest(method=method, url=origin + path)
    S3SigV4QueryAuth(Credentials("test", "test"), "s3", REGION, expires=3600).add_auth(request)
    return request.url


def target(cloud, method, path):
    """Path and query of a presigned URL at the HTTPS port."""
    url = urllib.parse.urlsplit(presigned(cloud, method, path, f"https://localhost:{cloud.secure_port}"))
    return f"{url.path}?{url.query}"


def descriptors(cloud):
    return len(os.listdir(f"/proc/{cloud.process.pid}/fd"))


# Actions of a connection before it ends.

def idle_http2(cloud):
    client = HTTP2(cloud)
    assert client.get("/_virga/health") == "200"
    return client.socket


def uploading_http2(cloud):
    client = HTTP2(cloud)
    client.send("PUT", target(cloud, "PUT", "/box/cut"), bytes(10_000), ends=False, headers={"content-length": "20000"})
    return client.socket


def downloading_http2(cloud):
    client = HTTP2(cloud)
    assert client.status(client.send("GET", target(cloud, "GET", "/box/long"))) == "200"
    return client.socket


def idle(connection):
    connection.sendall(HEALTH)
    assert answer(connection.makefile("rb"))[0] == "HTTP/1.1 200 OK"
    return connection


def uploading(cloud, connection):
    head = signed(cloud, "PUT", "/box/cut", headers={"x-amz-content-sha256": "UNSIGNED-PAYLOAD", "Content-Length": "20000"})
    connection.sendall(head + bytes(10_000))
    return connection


def downloading(cloud, connection):
    connection.sendall(signed(cloud, "GET", "/box/long"))
    assert connection.recv(1000)
    return connection


def with_half_a_greeting(connection):
    connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    return connection


SECURE = {
    "idle HTTP/2": idle_http2,
    "uploading HTTP/2": uploading_http2,
    "downloading HTTP/2": downloading_http2,
    "silent HTTP/2": lambda cloud: secure(cloud, "h2"),
    "idle HTTP/1.1 over TLS": lambda cloud: idle(secure(cloud, "http/1.1")),
    "uploading HTTP/1.1 over TLS": lambda cloud: uploading(cloud, secure(cloud, "http/1.1")),
    "silent HTTP/1.1 over TLS": lambda cloud: secure(cloud, "http/1.1")}
PLAIN = {
    "without a handshake": lambda cloud: connect(cloud, cloud.secure_port),
    "amid the handshake": lambda cloud: with_half_a_greeting(connect(cloud, cloud.secure_port)),
    "silent HTTP/1.1": lambda cloud: connect(cloud, cloud.port),
    "idle HTTP/1.1": lambda cloud: idle(connect(cloud, cloud.port)),
    "uploading HTTP/1.1": lambda cloud: uploading(cloud, connect(cloud, cloud.port)),
    "downloading HTTP/1.1": lambda cloud: downloading(cloud, connect(cloud, cloud.port))}
ENDS = {"FIN": socket.socket.close, "RST": reset, "half-closed": half_close}
WAYS = [(state, end) for state in [*SECURE, *PLAIN] for end in ENDS] + [(state, "close_notify") for state in SECURE]


def end(cloud, state, how):
    connection = (SECURE | PLAIN)[state](cloud)
    (ENDS | {"close_notify": say_goodbye})[how](connection)


def assert_open(cloud):
    """Expects that both ports answer."""
    assert requests.get(f"{cloud.url}/_virga/health").status_code == 200
    client = HTTP2(cloud)
    assert client.get("/_virga/health") == "200"
    client.go_away()


@pytest.mark.parametrize("state, how", WAYS)
def test_a_connection_that_has_ended_keeps_no_descriptor(limited, state, how):
    assert_open(limited)
    end(limited, state, how)
    wait_until(lambda: not connections(limited))


def connections(cloud):
    """The sockets of a process, except those that it listens on and those that wake its own threads."""
    ports = {cloud.port, cloud.secure_port}
    inodes = set()
    for line in open(f"/proc/{cloud.process.pid}/net/tcp").readlines()[1:]:
        fields = line.split()
        # 0A is LISTEN.
        if int(fields[1].rsplit(":", 1)[1], 16) in ports and fields[3] != "0A":
            inodes.add(f"socket:[{fields[9]}]")
    held = set()
    for name in os.listdir(f"/proc/{cloud.process.pid}/fd"):
        try:
            held.add(os.readlink(f"/proc/{cloud.process.pid}/fd/{name}"))
        except FileNotFoundError:
            pass
    return inodes & held


def test_thousands_of_connections_pass_through_few_descriptors(limited):
    for state, how in WAYS:
        end(limited, state, how)
    wait_until(lambda: not connections(limited))
    base = descriptors(limited)
    for number in range(CONNECTIONS):
        end(limited, *WAYS[number % len(WAYS)])
    assert_open(limited)
    wait_until(lambda: not connections(limited))
    # Readers of the database are opened on demand, and stay open.
    assert descriptors(limited) <= base + 16


def cpu_seconds(cloud):
    fields = open(f"/proc/{cloud.process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def assert_at_rest(cloud):
    """Expects that the process waits: a busy loop would use as much of the processors as the one here. Keys that are made ahead may use some."""
    used, begun = cpu_seconds(cloud), time.process_time()
    while time.process_time() - begun < 0.8:
        pass
    assert cpu_seconds(cloud) - used < 0.4


def test_clients_beyond_the_limit_wait_until_others_leave(limited):
    wait_until(lambda: not connections(limited))
    crowd = [connect(limited, port) for _ in range(150) for port in (limited.port, limited.secure_port)]
    wait_until(lambda: len(connections(limited)) > LIMIT / 2)
    late = connect(limited, limited.port)
    late.sendall(HEALTH)
    # The earlier connections are answered.
    idle(crowd[0])
    assert_at_rest(limited)
    idle(crowd[0])
    # A write does not need a descriptor that a connection could have taken.
    crowd[0].sendall(signed(limited, "GET", "/box/long"))
    assert answer(crowd[0].makefile("rb"))[0] == "HTTP/1.1 200 OK"
    late.setblocking(False)
    with pytest.raises(BlockingIOError):
        late.recv(1)
    late.settimeout(TIMEOUT_SECONDS)
    for connection in crowd:
        connection.close()
    assert answer(late.makefile("rb"))[0] == "HTTP/1.1 200 OK"
    late.close()
    assert_open(limited)
    assert "connections" in limited.logged()


def test_a_process_whose_descriptors_are_taken_otherwise_waits_as_well(limited):
    wait_until(lambda: not connections(limited))
    present = connect(limited, limited.port)
    idle(present)
    resource.prlimit(limited.process.pid, resource.RLIMIT_NOFILE, (1, LIMIT))
    try:
        late = connect(limited, limited.port)
        late.sendall(HEALTH)
        idle(present)
        assert_at_rest(limited)
        idle(present)
    finally:
        resource.prlimit(limited.process.pid, resource.RLIMIT_NOFILE, (LIMIT, LIMIT))
    # No connection closes, but the server accepts again.
    assert answer(late.makefile("rb"))[0] == "HTTP/1.1 200 OK"
    late.close()
    present.close()


def test_ports_of_sandboxes_leave_descriptors_for_connections(tmp_path):
    with Cloud.ephemeral("--tls-port", 0, "--ca-file", tmp_path / "ca.pem", listeners=2, descriptors=LIMIT) as cloud:
        def create(name):
            answer = requests.put(f"{cloud.url}/_virga/sandboxes/{name}", json={"port": True}, headers={"Connection": "close"}, timeout=10)
            return answer.status_code, answer.json().get("error")

        answers = [create(f"z{number}") for number in range(99)]
        assert answers.count((201, None)) >= 20 and set(answers) == {(201, None), (409, "no_descriptor_left")}, answers
        crowd = [idle(connect(cloud, cloud.port)) for _ in range(30)]
        for connection in crowd:
            connection.close()
        for number in range(10):
            assert requests.delete(f"{cloud.url}/_virga/sandboxes/z{number}", timeout=10).status_code == 200
        assert create("another") == (201, None)
        assert cloud.stop() == 0, cloud.logged()
