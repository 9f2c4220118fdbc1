"""Messages that two HTTP implementations could split in different ways. Each is refused, and the connection closes, so that the bytes
behind it never become a request. (RFC 9112 sections 5 to 7 and 11.2; RFC 9113 sections 8.1 to 8.3.)"""

import socket

import h2.config
import h2.connection
import h2.events
import pytest
import requests

from cloud import TIMEOUT_SECONDS
from http2 import HTTP2
from test_connections import answer, connect

HIDDEN = b"GET /_virga/health?hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"


def head(*lines, line="POST /none?delete HTTP/1.1", host="Host: localhost"):
    return "\r\n".join([line, *([host] if host else []), *lines]).encode("latin-1") + b"\r\n\r\n"


CHUNKED = "Transfer-Encoding: chunked"

LENGTHS = {
    f"length {length!r}": head(f"Content-Length: {length}") + b"{}" for length in [
        "2, 2", "2,3", "+2", "-1", "0x2", "2;", "two", "1e1", "2 2", "", "99999999999999999999", "18446744073709551618", "\u00b2"]}
TWO_LENGTHS = {
    "two lengths": head("Content-Length: 2", f"Content-Length: {2 + len(HIDDEN)}"),
    "two lengths of one value": head("Content-Length: 2", "Content-Length: 2") + b"{}",
    "length before chunks": head("Content-Length: 2", CHUNKED) + b"0\r\n\r\n",
    "length in the trailer": head(CHUNKED) + b"0\r\nContent-Length: 40\r\n\r\n",
    "chunks before length": head(CHUNKED, f"Content-Length: {5 + len(HIDDEN)}") + b"0\r\n\r\n"}
CODINGS = {
    f"coding {coding!r}": head(f"Transfer-Encoding: {coding}") + b"0\r\n\r\n" for coding in [
        "identity", "xchunked", "chunked, identity", "chunked, gzip", "chunked;q=1", "chun ked", "chunked\x00", "\x0bchunked", "chunked chunked", "chunked x", "chunked \x0b", "chunked \xa0", "chunked ;", "\"chunked\""]}
TWO_CODINGS = {
    f"codings {first!r} and {second!r}": head(f"Transfer-Encoding: {first}", f"Transfer-Encoding: {second}") + b"0\r\n\r\n"
    for first in ["chunked", "identity", "gzip", "", "xchunked"] for second in ["chunked", "identity", "gzip", "", "Chunked"]} | {
    f"coding {coding!r} in one line": head(f"Transfer-Encoding: {coding}") + b"0\r\n\r\n" for coding in [
        "chunked, chunked", "gzip, chunked", "identity, chunked", "identity,chunked", ", chunked", "chunked,", "chunked ,", "", ",", "x, chunked",
        "gzip", "deflate", "compress", "trailers", "chunked, chunked, chunked"]} | {
    f"coding {coding!r} with a length": head(f"Transfer-Encoding: {coding}", "Content-Length: 5") + b"0\r\n\r\n"
    for coding in ["chunked", "identity", "gzip, chunked", "identity, chunked", ""]} | {
    "coding in HTTP/1.0": head(CHUNKED, line="POST /none?delete HTTP/1.0") + b"0\r\n\r\n"}
NAMES = {
    f"name {line!r}": head(line, "Content-Length: 2") + b"{}" for line in [
        "Transfer-Encoding : chunked", "Transfer-Encoding\t: chunked", " Transfer-Encoding: chunked", "Transfer Encoding: chunked",
        "Transfer-Encoding\x00: chunked", ": chunked", "Transfer-Encoding", "Transf\u00e9r-Encoding: chunked", "X: a\x00b", "X: a\rTransfer-Encoding: chunked"]}
FOLDED = {
    "folded coding": head("Transfer-Encoding:", " chunked", "Content-Length: 2") + b"{}",
    "folded value": head("X: a", " b", "Content-Length: 2") + b"{}"}
