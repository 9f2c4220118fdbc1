"""Connections of real clients: half closed, aborted, HTTP/1.0, pipelined, slow."""

import http.client
import os
import socket
import struct

import pytest
from botocore.awsrequest import AWSRequest

from clients import ROOT, sign
from cloud import TIMEOUT_SECONDS, Cloud

MIB = 1 << 20


def connect(cloud):
    connection = socket.create_connection(("127.0.0.1", cloud.port))
    connection.settimeout(TIMEOUT_SECONDS)
    return connection


def signed(cloud, method, path, body=b"", headers=None, version="1.1"):
    """The bytes of a signed request's head."""
    request = AWSRequest(method=method, url=f"{cloud.url}{path}", data=body, headers=dict(headers or {}))
    sign(request, ROOT)
    fields = {"Host": f"127.0.0.1:{cloud.port}"} | dict(request.headers)
    if body and "Transfer-Encoding" not in fields:
        fields["Content-Length"] = str(len(body))
    return f"{method} {path} HTTP/{version}\r\n".encode() + b"".join(f"{n}: {v}\r\n".encode() for n, v in fields.items()) + b"\r\n"


def answer(stream):
    """Status line, headers in lowercase and body of the next response."""
    line = stream.readline().decode().rstrip()
    fields = http.client.parse_headers(stream)
    fields = {name.lower(): value for name, value in fields.items()}
    if fields.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(stream.readline(), 16):
            body += stream.read(size)
            stream.readline()
        stream.readline()
        return line, fields, body
    return line, fields, stream.read(int(fields.get("content-length", 0)))


