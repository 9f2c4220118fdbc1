"""Runs compose files: with `docker compose`, or, for podman, by a small reader of the keys that the examples use."""

import json
import os
import re
from pathlib import Path

from engine import Container
from report import CheckFailed, run, wait_until

# The program that reads YAML, in the environment of the tools.
READ = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"


def read(tools, file):
    """Reads a file of YAML."""
    return json.loads(run(tools, "-c", READ, file).stdout)


class Compose:
    """The services of compose files. They and their volumes are removed at the end of a `with` statement."""

    def __init__(self, engine, tools, *files, stand_ins=()):
        """`stand_ins` are images in place of others that podman cannot pull here."""
        self.engine = engine
        self.stand_ins = dict(stand_ins)
        self.folder = files[0].parent
        self.files = files
        document = {}
        for file in files:
            document = merged(document, read(tools, file))
        self.name = document.get("name", self.folder.name)
        self.services = document["services"]
        self.volumes = document.get("volumes") or {}
        self.containers = {}

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.engine.name == "docker":
            self._docker("down", "--volumes", "--remove-orphans")
            return
        for container in reversed(self.containers.values()):
            container.__exit__()
        for volume in self.volumes:
            self.engine("volume", "rm", "--force", self._own(volume))
        self.engine("network", "rm", "--force", self._own("default"))

    def _own(self, name):
        return f"{self.name}_{name}"

    def _docker(self, *arguments):
        files = [word for file in self.files for word in ("--file", file)]
        return run("docker", "compose", *files, *arguments).stdout

    def up(self):
        """Builds and starts the services without a profile, in their order, and waits until they are healthy."""
        if self.engine.name == "docker":
            self._docker("up", "--wait")
            return
        self.engine("network", "create", self._own("default"))
        for name, service in self.services.items():
            if "profiles" not in service:
                self._start(name)

    def run(self, name):
        """Runs a service to its end; the result has returncode and stdout."""
        if self.engine.name == "docker":
            files = [word for file in self.files for word in ("--file", file)]
            return run("docker", "compose", *files, "run", "--build", "--rm", name, check=False)
        return run(self.engine.name, "run", "--rm", *self._options(name), check=False)

    def logs(self):
        return self._docker("logs") if self.engine.name == "docker" else "\n".join(
            f"{name}:\n{container.log()}" for name, container in self.containers.items())

    def _start(self, name):
        if name in self.containers:
            return
        for other, condition in depends_on(self.services[name]).items():
            self._start(other)
            if condition == "service_healthy" and not self.containers[other].is_healthy():
                raise CheckFailed(f"{name} would start before {other} is healthy")
        container = Container(self.engine, self.engine("run", "--detach", *self._options(name)).split()[-1])
        self.containers[name] = container
        try:
            self._wait(name, container)
        except CheckFailed as failure:
            raise CheckFailed(f"{name}: {failure}\n{self.logs()}") from None

    def _wait(self, name, container):
        check = self.services[name].get("healthcheck")
        if not check:
            container.wait_until_healthy()
            return
        wait_until(lambda: self.exec(name, *check["test"][1:]).returncode == 0, container.log)

    def exec(self, name, *command):
        """Runs a command in the container of a service."""
        if self.engine.name == "docker":
            files = [word for file in self.files for word in ("--file", file)]
            return run("docker", "compose", *files, "exec", "--no-TTY", name, *command, check=False)
        return run(self.engine.name, "exec", self.containers[name].identity, *command, check=False)

    def _options(self, name):
        """The arguments of `podman run`, which are the same in Docker."""
        service = self.services[name]
        options = ["--pull", "never", "--name", f"{self.name}-{name}"]
        if "network_mode" in service:
            other = service["network_mode"].removeprefix("service:")
            options += ["--network", f"container:{self.containers[other].identity}"]
        else:
            options += ["--network", self._own("default"), "--network-alias", name]
            for alias in service.get("networks", {}).get("default", {}).get("aliases", []):
                options += ["--network-alias", alias]
        for variable, value in service.get("environment", {}).items():
            options += ["--env", f"{variable}={interpolated(str(value))}"]
        for port in service.get("ports", []):
            options += ["--publish", interpolated(port)]
        for volume in service.get("volumes", []):
            source, _, rest = volume.partition(":")
            source = self._own(source) if source in self.volumes else (self.folder / source).resolve()
            options += ["--volume", f"{source}:{rest}"]
        for mount in service.get("tmpfs", []):
            options += ["--tmpfs", mount]
        if service.get("read_only"):
            options += ["--read-only"]
        image = service.get("image") or self._own(name)
        image = self.stand_ins.get(image, image)
        # An image with a name of its own is built only if it is missing.
        build = service.get("build")
        if build and not ("image" in service and self.engine("images", "--quiet", image)):
            context = (self.folder / (build if isinstance(build, str) else build["context"])).resolve()
            dockerfile = Path("Dockerfile" if isinstance(build, str) else build.get("dockerfile", "Dockerfile"))
            self.engine.build(context, dockerfile, image, log=self.engine.work / f"{self.name}-{name}.log")
        return [*options, image, *service.get("command", [])]


def depends_on(service):
    """The services that a service waits for, with the condition of each."""
    dependencies = service.get("depends_on", {})
    if isinstance(dependencies, list):
        return dict.fromkeys(dependencies, "service_started")
    return {name: options.get("condition", "service_started") for name, options in dependencies.items()}


def interpolated(text):
    """Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}`."""
    def value(match):
        name, operator, rest = match.groups()
        found = os.environ.get(name)
        if not found and operator == ":?":
            raise CheckFailed(f"compose: {name}: {rest}")
        return found or (rest if operator == ":-" else "")

    return re.sub(r"\$\{(\w+)(:[-?])?([^}]*)\}", value, text)


def merged(document, other):
    """Merges compose files as compose does: mappings by key, lists by appending."""
    if isinstance(document, dict) and isinstance(other, dict):
        return document | {key: merged(document[key], value) if key in document else value for key, value in other.items()}
    if isinstance(document, list) and isinstance(other, list):
        return document + other
    return other if other is not None else document