CHUNKS = {
    f"chunk {chunk!r}": head(CHUNKED) + chunk + b"0\r\n\r\n" for chunk in [
        b"-1\r\n{}\r\n", b"+2\r\n{}\r\n", b"0x2\r\n{}\r\n", b" 2\r\n{}\r\n", b"2 \r\n{}\r\n", b"2_0\r\n{}\r\n", b"g\r\n{}\r\n", b"\r\n{}\r\n", b"2\r\n{}XX",
        b"2\r\n{}}\r\n", b"10000000000000002\r\n{}\r\n", b"ffffffffffffffff\r\n{}\r\n", b"2;a\x00\r\n{}\r\n"]}
LINES = {
    f"line {line!r}": head("Content-Length: 2", line=line) + b"{}" for line in [
        "POST /none?delete", "POST /none?delete HTTP/1.1 HTTP/1.1", "POST\t/none?delete\tHTTP/1.1",
        "POST /none?delete HTTP/1.1\r", "POST /none?delete HTTP/01.1", "POST /none?delete http/1.1", "POST /no\x00ne?delete HTTP/1.1",
        "P\x00ST /none?delete HTTP/1.1", "POST /none?delete HTTP/2.0", "POST /none?delete HTTP/1.11", "(POST) /none?delete HTTP/1.1"]}
HOSTS = {
    "no host": head("Content-Length: 2", host=None) + b"{}",
    "two hosts": head("Host: 127.0.0.1", "Content-Length: 2") + b"{}"}
ROWS = LENGTHS | TWO_LENGTHS | CODINGS | TWO_CODINGS | NAMES | FOLDED | CHUNKS | LINES | HOSTS

# Nothing is ambiguous about these, and another request follows them.
SOUND = {
    "length": head("Content-Length: 2") + b"{}", "length with spaces": head("Content-Length:  2 ") + b"{}",
    "chunks": head(CHUNKED) + b"2\r\n{}\r\n0\r\n\r\n", "coding in capitals": head("TRANSFER-ENCODING: Chunked") + b"0\r\n\r\n",
    "coding with blanks": head("Transfer-Encoding:  chunked  ") + b"2\r\n{}\r\n0\r\n\r\n",
    "host with a blank": head("Content-Length: 2", host="Host: localhost ") + b"{}",
    "extension of a chunk": head(CHUNKED) + b"2;a=b\r\n{}\r\n0\r\n\r\n",
    "trailer": head(CHUNKED) + b"0\r\nX: y\r\n\r\n"}


def everything(cloud, message):
    """All that the server sends for a message until it closes the connection."""
    with connect(cloud) as connection:
        connection.sendall(message)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def targets(cloud):
    return [entry["target"] for entry in cloud.control("GET", "journal?limit=50")["entries"]]


@pytest.mark.parametrize("row", ROWS)
def test_what_follows_an_ambiguous_message_is_no_request(cloud, row):
    answered = everything(cloud, ROWS[row] + HIDDEN)
    # A request may be answered before the fault in its body arrives.
    last = answered[answered.rfind(b"HTTP/1.1 "):]
    assert last.startswith(b"HTTP/1.1 400 ") and b"connection: close" in last.lower(), answered
    assert b'{"status":"ok"}' not in answered and not any("hidden" in target for target in targets(cloud))


@pytest.mark.parametrize("row", SOUND)
def test_what_follows_a_sound_message_is_a_request(cloud, row):
    answered = everything(cloud, SOUND[row] + HIDDEN)
    assert answered.startswith(b"HTTP/1.1 404 ") and answered.count(b"HTTP/1.1 ") == 2 and answered.endswith(b'{"status":"ok"}'), answered


