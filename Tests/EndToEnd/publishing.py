"""A site that publishes documents of a client for an identity provider."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@contextlib.contextmanager
def publishing(content_type, **headers):
    """Yields a dictionary of paths and texts to publish, with the site's URL under `url`. Header names are written with underscores."""
    documents = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = documents.get(urlsplit(self.path).path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", content_type)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    documents["url"] = f"http://127.0.0.1:{server.server_port}"
    try:
        yield documents
    finally:
        server.shutdown()
        server.server_close()
