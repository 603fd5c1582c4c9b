"""Every function, test and golden table that docs/pip-dominoes.md names is there."""

from __future__ import annotations

from pathlib import Path

from tests.scorer.pip_dominoes.golden_tables import rows
from tests.scorer.rules_table import RulesTable

TABLE = RulesTable.of("pip_dominoes", "pip-dominoes.md")


def test_functions() -> None:
    TABLE.check_functions(41)


def test_tests() -> None:
    TABLE.check_tests(26)


def test_golden_tables() -> None:
    TABLE.check_golden_tables()


def test_every_decision_is_there() -> None:
    numbers = [int(row[1]) for row in TABLE.rows if row[1].strip().isdigit()]
    assert numbers == list(range(1, 22))


GOLDEN = Path(__file__).with_name("golden")


def test_there_are_at_least_100_cases() -> None:
    assert sum(len(rows(path.stem)) for path in GOLDEN.glob("*.txt")) >= 100


def test_no_case_is_there_twice() -> None:
    for path in GOLDEN.glob("*.txt"):
        cases = [tuple(row) for row in rows(path.stem)]
        assert len(set(cases)) == len(cases), path.name
