"""Packages resolve to releases of their ranges, clients of the tests have one version, and the SBOM lists what the executable contains."""

import json
import re
import subprocess

from cloud import REPOSITORY, executable

COMMAND = REPOSITORY / "Tests/Hardening/supply-chain"


def test_every_package_resolves_to_a_release_of_its_range():
    pins = {pin["identity"]: pin["state"] for pin in json.loads((REPOSITORY / "Package.resolved").read_text())["pins"]}
    named = re.findall(r'\.package\(url: "[^"]+/([^"/]+?)(?:\.git)?", from: "([^"]+)"', (REPOSITORY / "Package.swift").read_text())
    assert named
    for name, least in named:
        assert pins[name]["version"] >= least and pins[name]["revision"], name
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", state["version"]) for state in pins.values())


def test_every_client_of_the_tests_has_one_version():
    seen = {}
    for file in ["requirements.txt", "requirements-without-dependencies.txt"]:
        for line in (REPOSITORY / "Tests/EndToEnd" / file).read_text().splitlines():
            if line and not line.startswith("#"):
                assert re.fullmatch(r"[A-Za-z0-9_.-]+(\[\w+\])?==\S+", line), line
                assert seen.setdefault(line.split("==")[0].lower(), file) == file, line


def test_the_sbom_lists_everything(tmp_path):
    file = tmp_path / "sbom.json"
    subprocess.run([COMMAND, "sbom", file], check=True, capture_output=True)
    document = json.loads(file.read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    components = {component["name"]: component for component in document["components"]}
    for pin in json.loads((REPOSITORY / "Package.resolved").read_text())["pins"]:
        component = components[pin["identity"]]
        assert component["version"] == pin["state"]["version"] and component["purl"].startswith("pkg:swift/github.com/")
    assert {"libssl3", "libsqlite3-0", "zlib1g"} <= set(components)
    references = [component["bom-ref"] for component in document["components"]]
    assert len(references) == len(set(references)) and document["dependencies"][0]["dependsOn"] == references


def test_the_executable_links_nothing_else(tmp_path):
    """Libraries of a static release build are a subset of these."""
    subprocess.run([COMMAND, "list"], check=True, capture_output=True)
    needed = subprocess.run(["readelf", "--dynamic", executable()], text=True, capture_output=True, check=True).stdout
    libraries = re.findall(r"NEEDED.*\[(.+?)\]", needed)
    own = r"lib(swift.*|_?Foundation.*|dispatch|BlocksRuntime|crypto|sqlite3|z|stdc\+\+|m|c|gcc_s|pthread|dl|util|ld-linux.*)(-x86-64|\.so.*)?\.so.*|ld-linux.*"
    assert libraries and all(re.fullmatch(own, library) for library in libraries), libraries