def test_the_host_of_an_absolute_target_counts(cloud):
    """RFC 9112 section 3.2.2: a cache or guard that reads the header would see another host."""
    answered = everything(cloud, b"GET http://evil.example/_virga/journal HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answered.startswith(b"HTTP/1.1 403 ") and b"foreign_host" in answered


class Frames(HTTP2):
    """An HTTP/2 client that sends any frames, valid or not."""

    def __init__(self, cloud):
        super().__init__(cloud)
        self.state.config = h2.config.H2Configuration(
            client_side=True, validate_outbound_headers=False, normalize_outbound_headers=False)

    def answer_to(self, fields, body=b""):
        """The status of the response; None if the stream is reset or the connection closes."""
        stream = self.state.get_next_available_stream_id()
        self.state.send_headers(stream, fields, end_stream=not body)
        if body:
            self.state.send_data(stream, body, end_stream=True)
        self.flush()
        while True:
            for event in self.events:
                if isinstance(event, h2.events.ResponseReceived) and event.stream_id == stream:
                    return dict(event.headers)[b":status"].decode()
                if isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
                    return None
            data = self.socket.recv(1 << 16)
            if not data:
                return None
            self.events += self.state.receive_data(data)
            self.flush()


def fields(*more, **pseudo):
    standard = {"method": "POST", "scheme": "https", "path": "/", "authority": "localhost"} | pseudo
    return [(f":{name}", value) for name, value in standard.items() if value is not None] + list(more)


FORM = ("content-type", "application/x-www-form-urlencoded")
STREAMS = {
    "length too short": (fields(("content-length", "1"), FORM), b"a=b"), "length too long": (fields(("content-length", "4"), FORM), b"a=b"),
    "length without body": (fields(("content-length", "3")), b""), "two lengths": (fields(("content-length", "2"), ("content-length", "3")), b"{}"),
    "coding": (fields(("transfer-encoding", "chunked")), b"0\r\n\r\n"), "connection": (fields(("connection", "keep-alive")), b"{}"),
    "name in capitals": (fields(("X-Name", "a")), b"{}"), "line break in a value": (fields(("x", "a\r\nhost: b")), b"{}"),
    "line break in a name": (fields(("x: a\r\nhost", "b")), b"{}"), "colon in a name": (fields(("x:y", "a")), b"{}"),
    "NUL in a value": (fields(("x", "a\0b")), b"{}"), "space in the path": (fields(path="/none HTTP/1.1"), b"{}"),
    "line break in the path": (fields(path="/none\r\nx: y"), b"{}"), "line break in the method": (fields(method="POST / HTTP/1.1\r\nx:"), b"{}"),
    "no path": (fields(path=None), b"{}"), "empty path": (fields(path=""), b"{}"), "two paths": (fields()[:3] + fields()[2:], b"{}"),
   
    "pseudo-header after others": ([("x", "a")] + fields(), b"{}"), "unknown pseudo-header": (fields((":x", "a")), b"{}"),
    "another host": (fields(("host", "evil.example"), method="GET", path="/_virga/health"), b""),
    "two hosts": (fields(("host", "localhost"), ("host", "evil.example"), method="GET", path="/_virga/health"), b"")}


@pytest.fixture(scope="module")
def secure_cloud(process, authority):
    process.authority_ = authority

    class Secure:
        authority = process.authority_
        secure_port = int(next(url for url in process.urls if url.startswith("https:")).rsplit(":", 1)[1])

    return Secure


@pytest.mark.parametrize("row", STREAMS)
def test_an_ambiguous_stream_is_no_request(secure_cloud, row):
    client = Frames(secure_cloud)
    assert client.answer_to(*STREAMS[row]) in (None, "400"), row
    client.socket.close()
    again = HTTP2(secure_cloud)
    assert again.get("/_virga/health") == "200"
    again.go_away()


def test_a_sound_stream_is_a_request(secure_cloud):
    client = Frames(secure_cloud)
    assert client.answer_to(fields(("content-length", "3"), FORM), b"a=b") == "405"
    # A host may repeat the authority (RFC 9113 section 8.3.1).
    assert client.answer_to(fields(("host", "Localhost"), method="GET", path="/_virga/journal")) == "200"
    client.socket.close()
