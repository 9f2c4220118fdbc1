"""A bare Debian in a folder, made by debootstrap from the mirror of this machine."""

import subprocess

from report import run

RELEASE = "bookworm"


def base(work):
    """Returns the folder of a Debian with nothing added, from which roots are copied. The first call makes it."""
    folder = work / "roots" / RELEASE
    if not folder.exists():
        made = folder.with_suffix(".part")
        run("rm", "-rf", made)
        made.parent.mkdir(parents=True, exist_ok=True)
        run("debootstrap", "--variant=minbase", RELEASE, made, *[uri for uri, release, _ in sources() if release == RELEASE][:1])
        made.rename(folder)
    return folder


def sources():
    """Returns where this machine gets the release: address, suite and component of each list of packages. Empty on other systems."""
    try:
        listed = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages", "Origin: Debian"],
            text=True, capture_output=True, stdin=subprocess.DEVNULL).stdout
    except FileNotFoundError:
        return []
    rows = [tuple(line.split()) for line in listed.splitlines()]
    return list(dict.fromkeys(row for row in rows if len(row) == 3 and row[1].partition("-")[0] == RELEASE))
