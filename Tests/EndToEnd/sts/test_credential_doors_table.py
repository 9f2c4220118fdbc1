"""Checks `Tests/Conformance/Credentials.md`: every requirement is there once, and each has a test whose name has its number, or a reason."""

from requirement_table import RequirementTable

TABLE = RequirementTable("Credentials.md", "K", 40)


def test_every_requirement_is_there_once():
    TABLE.check_numbers()


def test_every_requirement_has_a_test_or_a_reason():
    assert not TABLE.gaps()


def test_every_test_exists_and_has_the_number():
    TABLE.check_tests()
