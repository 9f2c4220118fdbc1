"""The programs that the tests call.

`PATH` of the tests has the clients of the environment, and one folder of links to the programs in `programs.txt` and to those that every
Debian machine has. So a test cannot take a program that `.ci/setup test` does not install, as it would fail on another machine.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIST = Path(__file__).with_name("programs.txt")
FOLDERS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]


def listed():
    """Returns the package of each listed program."""
    lines = [line.split() for line in LIST.read_text().splitlines() if not line.startswith("#")]
    return {name: package for name, package in lines}


def found(name):
    """Returns the path of a program of the system, or None."""
    return shutil.which(name, path=os.pathsep.join(FOLDERS))


def installed(name):
    """Returns the path of a program that a test calls."""
    path = shutil.which(name)
    assert path, f"{name} is not in programs.txt, or `.ci/setup test` did not run"
    return path


def essential():
    """Returns the programs of the packages that Debian calls essential."""
    packages = queried("--show", "--showformat", "${Essential} ${Package}\n").splitlines()
    files = queried("--listfiles", *[line.split()[1] for line in packages if line.startswith("yes ")]).splitlines()
    return {Path(file).name for file in files if os.path.dirname(file) in FOLDERS}


def queried(*arguments):
    """Returns what Debian's list of packages answers."""
    return subprocess.run(["/usr/bin/dpkg-query", *arguments], text=True, capture_output=True, check=True).stdout


@contextlib.contextmanager
def search_path():
    """The value of `PATH` for the tests. Its folder of links exists as long as the `with` statement lasts."""
    with tempfile.TemporaryDirectory(prefix="virga-programs-") as folder:
        # Servers that root starts, for example Apache, call programs as other users.
        os.chmod(folder, 0o755)
        for name in essential() | set(listed()):
            if path := found(name):
                Path(folder, name).symlink_to(path)
        yield os.pathsep.join([str(Path(sys.executable).parent), folder])
