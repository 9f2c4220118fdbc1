"""What leaves the repository, as far as it can be tested without a release build and a container engine: manual pages, the bill of materials, and
the examples. docker/check does the rest."""

import json
import re
import subprocess
import sys

import pytest

from cloud import REPOSITORY, executable, run

DOCKER = REPOSITORY / "docker"
EXAMPLES = [
    path for path in sorted(DOCKER.rglob("*")) if path.suffix in (".yaml", ".yml", ".json") or path.name in ("default", "virga.service", "Dockerfile")]


def output(*command, **options):
    return subprocess.run(
        [sys.executable, *map(str, command)], check=True, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, **options).stdout


def test_each_command_has_a_manual_page(tmp_path):
    output(DOCKER / "man-pages", executable(), tmp_path)
    commands = json.loads(run("--experimental-dump-help").stdout)["command"]["subcommands"]
    names = {command["commandName"] for command in commands} - {"help"}
    assert {path.name for path in tmp_path.iterdir()} == {"virga.1"} | {f"virga-{name}.1" for name in names}
    overview = (tmp_path / "virga.1").read_text()
    for name in names:
        assert f"\\fBvirga\\-{name.replace('-', chr(92) + '-')}\\fR(1)" in overview
    page = (tmp_path / "virga-serve.1").read_text()
    [serve] = [command for command in commands if command["commandName"] == "serve"]
    for argument in serve["arguments"]:
        if argument["shouldDisplay"]:
            names = [name["name"].replace("-", "\\-") for name in argument["names"] if name["kind"] == "long"]
            assert f"\\fB\\-\\-{names[0]}\\fR" in page
    # No line may begin like a request of troff that is none.
    for path in tmp_path.iterdir():
        assert set(re.findall(r"^\.(\w+)", path.read_text(), re.MULTILINE)) <= {"TH", "SH", "SS", "TP", "PP", "B", "nf", "fi"}


def test_the_bill_of_materials(tmp_path):
    components = tmp_path / "components.tsv"
    components.write_text(
        "swift\tswift-nio\t2.101.2\thttps://github.com/apple/swift-nio.git\ndeb\tzlib\t1:1.2.13.dfsg-1\tbookworm\n")
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "libc6").write_text("Package: libc6\nVersion: 2.36-9\nArchitecture: amd64\nDescription: GNU C Library\n more\n")
    command = [DOCKER / "sbom", "--version", "1.2.3", "--packages", packages, components]
    text = output(*command)
    document = json.loads(text)
    assert document["metadata"]["component"]["version"] == "1.2.3"
    assert [component["purl"] for component in document["components"]] == [
        "pkg:swift/github.com/apple/swift-nio@2.101.2", "pkg:deb/debian/zlib@1:1.2.13.dfsg-1?arch=source&distro=bookworm",
        "pkg:deb/debian/libc6@2.36-9?arch=amd64&distro=bookworm"]
    # The same parts make the same document.
    assert output(*command) == text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(DOCKER)))
def test_the_variables_of_examples_exist(path):
    known = set(re.findall(r"\[(VIRGA_\w+)", run("--experimental-dump-help").stdout))
    known |= {"VIRGA_SEED_JSON", "VIRGA_ENDPOINT", "VIRGA_COMMIT", "VIRGA_VERSION"}
    assert set(re.findall(r"\bVIRGA_[A-Z_]+\b", path.read_text())) <= known


def test_the_seed_of_the_example():
    result = run("seed", "check", DOCKER / "examples/web-app/seed.json5")
    assert result.returncode == 0, result.stderr
