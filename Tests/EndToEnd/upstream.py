"""moto in server mode: the server to which the tests of forwarded services forward."""

import socket
import subprocess
import sys
from contextlib import closing, contextmanager

from cloud import TIMEOUT_SECONDS, clean_environment, free_port, wait_until


@contextmanager
def moto():
    """Yields the URL of a new moto."""
    port = free_port()
    # Its own requests to AWS, if it had any, must not leave this machine.
    environment = clean_environment(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", NO_PROXY="*")
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port) or process.poll() is not None)
        assert process.poll() is None, f"moto ended with {process.returncode}"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


def listens(port):
    with closing(socket.socket()) as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def closed_port():
    """A port of this machine on which nothing listens."""
    return free_port()
