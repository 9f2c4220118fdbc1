"""A server under callgrind, which counts instructions: the same for the same executable and requests, whatever else the machine does."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
NAME = Path(sys.argv[0]).name
ROOT = ["--access-key", "test", "--secret-key", "test"]

# The most seconds that one step may take: a program is about 50 times slower under valgrind.
LIMIT = 120


def run(*command):
    """Runs a program to its end, and ends this script if it fails or takes too long."""
    try:
        finished = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        sys.exit(f"{NAME}: took longer than {LIMIT} s: {' '.join(map(str, command))}")
    if finished.returncode != 0:
        sys.exit(f"{NAME}: failed: {' '.join(map(str, command))}\n{finished.stdout}")
    return finished.stdout


def prepare(executable, folder):
    """Copies an executable without its debug information, which valgrind does not read, and compiles the load generator.

    Returns the paths of both.
    """
    if not executable.exists():
        sys.exit(
            f"{NAME}: no {executable}; "
            "first: swift build -c release --toolset docker/toolset.json --static-swift-stdlib --product virga")
    program, s3bench = folder / "virga", folder / "s3bench"
    run("strip", "--strip-debug", "-o", program, executable.resolve())
    run("cc", "-O2", "-std=gnu11", "-o", s3bench, HERE / "s3bench.c", "-lcrypto", "-lm")
    return program, s3bench


@contextlib.contextmanager
def server(executable, folder):
    """A server under callgrind, which writes its profile to the file `profile` of the folder at the end of the context.

    Yields its URL and its process ID.
    """
    ready, log = folder / "ready", folder / "log"
    ready.unlink(missing_ok=True)
    with open(log, "w") as output:
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--fair-sched=yes", "--demangle=no", "--compress-strings=no", "--compress-pos=no",
             f"--callgrind-out-file={folder / 'profile'}", executable, "serve", "--port", "0", "--ready-file", ready],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, cwd=folder,
            env={name: value for name, value in os.environ.items() if not name.startswith("VIRGA_")})
    try:
        end = time.monotonic() + LIMIT
        while not (ready.exists() and ready.read_text()):
            if process.poll() is not None or time.monotonic() > end:
                sys.exit(f"{NAME}: the server did not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield ready.read_text().split()[0], process.pid
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        sys.exit(f"{NAME}: the server did not stop:\n{log.read_text()}")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def settle(process):
    """Waits until a server has done what it does in the background, such as making keys: until it used no processor for five seconds."""

    def used():
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]

    end, before, since = time.monotonic() + 3 * LIMIT, used(), time.monotonic()
    while time.monotonic() - since < 5:
        if time.monotonic() > end:
            sys.exit(f"{NAME}: the server does not become idle")
        time.sleep(0.2)
        if (now := used()) != before:
            before, since = now, time.monotonic()
