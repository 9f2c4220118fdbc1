"""A server of the tests that the events of buckets are delivered to."""

import http.server
import json
import queue
import threading
from contextlib import contextmanager


@contextmanager
def listening(refusals=()):
    """Gives its URL, and a queue of what has been posted to it as (path, fields, JSON); the first messages are refused with these statuses."""
    received = queue.Queue()
    refusals = list(refusals)

    class Destination(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = refusals.pop() if refusals else 200
            if status == 200:
                received.put((self.path, self.headers, json.loads(body)))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Destination)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
