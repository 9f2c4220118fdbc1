"""Runs the executable: starts it, waits for its ready line, calls its control API, stops it."""

import contextlib
import dataclasses
import os
import random
import resource
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import requests

REPOSITORY = Path(__file__).resolve().parents[2]
EXECUTABLE = REPOSITORY / os.environ.get("VIRGA_EXECUTABLE", ".build/debug/virga")
ACCOUNT = "000000000000"
BUCKET = "personal-files"
REGION = "us-east-1"

# Only prevents a hang of the whole suite; no test depends on its value.
TIMEOUT_SECONDS = 300


def executable():
    """The executable under test. If it is missing, the tests fail."""
    assert EXECUTABLE.is_file(), f"no executable at {EXECUTABLE}: build it first or set VIRGA_EXECUTABLE"
    return EXECUTABLE


# Prefixes of variables that could direct a client, or the executable, elsewhere.
FOREIGN = ("AWS_", "VIRGA_", "ALIBABA_CLOUD_", "OSS_")


def clean_environment(**variables):
    """The environment without variables that could direct a client, or the executable, elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN) and name != "XDG_RUNTIME_DIR"}
    return kept | {
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "NO_PROXY": "127.0.0.1,localhost",
    } | variables


def free_port():
    """A port of the loopback interface for a program that needs a fixed one. It is outside the range from which the kernel assigns ports
    to connections, which other tests open at the same time."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_768)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class TimedOut(AssertionError):
    """A condition that did not become true in time."""


def wait_until(condition, failure=lambda: "the condition did not become true", seconds=TIMEOUT_SECONDS):
    """Polls a condition that another process changes without a notification, for example a port or a file. This is the only place of the
    tests that polls. `failure` returns the message of the error."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            raise TimedOut(f"after {seconds} seconds: {failure()}")
        time.sleep(0.02)


def run(*arguments, **variables):
    """Runs the executable to its end; the result has returncode, stdout and stderr."""
    return subprocess.run(
        [executable(), *map(str, arguments)], env=clean_environment(**variables), cwd=REPOSITORY, text=True,
        capture_output=True, timeout=TIMEOUT_SECONDS, stdin=subprocess.DEVNULL)


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """A cloud as clients reach it by one scheme. Over HTTPS, `authority` is the file of the CA certificate to trust."""

    url: str
    authority: Path | None

    @property
    def scheme(self):
        return self.url.partition("://")[0]

    @property
    def host(self):
        """Name and port."""
        return self.url.partition("://")[2]


class Cloud:
    """A `virga serve` process. `urls` are the addresses in its ready lines, `url` is the first over plain HTTP."""

    # Over plain HTTP there is no CA certificate.
    authority = None

    def __init__(self, *arguments, listeners=1, descriptors=None, **variables):
        """`descriptors` is the limit of open files and connections of the process (RLIMIT_NOFILE)."""
        limit = descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        self.log = tempfile.TemporaryFile(mode="w+", errors="replace")
        self.process = subprocess.Popen(
            [executable(), "serve", *map(str, arguments)], env=clean_environment(**variables), cwd=REPOSITORY,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, preexec_fn=limit)
        self.output = []
        try:
            self.urls = self._ready_lines(listeners)
        except BaseException:
            self.kill()
            raise
        self.url = next((url for url in self.urls if url.startswith("http:")), self.urls[0])
        # A full pipe would block the server, so a thread keeps reading.
        threading.Thread(target=self._drain, daemon=True).start()

    @classmethod
    def ephemeral(cls, *arguments, **variables):
        return cls("--port", "0", "--ephemeral", *arguments, **variables)

    @classmethod
    def over(cls, folder, *arguments, **variables):
        return cls("--port", "0", "--data", folder, *arguments, **variables)

    def _ready_lines(self, count):
        stdout = self.process.stdout.fileno()
        deadline = time.monotonic() + TIMEOUT_SECONDS
        text = b""
        while True:
            addresses = [line.split()[2] for line in text.decode().splitlines(keepends=True)
                         if line.startswith("virga ready ") and line.endswith("\n")]
            if len(addresses) >= count:
                return addresses
            readable, _, _ = select.select([stdout], [], [], max(0, deadline - time.monotonic()))
            assert readable, f"no ready line; standard output: {text!r}, standard error:\n{self.logged()}"
            piece = os.read(stdout, 65536)
            if not piece:
                self.process.wait()
                raise AssertionError(f"ended with {self.process.returncode} before it was ready:\n{self.logged()}")
            text += piece

    def _drain(self):
        while piece := self.process.stdout.read1(65536):
            self.output.append(piece)

    def logged(self):
        """The standard error of the process so far."""
        self.log.seek(0)
        return self.log.read()

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])

    def stop(self):
        """Stops the process with a signal and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(TIMEOUT_SECONDS)

    def kill(self):
        """Kills the process with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.kill()

    # The control API.

    def control(self, method, path, body=None, **options):
        response = requests.request(method, f"{self.url}/_virga/{path}", json=body, **options)
        assert response.ok, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None

    def reset(self):
        self.control("POST", "reset")

    def age(self, duration):
        """Ages everything issued so far by an ISO 8601 duration."""
        return self.control("POST", "clock", {"age": duration})

    def freeze(self):
        """Freezes the sandbox's clock at the current second, and returns its time in seconds since 1970."""
        moment = int(time.time())
        self.control("POST", "clock", {"freeze": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))})
        return moment

    def issue(self, provider, user, **options):
        """Issues a token of a seeded user: the response of `POST /_virga/tokens`, with subject and client."""
        return self.control("POST", "tokens", {"provider": provider, "user": user, **options})

    def token(self, provider, user, **options):
        return self.issue(provider, user, **options)["token"]
