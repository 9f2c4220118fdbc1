"""A private oidc-agent: the agent in the foreground, and its command-line programs, which connect to its socket."""

import socket
import subprocess
import tempfile
import threading
from pathlib import Path

from cloud import TIMEOUT_SECONDS, clean_environment, wait_until
from programs import installed


class Agent:
    """`issuer` is an HTTPS URL; the CA certificate is in a file."""

    def __init__(self, issuer, authority):
        self.issuer, self.authority = issuer, authority
        # The path of a socket must be short.
        self.folder = tempfile.TemporaryDirectory(prefix="virga-agent-")
        self.socket = Path(self.folder.name) / "socket"
        (Path(self.folder.name) / ".oidc-agent").mkdir(mode=0o700)
        self.log = open(Path(self.folder.name) / "log", "w+")
        self.process = subprocess.Popen(
            [installed("oidc-agent"), "--console", "--no-autoreauthenticate", "--no-scheme", "--debug", "--bind_address", self.socket],
            env=self.environment(), stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)
        wait_until(lambda: self.process.poll() is not None or self.listens(), self.logged)
        assert self.process.poll() is None, self.logged()

    def listens(self):
        """Returns whether the agent listens, which only a connection shows. The socket's file exists before that."""
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.socket)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.terminate()
        try:
            self.process.wait(TIMEOUT_SECONDS)
        finally:
            # pytest shows this only for a failed test.
            print(self.logged())
            self.log.close()
            self.folder.cleanup()

    def logged(self):
        self.log.seek(0)
        return self.log.read()

    def environment(self):
        return clean_environment(
            HOME=self.folder.name, OIDC_SOCK=str(self.socket), OIDC_ENCRYPTION_PW="a-password-of-the-test",
            TMPDIR=self.folder.name)

    def generate(self, name, *options):
        """Starts `oidc-gen`, which runs in the background while the user consents in a browser."""
        return Generation(
            [installed("oidc-gen"), name, "--issuer", self.issuer, "--cert-path", self.authority, "--pw-env", "--prompt=none",
             "--no-url-call", "--confirm-default", *options], self.environment())

    def run(self, name, *arguments):
        """Runs a program of the agent to its end and returns its standard output."""
        result = subprocess.run(
            [installed(name), *map(str, arguments)], env=self.environment(), text=True, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS)
        assert result.returncode == 0, f"{name} ended with {result.returncode}:\n{result.stdout}{result.stderr}\n{self.logged()}"
        return result.stdout.strip()


class Generation:
    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            list(map(str, command)), env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        # Only prevents a hang of the whole suite; no test depends on its value.
        self.guard = threading.Timer(TIMEOUT_SECONDS, self.process.kill)
        self.guard.start()
        self.output = ""

    def until(self, pattern):
        """Returns the program's output as soon as a line matches."""
        for line in self.process.stdout:
            self.output += line
            if found := pattern.search(self.output):
                return found
        raise AssertionError(f"ended with {self.process.wait()} before it printed {pattern.pattern}:\n{self.output}")

    def finish(self):
        self.output += self.process.stdout.read()
        status = self.process.wait()
        self.guard.cancel()
        assert status == 0, f"ended with {status}:\n{self.output}"
        return self.output
