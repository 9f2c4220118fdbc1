"""Shards behind HAProxy or nginx, with the configurations of docker/cluster. Names below virga.example lead to this machine."""

import contextlib
import datetime
import os
import re
import socket
import subprocess
from pathlib import Path

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from cloud import REPOSITORY, Cloud, free_port, wait_until
from programs import installed

FOLDER = REPOSITORY / "docker" / "cluster"
DOMAIN = "virga.example"
TOKEN = "token-of-the-cluster"
CONTROL = {"Authorization": f"Bearer {TOKEN}"}


@contextlib.contextmanager
def names_resolved():
    """Makes the domain lead to this machine, for everything in this Python process."""
    resolve = socket.getaddrinfo

    def resolved(host, *arguments, **options):
        text = host.decode() if isinstance(host, bytes) else host
        return resolve("127.0.0.1" if text and f".{text}".endswith(f".{DOMAIN}") else host, *arguments, **options)

    socket.getaddrinfo = resolved
    try:
        yield
    finally:
        socket.getaddrinfo = resolve


class Ports:
    """The ports of a proxy: plain HTTP, TLS that ends at the proxy, TLS that ends at the shard."""

    def __init__(self):
        self.plain, self.terminated, self.passed = free_port(), free_port(), free_port()


class Shard:
    """One process, with the name `s<number>.virga.example`, a data folder, and ports that it keeps."""

    def __init__(self, number, folder, ports, *arguments):
        self.number, self.name = number, f"s{number}"
        self.folder = folder / self.name
        self.authority = folder / f"{self.name}.pem"
        self.port, self.secure_port = free_port(), free_port()
        self.arguments = [
            "--port", self.port, "--tls-port", self.secure_port, "--ca-file", self.authority, "--data", self.folder, "--sandbox-ports", 0,
            "--alias", f"{self.name}.{DOMAIN}", "--public-url", f"https://{self.name}.{DOMAIN}:{ports.terminated}",
            "--control-token", TOKEN, "--trust-forwarded", "127.0.0.1", *arguments]
        self.start()

    def start(self):
        self.cloud = Cloud(*self.arguments, listeners=2)

    def control(self, method, path, body=None):
        answer = requests.request(method, f"{self.cloud.url}/_virga/{path}", json=body, headers=CONTROL)
        assert answer.ok, answer.text
        return answer.json()


