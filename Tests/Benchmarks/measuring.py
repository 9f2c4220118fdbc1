"""What the benchmarks `growth`, `mixed` and `concurrency` share: a server, a signing client, s3bench, and medians."""

import contextlib
import datetime
import hashlib
import hmac
import http.client
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote, urlencode

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
EXECUTABLE = REPOSITORY / ".build/release/virga"
REGION = "us-east-1"
ROOT = ("test", "test")


def stop(message):
    sys.exit(f"{Path(sys.argv[0]).name}: {message}")


def check_executable(path):
    if not Path(path).is_file():
        stop(f"no {path}; first: swift build -c release --toolset docker/toolset.json --static-swift-stdlib --product virga")
    return Path(path).resolve()


def build_s3bench(folder):
    binary = Path(folder) / "s3bench"
    subprocess.run(["cc", "-O2", "-std=gnu11", "-o", binary, HERE / "s3bench.c", "-lcrypto", "-lm"], check=True)
    return binary


class Process:
    """A server that runs already, with the time of its processes."""

    def __init__(self, pid, port, keys=ROOT):
        self.pid, self.port, self.keys = pid, port, keys

    def processes(self):
        """The process and its descendants."""
        parents = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        found = [self.pid]
        for pid in found:
            found += [child for child, parent in parents.items() if parent == pid]
        return found

    def cpu(self):
        """The processor time so far, in microseconds. The kernel counts it in nanoseconds for each thread."""
        total = 0
        for pid in self.processes():
            for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError):
                    total += int(path.read_text().split()[0])
        return total / 1000

    def memory(self, name="VmRSS"):
        """A value of the status of all processes together, in MiB."""
        texts = [Path(f"/proc/{pid}/status").read_text() for pid in self.processes()]
        return sum(int(re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE).group(1)) for text in texts) / 1024

    def flags(self):
        """The flags of s3bench that address this server."""
        return ["--port", self.port, "--pid", self.pid, "--access-key", self.keys[0], "--secret-key", self.keys[1]]


class Server(Process):
    """A server that this process starts and ends. `ready_ms` is the time from its start to its line `virga ready`."""

    def __init__(self, executable, folder, *arguments):
        self.log = open(Path(folder) / "server.log", "a")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("VIRGA_")} | {"TMPDIR": str(folder)}
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [executable, "serve", "--port", "0", "--quiet", *map(str, arguments)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.log, text=True, cwd=REPOSITORY, env=environment)
        for line in self.process.stdout:
            if line.startswith("virga ready "):
                self.ready_ms = (time.perf_counter() - begin) * 1000
                super().__init__(self.process.pid, int(line.split()[2].rsplit(":", 1)[1]))
                return
        stop(f"the server did not start, see:\n{(Path(folder) / 'server.log').read_text()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.log.close()


class Client:
    """A connection with Signature Version 4, for what s3bench has no operation for."""

    def __init__(self, process):
        self.process, self.host = process, f"127.0.0.1:{process.port}"
        self.connection = http.client.HTTPConnection("127.0.0.1", process.port, timeout=300)

    def send(self, method, path, query=(), body=b"", service="s3", accepts=(200, 204), **headers):
        """Sends a signed request and returns the body of the response. Other statuses than `accepts` end the benchmark."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        digest, scope = hashlib.sha256(body).hexdigest(), f"{now[:8]}/{REGION}/{service}/aws4_request"
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"host": self.host, "x-amz-content-sha256": digest, "x-amz-date": now}
        text = urlencode(sorted(query), quote_via=quote)
        names = ";".join(sorted(headers))
        lines = [method, quote(path), text, *(f"{name}:{headers[name]}" for name in sorted(headers)), "", names, digest]
        key = f"AWS4{self.process.keys[1]}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        hashed = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        signature = hmac.digest(key, "\n".join(["AWS4-HMAC-SHA256", now, scope, hashed]).encode(), "sha256").hex()
        headers["authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={self.process.keys[0]}/{scope}, SignedHeaders={names}, Signature={signature}")
        self.connection.request(method, quote(path) + ("?" + text if text else ""), body or None, headers)
        response = self.connection.getresponse()
        content = response.read()
        if response.status not in accepts:
            stop(f"{method} {path}?{text} answered {response.status}: {content.decode(errors='replace')[:500]}")
        return content

    def call(self, service, action, version, **parameters):
        """Calls an operation of IAM or STS."""
        form = urlencode({"Action": action, "Version": version, **parameters}).encode()
        return self.send("POST", "/", body=form, service=service, content_type="application/x-www-form-urlencoded")

    def iam(self, action, **parameters):
        return self.call("iam", action, "2010-05-08", **parameters)

    def control(self, path, body):
        return json.loads(self.send("POST", f"/_virga/{path}", body=json.dumps(body).encode(), content_type="application/json"))


class Bench:
    """Runs s3bench. A failed request ends the benchmark."""

    def __init__(self, folder):
        self.binary = build_s3bench(folder)

    def command(self, operation, *flags):
        return [str(self.binary), operation, "--timeout", "600", "--drain", "600", *map(str, flags)]

    def read(self, command, text, status):
        if status != 0:
            stop(f"failed: {' '.join(command)}\n{text}")
        return json.loads(text)

    def run(self, operation, *flags, process=None):
        """The result of one run, with the exact processor time of `process`, if it is given."""
        command = self.command(operation, *flags)
        before = process.cpu() if process else 0
        finished = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        spent = process.cpu() - before if process else 0
        result = self.read(command, finished.stdout, finished.returncode)
        return result | ({"cpu_us": spent / max(1, result["ops"])} if process else {})

    def start(self, operation, *flags):
        """Starts a run beside others; `finish` waits for its result."""
        command = self.command(operation, *flags)
        return command, subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def finish(self, started):
        command, process = started
        text, _ = process.communicate()
        return self.read(command, text, process.returncode)


def median(results, name):
    return statistics.median(result[name] for result in results)


def load():
    """The load of the machine, for the lines around a table."""
    return f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores"


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def header(*cells):
    row(*cells)
    row("---", *["---:"] * (len(cells) - 1))
