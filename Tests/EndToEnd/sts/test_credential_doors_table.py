"""Checks `Tests/Conformance/Credentials.md`: every requirement is there once, and each has a test whose name has its number, or a reason."""

import ast
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1]
UNITS = FOLDER.parent / "Unit"
TABLE = FOLDER.parent / "Conformance" / "Credentials.md"
REQUIREMENTS = 40
ROW = re.compile(r"\| K(\d+) \| ([^|]+) \| ([^|]+) \|")
TEST = re.compile(r"`([\w/+]+\.(?:py|swift))::(\w+)`")
ANY = re.compile(r"`test_k(\d+)_…`")


def rows():
    """Number and tests of each row."""
    lines = [line for line in TABLE.read_text().splitlines() if re.match(r"\| K\d", line)]
    found = [ROW.fullmatch(line) for line in lines]
    assert all(found), [line for line, row in zip(lines, found) if not row]
    return [(int(row[1]), row[3].strip()) for row in found]


@cache
def python_tests():
    """The numbers in the name of each test against the executable, by file and name."""
    found = {}
    for file in FOLDER.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[file.name, node.name] = {int(number) for number in re.findall(r"(?<=_)k(\d+)(?=_)", node.name)}
    return found


@cache
def swift_tests():
    """The numbers at the end of the name of each test in Swift, by file and function."""
    found = {}
    for file in UNITS.rglob("*Tests.swift"):
        text = file.read_text()
        for match in re.finditer(r'@Test\(\s*"((?:[^"\\]|\\.)*)"', text):
            numbers = re.search(r"\((K\d+(?:, K\d+)*)\)$", match[1])
            if function := re.search(r"\bfunc (\w+)\(", text[match.end():]):
                found[str(file.relative_to(UNITS)), function[1]] = {
                    int(number) for number in re.findall(r"K(\d+)", numbers[1])} if numbers else set()
    return found


def test_every_requirement_is_there_once():
    assert [number for number, _ in rows()] == list(range(1, REQUIREMENTS + 1))


def test_every_requirement_has_a_test_or_a_reason():
    gaps = []
    for number, shown in rows():
        if begun := ANY.search(shown):
            assert int(begun[1]) == number
            numbers = [*python_tests().values(), *swift_tests().values()]
            if not any(number in test for test in numbers):
                gaps.append(f"K{number}: no test has the number in its name")
        elif not TEST.search(shown) and len(shown) <= 30:
            gaps.append(f"K{number}: neither a test nor a reason")
    assert not gaps


def test_every_test_exists_and_has_the_number():
    known = python_tests() | swift_tests()
    for number, shown in rows():
        for test in TEST.findall(shown):
            assert test in known, f"K{number}: no {'::'.join(test)}"
            assert number in known[test], f"K{number}: the name of {'::'.join(test)} does not have the number"
