"""Slow and silent clients lose their connection after the documented times, and clients beyond the limit get a clear response.

No test waits for a time by itself: each waits for the server's response or for the end of the connection.
"""

import re
import socket

import pytest
import requests
from h2.events import ConnectionTerminated

from clients import client
from cloud import Cloud, run, wait_until
from http2 import HTTP2, connect, secure
from test_connections import HEALTH, answer, signed

ERROR_CODE = re.compile(rb"<Code>(\w+)</Code>")


def serving(tmp_path_factory, *arguments):
    file = tmp_path_factory.mktemp("tls") / "ca.pem"
    cloud = Cloud.ephemeral("--tls-port", 0, "--ca-file", file, *arguments, listeners=2)
    cloud.authority = file
    cloud.secure_port = int(next(url for url in cloud.urls if url.startswith("https:")).rsplit(":", 1)[1])
    return cloud


@pytest.fixture(scope="module")
def impatient(tmp_path_factory, environment_of_the_tests):
    """A process that waits a second for heads and bodies."""
    with serving(tmp_path_factory, "--head-timeout", 1, "--body-timeout", 1, "--seed", "seed/personal-file-store.json5") as cloud:
        client(cloud, "s3").create_bucket(Bucket="slow")
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory, environment_of_the_tests):
    """A process that closes connections after a second without a request."""
    with serving(tmp_path_factory, "--idle-timeout", 1) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def rest(connection):
    """All that the server sends until it closes the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("beginning", [b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 1000])
def test_half_a_head_times_out(impatient, beginning):
    with connect(impatient, impatient.port) as connection:
        connection.sendall(beginning)
        last = rest(connection)
    last = last[last.rfind(b"HTTP/1.1 "):]
    assert last.startswith(b"HTTP/1.1 408 ") and b"connection: close" in last.lower()


def test_half_a_head_times_out_over_tls(impatient):
    with secure(impatient, "http/1.1") as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert rest(connection).startswith(b"HTTP/1.1 408 ")


def test_dripping_bytes_do_not_prolong_a_head(impatient):
    """Slowloris: the time counts from the first byte."""
    with connect(impatient, impatient.port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        connection.settimeout(0.1)
        received = b""
        while True:
            try:
                connection.sendall(b"X: y\r\n")
                received = connection.recv(65536)
                break
            except TimeoutError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                break
        assert not received or received.startswith(b"HTTP/1.1 408 ")


def test_half_a_handshake_times_out(impatient):
    with connect(impatient, impatient.secure_port) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01")
        assert rest(connection) == b""


def test_half_a_body_times_out(impatient):
    with connect(impatient, impatient.port) as connection:
        head = signed(impatient, "PUT", "/slow/x", headers={"x-amz-content-sha256": "UNSIGNED-PAYLOAD", "Content-Length": "500000"})
        connection.sendall(head + bytes(300_000))
        text = rest(connection)
    assert text.startswith(b"HTTP/1.1 400 ") and ERROR_CODE.findall(text) == [b"RequestTimeout"] and b"connection: close" in text.lower()
    assert client(impatient, "s3").list_objects_v2(Bucket="slow")["KeyCount"] == 0


def test_half_a_discarded_body_times_out(impatient):
    """The response is sent at once, and the server waits for the rest of the body to keep the connection."""
    with connect(impatient, impatient.port) as connection:
        head = signed(impatient, "PUT", "/no-such-bucket/x", headers={"x-amz-content-sha256": "UNSIGNED-PAYLOAD", "Content-Length": "500000"})
        connection.sendall(head + bytes(300_000))
        assert rest(connection).startswith(b"HTTP/1.1 404 ")


def test_half_a_form_times_out(impatient):
    """A body that is read as a whole."""
    with connect(impatient, impatient.port) as connection:
        connection.sendall(b"POST /idp/company/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                           b"Content-Length: 90\r\n\r\ngrant_type=")
        text = rest(connection)
    assert text.startswith(b"HTTP/1.1 400 ") and b"connection: close" in text.lower()


def test_half_a_body_of_a_stream_times_out(impatient):
    peer = HTTP2(impatient)
    stream = peer.send("POST", "/idp/company/token", b"grant_type=", ends=False, headers={"content-type": "application/x-www-form-urlencoded"})
    assert peer.status(stream) in ("400", "401")
    assert peer.get("/_virga/health") == "200", "the connection continues"
    peer.go_away()


def test_a_body_that_is_not_asked_for_does_not_time_out(impatient):
    """A client that waits for 100 Continue need not send."""
    with connect(impatient, impatient.port) as connection:
        connection.sendall(signed(impatient, "PUT", "/slow/y", b"", {"Expect": "100-continue", "Content-Length": "0"}) + HEALTH)
        stream = connection.makefile("rb")
        assert answer(stream)[0].split()[1] in ("100", "200")


def test_an_idle_connection_is_closed(hasty):
    for begin in [lambda connection: None, lambda connection: connection.sendall(HEALTH)]:
        with connect(hasty, hasty.port) as connection:
            begin(connection)
            text = rest(connection)
            assert text == b"" or text.startswith(b"HTTP/1.1 200 ")


def test_an_idle_connection_of_http2_is_told_to_go_away(hasty):
    peer = HTTP2(hasty)
    assert peer.get("/_virga/health") == "200"
    event = peer.until(ConnectionTerminated)
    assert event.error_code == 0
    peer.socket.close()


def test_a_connection_in_use_stays_open(hasty):
    """Pauses shorter than the time, for longer than the time: the responses are on one connection."""
    with connect(hasty, hasty.port) as connection:
        stream = connection.makefile("rb")
        for _ in range(8):
            connection.sendall(HEALTH)
            assert answer(stream)[0] == "HTTP/1.1 200 OK"
            connection.settimeout(0.25)
            with pytest.raises(TimeoutError):
                connection.recv(1)
            connection.settimeout(60)


def test_a_client_that_does_not_read_is_left(hasty):
    s3 = client(hasty, "s3")
    s3.create_bucket(Bucket="box")
    s3.put_object(Bucket="box", Key="long", Body=bytes(64 << 20))
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", hasty.port))
    connection.sendall(signed(hasty, "GET", "/box/long"))
    own = connection.getsockname()[1]

    def is_open():
        # The server's end of the connection: 01 is ESTABLISHED.
        fields = [line.split() for line in open(f"/proc/{hasty.process.pid}/net/tcp")]
        return any(line[2].endswith(f":{own:04X}") and line[3] == "01" for line in fields)

    wait_until(lambda: not is_open())
    connection.close()


def test_a_connection_beyond_the_limit_gets_a_clear_response(tmp_path_factory, environment_of_the_tests):
    with serving(tmp_path_factory, "--connections", 4) as cloud:
        crowd = [connect(cloud, cloud.port) for _ in range(4)]
        for connection in crowd:
            connection.sendall(HEALTH)
            assert answer(connection.makefile("rb"))[0] == "HTTP/1.1 200 OK"
        with connect(cloud, cloud.port) as late:
            late.sendall(HEALTH)
            line, fields, body = answer(late.makefile("rb"))
            assert (line, fields["retry-after"], fields["connection"]) == ("HTTP/1.1 503 Service Unavailable", "1", "close")
            assert body == b"This server accepts at most 4 connections at once (--connections).\n"
        with connect(cloud, cloud.secure_port) as late:
            assert rest(late) == b""
        crowd.pop().close()
        wait_until(lambda: can_connect(cloud))
        for connection in crowd:
            connection.close()
        assert cloud.stop() == 0, cloud.logged()


def can_connect(cloud):
    try:
        return requests.get(f"{cloud.url}/_virga/health").status_code == 200
    except requests.ConnectionError:
        return False


@pytest.mark.parametrize("flag, value", [("--head-timeout", "0"), ("--body-timeout", "86401"), ("--idle-timeout", "soon"), ("--connections", "0")])
def test_a_limit_is_a_number(flag, value):
    result = run("serve", "--port", 0, flag, value)
    assert result.returncode == 64 and flag[2:] in result.stderr
