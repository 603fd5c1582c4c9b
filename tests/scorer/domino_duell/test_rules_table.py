"""Every function, test and golden table that docs/domino_duell.md names is there."""

from __future__ import annotations

from tests.scorer.rules_table import RulesTable

TABLE = RulesTable.of("domino_duell", "domino_duell.md")


def test_functions() -> None:
    TABLE.check_functions(13)


def test_tests() -> None:
    TABLE.check_tests(5)


def test_golden_tables() -> None:
    TABLE.check_golden_tables()
