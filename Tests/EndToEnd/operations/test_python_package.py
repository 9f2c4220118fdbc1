"""The Python package as its users have it: a wheel with the executable, installed into an empty environment, and a suite of tests."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import requests

from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud, clean_environment, executable, run

SOURCES = REPOSITORY / "Sources" / "Testing" / "Python"
SAMPLE = REPOSITORY / "Tests" / "EndToEnd" / "python_sample"
REQUIREMENTS = REPOSITORY / "Tests" / "EndToEnd" / "requirements.txt"


def ended(*command, status=0, cwd=None, **variables):
    """Runs a program to its end and returns its output, standard error included."""
    result = subprocess.run(
        list(map(str, command)), env=clean_environment(**variables), cwd=cwd, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
    assert result.returncode == status, f"ended with {result.returncode}:\n{result.stdout}"
    return result.stdout


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder that the processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    path = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "python-package"
    path.mkdir(exist_ok=True)
    return path


@pytest.fixture(scope="session")
def installed(environment_of_the_tests, folder):
    """An environment with the wheel, pytest, pytest-xdist and boto3, as a folder; the wheel lies beside it. The first test process that
    needs it makes it."""
    done = folder / "done"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            build_wheel(folder, VIRGA_EXECUTABLE=str(executable()))
            ended("/usr/bin/python3", "-m", "venv", folder / "venv")
            [wheel] = folder.glob("*.whl")
            ended(
                folder / "venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint",
                REQUIREMENTS, f"{wheel}[aws]", "pytest", "pytest-xdist")
            done.touch()
    return folder / "venv"


def build_wheel(target, status=0, **variables):
    return ended(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", target, cwd=SOURCES, status=status, **variables)


@pytest.fixture
def sample(tmp_path):
    """A copy of the sample suite, as a project of its own."""
    return shutil.copytree(SAMPLE, tmp_path / "sample", ignore=shutil.ignore_patterns("__pycache__"))


def python(installed, *arguments, **options):
    """Runs Python of the environment. PATH has no executable of Virga, since programs.txt does not list it."""
    return ended(installed / "bin/python", *arguments, PYTHONDONTWRITEBYTECODE="1", **options)


def test_a_suite_in_four_processes(installed, sample):
    output = python(installed, "-m", "pytest", "-n", "4", "-q", "--ignore", "denied", cwd=sample)
    assert re.search(r"^40 passed in", output, re.MULTILINE), output


def test_a_suite_in_one_process(installed, sample):
    output = python(installed, "-m", "pytest", "-q", "test_isolation.py", "test_faults.py", cwd=sample)
    assert re.search(r"^22 passed in", output, re.MULTILINE), output


def test_a_failed_test_shows_the_refused_requests(installed, sample):
    output = python(installed, "-m", "pytest", "-n", "2", "--tb=short", "-o", "addopts=", "denied", cwd=sample, status=1)
    caller = "arn:aws:sts::111122223333:assumed-role/notes-user/alice"
    section = f"""\
--------------------------- Virga: refused requests ----------------------------
2 × s3:GetObject by {caller}: AccessDenied
      s3:GetObject on arn:aws:s3:::notes/bob-2/a because no identity-based policy allows the s3:GetObject action
1 × s3:ListObjectsV2 by {caller}: AccessDenied
      s3:ListBucket on arn:aws:s3:::notes because no identity-based policy allows the s3:ListBucket action
