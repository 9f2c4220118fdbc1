"""The container engine: Docker, or buildah and podman, whose commands are the same but for a few options."""

import json
import os
import shutil
import subprocess
import uuid
from datetime import datetime
from pathlib import Path

from report import CheckFailed, run, wait_until

DOCKER = Path(__file__).resolve().parents[1]

# For machines without systemd and with control groups of the first kind.
CONTAINERS_CONF = """\
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[containers]
default_ulimits = ["nofile=10000:10000", "nproc=1000:1000"]
log_driver = "k8s-file"
"""


def find_engine(work):
    """Returns the engine of this machine. Makes the base images if podman has none."""
    if shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True).returncode == 0:
        return Engine("docker", work)
    missing = [name for name in ["buildah", "podman", "runc", "iptables"] if not shutil.which(name)]
    if missing:
        raise CheckFailed(f"there is no Docker daemon, and for podman these are missing: {', '.join(missing)}")
    configuration = work / "containers.conf"
    configuration.write_text(CONTAINERS_CONF)
    os.environ["CONTAINERS_CONF"] = str(configuration)
    run(DOCKER / "base-images", work / "roots")
    return Engine("podman", work)


class Engine:
    """Runs the commands of an engine."""

    def __init__(self, name, work):
        self.name = name
        self.work = work

    def __call__(self, *arguments, **options):
        """Runs a command of the engine, and returns what it prints on standard output."""
        result = subprocess.run(
            [self.name, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
        if result.returncode != 0:
            raise CheckFailed(f"{self.name} {' '.join(map(str, arguments))} ended with {result.returncode}:\n{result.stderr}")
        return result.stdout.strip()

    def build(self, folder, dockerfile, tag, *options, log):
        """Builds an image."""
        if self.name == "docker":
            command = ["docker", "build"]
        else:
            command = ["buildah", "build", "--isolation", "chroot", "--pull-never", "--format", "docker", "--layers", *toolchain()]
        run(*command, "--file", folder / dockerfile, "--tag", tag, *options, folder, log=log)

    def start(self, image, *arguments, options=()):
        """Starts a container in the background."""
        return Container(self, self("run", "--detach", "--pull", "never", *options, image, *arguments).split()[-1])

    def ended(self, image, *arguments, options=(), seconds=30):
        """Runs a container to its end; the result has returncode, stdout and stderr."""
        name = f"virga-check-{uuid.uuid4().hex[:8]}"
        try:
            return subprocess.run(
                [self.name, "run", "--rm", "--name", name, "--pull", "never", *map(str, options), image, *arguments],
                capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=seconds)
        except subprocess.TimeoutExpired:
            self("rm", "--force", name)
            raise CheckFailed(f"the container of {image} with {[*map(str, options), *arguments]} did not end") from None


def toolchain():
    """The options that mount this machine's Swift, which the base image of docker/base-images lacks, and local copies of repositories."""
    options = []
    if swift := shutil.which("swift"):
        options = ["--volume", f"{Path(swift).resolve().parents[2]}:/toolchain:ro"]
    rewrites = run("git", "config", "--get-regexp", r"^url\..*\.insteadof$", check=False).stdout
    for folder in {line[len("url."):].partition(".insteadof")[0] for line in rewrites.splitlines()}:
        if Path(folder).is_dir():
            options += ["--volume", f"{folder}:{folder}:ro"]
    return options


class Container:
    """A container, which is removed at the end of a `with` statement."""

    def __init__(self, engine, identity):
        self.engine = engine
        self.identity = identity

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.engine("rm", "--force", "--volumes", self.identity)

    def inspect(self):
        return json.loads(self.engine("inspect", self.identity))[0]

    def log(self):
        """Both streams of the container, with the time of each line."""
        result = subprocess.run([self.engine.name, "logs", "--timestamps", self.identity], capture_output=True, text=True)
        return result.stdout + result.stderr

    @property
    def url(self):
        """The address of port 4566 on this machine."""
        return f"http://127.0.0.1:{self.engine('port', self.identity, '4566/tcp').splitlines()[0].rpartition(':')[2]}"

    def is_healthy(self):
        """Runs the health check of the image once, as the engine does. Without one, a container is healthy as long as it runs."""
        details = self.inspect()
        check = details["Config"].get("Healthcheck")
        if not check:
            return details["State"]["Status"] == "running"
        return subprocess.run([self.engine.name, "exec", self.identity, *check["Test"][1:]], capture_output=True).returncode == 0

    def wait_until_healthy(self):
        """Waits for the health check of the image."""
        def is_over():
            if self.inspect()["State"]["Status"] == "exited":
                raise CheckFailed(f"the container ended:\n{self.log()}")
            return self.is_healthy()

        wait_until(is_over, self.log)

    def milliseconds_to_ready(self):
        """The time from the start of the container's process to its ready line."""
        [ready] = [line.split()[0] for line in self.log().splitlines() if "virga ready" in line][-1:]
        return (moment(ready) - moment(self.inspect()["State"]["StartedAt"])).total_seconds() * 1000


def moment(text):
    """Reads a time with nanoseconds: `2026-01-01T00:00:00.123456789Z`, or podman's other notations."""
    text = text.replace(" +0000 UTC", "Z").replace(" ", "T").replace("Z", "+00:00")
    seconds, _, rest = text.partition(".")
    zone = rest[-6:]
    return datetime.fromisoformat(f"{seconds}.{rest[:-6][:6].ljust(6, '0')}{zone}")
