"""The examples: the application with its tests, over HTTP and TLS, and the files for CI services."""

import os
import shutil
from pathlib import Path

from compose import Compose
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


def browser(python):
    """The same from a browser on this machine."""
    if not shutil.which("chromium"):
        report.figure("not run", "web-app in a browser: there is no chromium")
        return
    result = run(python, Path(__file__).with_name("browse.py"), check=False)
    report.expect(result.returncode == 0, "web-app in Chromium: login, a note, its presigned URL", result.stdout)
