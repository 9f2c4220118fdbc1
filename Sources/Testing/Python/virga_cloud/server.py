"""Starts the executable and stops it."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, List, Mapping, Optional, Sequence, Type

from .cloud import Cloud
from .control_token import control_token, read_token
from .errors import CloudError
from .executable import find_executable
from .seeds import SeedSource, seed_text


class Server:
    """A server on a free port of this machine, which keeps nothing. As a context manager it starts, and stops at the end:

        with Server() as cloud:
            print(cloud.url)

    `arguments` are further ones of `virga serve`, `environment` further variables; the `VIRGA_` variables of this process do not count.
    """

    def __init__(
            self, *, seed: Optional[SeedSource] = None, executable: Optional[str] = None, arguments: Sequence[str] = (),
            environment: Optional[Mapping[str, str]] = None, timeout: float = 60) -> None:
        self._seed = seed
        self._executable = executable
        self._arguments = tuple(arguments)
        self._environment = dict(environment or {})
        self._timeout = timeout
        self._process: Optional[subprocess.Popen[str]] = None
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._log: Optional[IO[str]] = None

    def start(self) -> Cloud:
        """Starts the server and waits until it is ready."""
        if self._process is not None:
            raise CloudError("already_started", "This server was started already.")
        self._folder = tempfile.TemporaryDirectory(prefix="virga-")
        arguments = ["serve", "--port", "0", "--ephemeral", "--quiet", "--grace", "0", *self._arguments]
        if self._seed is not None:
            file = Path(self._folder.name) / "seed.json5"
            file.write_text(seed_text(self._seed), encoding="utf-8")
            arguments += ["--seed", str(file)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("VIRGA_")}
        environment.update(self._environment)
        self._log = tempfile.TemporaryFile("w+", errors="replace")
        executable = self._executable or find_executable()
        try:
            self._process = subprocess.Popen(
                [executable, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log, text=True)
        except OSError as error:
            self._release()
            raise CloudError("not_started", f"{executable} cannot be executed: {error.strerror}.") from error
        atexit.register(self.stop)
        lines: queue.Queue[Optional[str]] = queue.Queue()
        threading.Thread(target=_read, args=(self._process.stdout, lines), daemon=True).start()
        try:
            url = self._first_url(lines)
        except BaseException:
            self.stop()
            raise
        return Cloud(url, control_token=self._control_token)

    @property
    def _control_token(self) -> Optional[str]:
        arguments: List[str] = list(self._arguments)
        if "--control-token" in arguments[:-1]:
            return arguments[arguments.index("--control-token") + 1]
        if "--control-token-file" in arguments[:-1]:
            return read_token(arguments[arguments.index("--control-token-file") + 1])
        return control_token(self._environment)

    def _first_url(self, lines: queue.Queue[Optional[str]]) -> str:
        while True:
            try:
                line = lines.get(timeout=self._timeout)
            except queue.Empty:
                raise CloudError("not_started", f"The server is not ready after {self._timeout} seconds:\n{self.log()}") from None
            if line is None:
                raise CloudError("not_started", f"The server ended before it was ready:\n{self.log()}")
            words = line.split()
            if words[:2] == ["virga", "ready"] and len(words) == 3:
                return words[2]

    def log(self) -> str:
        """Returns what the server has written to standard error."""
        if self._log is None:
            return ""
        # The server has its own descriptor, but both share the position in the file.
        return os.pread(self._log.fileno(), 1 << 20, 0).decode("utf-8", "replace")

    def stop(self) -> None:
        """Stops the server. Does nothing if it does not run."""
        process, self._process = self._process, None
        if process is None:
            return
        atexit.unregister(self.stop)
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._release()

    def _release(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
        if self._log is not None:
            self._log.close()
            self._log = None

    def __enter__(self) -> Cloud:
        return self.start()

    def __exit__(
            self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.stop()


def _read(stream: Optional[IO[str]], lines: queue.Queue[Optional[str]]) -> None:
    """Passes the lines of a stream on, so that the server never waits for a reader."""
    assert stream is not None
    with contextlib.suppress(ValueError), stream:
        for line in stream:
            lines.put(line)
    lines.put(None)
