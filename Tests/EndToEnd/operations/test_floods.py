"""Floods of HTTP/2: each is stopped with GOAWAY, and other connections are served as before."""

import socket
import ssl
import struct

import h2.events
import pytest
from hpack import Encoder

from http2 import HTTP2, secure

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION, PRIORITY = 0, 1, 3, 4, 6, 7, 8, 9, 2
END_STREAM, END_HEADERS, ACK = 1, 4, 1
# Far more than each limit.
COUNT = 20_000
NO_ERROR, ENHANCE_YOUR_CALM = 0, 11


def frame(kind, flags=0, stream=0, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def request(encoder, stream, path="/_virga/health", flags=END_HEADERS | END_STREAM):
    fields = [(":method", "GET"), (":scheme", "https"), (":path", path), (":authority", "localhost")]
    return frame(HEADERS, flags, stream, encoder.encode(fields))


def rapid_reset(encoder):
    """CVE-2023-44487."""
    for stream in range(1, 2 * COUNT, 2):
        yield request(encoder, stream) + frame(RST_STREAM, 0, stream, struct.pack(">I", 8))


def induced_reset(encoder):
    """CVE-2025-8671: the client makes the server reset the streams."""
    for stream in range(1, 2 * COUNT, 2):
        yield request(encoder, stream, flags=END_HEADERS) + frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", 0))


def continuation(encoder):
    """CVE-2024-27316: a head without an end."""
    yield frame(HEADERS, END_STREAM, 1, encoder.encode([(":method", "GET"), (":scheme", "https"), (":path", "/"), (":authority", "localhost")]))
    for _ in range(COUNT):
        yield frame(CONTINUATION, 0, 1, encoder.encode([("x", "a" * 20)]))


def empty_continuation(encoder):
    yield frame(HEADERS, END_STREAM, 1, encoder.encode([(":method", "GET")]))
    for _ in range(COUNT):
        yield frame(CONTINUATION, 0, 1)


def settings(_):
    """CVE-2019-9515."""
    for number in range(COUNT):
        yield frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535 + number % 2))


def empty_settings(_):
    for _ in range(COUNT):
        yield frame(SETTINGS)


def ping(_):
    """CVE-2019-9512."""
    for number in range(COUNT):
        yield frame(PING, 0, 0, number.to_bytes(8, "big"))


def window(_):
    for _ in range(COUNT):
        yield frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))


def window_of_a_stream(encoder):
    """The stream waits for its body, so that nothing reads its frames."""
    yield request(encoder, 1, "/", END_HEADERS)
    for _ in range(COUNT):
        yield frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 1))


def window_overflow(_):
    for _ in range(4):
        yield frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 0x7FFFFFFF))


def priority(_):
    """CVE-2019-9513."""
    for number in range(COUNT):
        yield frame(PRIORITY, 0, 1 + 2 * (number % 50), struct.pack(">IB", 0, number % 256))


def empty_data(encoder):
    """CVE-2019-9518."""
    yield request(encoder, 1, "/", END_HEADERS)
    for _ in range(COUNT):
        yield frame(DATA, 0, 1)


def oversized(_):
    yield frame(DATA, 0, 1, bytes(16_385))


def unknown(_):
    for number in range(COUNT):
        yield frame(0xEE, 0, 0, b"x" * 8)


def header_bomb(encoder):
    """One table entry, referenced thousands of times."""
    yield request(encoder, 1)
    encoder.encode([("x", "a" * 3900)])
    yield frame(HEADERS, END_HEADERS | END_STREAM, 3, encoder.encode([(":method", "GET"), (":scheme", "https"), (":path", "/"), (":authority", "a")]
                                                                       + [("x", "a" * 3900)] * 4000))


FLOODS = {flood.__name__: flood for flood in [
    rapid_reset, induced_reset, continuation, empty_continuation, settings, empty_settings, ping, window, window_of_a_stream, window_overflow, priority, empty_data, oversized,
    header_bomb]}
# The protocol allows these; they cost no more than other bytes.
HARMLESS = {flood.__name__: flood for flood in [unknown]}


@pytest.fixture(scope="module")
def target(process, authority):
    class Target:
        secure_port = int(next(url for url in process.urls if url.startswith("https:")).rsplit(":", 1)[1])

    Target.authority, Target.process = authority, process.process
    return Target


def frames_of(data):
    """Kind, flags and payload of each whole frame."""
    while len(data) >= 9 and len(data) >= 9 + int.from_bytes(data[:3], "big"):
        length = int.from_bytes(data[:3], "big")
        yield data[3], data[4], data[9:9 + length]
        data = data[9 + length:]


def flooded(target, flood):
    """The last frames of the server, and whether it closed the connection, after a flood whose responses the client reads at the end."""
    connection = secure(target, "h2")
    connection.settimeout(0.5)
    received, is_closed, encoder = b"", False, Encoder()
    try:
        connection.sendall(PREFACE + frame(SETTINGS))
        batch = b""
        for piece in flood(encoder):
            batch += piece
            if len(batch) > 8192:
                connection.sendall(batch)
                batch = b""
        connection.sendall(batch)
        connection.sendall(frame(PING, 0, 0, b"the last"))
    except (OSError, ssl.SSLError):
        is_closed = True
    connection.settimeout(60)
    while not is_closed or received is not None:
        try:
            data = connection.recv(1 << 16)
        except (OSError, ssl.SSLError):
            data = b""
        received += data
        if not data:
            is_closed = True
            break
        if b"the last" in received:
            break
    connection.close()
    return list(frames_of(received)), is_closed


def expect_served(target):
    other = HTTP2(target)
    assert other.get("/_virga/health") == "200"
    other.go_away()


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_ends_with_goaway(target, name):
    neighbour = HTTP2(target)
    assert neighbour.get("/_virga/health") == "200"
    frames, is_closed = flooded(target, FLOODS[name])
    assert is_closed, f"{len(frames)} frames, the last of kind {frames[-1:]}"
    ends = [struct.unpack(">I", payload[4:8])[0] for kind, _, payload in frames if kind == GOAWAY]
    # A reset of the connection can overtake the frame, if the client still sends.
    assert not ends or ends[-1] != NO_ERROR
    assert neighbour.get("/_virga/health") == "200"
    neighbour.go_away()
    expect_served(target)


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_flood_is_only_read(target, name):
    _, is_closed = flooded(target, HARMLESS[name])
    expect_served(target)
    assert target.process.poll() is None
    assert is_closed in (True, False)


def test_goaway_arrives_at_a_client_that_reads(target):
    """A client that reads while it sends sees the reason."""
    peer = HTTP2(target)
    for stream in range(1, 2000, 2):
        try:
            peer.socket.sendall(request(Encoder(), stream) + frame(RST_STREAM, 0, stream, struct.pack(">I", 8)))
        except (OSError, socket.error):
            break
    received = b""
    try:
        while data := peer.socket.recv(1 << 16):
            received += data
    except OSError:
        pass
    kinds = [kind for kind, _, _ in frames_of(received)]
    assert GOAWAY in kinds, kinds
    assert h2.events


def test_a_client_that_updates_its_windows_often_is_served(target):
    """Several updates for each response are no flood, however many they are in all."""
    peer = HTTP2(target)
    for _ in range(1000):
        for _ in range(5):
            peer.state.increment_flow_control_window(1)
        assert peer.get("/_virga/health") == "200"
    peer.go_away()
