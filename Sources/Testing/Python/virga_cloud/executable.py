"""Finds the executable `virga`."""

from __future__ import annotations

import os
import shutil
import site
import sys
import sysconfig
from pathlib import Path
from typing import Iterator

from .errors import CloudError


def find_executable() -> str:
    """Returns the path of the executable: `VIRGA_EXECUTABLE`, that of this package's wheel, or the first one in `PATH`."""
    named = os.environ.get("VIRGA_EXECUTABLE")
    if named:
        if not Path(named).is_file():
            raise CloudError("no_executable", f"There is no file {named}, which VIRGA_EXECUTABLE names.")
        return str(Path(named).absolute())
    for folder in _script_folders():
        candidate = folder / "virga"
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which("virga")
    if found is None:
        raise CloudError(
            "no_executable", "There is no executable virga. Set VIRGA_EXECUTABLE, put virga in PATH, or use a running server by its URL.")
    return found


def _script_folders() -> Iterator[Path]:
    """The folders in which installers put the scripts of a wheel."""
    yield Path(sysconfig.get_path("scripts"))
    scheme = "osx_framework_user" if sys.platform == "darwin" and sys._framework else "posix_user"
    if site.ENABLE_USER_SITE and scheme in sysconfig.get_scheme_names():
        yield Path(sysconfig.get_path("scripts", scheme=scheme))
    # A package in a target folder (`pip install --target`) has its scripts beside it.
    yield Path(__file__).resolve().parents[1] / "bin"
