"""The archives of docker/release: each is installed and used in a bare root, made by debootstrap, that has nothing else."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tarfile
import time
from pathlib import Path

import debian
from image import validate
from report import CheckFailed, report, run, wait_until
from walk import Credentials

TOKEN = "choose-one"


class Root:
    """A bare Debian in a folder, for as long as a `with` statement lasts."""

    def __init__(self, work, name):
        self.base = debian.base(work)
        self.folder = work / "roots" / name
        self.server = None

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        run("cp", "--archive", self.base, self.folder)
        return self

    def __exit__(self, *exception):
        self.stop()
        shutil.rmtree(self.folder)

    def command(self, *arguments):
        """The command in namespaces of its own for processes and mounts, below the root."""
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.folder}/proc", "chroot", str(self.folder),
                "env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive",
                *map(str, arguments)]

    def run(self, *arguments, **options):
        return run(*self.command(*arguments), **options).stdout

    def copy(self, path):
        """Copies a file to the top of the root."""
        shutil.copy(path, self.folder / path.name)
        return f"/{path.name}"

    def walk(self, name, *command):
        """Starts a server, and walks from the login to the object."""
        log = self.folder / "log"
        with open(log, "w") as file:
            self.server = subprocess.Popen(
                self.command(*command), stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

        def ready():
            if self.server.poll() is not None:
                raise CheckFailed(f"the server of {name} ended with {self.server.returncode}:\n{log.read_text()}")
            return re.search(r"^virga ready (\S+)$", log.read_text(), re.MULTILINE)

        wait_until(ready, log.read_text)
        credentials = Credentials(ready()[1], TOKEN)
        credentials.store(name)
        report.expect(credentials.read() == name, f"{name}: login, token, credentials and object")
        self.stop()

    def stop(self):
        if self.server and self.server.poll() is None:
            # `unshare` passes no signal on. With its child, the first process of the namespace, the kernel ends all others.
            for child in Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
            self.server.wait()
        self.server = None


def check(clone, binary, work):
    """Makes the archives, and uses them."""
    report.heading("archives")
    target = work / "release"
    shutil.rmtree(target, ignore_errors=True)
    began = time.monotonic()
    environment = os.environ | ({"VIRGA_EXECUTABLE": str(binary)} if binary else {})
    run(clone / "docker/release", target, log=work / "release.log", env=environment)
    report.figure("docker/release", f"{time.monotonic() - began:.0f} seconds")
    for path in sorted(target.iterdir()):
        report.figure(path.name, f"{path.stat().st_size / 2**20:.1f} MiB")
    result = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=target, check=False)
    report.expect(result.returncode == 0, "the checksums are those of the archives", result.stdout)
    validate(json.loads(only(target, "*.sbom.cdx.json").read_text()), work)
    tar(target, work)
    debian_package(target, work)
    wheel(target, work)


def only(folder, pattern):
    [path] = [path for path in folder.glob(pattern) if not path.name.endswith("-debug.tar.gz") or "debug" in pattern]
    return path


def tar(target, work):
    archive = only(target, "*.tar.gz")
    folder = archive.name.removesuffix(".tar.gz")
    with Root(work, "tar") as root:
        run("tar", "--extract", "--file", archive, "--directory", root.folder / "opt")
        report.figure("version", root.run(f"/opt/{folder}/bin/virga", "--version").strip())
        root.walk("tar archive", f"/opt/{folder}/bin/virga", "serve", "--port", "0", "--data", "/tmp/data", "--control-token", TOKEN)
        pages = sorted(path.name for path in (root.folder / "opt" / folder / "share/man/man1").iterdir())
        report.expect({"virga.1", "virga-serve.1"} <= set(pages), "tar archive: manual pages", str(pages))
        symbols(target, root.folder / "opt" / folder / "bin/virga", root.folder)


def symbols(target, executable, folder):
    """The debugger finds the symbols beside the executable, which has none itself."""
    sections = run("readelf", "--section-headers", "--wide", executable).stdout
    report.expect(".symtab" not in sections and ".debug_info" not in sections, "the executable is stripped")
    with tarfile.open(only(target, "*-debug.tar.gz")) as archive:
        archive.extractall(folder / "symbols")
    [top] = (folder / "symbols").iterdir()
    [file] = top.glob("usr/lib/debug/.build-id/*/*.debug")
    identity = re.search(r"Build ID: (\w+)", run("readelf", "--notes", executable).stdout)[1]
    sections = run("readelf", "--section-headers", "--wide", file).stdout
    report.expect(
        file.parent.name + file.stem == identity and ".debug_info" in sections and ".symtab" in sections,
        "the debug symbols are those of the executable", str(file))


def debian_package(target, work):
    with Root(work, "debian") as root:
        package = root.copy(only(target, "*.deb"))
        root.run("apt-get", "update", "--quiet=2")
        root.run("apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", "man-db", package)
        user = root.run("getent", "passwd", "virga").strip()
        report.expect(user.endswith((":/usr/sbin/nologin", ":/bin/false")), "Debian package: it makes a user without a shell", user)
        unit = (root.folder / "lib/systemd/system/virga.service").read_text()
        [start] = re.findall("^ExecStart=(.+)$", unit, re.MULTILINE)
        [data] = re.findall("^Environment=(.+)$", unit, re.MULTILINE)
        root.walk(
            "Debian package, as its unit starts it", "setpriv", "--reuid", "virga", "--regid", "virga", "--clear-groups", "--no-new-privs",
            "env", data, "VIRGA_PORT=0", f"VIRGA_CONTROL_TOKEN={TOKEN}", *start.split())
        report.expect((root.folder / "var/lib/virga/virga.sqlite").exists(), "Debian package: its data is in /var/lib/virga")
        root.run("apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", "systemd-sysv", "dbus")
        result = run(*root.command("systemd-analyze", "verify", "/lib/systemd/system/virga.service"), check=False)
        report.expect("virga.service" not in result.stdout, "Debian package: systemd accepts the unit", result.stdout)
        boot(root)
        page = root.run("man", "--pager=cat", "virga-serve")
        report.expect("--require-control-token" in page, "Debian package: man virga-serve", page[:500])
        root.run("apt-get", "purge", "--yes", "--quiet=2", "virga")
        left = [path for path in ["usr/bin/virga", "etc/default/virga", "var/lib/virga"] if (root.folder / path).exists()]
        report.expect(not left, "Debian package: nothing is left after a purge", str(left))


def boot(root):
    """Boots the root with systemd, which starts the unit with all its restrictions."""
    if not shutil.which("systemd-nspawn"):
        report.figure("not run", "the unit under systemd: there is no systemd-nspawn; install systemd-container")
        return
    root.run("systemctl", "enable", "virga.service")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with open(root.folder / "etc/default/virga", "a") as file:
        file.write(f"VIRGA_PORT={port}\nVIRGA_CONTROL_TOKEN={TOKEN}\n")
    log = root.folder.with_suffix(".boot.log")
    journal = root.folder / "var/log/journal"
    journal.mkdir(exist_ok=True)
    with open(log, "w") as file:
        machine = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--directory", root.folder, "--boot", "--register=no", "--keep-unit"],
            stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
    try:
        url = f"http://127.0.0.1:{port}"
        ready = ["curl", "--silent", "--fail", "--noproxy", "*", "--output", "/dev/null", f"{url}/_virga/ready"]
        wait_until(
            lambda: subprocess.run(ready).returncode == 0,
            lambda: run("journalctl", "--directory", journal, "--unit", "virga", "--no-pager", check=False).stdout)
        credentials = Credentials(url, TOKEN)
        credentials.store("unit")
        report.expect(credentials.read() == "unit", "Debian package: the unit under systemd, with its restrictions")
    finally:
        # systemd powers the machine off.
        machine.send_signal(signal.SIGTERM)
        try:
            machine.wait(30)
        except subprocess.TimeoutExpired:
            machine.kill()
            machine.wait()


def wheel(target, work):
    with Root(work, "wheel") as root:
        root.run("apt-get", "update", "--quiet=2")
        root.run("apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", "python3-venv")
        package = root.copy(only(target, "*.whl"))
        root.run("python3", "-m", "venv", "/venv")
        root.run("/venv/bin/pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", package)
        root.walk("wheel", "/venv/bin/virga", "serve", "--port", "0", "--control-token", TOKEN)
        script = "import virga_cloud\nwith virga_cloud.Server() as cloud: print(cloud.login('alice', 'company').id_token[:3])"
        report.expect(root.run("/venv/bin/python", "-c", script).strip() == "eyJ", "wheel: a server from Python, and a login")
