"""The examples: the application with its tests, over HTTP and TLS, and the files for CI services."""

import os
import shutil
import tempfile
from pathlib import Path

from compose import Compose, read
from image import TAG
from report import report, run
from tools import tools

WEB_APP = "docker/examples/web-app"


def check(engine, clone, work):
    """Runs the examples."""
    report.heading("examples")
    python = tools(work)
    os.environ["VIRGA_CONTROL_TOKEN"] = "choose-one"
    with Compose(engine, python, clone / "docker/compose.yaml") as compose:
        compose.up()
        report.passed("docker/compose.yaml: healthy")
    folder = clone / WEB_APP
    for name, files in [("HTTP", ["compose.yaml"]), ("TLS", ["compose.yaml", "compose.tls.yaml"])]:
        with Compose(engine, python, *(folder / file for file in files)) as compose:
            compose.up()
            report.passed(f"web-app over {name}: Virga is healthy before the application starts")
            result = compose.run("tests")
            report.expect(result.returncode == 0, f"web-app over {name}: its tests pass in a container", result.stdout + compose.logs())
            report.figure("tests", result.stdout.strip().splitlines()[-1])
            if name == "HTTP":
                browser(python)
    container(engine, python, clone / "docker/examples/devcontainer/.devcontainer")
    schemas(clone / "docker", python)
    github(engine, python, clone / "docker/examples/github-actions.yml")
    gitlab(engine, python, clone / "docker/examples/gitlab-ci.yml")


def browser(python):
    """The same from a browser on this machine."""
    if not shutil.which("chromium"):
        report.figure("not run", "web-app in a browser: there is no chromium")
        return
    result = run(python, Path(__file__).with_name("browse.py"), check=False)
    report.expect(result.returncode == 0, "web-app in Chromium: login, a note, its presigned URL", result.stdout)


def container(engine, python, folder):
    """The dev container: its workspace reaches Virga under the name that the browser uses. Python's image stands in for that of the workspace."""
    stand_ins = {"mcr.microsoft.com/devcontainers/python:3.12": "docker.io/library/python:3.11-slim-bookworm"}
    with Compose(engine, python, folder / "compose.yaml", stand_ins=stand_ins) as compose:
        compose.up()
        script = "import os, urllib.request as r; print(r.urlopen(os.environ['VIRGA_ENDPOINT'] + '/_virga/ready').read().decode())"
        result = compose.exec("workspace", "python3", "-c", script)
        report.expect("ready" in result.stdout, "dev container: Virga is ready in the workspace", result.stdout + compose.logs())


def schemas(folder, python):
    """Checks the examples by the schemas of the services that read them."""
    files = [
        ("compose-spec", sorted(folder.rglob("compose*.yaml"))), ("github-workflows", [folder / "examples/github-actions.yml"]),
        ("gitlab-ci", [folder / "examples/gitlab-ci.yml"])]
    for name, paths in files:
        result = run(python.with_name("check-jsonschema"), "--builtin-schema", f"vendor.{name}", *paths, check=False)
        report.expect(result.returncode == 0, f"{len(paths)} files are valid by the schema {name}", result.stdout)


def variables(environment):
    return [word for name, value in environment.items() for word in ("--env", f"{name}={value}")]


def github(engine, python, path):
    """Runs the steps of the job as its runner does: on this machine, once the service is healthy."""
    job = read(python, path)["jobs"]["test"]
    service = job["services"]["virga"]
    ports = [word for port in service["ports"] for word in ("--publish", port)]
    with engine.start(TAG, options=[*variables(service["env"]), *ports]) as container, tempfile.TemporaryDirectory() as folder:
        container.wait_until_healthy()
        run("python3", "-m", "venv", folder)
        environment = os.environ | job["env"] | {"PATH": f"{folder}/bin:{os.environ['PATH']}"}
        for step in job["steps"]:
            if "run" in step:
                result = run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], check=False, env=environment, cwd=folder)
                report.expect(result.returncode == 0, f"github-actions.yml: {step['run'].splitlines()[0]}", result.stdout)


def gitlab(engine, python, path):
    """Runs the script of the job as its runner does: in a container on the network of the service."""
    job = read(python, path)["test"]
    network = engine("network", "create", "virga-check-gitlab") and "virga-check-gitlab"
    try:
        # A variable is a text, or a mapping with options.
        values = {name: value["value"] if isinstance(value, dict) else value for name, value in job["variables"].items()}
        options = [*variables(values), "--network", network]
        with engine.start(TAG, options=[*options, "--network-alias", job["services"][0]["alias"]]):
            script = "\n".join(["set -e", *job["before_script"], *job["script"]])
            result = engine.ended(job["image"], "sh", "-c", script, options=options, seconds=300)
            report.expect(result.returncode == 0, "gitlab-ci.yml: its script", result.stdout + result.stderr)
    finally:
        engine("network", "rm", "--force", network)
