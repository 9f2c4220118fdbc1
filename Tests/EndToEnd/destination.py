"""A server to which the events of buckets are delivered."""

import http.server
import json
import queue
import ssl
import threading
from contextlib import contextmanager


@contextmanager
def listening(refusals=(), answer=b"", certificate=None):
    """Yields its URL, and a queue of the messages posted to it as (path, fields, JSON).

    It answers the first messages with the statuses `refusals`; redirections lead to `/elsewhere`. `answer` is the body of every
    response. With `certificate`, the files of a certificate and its key, it uses TLS; a failed handshake is queued as its error.
    """
    received = queue.Queue()
    refusals = list(refusals)

    class Destination(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = refusals.pop() if refusals else 200
            if status == 200:
                received.put((self.path, self.headers, json.loads(body)))
            self.respond(status)

        def do_GET(self):
            received.put((self.path, self.headers, None))
            self.respond(200)

        def respond(self, status):
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        def get_request(self):
            try:
                return super().get_request()
            except ssl.SSLError as error:
                received.put(error)
                raise

        def handle_error(self, request, client_address):
            """Ignores a client that closes the connection within the body."""

    server = Server(("127.0.0.1", 0), Destination)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
