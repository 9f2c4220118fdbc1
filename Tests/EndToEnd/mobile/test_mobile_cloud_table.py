"""Checks `Tests/Conformance/MobileCloud.md`: every requirement is there once, and each test in it exists and names the requirement."""

import ast
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
UNITS = FOLDER.parents[1] / "Unit"
TABLE = FOLDER.parents[1] / "Conformance" / "MobileCloud.md"
REQUIREMENTS = 155
ROW = re.compile(r"\| R(\d+) \| ([^|]+) \| ([^|]+) \|")
TEST = re.compile(r"`([\w/+]+\.(?:py|swift))::(\w+)`")
MENTION = re.compile(r"\bR(\d+)(?:\s*[-–]\s*R?(\d+))?\b")


def rows():
    """Number, requirement, and tests of each row."""
    lines = [line for line in TABLE.read_text().splitlines() if re.match(r"\| R\d", line)]
    found = [ROW.fullmatch(line) for line in lines]
    assert all(found), [line for line, row in zip(lines, found) if not row]
    return [(int(row[1]), row[2].strip(), row[3].strip()) for row in found]


def mentioned(text):
    """The numbers of the requirements in a text: R1, R1–R3."""
    numbers = set()
    for first, last in MENTION.findall(text):
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


@cache
def shown_in(file):
    """The tests of a file, with the requirements that each names in its text or in the comment above it."""
    path = next(FOLDER.parent.rglob(file)) if file.endswith(".py") else UNITS / file
    text = path.read_text()
    if file.endswith(".py"):
        lines = text.splitlines()
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        return {
            node.name: mentioned("\n".join(
                lines[min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1:node.end_lineno]))
            for node in functions}
    found = {}
    for match in re.finditer(r"(?m)(?:^[ \t]*//.*\n)*^([ \t]*)@Test\b", text):
        block = text[match.start():]
        # Up to the brace below the function's name, or to that on its own line.
        block = block[:re.search(rf"(?m)^{match[1]}(?:}}|func .*}})$", block).end()]
        found[re.search(r"\bfunc (\w+)\(", block)[1]] = mentioned(block) | mentioned(cases(block, text))
    return found


def cases(test, text):
    """The table of a Swift test's arguments, if it is elsewhere in the file."""
    found = ""
    for name in re.findall(r"arguments: (?:Self\.)?(\w+)", test):
        for match in re.finditer(rf"(?m)^([ \t]*)(?:private )?(?:(?:struct|enum) {name}\b|static (?:let|var) {name}\b).*[\[({{]$", text):
            block = text[match.start():]
            found += block[:re.search(rf"(?m)^{match[1]}[\])}}]", block).end()]
    return found


def test_every_requirement_is_there_once():
    assert [number for number, _, _ in rows()] == list(range(1, REQUIREMENTS + 1))


def test_every_requirement_has_a_test_or_a_reason():
    for number, _, shown in rows():
        rest = TEST.sub("", shown).strip(" ,;")
        assert TEST.search(shown) or len(rest) > 30, f"R{number}: neither a test nor a reason"


def test_every_test_exists_and_names_its_requirement():
    for number, _, shown in rows():
        for file, name in TEST.findall(shown):
            tests = shown_in(file)
            assert name in tests, f"R{number}: no {name} in {file}"
            assert number in tests[name], f"R{number}: {file}::{name} does not say that it shows it"
