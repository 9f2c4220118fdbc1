"""A disk that loses what was not synced when the power fails, and that can fail to sync."""

import contextlib
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

from cloud import REPOSITORY, Cloud, executable


class Disk:
    """Watches the syncs of one process, and knows which content and which names in folders a power failure would leave.

    A file has the content of its last sync. A folder has the names of its last sync. The folder of the test counts as synced when the test
    begins."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.library = self.folder / "disk.so"
        if "ld-linux" not in subprocess.run(["ldd", executable()], text=True, capture_output=True).stdout:
            pytest.skip("the executable does not call the C library of this system")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", self.library, REPOSITORY / "Tests/Hardening/disk.c", "-ldl"], check=True)
        # The path of a socket may have 107 bytes.
        self.place = tempfile.TemporaryDirectory()
        self.control = Path(self.place.name) / "disk"
        self.lock = threading.Lock()
        self.is_failing = False
        self.is_closed = False
        self.syncs = []
        self.contents, self.names, self.held = {}, {}, {}
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.control))
        self.listener.listen(64)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def cloud(self, *arguments, **options):
        """Starts a server on this disk, with its data in `data`."""
        return Cloud(
            "--port", "0", "--data", self.folder / "data", *arguments, LD_PRELOAD=str(self.library),
            VIRGA_DISK_SOCKET=str(self.control), **options)

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                if self.is_closed:
                    return
                raise
            with connection, self.lock:
                path = Path(connection.makefile().readline().rstrip("\n"))
                self.syncs.append(path)
                if not self.is_failing:
                    self.note(path)
                connection.sendall(b"-" if self.is_failing else b"+")

    def fail(self, is_failing=True):
        with self.lock:
            self.is_failing = is_failing

    def count(self):
        with self.lock:
            return len(self.syncs)

    def identity(self, path):
        """The number of a file. The file stays open, so that no other file gets the same number."""
        number = os.stat(path, follow_symlinks=False).st_ino
        if number not in self.held:
            self.held[number] = os.open(path, os.O_RDONLY)
        return number

    def note(self, path):
        number = self.identity(path)
        if path.is_dir():
            self.names[number] = {}
            for entry in os.listdir(path):
                # It may have been removed in the meantime.
                with contextlib.suppress(FileNotFoundError):
                    self.names[number][entry] = self.identity(path / entry)
        else:
            self.contents[number] = path.read_bytes()

    def after_power_failure(self, target):
        """Writes what a power failure would leave at this moment into a folder, and returns the data folder in it."""
        with self.lock:
            # Its other files belong to the test.
            self.restore(self.names.get(self.identity(self.folder), {}).get("data"), Path(target) / "data")
        return Path(target) / "data"

    def restore(self, number, target):
        if number is None:
            return
        if stat.S_ISDIR(os.fstat(self.held[number]).st_mode):
            target.mkdir(parents=True)
            for name, inner in self.names.get(number, {}).items():
                self.restore(inner, target / name)
        else:
            target.write_bytes(self.contents.get(number, b""))

    def close(self):
        # `close` alone leaves the thread in `accept`, and the number of the socket to the next file that a test opens.
        self.is_closed = True
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()
        self.place.cleanup()
        for file in self.held.values():
            os.close(file)


@pytest.fixture
def disk(tmp_path):
    disk = Disk(tmp_path)
    yield disk
    disk.close()
    shutil.rmtree(tmp_path, ignore_errors=True)
