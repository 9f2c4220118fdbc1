"""Checks that each test in `Tests/Conformance/OpenID.md` exists, in every variant."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cloud import TIMEOUT_SECONDS

FOLDER = Path(__file__).parent
TABLE = FOLDER.parents[1] / "Conformance" / "OpenID.md"
PLANS = [
    "oidcc-config-certification-test-plan", "oidcc-basic-certification-test-plan", "oidcc-implicit-certification-test-plan",
    "oidcc-hybrid-certification-test-plan", "oidcc-formpost-basic-certification-test-plan",
    "oidcc-formpost-implicit-certification-test-plan", "oidcc-formpost-hybrid-certification-test-plan",
    "oidcc-dynamic-certification-test-plan",
    "oidcc-rp-initiated-logout-certification-test-plan", "oidcc-backchannel-rp-initiated-logout-certification-test-plan",
    "oidcc-frontchannel-rp-initiated-logout-certification-test-plan", "oidcc-session-management-certification-test-plan",
    "oidcc-3rdparty-init-login-certification-test-plan"]
FURTHER = "Further specifications"
FURTHER_ROW = re.compile(r"\| [^|]+ \| `(test_\w+\.py)::(test_\w+)` \|")
ROW = re.compile(r"\| `(oidcc-[a-z0-9_-]+)` \|(?: ([^|]+) \|)? `(test_\w+\.py)::(test_\w+)` \|")


def sections():
    return TABLE.read_text().split("\n## ")[1:]


def further_tests():
    """The file and the test of each row about what is in no plan."""
    section, = (section for section in sections() if section.startswith(f"{FURTHER}\n"))
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    rows = [FURTHER_ROW.fullmatch(line) for line in lines]
    assert rows and all(rows), [line for line, row in zip(lines, rows) if not row]
    return [(row[1], row[2]) for row in rows]


def plans():
    """Each plan with its response mode, or None if it has no variants, and its rows: module, response types, file, test."""
    for section in sections():
        if section.startswith(f"{FURTHER}\n"):
            continue
        plan, mode = re.search(r"Plan `([a-z0-9-]+)`(?:, response mode `(\w+)`)?\.", section).groups()
        lines = [line for line in section.splitlines() if line.startswith("| `")]
        rows = [ROW.fullmatch(line) for line in lines]
        assert all(rows), [line for line, row in zip(lines, rows) if not row]
        yield plan, mode, [(row[1], re.findall(r"`([^`]+)`", row[2] or ""), row[3], row[4]) for row in rows]


@pytest.fixture(scope="module")
def collected():
    """Every test of the files in the table, by the names of pytest."""
    files = {row[2] for _, _, rows in plans() for row in rows} | {file for file, _ in further_tests()}
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *sorted(files)], cwd=FOLDER, text=True, capture_output=True,
        timeout=TIMEOUT_SECONDS)
    assert listed.returncode == 0, listed.stdout + listed.stderr
    return set(re.findall(r"^(?:.*/)??(test_\w+\.py::.+)$", listed.stdout, re.MULTILINE))


def test_every_plan_is_there():
    assert [plan for plan, _, _ in plans()] == PLANS


@pytest.mark.parametrize("plan", PLANS)
def test_every_module_has_a_test(plan, collected):
    _, mode, rows = next(found for found in plans() if found[0] == plan)
    assert rows and len({module for module, *_ in rows}) == len(rows)
    for module, response_types, file, test in rows:
        assert bool(response_types) == bool(mode), f"{module}: response types go with a response mode"
        wanted = {f"{file}::{test}[{kind}-{mode}]" for kind in response_types} or {f"{file}::{test}"}
        known = collected | {name.partition("[")[0] for name in collected}
        assert wanted <= known, f"{module}: no {sorted(wanted - known)}"


def test_every_further_part_has_a_test(collected):
    known = {name.partition("[")[0] for name in collected}
    assert {f"{file}::{test}" for file, test in further_tests()} <= known
