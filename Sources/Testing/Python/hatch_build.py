"""Puts the executable into the wheel, and names the machines that can run it."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ExecutableHook(BuildHookInterface):
    """Packages the executable that `VIRGA_EXECUTABLE` names, or builds one with `docker/executable`.

    An editable installation has no executable of its own, and neither has a wheel with `VIRGA_EXECUTABLE=none`, which runs everywhere and
    finds the executable in `PATH`.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        named = os.environ.get("VIRGA_EXECUTABLE")
        if named == "none" or (version == "editable" and not named):
            return
        executable = Path(named) if named else self._built()
        if not executable.is_file():
            raise FileNotFoundError(f"There is no file {executable}, which VIRGA_EXECUTABLE names")
        build_data["shared_scripts"] = {str(executable.resolve()): "virga"}
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform()}"

    def _built(self) -> Path:
        script = Path(self.root).resolve().parents[1] / "docker" / "executable"
        if not script.is_file():
            raise FileNotFoundError("Set VIRGA_EXECUTABLE: the executable can be built in the repository of Virga only")
        result = subprocess.run([script], stdout=subprocess.PIPE, text=True, check=True)
        return Path(result.stdout.splitlines()[-1])


def _platform() -> str:
    """The platform tag for executables that are built on this machine (PEP 600)."""
    library, version = platform.libc_ver()
    if platform.system() != "Linux" or library != "glibc":
        raise OSError("Wheels with an executable can be built on Linux with glibc only; VIRGA_EXECUTABLE=none builds one without")
    major, minor = version.split(".")[:2]
    return f"manylinux_{major}_{minor}_{platform.machine()}"
