"""Reads a table of numbered requirements in `Tests/Conformance`, and finds its gaps."""

import ast
import re
from functools import cached_property
from pathlib import Path

FOLDER = Path(__file__).parent
UNITS = FOLDER.parent / "Unit"
TEST = re.compile(r"`([\w/+]+\.(?:py|swift))::(\w+)`")


class RequirementTable:
    """A table whose rows are a number (`K7`), the requirement, the tests that show it, and possibly what is left.

    The numbers are in the names of the tests against the executable (`test_k7_…`), and in the names of those in Swift: at their end (`(K7)`)
    or at their beginning (`K7: `).
    """

    def __init__(self, file, letter, count):
        self.path, self.letter, self.count = FOLDER.parent / "Conformance" / file, letter, count

    @cached_property
    def rows(self):
        """Number, tests and rest of each row."""
        row = re.compile(rf"\| {self.letter}(\d+) \| [^|]+ \| ([^|]*) \|(?: ([^|]*) \|)?")
        lines = [line for line in self.path.read_text().splitlines() if re.match(rf"\| {self.letter}\d", line)]
        found = [row.fullmatch(line) for line in lines]
        assert all(found), [line for line, match in zip(lines, found) if not match]
        return [(int(match[1]), match[2].strip(), (match[3] or "").strip()) for match in found]

    @cached_property
    def tests(self):
        """The numbers in the name of each test, by file and name."""
        return self._python_tests() | self._swift_tests()

    def _python_tests(self):
        number = re.compile(rf"(?<=_){self.letter.lower()}(\d+)(?=_)")
        found = {}
        for file in FOLDER.rglob("test_*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    found[file.name, node.name] = {int(digits) for digits in number.findall(node.name)}
        return found

    def _swift_tests(self):
        list_of_numbers = rf"{self.letter}\d+(?:, {self.letter}\d+)*"
        numbered = re.compile(rf"\(({list_of_numbers})\)$|^({list_of_numbers}): ")
        found = {}
        for file in UNITS.rglob("*Tests.swift"):
            text = file.read_text()
            for match in re.finditer(r'@Test\(\s*"((?:[^"\\]|\\.)*)"', text):
                numbers = numbered.search(match[1])
                if function := re.search(r"\bfunc (\w+)\(", text[match.end():]):
                    found[str(file.relative_to(UNITS)), function[1]] = {
                        int(digits) for digits in re.findall(r"\d+", numbers[0])} if numbers else set()
        return found

    def check_numbers(self):
        assert [number for number, _, _ in self.rows] == list(range(1, self.count + 1))

    def gaps(self):
        """The requirements without a test and without a reason."""
        found = []
        for number, shown, left in self.rows:
            name = f"{self.letter}{number}"
            if begun := re.search(rf"`test_{self.letter.lower()}(\d+)_…`", shown):
                assert int(begun[1]) == number
                if not any(number in numbers for numbers in self.tests.values()):
                    found.append(f"{name}: no test has the number in its name")
            elif not TEST.search(shown) and max(len(shown), len(left)) <= 30:
                found.append(f"{name}: neither a test nor a reason")
        return found

    def check_tests(self):
        for number, shown, _ in self.rows:
            for test in TEST.findall(shown):
                assert test in self.tests, f"{self.letter}{number}: no {'::'.join(test)}"
                assert number in self.tests[test], f"{self.letter}{number}: the name of {'::'.join(test)} does not have the number"