def certificate(folder, names):
    """Two files: a self-signed certificate for these names, and the same with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, DOMAIN)])
    now = datetime.datetime.now(datetime.timezone.utc)
    built = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), False)
        .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256()))
    public = built.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    files = folder / "trusted.pem", folder / "virga.pem"
    for file, content in zip(files, [public, public + private]):
        file.write_bytes(content)
    return files


def replaced(text, *pairs):
    """Replaces each text, which must be there."""
    for old, new in pairs:
        assert old in text, f"the configuration has no {old!r}"
        text = text.replace(old, new)
    return text


def repeated(text, pattern, shards, port):
    """Replaces the parts of the shards, which match a pattern with the number of the shard, by the first one for each of these shards."""
    parts = list(re.finditer(pattern, text, re.DOTALL | re.MULTILINE))
    assert len(parts) == 2, f"{len(parts)} parts match {pattern}"
    first = parts[0].group()
    made = [re.sub(r"virga-0:\d+", f"127.0.0.1:{port(shard)}", re.sub(r"\bs0\b|(?<=tls_)s0\b", shard.name, first)) for shard in shards]
    assert len({*made}) == len(shards)
    return text[:parts[0].start()] + "".join(made) + text[parts[0].end():parts[1].start()] + text[parts[1].end():]


def haproxy(folder, shards, ports, pem, options=""):
    """Starts HAProxy with the configuration for these shards."""
    text = (FOLDER / "haproxy.cfg").read_text()
    text = repeated(text + "\n", r"^backend s\d\n.*?\n(?=\n)", shards, lambda shard: shard.port)
    text = repeated(text, r"^backend tls_s\d\n.*?\n(?=\n)", shards, lambda shard: shard.secure_port)
    text = repeated(text, r"^    server s\d virga-\d:4566\n(?=    server s1|\n# No check)", shards, lambda shard: shard.port)
    # Parts follow each other without an empty line.
    text = text.replace("\nbackend", "\n\nbackend")
    text = replaced(
        text, ("bind :80\n", f"bind 127.0.0.1:{ports.plain}\n"), ("bind :8443", f"bind 127.0.0.1:{ports.terminated}"),
        ("bind :443\n", f"bind 127.0.0.1:{ports.passed}\n"), ("/etc/haproxy/virga.pem", str(pem)),
        ("/etc/haproxy/shards.map", str(folder / "shards.map")), ("inter 2s", "inter 50ms"), ("global\n", f"global\n{options}"))
    (folder / "shards.map").write_text("".join(f".{shard.name}.{DOMAIN} {shard.name}\n" for shard in shards))
    (folder / "haproxy.cfg").write_text(text)
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]


def nginx(folder, shards, ports, pem, options=""):
    """Starts nginx with the configuration for these shards."""
    text = (FOLDER / "nginx.conf").read_text()
    text = repeated(text, r"^    upstream s\d \{.*?^    \}\n", shards, lambda shard: shard.port)
    text = repeated(text, r"^    upstream tls_s\d \{.*?^    \}\n", shards, lambda shard: shard.secure_port)
    text = repeated(text, r"^        server virga-\d:4566;\n(?=        server virga-1|    \}\n\n    server)", shards, lambda shard: shard.port)
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    text = replaced(
        text, ("listen 80 ", f"listen 127.0.0.1:{ports.plain} "), ("listen 8443 ", f"listen 127.0.0.1:{ports.terminated} "),
        ("listen 443;", f"listen 127.0.0.1:{ports.passed};"), ("/etc/nginx/virga.pem", str(pem)), ("/run/nginx.pid", f"{folder}/nginx.pid"),
        ("http {\n", "http {\n" + temporary), ("worker_processes auto;\n", options or "worker_processes auto;\n"))
    (folder / "nginx.conf").write_text(text)
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr", "-g", "daemon off;"]


PROXIES = {"haproxy": haproxy, "nginx": nginx}


class Cluster:
    """Shards behind a proxy."""

    def __init__(self, kind, folder, count, *arguments, options=""):
        self.ports, self.shards = Ports(), []
        names = [DOMAIN] + [
            f"{prefix}s{number}.{DOMAIN}" for number in range(count) for prefix in ["", "*.", "*.sandbox.", "*.ci.sandbox."]]
        self.trusted, pem = certificate(folder, names)
        self.log = open(folder / "proxy.log", "w+")
        self.proxy = None
        try:
            for number in range(count):
                self.shards.append(Shard(number, folder, self.ports, *arguments))
            command = PROXIES[kind](folder, self.shards, self.ports, pem, options)
            self.proxy = subprocess.Popen(
                [installed(command[0]), *command[1:]], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
            wait_until(self._accepts, self.logged, seconds=30)
        except BaseException:
            self.close()
            raise

    def _accepts(self):
        assert self.proxy.poll() is None, self.logged()
        for port in [self.ports.plain, self.ports.terminated, self.ports.passed]:
            with socket.socket() as connection:
                if connection.connect_ex(("127.0.0.1", port)):
                    return False
        return requests.get(f"http://127.0.0.1:{self.ports.plain}/_virga/health", headers={"Host": DOMAIN}).status_code == 200

    def logged(self):
        self.log.seek(0)
        return self.log.read()

    def close(self):
        if self.proxy and self.proxy.poll() is None:
            self.proxy.terminate()
            self.proxy.wait()
        for shard in self.shards:
            shard.cloud.__exit__()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def plain(self, name):
        """The URL of a name through the proxy, over plain HTTP."""
        return f"http://{name}.{DOMAIN}:{self.ports.plain}"

    def create(self, shard=None, name="ci", **order):
        """Creates a sandbox at a shard, or at any one, through the proxy."""
        host = f"{shard.name}.{DOMAIN}" if shard else DOMAIN
        return requests.post(
            f"http://{host}:{self.ports.plain}/_virga/sandboxes", json={"name": name} | order, headers=CONTROL)


def processor_time(number):
    """The processor time of a process and its children so far, in seconds."""
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if number in (int(folder.name), int(fields[1])):
                    total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")
