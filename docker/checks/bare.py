"""README's first two commands on a bare Debian: a root that debootstrap makes, with nothing but the Swift toolchain added.

The root has namespaces of its own for mounts and processes. They end with the command, so nothing stays mounted and nothing keeps running. Of
this machine it has the toolchain, and what reaches packages here: the settings of apt, pip and git, names of hosts, certificates, and the local
folders that those settings name.
"""

import os
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import debian
from report import CheckFailed, report, run

COMMANDS = ["first", "second"]
CHECKOUT = "/root/virga"
# A file in every root that a check made, so that no other folder is changed.
MARK = "/root/.bare-machine"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
# Settings that are copied as they are.
COPIED = ["/etc/apt/apt.conf.d", "/etc/apt/auth.conf.d", "/etc/pip.conf", "/etc/resolv.conf", "/etc/hosts"]
PIP = [Path("/etc/pip.conf"), Path.home() / ".config/pip/pip.conf", Path.home() / ".pip/pip.conf"]
VARIABLES = re.compile(r"PIP_\w+|(?:https?|no|all)_proxy", re.IGNORECASE)

# The shell that stays the first process of the namespace. Its arguments are the root, the file with the command, and folders to mount.
ENTER = """
set -eu
root=$1 script=$2
shift 2
# A mount point, so that tests may make mount namespaces inside.
mount --rbind "$root" "$root"
for path; do
    if [ -d "$path" ]; then mkdir -p "$root$path"; else mkdir -p "$root${path%/*}"; touch "$root$path"; fi
    mount --bind "$path" "$root$path"
    mount -o remount,bind,ro "$root$path"
done
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount -t proc proc "$root/proc"
chroot "$root" /bin/bash "$script"
"""


class BareMachine:
    """A root in a folder, with a clone of the repository. `kept` is the folder of a root that stays, which an earlier run may have made."""

    def __init__(self, clone, work, kept=None):
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise CheckFailed("a bare machine needs root and debootstrap")
        self.clone, self.work, self.is_kept = clone, work, kept is not None
        self.folder = kept or work / "roots" / "bare"
        self.toolchain = toolchain()

    def __enter__(self):
        if self.is_kept and self.folder.exists() and any(self.folder.iterdir()):
            if not self.inside(MARK).exists():
                raise CheckFailed(f"{self.folder} is not empty, and no root that an earlier check made")
            run("rm", "-rf", self.folder / CHECKOUT[1:])
        else:
            run("rm", "-rf", self.folder)
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            run("cp", "--archive", debian.base(self.work), self.folder)
            self.inside(MARK).touch()
        self.configure()
        run("git", "clone", "--quiet", "--no-hardlinks", self.clone, self.folder / CHECKOUT[1:])
        return self

    def __exit__(self, *exception):
        if not self.is_kept:
            run("rm", "-rf", self.folder)

    def inside(self, path):
        return self.folder / str(path).lstrip("/")

    def configure(self):
        """Writes what reaches packages from this machine into the root."""
        if lines := [f"deb {uri} {suite} {component}\n" for uri, suite, component in debian.sources()]:
            self.inside("/etc/apt/sources.list").write_text("".join(lines))
        for path in map(Path, COPIED):
            if path.is_dir():
                shutil.copytree(path, self.inside(path), dirs_exist_ok=True)
            elif path.exists():
                shutil.copy(path, self.inside(path))
        if settings := [path for path in PIP[1:] if path.exists()]:
            target = self.inside("/root/.config/pip/pip.conf")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(settings[0], target)
        git = self.inside("/root/.gitconfig")
        git.unlink(missing_ok=True)
        for name, value in [*git_settings(), ("safe.directory", "*")]:
            run("git", "config", "--file", git, "--add", name, value)
        if CERTIFICATES.exists():
            # One file serves until the package for certificates is installed; after that the package adds the others to its own.
            for target in [self.inside(CERTIFICATES), self.inside("/usr/local/share/ca-certificates")]:
                target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CERTIFICATES, self.inside(CERTIFICATES))
            folder = self.inside("/usr/local/share/ca-certificates")
            folder.mkdir(exist_ok=True)
            blocks = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", CERTIFICATES.read_text(), re.DOTALL)
            for number, block in enumerate(blocks):
                (folder / f"machine-{number}.crt").write_text(block)

    def run(self, command, log):
        """Runs a command line in the checkout, as a reader of README does, and returns whether it succeeds."""
        variables = {
            "HOME": "/root", "TERM": "dumb", "LANG": "C.UTF-8",
            "PATH": f"{self.toolchain}/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            **{name: value for name, value in os.environ.items() if VARIABLES.fullmatch(name)}}
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        self.inside("/root/command").write_text(f"cd {CHECKOUT} && exec env -i {settings} bash -c {shlex.quote(command)}\n")
        entered = [
            "unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", ENTER, "enter", str(self.folder), "/root/command",
            str(self.toolchain), *named_folders()]
        with open(log, "w") as file:
            return subprocess.run(entered, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT).returncode == 0


def toolchain():
    """Returns the folder of this machine's Swift."""
    swift = shutil.which("swift")
    folder = swift and Path(swift).resolve().parents[2]
    if not folder or folder == Path("/") or not (folder / "usr/lib/swift").is_dir():
        raise CheckFailed("there is no Swift toolchain in a folder of its own, whose usr/bin is in PATH")
    return folder


def git_settings():
    """Returns the settings by which git reaches other machines, with names and values."""
    lines = run("git", "config", "--get-regexp", r"^(url|http)\.", check=False).stdout.splitlines()
    return [tuple(line.split(" ", 1)) for line in lines if " " in line]


def named_folders():
    """Returns the local files and folders that the settings of pip and git name."""
    texts = [path.read_text() for path in PIP if path.exists()]
    texts += [f"={value}" for name, value in os.environ.items() if name.upper().startswith("PIP_")]
    texts += [f"={value}\n={name.removeprefix('url.').rpartition('.')[0]}" for name, value in git_settings()]
    paths = {path.rstrip("/") for text in texts for path in re.findall(r"[=\s](/[^\s=]+)", text)}
    return sorted(path for path in paths if os.path.exists(path) and not path.startswith(("/etc/", "/dev/")))


def commands(readme):
    """Returns README's first two commands."""
    first, second, *_ = re.findall(r"^```sh\n(.*?)^```$", readme.read_text(), re.DOTALL | re.MULTILINE)
    return dict(zip(COMMANDS, [first.strip(), second.strip()]))


def check(clone, work, chosen, kept):
    """Runs the chosen commands of README."""
    report.heading("bare machine")
    texts = commands(clone / "README.md")
    with BareMachine(clone, work, kept) as machine:
        for name in COMMANDS if chosen == "both" else [chosen]:
            log = work / f"bare-{name}.log"
            report.figure("log", log)
            began = time.monotonic()
            succeeded = machine.run(texts[name], log)
            report.expect(succeeded, f"README's {name} command on a bare machine: {texts[name]}", log.read_text(errors="replace")[-8000:])
            report.figure("time", f"{time.monotonic() - began:.0f} seconds")
            for line in re.findall(r"^.*Test run with \d+ tests.*$|^=* ?\d+ passed.*$", log.read_text(errors="replace"), re.MULTILINE):
                report.figure("tests", line.strip("= "))
