"""The tests call no program that another machine may lack: see programs.txt."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cloud import REPOSITORY
from programs import essential, found, installed, listed, queried

HERE = Path(__file__).parents[1]


def relations(field):
    """Returns the names of the packages in a field of dpkg, without versions and architectures."""
    return {re.split(r"[\s:(]", name.strip())[0] for name in re.split(r"[,|]", field)} - {""}


@pytest.fixture(scope="module")
def packages():
    """For each package that is installed: whether it is essential, and the installed packages that it depends on."""
    lines = queried(
        "--show", "--showformat", "${db:Status-Status}\t${Package}\t${Essential}\t${Pre-Depends},${Depends}\t${Provides}\n").splitlines()
    rows = [line.split("\t")[1:] for line in lines if line.startswith("installed\t")]
    providers = {}
    for name, _, _, provided in rows:
        for each in {name} | relations(provided):
            providers.setdefault(each, set()).add(name)
    return {name: (state == "yes", {provider for each in relations(needed) for provider in providers.get(each, ())})
            for name, state, needed, _ in rows}


def closure(packages, roots):
    """Returns these packages and all on which they depend."""
    seen, left = set(), list(roots)
    while left:
        name = left.pop()
        if name not in seen and name in packages:
            seen.add(name)
            left += packages[name][1]
    return seen


def owner(path):
    """Returns the package of a file. Its path in the list may be from before the folders of the system were merged."""
    real = os.path.realpath(path)
    for name in [real, real.removeprefix("/usr")]:
        answer = subprocess.run(["/usr/bin/dpkg-query", "--search", name], text=True, capture_output=True)
        if answer.returncode == 0:
            return answer.stdout.partition(":")[0]
    raise AssertionError(f"{path} is of no package")


@pytest.mark.parametrize("name", sorted(listed()))
def test_every_program_is_installed_by_the_setup(name, packages):
    package = listed()[name]
    base = closure(packages, {each for each, (is_essential, _) in packages.items() if is_essential})
    setup = {word for words in re.findall(r"packages\+?=\(([^)]*)\)", (REPOSITORY / ".ci/setup").read_text()) for word in words.split()}
    assert package in setup | base, f"{name}: .ci/setup does not install {package}"
    path = found(name)
    assert path, f"{name} is not installed: .ci/setup test installs it"
    assert owner(path) in closure(packages, {package}), f"{name} is a program of {owner(path)}, which {package} does not need"


def test_the_path_has_the_environment_and_the_listed_programs_only():
    environment, links = map(Path, os.environ["PATH"].split(os.pathsep))
    assert environment == Path(sys.executable).parent
    assert {link.name for link in links.iterdir()} <= set(listed()) | essential()
    for name in listed():
        assert installed(name), name


def test_a_program_that_is_not_listed_cannot_be_called():
    # Every Debian machine on which `.ci/setup` runs has it.
    assert found("apt-get")
    assert shutil.which("apt-get") is None
    with pytest.raises(FileNotFoundError):
        subprocess.run(["apt-get", "--version"])
    assert subprocess.run(["sh", "-c", "apt-get --version"], capture_output=True).returncode == 127


def test_programs_that_are_named_by_their_path_are_listed():
    """Neither `PATH` nor its check sees these."""
    named = {(file.name, name) for file in HERE.rglob("*.py") for name in re.findall(r'"/(?:usr/)?s?bin/([\w-]+)"', file.read_text())}
    assert ("navigation.py", "chromium") in named
    allowed = set(listed()) | essential()
    assert {(file, name) for file, name in named if name not in allowed and file not in {"programs.py", "test_programs.py"}} == set()
