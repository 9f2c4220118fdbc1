"""Suites of users in Go, Ruby, Java and JavaScript: each test has a sandbox, and the tests of a suite run in parallel against one server.

The suites are the folders `go_sample`, `ruby_sample`, `java_sample` and `node_sample`. Each uses the file of `Sources/Testing/Clients` that its
users copy.
"""

import os
import re
import shutil
from pathlib import Path

import pytest
import requests

from cloud import REPOSITORY, Cloud, free_port

HELPERS = REPOSITORY / "Sources" / "Testing" / "Clients"
JARS = Path("/usr/share/java")
TOKEN = "token-of-the-suite"


@pytest.fixture(scope="module")
def server(environment_of_the_tests):
    """A server with the usual ports for sandboxes, so that a sandbox gets the port of one that was deleted."""
    with Cloud("--port", free_port(), "--ephemeral", "--control-token", TOKEN) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture(params=["its token in a file", "a wrong token"])
def variables(request, server, tmp_path_factory):
    """The variables by which a suite finds the server. With a wrong token it must fail, and say why: a suite that sends no token gets
    another error."""
    file = tmp_path_factory.mktemp("token") / "token"
    file.write_text(f"{TOKEN}\n")
    is_right = request.param != "a wrong token"
    yield {"VIRGA_ENDPOINT": server.url} | ({"VIRGA_CONTROL_TOKEN_FILE": str(file)} if is_right else {"VIRGA_CONTROL_TOKEN": "wrong"})
    for kind in ["sandboxes", "snapshots"]:
        found = requests.get(f"{server.url}/_virga/{kind}", headers={"Authorization": f"Bearer {TOKEN}"}).json()[kind]
        assert [each["name"] for each in found] in ([], ["default"]), "the suite leaves something behind"


def is_refused(variables):
    return "VIRGA_CONTROL_TOKEN" in variables


def copied(language, helper, folder, helper_folder=None):
    """Copies a sample suite, and the helper as its users do."""
    shutil.copytree(REPOSITORY / "Tests" / "EndToEnd" / f"{language}_sample", folder, dirs_exist_ok=True)
    target = helper_folder or folder
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(HELPERS / helper, target)


def test_go(tool, variables, tmp_path):
    copied("go", "virga.go", tmp_path / "src" / "notes", tmp_path / "src" / "notes" / "virga")
    settings = variables | {
        # Debian's packages lie in an old workspace. The cache is that of the other programs in Go.
        "GO111MODULE": "off", "GOPATH": f"{tmp_path}:/usr/share/gocode", "GOFLAGS": "", "CGO_ENABLED": "0",
        "GOCACHE": os.environ.get("GOCACHE", str(Path.home() / ".cache" / "go-build"))}
    assert tool("go", "vet", "notes/...", **settings) == ""
    if is_refused(variables):
        assert "token_wrong" in tool("go", "test", "notes", status=1, **settings)
        return
    output = tool("go", "test", "-v", "-count", "1", "-parallel", "4", "notes", **settings)
    assert len(re.findall(r"^ *--- PASS", output, re.MULTILINE)) == 18, output


def test_ruby(tool, variables, tmp_path):
    copied("ruby", "virga.rb", tmp_path)
    if is_refused(variables):
        assert "token_wrong" in tool("ruby", "-W", "-e", "STDERR.reopen(STDOUT); load 'notes_test.rb'", status=1, **variables)
        return
    output = tool("ruby", "-W", "notes_test.rb", **variables)
    assert "18 runs, 35 assertions, 0 failures, 0 errors, 0 skips" in output


def test_java(tool, variables, tmp_path):
    copied("java", "Virga.java", tmp_path)
    console = JARS / "junit-platform-console-standalone.jar"
    assert console.is_file(), "junit5 is not installed: .ci/setup test installs it"
    libraries = ":".join(str(JARS / f"{name}.jar") for name in [
        "junit-jupiter-api", "junit-platform-commons", "apiguardian-api", "opentest4j"])
    classes = tmp_path / "classes"
    tool("javac", "-Xlint:all", "-Werror", "-cp", libraries, "-d", classes, *tmp_path.glob("*.java"))
    shutil.copy(tmp_path / "junit-platform.properties", classes)
    run = ["java", "-jar", console, "--class-path", classes, "--scan-class-path", "--disable-banner", "--disable-ansi-colors"]
    if is_refused(variables):
        assert "token_wrong" in tool(*run, status=1, **variables)
        return
    output = tool(*run, **variables)
    assert re.search(r"17 tests successful", output), output


def test_node(tool, variables, tmp_path):
    copied("node", "virga.mjs", tmp_path)
    if is_refused(variables):
        assert "token_wrong" in tool("node", "--test", "--test-reporter", "tap", status=1, **variables)
        return
    output = tool("node", "--test", "--test-reporter", "tap", **variables)
    assert re.search(r"^# pass 20\n# fail 0$", output, re.MULTILINE), output
