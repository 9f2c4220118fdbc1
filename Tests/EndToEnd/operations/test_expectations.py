"""The check of expectations finds each that joins facts, and no other."""

import subprocess

import pytest

from cloud import REPOSITORY

CHECK = REPOSITORY / ".ci/expectations"


def check(*folder):
    result = subprocess.run([CHECK, *folder], capture_output=True, text=True)
    return result.returncode, result.stdout


def test_finds_nothing_in_the_tests():
    assert check() == (0, "")


@pytest.mark.parametrize("text", [
    "#expect(a && b)",
    "try #require(a && b)",
    '#expect(a == ")" && b, "a comment")',
    "#expect(\n    list.contains { $0 || c }\n        && b)",
    '#expect("\\(f("a && b"))" == c && d)',
    'for name in ["a", "b"] { #expect(old[name] && new[name]) }',
    '#expect(#"a" && "#.isEmpty && b)',
    "#expect(text.wholeMatch(of: /[/)]+/) != nil && b)",
    '#expect(a ?? b && c)',
])
def test_finds_joined_facts(tmp_path, text):
    (tmp_path / "Planted.swift").write_text(f"import Testing\n\n{text}\n")
    assert check(tmp_path) == (1, "Planted.swift:3: an expectation of several facts; write one for each\n")


@pytest.mark.parametrize("text", [
    "#expect(a)",
    "if a && b { #expect(c) }",
    "#expect(list.allSatisfy { $0.a && $0.b })",
    "#expect(!(a && b))",
    "#expect(a || b && c)",
    "#expect(a ? b && c : d)",
    '#expect(text == "a && b")',
    '#expect(text == """\n    a && b\n    """)',
    "#expect(text.contains(/a && b/))",
    "// #expect(a && b)",
    "#expect(a) // && b",
    "#expect(a / b == c) /* && */",
])
def test_accepts_one_fact(tmp_path, text):
    (tmp_path / "Fine.swift").write_text(f"import Testing\n\n{text}\n")
    assert check(tmp_path) == (0, "")
