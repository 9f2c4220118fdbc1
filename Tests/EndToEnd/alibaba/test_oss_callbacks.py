"""Uploads to OSS with a callback to the app's own server."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import unquote

import pytest
import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from harbour import bucket, refused


@pytest.fixture
def shop(harbour):
    """The same with Version 4 only."""
    made = bucket(harbour, "workshop")
    made.create_bucket()
    return made


class Receiver:
    """An app's server that OSS calls back."""

    def __init__(self, status=200, answer=b'{"stored":true}'):
        self.calls = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.calls.append((self.path, self.headers, body))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/stored?app=harbour"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *exception):
        self.server.shutdown()
        self.server.server_close()


def callback(url, body="bucket=${bucket}&object=${object}&size=${size}&etag=${etag}&who=${x:who}", **more):
    def encode(value):
        return base64.b64encode(json.dumps(value).encode()).decode()

    return {"x-oss-callback": encode({"callbackUrl": url, "callbackBody": body, **more}),
            "x-oss-callback-var": encode({"x:who": "alice"})}


def test_an_upload_calls_the_app_back(shop):
    with Receiver() as receiver:
        answer = shop.put_object("folder/x.txt", b"text", headers=callback(receiver.url))
        assert answer.resp.read() == b'{"stored":true}' and answer.status == 200
    (path, headers, body), = receiver.calls
    assert path == "/stored?app=harbour"
    fields = dict(pair.split("=", 1) for pair in body.decode().split("&"))
    assert fields["bucket"] == "workshop" and fields["size"] == "4" and fields["who"] == "alice"
    assert headers["Content-Type"].startswith("application/x-www-form-urlencoded")
    assert verify(headers, path, body)


def verify(headers, path, body):
    """Verifies a callback as documented: the signature covers the decoded path, the query and the body, with the key at a URL in a
    header."""
    url = base64.b64decode(headers["x-oss-pub-key-url"]).decode()
    answer = requests.get(url)
    assert answer.status_code == 200, answer.text
    key = serialization.load_pem_public_key(answer.content)
    path, mark, query = path.partition("?")
    text = (unquote(path) + mark + query + "\n").encode() + body
    key.verify(base64.b64decode(headers["Authorization"]), text, padding.PKCS1v15(), hashes.MD5())
    return True


def test_a_callback_that_fails_leaves_the_object(shop):
    with Receiver(status=500, answer=b"{}") as receiver:
        answer = shop.put_object("x", b"text", headers=callback(receiver.url))
        assert answer.status == 203 and b"<Code>CallbackFailed</Code>" in answer.resp.read()
    assert len(receiver.calls) == 1 and shop.get_object("x").read() == b"text"
    with refused("InvalidArgument", 400):
        shop.put_object("y", b"text", headers={"x-oss-callback": "not base 64!"})
