"""The query of a request is parsed once, however many parts of the process ask for it, and is searched by its bytes."""

import re

from cloud import REPOSITORY

SOURCES = sorted((REPOSITORY / "Sources").rglob("*.swift"))
# A parser beside `Call.queryFields`, which keeps its result.
PARSING = re.compile(r"FormFields\(parsing: (\w+\.)*query\)")
ALLOWED = {
    "Sandbox/Calls/Call.swift", "Server/FrontDoor/Routing/RoutingFacts.swift",
    # These parse other texts of this name.
    "Faces/Control/Journal/JournalFilter.swift", "Faces/Control/ControlFace+SAML.swift"}
# Swift's own searches in strings compare characters.
SEARCHING = re.compile(r"facts\.query\.(contains|split|range)\b")


def test_no_part_parses_the_query_of_a_call_by_itself():
    found = {str(path.relative_to(REPOSITORY / "Sources")) for path in SOURCES if PARSING.search(path.read_text())}
    assert found == ALLOWED


def test_routes_search_the_query_by_its_bytes():
    assert [path.name for path in SOURCES if SEARCHING.search(path.read_text())] == []