"""
    assert section in output
    [picture] = re.findall(r"^Sequence diagram: (.+\.svg)$", output, re.MULTILINE)
    text = Path(picture).read_text()
    assert text.startswith("<svg") and "✗ 403 AccessDenied" in text and Path(picture).is_relative_to(sample / ".pytest_cache")
    # The test without a refused request has no section.
    assert output.count("Virga: refused requests") == 1 and "2 failed, 1 passed" in output


def test_the_diagram_lies_beside_the_junit_report(installed, sample):
    report = sample / "reports" / "junit.xml"
    output = python(installed, "-m", "pytest", "--tb=short", f"--junitxml={report}", "denied", cwd=sample, status=1)
    [picture] = re.findall(r"^Sequence diagram: (.+\.svg)$", output, re.MULTILINE)
    assert Path(picture).parent == report.parent / "virga" and Path(picture).is_file()


def test_a_given_server(installed, sample):
    with Cloud.ephemeral() as server:
        for options, variables in [(["--virga-url", server.url], {}), ([], {"VIRGA_ENDPOINT": server.url})]:
            output = python(installed, "-m", "pytest", "-q", *options, "test_isolation.py", cwd=sample, **variables)
            assert re.search(r"^18 passed in", output, re.MULTILINE), output


def test_a_given_server_for_several_processes(installed, sample):
    """Each process has a sandbox. A server without sandboxes is refused, since the tests would disturb each other."""
    with Cloud.ephemeral() as server:
        has_sandboxes = requests.get(f"{server.url}/_virga/sandboxes").ok
        output = python(
            installed, "-m", "pytest", "-q", "-n", "4", "--ignore", "denied", "--virga-url", server.url, cwd=sample,
            status=0 if has_sandboxes else 1)
        if has_sandboxes:
            assert re.search(r"^40 passed in", output, re.MULTILINE), output
            assert [sandbox["name"] for sandbox in server.control("GET", "sandboxes")["sandboxes"]] == ["default"]
            assert server.control("GET", "snapshots")["snapshots"] == []
        else:
            assert "has no sandboxes, so that several test processes cannot share it" in output


def test_options(installed, sample, tmp_path):
    (sample / "conftest.py").unlink()
    test = sample / "test_options.py"
    test.write_text("def test_the_account(virga_sts): assert virga_sts.get_caller_identity()['Account'] == '111122223333'")
    output = python(installed, "-m", "pytest", "-q", test, "--virga-seed", "seed.json5", "--virga-executable", executable(), cwd=sample)
    assert "1 passed" in output
    output = python(installed, "-m", "pytest", "-q", test, "--virga-executable", tmp_path / "none", cwd=sample, status=1)
    assert "CloudError: not_started: " in output and "cannot be executed: No such file or directory." in output
    (sample / "seed.json5").write_text("{acounts: []}")
    output = python(installed, "-m", "pytest", "-q", test, "--virga-seed", "seed.json5", cwd=sample, status=1)
    assert "The server ended before it was ready:" in output and "unknown key 'acounts'" in output


def test_a_marker_with_a_wrong_argument(installed, sample):
    test = sample / "test_marker.py"
    test.write_text("import pytest\n\n@pytest.mark.virga(time='2026-01-01T00:00:00Z')\ndef test_it(): pass\n")
    output = python(installed, "-m", "pytest", "-q", test, cwd=sample, status=1)
    assert "@pytest.mark.virga takes snapshot=, clock=, faults=, seed= only" in output


def test_the_command(installed):
    output = ended(installed / "bin/virga", "--version")
    assert output == run("--version").stdout
    [wheel] = installed.parent.glob("*.whl")
    # The package has the version of the program.
    assert wheel.name.split("-")[:2] == ["virga_cloud", output.split()[1]]


def test_the_executable_of_the_wheel_is_found(installed, tmp_path):
    script = "import virga_cloud; print(virga_cloud.find_executable())"
    assert python(installed, "-c", script, cwd=tmp_path) == f"{installed}/bin/virga\n"
    assert python(installed, "-c", script, cwd=tmp_path, VIRGA_EXECUTABLE="/bin/true") == "/bin/true\n"
    output = python(installed, "-c", script, cwd=tmp_path, VIRGA_EXECUTABLE="/none", status=1)
    assert "no_executable: There is no file /none, which VIRGA_EXECUTABLE names." in output


def test_the_package_needs_the_standard_library_only(installed, tmp_path):
    script = "import sys, virga_cloud; print({'boto3', 'pytest', 'oss2'} & set(sys.modules))"
    assert python(installed, "-c", script, cwd=tmp_path) == "set()\n"


def test_the_wheel_names_its_machines(installed):
    [wheel] = installed.parent.glob("*.whl")
    version, machine = os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."), os.uname().machine
    tag = f"py3-none-manylinux_{version[0]}_{version[1]}_{machine}"
    assert wheel.name.endswith(f"-{tag}.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [metadata] = [name for name in names if name.endswith(".dist-info/WHEEL")]
        assert f"Tag: {tag}\n" in archive.read(metadata).decode()
        assert {"virga_cloud/py.typed", f"{metadata.removesuffix('.dist-info/WHEEL')}.data/scripts/virga"} <= set(names)
        assert not [name for name in names if "__pycache__" in name]


def test_a_wheel_without_an_executable(tmp_path):
    build_wheel(tmp_path, VIRGA_EXECUTABLE="none")
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if "scripts" in name]


def test_a_wheel_needs_the_named_executable(tmp_path):
    output = build_wheel(tmp_path, VIRGA_EXECUTABLE=str(tmp_path / "none"), status=1)
    assert f"There is no file {tmp_path}/none, which VIRGA_EXECUTABLE names" in output
