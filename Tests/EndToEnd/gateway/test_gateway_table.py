"""Checks `Tests/Conformance/Gateway.md`: every requirement is there once, and each has a test whose name has its number, or what is left."""

import ast
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1]
UNITS = FOLDER.parent / "Unit"
TABLE = FOLDER.parent / "Conformance" / "Gateway.md"
REQUIREMENTS = 41
ROW = re.compile(r"\| G(\d+) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|")
TEST = re.compile(r"`([\w/+]+\.(?:py|swift))::(\w+)`")


def rows():
    """Number, tests and what is left of each row."""
    lines = [line for line in TABLE.read_text().splitlines() if re.match(r"\| G\d", line)]
    found = [ROW.fullmatch(line) for line in lines]
    assert all(found), [line for line, row in zip(lines, found) if not row]
    return [(int(row[1]), TEST.findall(row[3]), row[4].strip()) for row in found]


@cache
def python_tests():
    """The numbers in the name of each test against the executable, by file and name."""
    found = {}
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[file.name, node.name] = {int(number) for number in re.findall(r"(?<=_)g(\d+)(?=_)", node.name)}
    return found


@cache
def swift_tests():
    """The numbers at the beginning of the name of each test in Swift, by file and function."""
    found = {}
    for file in UNITS.rglob("*Tests.swift"):
        text = file.read_text()
        for match in re.finditer(r'@Test\(\s*"((?:[^"\\]|\\.)*)"', text):
            numbers = re.match(r"(G\d+(?:, G\d+)*): ", match[1])
            if function := re.search(r"\bfunc (\w+)\(", text[match.end():]):
                found[str(file.relative_to(UNITS)), function[1]] = {
                    int(number) for number in re.findall(r"G(\d+)", numbers[1])} if numbers else set()
    return found


def test_every_requirement_is_there_once():
    assert [number for number, _, _ in rows()] == list(range(1, REQUIREMENTS + 1))


def test_every_requirement_has_a_test_or_says_what_is_left():
    assert not [f"G{number}" for number, tests, left in rows() if not tests and len(left) <= 10]


def test_every_test_exists_and_has_the_number():
    known = python_tests() | swift_tests()
    for number, tests, _ in rows():
        for test in tests:
            assert test in known, f"G{number}: no {'::'.join(test)}"
            assert number in known[test], f"G{number}: the name of {'::'.join(test)} does not have the number"


def test_every_test_with_a_number_is_in_the_table():
    listed = {(number, test) for number, tests, _ in rows() for test in tests}
    known = python_tests() | swift_tests()
    missing = [f"G{number}: {'::'.join(test)}" for test, numbers in known.items() for number in numbers if (number, test) not in listed]
    assert not missing
