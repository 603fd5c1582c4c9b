from __future__ import annotations

from pathlib import Path

from tests.scorer.pip_dominoes.golden_tables import rows

FOLDER = Path(__file__).with_name("golden")


def test_there_are_at_least_100_cases() -> None:
    assert sum(len(rows(path.stem)) for path in FOLDER.glob("*.txt")) >= 100


def test_no_case_is_there_twice() -> None:
    for path in FOLDER.glob("*.txt"):
        cases = [tuple(row) for row in rows(path.stem)]
        assert len(set(cases)) == len(cases), path.name
