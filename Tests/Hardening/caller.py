"""A client that sends signed requests without an SDK, and what the commands here share."""

import http.client
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path[:0] = [str(REPOSITORY / "Tests" / "Hardening" / "requests"), str(REPOSITORY / "Tests" / "EndToEnd")]

from requests_and_signatures import Request, oss4, rpc, version4  # noqa: E402

S3, IAM, STS, OSS, RPC = version4("s3"), version4("iam"), version4("sts"), oss4(), rpc
# For bodies that are sent piece by piece.
UNSIGNED = version4("s3", payload="UNSIGNED-PAYLOAD")
# A response that takes longer than this is a failure of the run.
TIMEOUT_SECONDS = 60


class Broken(Exception):
    """The connection ended before the whole response arrived."""


class Answer:
    def __init__(self, response):
        self.status, self.body = response.status, response.read()
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        if response.length:
            raise Broken("a part of the body is missing")

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")


class Caller:
    """One connection to a port, opened again if needed."""

    def __init__(self, port):
        self.port, self.connection = port, None
        self.host = f"127.0.0.1:{port}"

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def send(self, method, path, query=(), headers=(), body=b"", sign=S3, form=None):
        """Sends a request. Raises Broken if there is no whole response."""
        request = Request("", method, path, list(query), list(headers), body, sign, form)
        message = request.bytes(self.host)
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
                self.connection.connect()
            self.connection.sock.sendall(message)
            response = http.client.HTTPResponse(self.connection.sock, method=method)
            response.begin()
            answer = Answer(response)
            if response.will_close:
                self.close()
            return answer
        except TimeoutError:
            self.close()
            raise
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Broken(repr(error)) from error

    def expect(self, *arguments, status=(200, 201, 204), **options):
        """Sends a request that must succeed."""
        answer = self.send(*arguments, **options)
        if answer.status not in (status if isinstance(status, tuple) else (status,)):
            raise AssertionError(f"{arguments[:2]}: {answer.status} {answer.text[:500]}")
        return answer

    def iam(self, action, status=(200,), **fields):
        form = [("Action", action), ("Version", "2010-05-08"), *((name.replace("_", "."), value) for name, value in fields.items())]
        return self.expect("POST", "/", form=form, sign=IAM, status=status)

    def ram(self, action, status=(200,), **fields):
        return self.expect("GET", "/", [("Action", action), ("Version", "2015-05-01"), *fields.items()], sign=RPC, status=status)

    def control(self, method, path, body=None, status=(200, 201, 204)):
        content = b"" if body is None else json.dumps(body).encode()
        answer = self.expect(method, f"/_virga/{path}", body=content, headers=[("Content-Type", "application/json")], sign=None, status=status)
        return json.loads(answer.body) if answer.body else None


def upload(caller, path, piece, size):
    """Puts an object that consists of equal pieces, without holding it in memory."""
    connection = http.client.HTTPConnection("127.0.0.1", caller.port, timeout=TIMEOUT_SECONDS)
    connection.connect()
    connection.sock.sendall(Request("", "PUT", path, [], [("Content-Length", str(size))], b"", UNSIGNED).bytes(caller.host))
    for _ in range(size // len(piece)):
        connection.sock.sendall(piece)
    response = http.client.HTTPResponse(connection.sock, method="PUT")
    response.begin()
    assert response.status == 200, response.read()[:200]
    connection.close()


def download(caller, path, piece, size):
    """Gets an object, and expects that it consists of these pieces."""
    connection = http.client.HTTPConnection("127.0.0.1", caller.port, timeout=TIMEOUT_SECONDS)
    connection.connect()
    connection.sock.sendall(Request("", "GET", path, sign=S3).bytes(caller.host))
    response = http.client.HTTPResponse(connection.sock, method="GET")
    response.begin()
    for _ in range(size // len(piece)):
        assert response.read(len(piece)) == piece, path
    connection.close()


def resident_bytes(pid):
    return int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


def percentile(values, share):
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
