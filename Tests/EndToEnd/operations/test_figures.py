"""The figures of README and Performance.md are those of the benchmark's file."""

import importlib.util
import json
import shutil
import subprocess
import sys

import pytest

from cloud import REPOSITORY

FOLDER = REPOSITORY / "Tests/Benchmarks"
COMMAND = FOLDER / "pages"
PAGES = ["README.md", "Sources/Documentation/Performance.md"]


def pages(*arguments):
    result = subprocess.run([sys.executable, COMMAND, *arguments], capture_output=True, text=True)
    return result.returncode, result.stderr


@pytest.fixture
def copy(tmp_path):
    """The pages and the file of the figures, in a folder where they can be changed."""
    for name in [*PAGES, "Tests/Benchmarks/figures.json"]:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, target)
    return tmp_path


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_have_the_figures_of_the_file():
    assert pages("--check") == (0, "")


def test_another_run_changes_both_pages_and_nothing_else(copy):
    file = copy / "Tests/Benchmarks/figures.json"
    data = json.loads(file.read_text())
    data["measured"] = "2031-05-09"
    data["rows"]["GET 1 KiB, session, 16 conn."]["ops_s"] = 77123
    data["rows"]["PUT 1 KiB, root, 16 conn."]["server_cpu_us_op"] = 70.1
    file.write_text(json.dumps(data))
    before = {name: (copy / name).read_text().splitlines() for name in PAGES}

    status, text = pages("--check", "--root", copy)
    assert status == 1
    assert [line.partition(":")[0] for line in text.splitlines()] == PAGES
    assert before == {name: (copy / name).read_text().splitlines() for name in PAGES}

    assert pages("--root", copy) == (0, "")
    assert pages("--check", "--root", copy) == (0, "")
    changed = {
        name: [new for old, new in zip(lines, (copy / name).read_text().splitlines(), strict=True) if old != new] for name, lines in before.items()}
    assert changed["README.md"] == [
        "| | measured on 9 May 2031 |", "| container image | 20 MiB compressed, without a shell (26 November 2026) |",
        "| GET of 1 KiB with a session's credentials | 77,100 a second on two shared cores, load generator included |"]
    [run, get, put] = changed["Sources/Documentation/Performance.md"]
    assert "9 May 2031" in run
    assert get.startswith("| GET 1 KiB, session, 16 connections | 77,123 |")
    assert put.endswith("| ≤ 70 µs | no |")


def test_a_place_that_is_missing_or_unknown_is_refused(copy):
    readme = copy / "README.md"
    text = readme.read_text()
    readme.write_text(text.replace("<!-- figures: cost -->\n", ""))
    assert pages("--check", "--root", copy)[0] == 1
    readme.write_text(text.replace("<!-- figures: cost -->", "<!-- figures: price -->"))
    assert "no figures named 'price'" in pages("--root", copy)[1]


def test_the_file_is_the_same_after_it_is_read_and_written(tmp_path):
    figures = load("figures")
    figures.write(figures.read(), tmp_path / "figures.json")
    assert (tmp_path / "figures.json").read_text() == (FOLDER / "figures.json").read_text()


def test_a_row_has_what_the_run_measured():
    figures = load("figures")
    result = {"ops_s": 39859.4, "server_cpu_us_op": 37.123, "p50_ms": 0.3877, "p99_ms": 1.2}
    assert json.dumps(figures.row(result, "0.31 x nginx", 37.123, "us", None)) == (
        '{"ops_s": 39859, "server_cpu_us_op": 37.1, "p50_ms": 0.39, "p99_ms": 1.2, "ratio": "0.31 x nginx"}')
    assert figures.row({}, "", 24.234, "MiB", None) == {"value": 24.2, "unit": "MiB"}
    assert figures.row({}, "", 31.0, "ms", (29.2, 35.4)) == {"least": 29, "most": 35, "unit": "ms"}
