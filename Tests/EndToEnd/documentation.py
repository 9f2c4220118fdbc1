"""Runs the blocks of documentation pages, compares their output, and checks their links.

A page is one session of bash in a folder of its own, against a server of its own. Its rules:

- `sh` blocks run in order in one shell. A block that fails ends the page. `python` blocks run in order, each in its own interpreter, with
  the variables that the shell exports.
- `<!-- fails -->` before a block says that its last command fails, and `<!-- fails: 2 -->` with which status.
- A `text` block right after a block that runs is its expected output, standard output and error together. `…` stands for any text within a
  line, and a line of `…` alone for any number of lines.
- `<!-- file: NAME -->` before a block writes it to this file instead. `<!-- not run: REASON -->` prevents a block from being run, `<!-- not
  output -->` prevents a `text` block from being compared, and `<!-- from: PATH -->` names the test that contains a `swift` block.
- `<!-- figures: NAME -->` is for `Tests/Benchmarks/pages`, which writes the paragraph or table behind it.
- `json5` blocks are seeds, `json` and `yaml` blocks are parsed. Blocks of other programming languages need one of these comments.
- The Python package of the repository can be imported, and pytest has its plugin.
- Port 4566 becomes the port of the page's server. A page whose first block starts the server gets none.
"""

import contextlib
import dataclasses
import os
import re
import select
import signal
import subprocess
from pathlib import Path

from cloud import REPOSITORY, TIMEOUT_SECONDS, TimedOut, clean_environment, executable, wait_until

PAGES = REPOSITORY / "Sources/Documentation"
PORT = "4566"
# How long a wrong output may still become the expected one.
OUTPUT_SECONDS = 60
LANGUAGES = {"sh", "python", "swift", "json5", "json", "yaml", "text"}
# These languages have no interpreter here that runs a block alone.
LISTINGS = {"csharp", "go", "java", "javascript", "ruby", "rust"}
DIRECTIVES = {"file", "from", "fails", "not run", "not output", "figures"}


@dataclasses.dataclass
class Block:
    """A fenced block, with the directives of the comments before it."""

    language: str
    text: str
    line: int
    directives: dict
    # The expected output, if the page has one.
    expected: str | None = None

    @property
    def runs(self):
        return self.language in ("sh", "python") and not {"file", "not run"} & self.directives.keys()

    def ends_well_with(self, status):
        """Returns whether an exit status is the expected one."""
        if "fails" not in self.directives:
            return status == 0
        return status == int(self.directives["fails"]) if self.directives["fails"] else status != 0


class FaultyPage(Exception):
    """A page that violates the rules."""


def blocks(text):
    """Returns the blocks of a page."""
    found, directives, previous = [], {}, None
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if comment := re.fullmatch(r"<!-- ([a-z ]+?)(?:: (.+))? -->", line):
            name, value = comment.groups()
            if name not in DIRECTIVES:
                raise FaultyPage(f"line {number}: there is no directive '{name}'")
            if name == "not run" and not value:
                raise FaultyPage(f"line {number}: say why the block is not run")
            if name == "fails" and value is not None and not re.fullmatch(r"[1-9][0-9]{0,2}", value):
                raise FaultyPage(f"line {number}: '{value}' is not the status of a command that fails")
            directives[name] = value
        elif line.startswith("```"):
            content = []
            for _, inner in lines:
                if inner.startswith("```"):
                    break
                content.append(inner)
            block = Block(line[3:].strip(), "\n".join(content) + "\n", number, directives)
            if block.language not in LANGUAGES | LISTINGS:
                raise FaultyPage(f"line {number}: a block is one of {', '.join(sorted(LANGUAGES | LISTINGS))}, not '{block.language}'")
            if block.language in LISTINGS and not {"file", "not run"} & directives.keys():
                raise FaultyPage(f"line {number}: write the block to a file, or say why it is not run")
            if block.language == "text" and "file" not in directives:
                if previous is not None and previous.runs and "not output" not in directives:
                    previous.expected = block.text
                elif "not output" not in directives and not (previous is not None and "not run" in previous.directives):
                    raise FaultyPage(f"line {number}: no block before this text prints it")
            found.append(block)
            directives, previous = {}, block
        elif line.strip():
            directives, previous = {}, None
    return found


def pattern(expected):
    """Returns the pattern of an expected output."""
    lines = []
    for line in expected.rstrip("\n").splitlines():
        lines.append("(?:.*\n)*?" if line == "…" else ".*".join(re.escape(part.rstrip()) for part in line.split("…")) + "[ ]*\n")
    return re.compile("".join(lines))