HEALTH = b"GET /_virga/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_client_of_http_1_0_is_answered_and_left(cloud):
    with connect(cloud) as connection:
        connection.sendall(b"GET /_virga/health HTTP/1.0\r\n\r\n")
        text = connection.makefile("rb").read()
    head, body = text.split(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ") and body == b'{"status":"ok"}'
    assert b"connection: close" in head.lower()


def test_a_client_of_http_1_0_may_stay(cloud):
    with connect(cloud) as connection:
        stream = connection.makefile("rb")
        for _ in range(2):
            connection.sendall(b"GET /_virga/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            line, fields, body = answer(stream)
            assert line.endswith("200 OK") and fields["connection"] == "keep-alive" and body


@pytest.mark.parametrize("host", ["", "Host: a\r\nHost: b\r\n"])
def test_a_request_has_one_host(cloud, host):
    with connect(cloud) as connection:
        connection.sendall(f"GET /_virga/health HTTP/1.1\r\n{host}\r\n".encode())
        line, fields, _ = answer(connection.makefile("rb"))
    assert line == "HTTP/1.1 400 Bad Request" and fields["connection"] == "close"


def test_a_client_that_has_closed_its_side_is_still_answered(cloud, bucket):
    with connect(cloud) as connection:
        connection.sendall(HEALTH + signed(cloud, "PUT", f"/{bucket}/half", b"x" * 300_000) + b"x" * 300_000 + HEALTH)
        connection.shutdown(socket.SHUT_WR)
        stream = connection.makefile("rb")
        assert [answer(stream)[0] for _ in range(3)] == ["HTTP/1.1 200 OK"] * 3
        assert stream.read() == b""


def test_half_a_body_is_no_body(cloud, root, bucket):
    with connect(cloud) as connection:
        connection.sendall(signed(cloud, "PUT", f"/{bucket}/torn", b"x" * 300_000) + b"x" * 200_000)
        connection.shutdown(socket.SHUT_WR)
        line, _, body = answer(connection.makefile("rb"))
        assert line == "HTTP/1.1 400 Bad Request" and b"<Code>IncompleteBody</Code>" in body
    assert root.list_objects_v2(Bucket=bucket)["KeyCount"] == 0


def test_an_aborted_upload_leaves_nothing(cloud, root, bucket):
    for _ in range(5):
        with connect(cloud) as connection:
            connection.sendall(signed(cloud, "PUT", f"/{bucket}/torn", b"x" * MIB) + b"x" * 700_000)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert root.list_objects_v2(Bucket=bucket)["KeyCount"] == 0


def test_an_aborted_download_harms_nobody(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="big", Body=os.urandom(8 * MIB))
    for _ in range(5):
        with connect(cloud) as connection:
            connection.sendall(signed(cloud, "GET", f"/{bucket}/big"))
            connection.recv(1000)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert len(root.get_object(Bucket=bucket, Key="big")["Body"].read()) == 8 * MIB


def test_requests_behind_an_upload_wait_for_it(cloud, root, bucket):
    body = os.urandom(3 * MIB)
    with connect(cloud) as connection:
        put, get = signed(cloud, "PUT", f"/{bucket}/x", body), signed(cloud, "GET", f"/{bucket}/x")
        stream = connection.makefile("rb")
        connection.sendall(put + body + get + HEALTH)
        assert answer(stream)[0] == "HTTP/1.1 200 OK"
        assert answer(stream)[2] == body
        assert answer(stream)[2] == b'{"status":"ok"}'


def test_many_requests_at_once_are_answered_in_order(cloud, root, bucket):
    """More requests than the queue holds, so that reading has to pause and continue."""
    bodies = {f"k{number}": bytes([number]) * (number * 1000) for number in range(1, 120)}
    with connect(cloud) as connection:
        stream = connection.makefile("rb")
        connection.sendall(b"".join(signed(cloud, "PUT", f"/{bucket}/{key}", body) + body for key, body in bodies.items()))
        assert all(answer(stream)[0] == "HTTP/1.1 200 OK" for _ in bodies)
        connection.sendall(b"".join(signed(cloud, "GET", f"/{bucket}/{key}") for key in bodies))
        for body in bodies.values():
            assert answer(stream)[2] == body


def test_a_refused_upload_need_not_be_sent(cloud, bucket):
    with connect(cloud) as connection:
        head = signed(cloud, "PUT", "/no-such-bucket/x", b"", {"Expect": "100-continue", "Content-Length": str(1 << 30)})
        connection.sendall(head)
        stream = connection.makefile("rb")
        line, fields, body = answer(stream)
        assert line == "HTTP/1.1 404 Not Found" and b"NoSuchBucket" in body and fields["connection"] == "close"
        assert stream.read() == b""


def test_a_body_in_chunks_may_be_too_long(cloud):
    body = os.urandom(2 * MIB)
    with connect(cloud) as connection:
        connection.sendall(b"POST /_virga/tokens HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(body), 65536):
            connection.sendall(b"10000\r\n" + body[at:at + 65536] + b"\r\n")
        connection.sendall(b"0\r\n\r\n" + HEALTH)
        stream = connection.makefile("rb")
        assert answer(stream)[0] == "HTTP/1.1 413 Content Too Large"
        assert answer(stream)[2] == b'{"status":"ok"}'


def test_an_upgrade_is_not_taken(cloud):
    with connect(cloud) as connection:
        connection.sendall(b"GET /_virga/health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                           b"HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n")
        line, fields, body = answer(connection.makefile("rb"))
    assert (line, body) == ("HTTP/1.1 200 OK", b'{"status":"ok"}') and fields["connection"] == "close"


def test_an_answer_without_content_has_no_length(cloud, root, bucket):
    with connect(cloud) as connection:
        stream = connection.makefile("rb")
        connection.sendall(signed(cloud, "DELETE", f"/{bucket}/nothing") + HEALTH)
        line, fields, _ = answer(stream)
        assert line == "HTTP/1.1 204 No Content" and "content-length" not in fields and "transfer-encoding" not in fields
        assert answer(stream)[0] == "HTTP/1.1 200 OK"


def test_a_slow_reader_costs_no_memory():
    with Cloud.ephemeral() as cloud:
        def resident():
            return int(open(f"/proc/{cloud.process.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        size = 64 * MIB
        with connect(cloud) as connection:
            stream = connection.makefile("rb")
            connection.sendall(signed(cloud, "PUT", "/slow-reader"))
            assert answer(stream)[0] == "HTTP/1.1 200 OK"
            head = signed(cloud, "PUT", "/slow-reader/x", headers={"x-amz-content-sha256": "UNSIGNED-PAYLOAD", "Content-Length": str(size)})
            connection.sendall(head)
            for _ in range(64):
                connection.sendall(bytes(MIB))
            assert answer(stream)[0] == "HTTP/1.1 200 OK"
        before = resident()
        readers = [connect(cloud) for _ in range(8)]
        for reader in readers:
            reader.sendall(signed(cloud, "GET", "/slow-reader/x"))
            reader.recv(1000)
        # While another client reads a whole object, the server could have read as much for each of the slow ones.
        with connect(cloud) as connection:
            connection.sendall(signed(cloud, "GET", "/slow-reader/x"))
            assert len(answer(connection.makefile("rb"))[2]) == size
        grown = resident() - before
        for reader in readers:
            reader.close()
        assert grown < 40 * MIB
