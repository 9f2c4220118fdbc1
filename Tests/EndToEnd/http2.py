"""An HTTP/2 client that can close its connection in every way, including those that no library supports."""

import socket
import ssl
import struct

import h2.config
import h2.connection
import h2.events

from cloud import TIMEOUT_SECONDS


def connect(cloud, port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def secure(cloud, protocol):
    """A connection over TLS, with the negotiated protocol."""
    context = ssl.create_default_context(cafile=cloud.authority)
    context.set_alpn_protocols([protocol])
    connection = context.wrap_socket(connect(cloud, cloud.secure_port), server_hostname="localhost")
    assert connection.selected_alpn_protocol() == protocol
    return connection


def reset(connection):
    """Closes a connection with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def say_goodbye(connection):
    """Sends close_notify, waits for the server's, and closes."""
    try:
        connection.unwrap().close()
    except (ssl.SSLError, OSError):
        # The server's last response may arrive before.
        connection.close()


def half_close(connection):
    """Sends FIN, and closes after the server has."""
    connection.shutdown(socket.SHUT_WR)
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionResetError:
        pass
    connection.close()


class HTTP2:
    """One HTTP/2 connection over TLS."""

    def __init__(self, cloud):
        self.socket = secure(cloud, "h2")
        self.authority = f"localhost:{cloud.secure_port}"
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self.state.initiate_connection()
        self.events = []
        self.flush()

    def flush(self):
        self.socket.sendall(self.state.data_to_send())

    def send(self, method, path, body=b"", ends=True, headers=None):
        """Sends a request, to which data may be added unless it ends. Returns its stream's number."""
        stream = self.state.get_next_available_stream_id()
        fields = {":method": method, ":path": path, ":scheme": "https", ":authority": self.authority} | (headers or {})
        self.state.send_headers(stream, list(fields.items()), end_stream=ends and not body)
        if body:
            self.state.send_data(stream, body, end_stream=ends)
        self.flush()
        return stream

    def finish(self, stream, body=b""):
        self.state.send_data(stream, body, end_stream=True)
        self.flush()

    def until(self, kind, stream=None):
        """Reads until an event of a type arrives and returns it; returns None if the connection ends first."""
        while True:
            for event in self.events:
                if isinstance(event, kind) and stream in (None, getattr(event, "stream_id", None)):
                    self.events.remove(event)
                    return event
            if not self.receive():
                return None

    def receive(self):
        """Waits for bytes and adds their events. Returns False if the connection ends."""
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            return False
        if not data:
            return False
        events = self.state.receive_data(data)
        if any(isinstance(event, h2.events.ConnectionTerminated) for event in events):
            # To this library GOAWAY ends everything, but streams that the server has accepted continue.
            self.state.state_machine.state = h2.connection.ConnectionState.CLIENT_OPEN
        self.events += events
        self.flush()
        return True

    def status(self, stream):
        event = self.until(h2.events.ResponseReceived, stream)
        return event and dict(event.headers)[b":status"].decode()

    def get(self, path):
        """Returns the status of a request whose response is complete."""
        stream = self.send("GET", path)
        status = self.status(stream)
        assert self.until(h2.events.StreamEnded, stream)
        return status

    def go_away(self):
        self.state.close_connection()
        self.flush()
        self.socket.close()
