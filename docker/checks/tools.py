"""Programs of Python's package index that the checks use."""

from report import run

PACKAGES = ["cyclonedx-python-lib[json-validation]", "PyYAML", "selenium", "check-jsonschema"]


def tools(work):
    """Returns an interpreter that has the packages. The first call installs them."""
    folder = work / "tools"
    installed = folder / "installed"
    if not installed.exists():
        run("python3", "-m", "venv", "--clear", folder)
        run(folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES)
        installed.touch()
    return folder / "bin/python"
