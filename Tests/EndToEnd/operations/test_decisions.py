"""DECISIONS.md lists every decision by target, and says what each is based on."""

import re

from cloud import REPOSITORY

PAGE = (REPOSITORY / "Sources/DECISIONS.md").read_text()
ARCHITECTURE = (REPOSITORY / "Sources/ARCHITECTURE.md").read_text()
# The part between the index and the table of repetitions, which has a reason in each row.
DECISIONS = PAGE[PAGE.index("## Build and tests"):PAGE.index("## What repeats itself")]
INDEX = dict(re.findall(r"^\| (`.+|the package.+) \| (.+) \|$", PAGE[PAGE.index("## By target"):PAGE.index("## Build and tests")], re.M))


def paragraphs():
    """Returns each decision by its name, with everything up to the next decision or section."""
    parts = re.split(r"^(?=\*\*|## )", DECISIONS, flags=re.M)
    return {re.match(r"\*\*(.+?)\.?\*\*", part)[1]: part for part in parts if part.startswith("**")}


def test_every_decision_has_a_basis():
    assert paragraphs()
    found = {name: re.findall(r"^\*Basis:\* (measured|chosen|forced)[ .,:;]", text, re.M) for name, text in paragraphs().items()}
    assert {name: basis for name, basis in found.items() if len(basis) != 1} == {}


def test_the_index_names_every_decision():
    # One name has a comma, and quotes around it.
    named = {name.strip("“”") for cell in INDEX.values() for name in re.findall(r"“.+?”|[^,“”\s][^,“”]*", cell)} - {"none"}
    assert named == paragraphs().keys()


def test_the_index_has_every_target():
    targets = set(re.findall(r"^\| [0-5] \| `(\w+)` \|", ARCHITECTURE, re.M))
    assert len(targets) > 20
    assert targets - {name for cell in INDEX for name in re.findall(r"`(\w+)`", cell)} == set()