def matches(expected, output):
    return pattern(expected).fullmatch(output.rstrip("\n") + "\n" if output.strip("\n") else "") is not None


class Session:
    """A shell in a folder, in which blocks run one after another."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        bin_folder = folder / ".bin"
        bin_folder.mkdir()
        (bin_folder / "virga").symlink_to(executable())
        for name in ["seed", "docker", ".ci", "Sources"]:
            (folder / name).symlink_to(REPOSITORY / name)
        environment = clean_environment(
            HOME=str(folder), VIRGA_PORT=port, VIRGA_ENDPOINT=f"http://127.0.0.1:{port}", TMPDIR=str(folder),
            PYTHONPATH=str(REPOSITORY / "Sources/Testing/Python"), PYTEST_PLUGINS="virga_cloud.pytest_plugin", PYTHONDONTWRITEBYTECODE="1",
            # Compiling the AWS SDK anew takes a minute.
            GOCACHE=os.environ.get("GOCACHE", str(Path.home() / ".cache" / "go-build")),
            PATH=os.pathsep.join([str(bin_folder), os.environ["PATH"]]))
        # The pages' SDKs set these variables themselves, or use `virga env`.
        del environment["AWS_CONFIG_FILE"], environment["AWS_SHARED_CREDENTIALS_FILE"]
        self.shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True, text=True)
        self.count = 0

    def run(self, block):
        """Runs a block. Returns its exit status and the file with its output."""
        self.count += 1
        source, output, status = (self.folder / f".{name}-{self.count}" for name in ["source", "output", "status"])
        source.write_text(block.text.replace(PORT, self.port))
        os.mkfifo(status)
        # Opened for reading and writing, so that neither the shell nor the test waits for the other to open it.
        pipe = os.open(status, os.O_RDWR)
        if block.language == "python":
            command = f"python {source}"
        else:
            # Runs in the shell itself, so that variables persist. A trap reports a block that failed. Where the last command is expected to fail,
            # the shell goes on.
            command = f". {source}" if "fails" in block.directives else f"set -e; . {source}; set +e"
        self.shell.stdin.write(f"trap 'echo $? > {status}' EXIT\n{{ {command}; }} > {output} 2>&1 < /dev/null\necho $? > {status}\n")
        self.shell.stdin.flush()
        try:
            ended, _, _ = select.select([pipe], [], [], TIMEOUT_SECONDS)
            assert ended, f"line {block.line}: the block does not end:\n{output.read_text()}"
            return int(os.read(pipe, 100)), output
        finally:
            os.close(pipe)
            status.unlink()

    def close(self):
        """Ends the shell and its child processes."""
        try:
            os.killpg(self.shell.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.shell.stdin.close()
        try:
            self.shell.wait(10)
        except subprocess.TimeoutExpired:
            pass
        # Ends programs that do not end by themselves, for example a loop.
        try:
            os.killpg(self.shell.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.shell.wait()


def printed(block, output, port):
    """Returns the output of a block as soon as it is as expected, since a program in the background may print later."""
    expected = block.expected.replace(PORT, port)
    with contextlib.suppress(TimedOut):
        wait_until(lambda: matches(expected, output.read_text()), seconds=OUTPUT_SECONDS)
    return expected, output.read_text()


def anchors(path):
    """Returns the anchors of headings as docc and code hosts spell them."""
    titles = [line.lstrip("#").strip() for line in re.sub(r"```.*?```", "", path.read_text(), flags=re.S).splitlines() if line.startswith("#")]
    plain = [re.sub(r"[^\w\- ]", "", title) for title in titles]
    return {title.replace(" ", "-") for title in plain} | {title.replace(" ", "-").lower() for title in plain}


def broken_links(path):
    """Returns links of a page that lead to nothing in the repository."""
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(target)
    return broken


def listed_pages():
    """Returns README and the pages, by name."""
    return [REPOSITORY / "README.md", *sorted(PAGES.glob("*.md"))]


def part_of(block, path):
    """Returns whether a test contains a Swift block, at any indentation."""
    def lines(text):
        return [line.strip() for line in text.splitlines() if line.strip()]

    wanted, there = lines(block.text), lines(Path(path).read_text())
    imports = [line for line in wanted if line.startswith("import ")]
    body = [line for line in wanted if not line.startswith("import ")]
    return all(line in there for line in imports) and any(
        there[index:index + len(body)] == body for index in range(len(there) - len(body) + 1))
