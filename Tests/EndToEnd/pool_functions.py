"""A server in place of the Lambda functions of a user pool's triggers."""

import contextlib
import http.server
import json
import threading


class Refused(Exception):
    """The error of a function."""


class Functions:
    """`handlers`, by `triggerSource`, change an event, or raise `Refused`; bytes that they return are the whole body. `events` has all events."""

    def __init__(self, url):
        self.url, self.handlers, self.events = url, {}, []

    def on(self, source):
        def add(function):
            self.handlers[source] = function
            return function

        return add

    @property
    def sources(self):
        return [event["triggerSource"] for event in self.events]

    def event(self, source):
        return next(event for event in reversed(self.events) if event["triggerSource"] == source)

    def clear(self):
        self.handlers.clear()
        self.events.clear()

    def result(self, event):
        """The header fields and the body of a response."""
        self.events.append(json.loads(json.dumps(event)))
        try:
            returned = self.handlers.get(event["triggerSource"], lambda event: None)(event)
        except Refused as error:
            return {"X-Amz-Function-Error": "Unhandled"}, json.dumps({"errorMessage": str(error)}).encode()
        return {}, returned if isinstance(returned, bytes) else json.dumps(event).encode()


@contextlib.contextmanager
def listening():
    """Runs the server."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            fields, body = functions.result(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    functions = Functions(f"http://127.0.0.1:{server.server_port}/")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield functions
    finally:
        server.shutdown()
        server.server_close()
