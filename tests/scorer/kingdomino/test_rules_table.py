"""Every function, test and golden table that docs/rules.md names is there."""

from __future__ import annotations

from pathlib import Path

from tests.scorer.kingdomino.golden_tables import rows, squares
from tests.scorer.rules_table import RulesTable

TABLE = RulesTable.of("kingdomino", "rules.md")


def test_functions() -> None:
    TABLE.check_functions(26)


def test_tests() -> None:
    TABLE.check_tests(21)


def test_golden_tables() -> None:
    TABLE.check_golden_tables("notation")


def test_there_are_at_least_120_cases_with_results() -> None:
    folder = Path(__file__).with_name("golden")
    assert sum(len(rows(path.stem)) for path in folder.glob("*.txt")) >= 120


def test_no_case_is_there_twice() -> None:
    for path in Path(__file__).with_name("golden").glob("*.txt"):
        cases = [tuple(row) for row in rows(path.stem)]
        assert len(set(cases)) == len(cases), path.name


def test_squares() -> None:
    assert squares("0,1 12,3") == ((0, 1), (12, 3))
    assert squares("") == ()
