"""`POST /_virga/drain`: the server is not ready any more and its clients go elsewhere, but every request is served."""

import socket

import h2.events
import pytest
import requests

from clients import signed
from cloud import TIMEOUT_SECONDS, Cloud, run
from http2 import HTTP2, connect
from test_connections import HEALTH, answer
from test_stopping import BEGINNING


@pytest.fixture
def cloud(tmp_path, environment_of_the_tests):
    """A process that listens over HTTP and HTTPS."""
    file = tmp_path / "ca.pem"
    with Cloud.ephemeral("--tls-port", 0, "--ca-file", file, listeners=2) as cloud:
        cloud.authority = file
        cloud.secure_port = int(next(url for url in cloud.urls if url.startswith("https:")).rsplit(":", 1)[1])
        yield cloud
        assert cloud.stop() == 0


def asks(stream, connection):
    """Sends a request on a kept connection, and returns whether the connection stays open."""
    connection.sendall(HEALTH)
    line, fields, _ = answer(stream)
    assert line == "HTTP/1.1 200 OK"
    return fields.get("connection") != "close"


def test_a_drained_server_is_not_ready_but_serves(cloud):
    assert requests.get(f"{cloud.url}/_virga/ready").status_code == 200
    state = cloud.control("POST", "drain")
    assert state["status"] == "draining" and state["connections"] >= 1
    ready = requests.get(f"{cloud.url}/_virga/ready")
    assert (ready.status_code, ready.json()["error"]) == (503, "draining")
    assert requests.get(f"{cloud.url}/_virga/health").status_code == 200
    assert signed(cloud, "PUT", "/personal-files/late", body=b"late").status_code == 200
    assert signed(cloud, "GET", "/personal-files/late").content == b"late"
    assert cloud.control("POST", "drain")["status"] == "draining", "it can be repeated"


def test_kept_connections_close_after_their_next_response(cloud):
    with connect(cloud, cloud.port) as connection:
        stream = connection.makefile("rb")
        assert asks(stream, connection)
        cloud.control("POST", "drain")
        assert not asks(stream, connection)
        assert stream.read() == b""
    # A new connection is accepted, for one request.
    with connect(cloud, cloud.port) as connection:
        stream = connection.makefile("rb")
        assert not asks(stream, connection) and stream.read() == b""


def test_a_request_that_has_begun_finishes(cloud):
    with connect(cloud, cloud.port) as connection:
        connection.sendall(BEGINNING)
        stream = connection.makefile("rb")
        assert answer(stream)[0] == "HTTP/1.1 100 Continue"
        cloud.control("POST", "drain")
        connection.sendall(b"{}")
        line, fields, _ = answer(stream)
        assert line == "HTTP/1.1 400 Bad Request" and fields["connection"] == "close"
        assert stream.read() == b""


def test_a_streamed_response_is_complete(cloud):
    content = bytes(range(256)) * 40_000
    signed(cloud, "PUT", "/personal-files/long", body=content)
    cloud.control("POST", "drain")
    got = signed(cloud, "GET", "/personal-files/long")
    assert got.content == content and got.headers["Connection"] == "close"


def test_http2_clients_are_told_to_go_away(cloud):
    busy, idle = HTTP2(cloud), HTTP2(cloud)
    for client in [busy, idle]:
        assert client.get("/_virga/health") == "200"
    stream = busy.send("POST", "/_virga/clock", b"{", ends=False)
    assert busy.get("/_virga/health") == "200"
    cloud.control("POST", "drain")
    assert idle.until(h2.events.ConnectionTerminated).error_code == 0
    event = busy.until(h2.events.ConnectionTerminated)
    assert (event.error_code, event.last_stream_id) == (0, stream + 2)
    busy.state.send_data(stream, b"}", end_stream=True)
    busy.flush()
    assert busy.status(stream) == "400"
    # The server responds on a new connection, and closes it after the first request.
    late = HTTP2(cloud)
    assert late.get("/_virga/health") == "200"
    assert late.until(h2.events.ConnectionTerminated).error_code == 0


def test_no_sandbox_is_created_but_those_that_exist_are_used(cloud):
    cloud.control("POST", "sandboxes", {"name": "a"})
    cloud.control("POST", "drain")
    for method, path in [("POST", "sandboxes"), ("PUT", "sandboxes/b"), ("POST", "sandboxes/a/fork")]:
        refused = requests.request(method, f"{cloud.url}/_virga/{path}", json={})
        assert (refused.status_code, refused.json()["error"]) == (503, "draining"), path
    assert cloud.control("PUT", "sandboxes/a", {"from": "seed"})["name"] == "a"
    cloud.control("POST", "sandboxes/a/snapshots", {"name": "s"})
    cloud.control("POST", "sandboxes/a/restore", {"snapshot": "s"})
    assert requests.get(cloud.url, headers={"x-virga-sandbox": "a"}).status_code == 403


def test_draining_can_be_undone(cloud):
    cloud.control("POST", "drain")
    assert cloud.control("DELETE", "drain")["status"] == cloud.control("GET", "drain")["status"] == "serving"
    assert requests.get(f"{cloud.url}/_virga/ready").status_code == 200
    with connect(cloud, cloud.port) as connection:
        stream = connection.makefile("rb")
        assert asks(stream, connection) and asks(stream, connection)
    cloud.control("POST", "sandboxes", {"name": "later"})


def test_only_the_control_token_drains():
    with Cloud.ephemeral("--control-token", "secret") as cloud:
        assert requests.post(f"{cloud.url}/_virga/drain").status_code == 401
        assert requests.get(f"{cloud.url}/_virga/ready").status_code == 200
        done = run("drain", "--endpoint", cloud.url, "--control-token", "secret")
        assert (done.returncode, done.stdout) == (0, "draining with 0 other open connections\n"), done.stderr
        assert requests.get(f"{cloud.url}/_virga/ready").status_code == 503
        undone = run("drain", "--endpoint", cloud.url, "--undo", VIRGA_CONTROL_TOKEN="secret")
        assert (undone.returncode, undone.stdout) == (0, "serving with 0 other open connections\n"), undone.stderr


def test_the_command_waits_for_connections_to_close(cloud):
    with connect(cloud, cloud.port) as connection:
        stream = connection.makefile("rb")
        assert asks(stream, connection)
        assert run("drain", "--endpoint", cloud.url, "--wait", 1).stdout == "draining with 1 other open connection\n"
        assert not asks(stream, connection) and stream.read() == b""
    # A day: the command ends because no connection is open.
    assert run("drain", "--endpoint", cloud.url, "--wait", 86_400).stdout == "draining with 0 other open connections\n"


def test_a_body_with_members_is_refused(cloud):
    refused = requests.post(f"{cloud.url}/_virga/drain", json={"soon": True})
    assert (refused.status_code, refused.json()["error"]) == (400, "unknown_member")
    assert requests.get(f"{cloud.url}/_virga/ready").status_code == 200


def test_a_drained_server_stops_at_the_signal(cloud):
    with socket.create_connection(("127.0.0.1", cloud.port)):
        cloud.control("POST", "drain")
        cloud.process.terminate()
        assert cloud.process.wait(TIMEOUT_SECONDS) == 0
