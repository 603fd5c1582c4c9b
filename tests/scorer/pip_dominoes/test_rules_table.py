"""Every function, test and golden table that docs/pip-dominoes.md names is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from tests.scorer.pip_dominoes.golden_tables import rows

ROOT = Path(__file__).parents[3]
FOLDER = Path(__file__).parent
TABLE = (ROOT / "docs" / "pip-dominoes.md").read_text(encoding="utf-8")
ROWS = [
    re.split(r"(?<!\\)\|", line) for line in TABLE.splitlines() if re.match(r"\| (?!---)", line)
]


def test_functions() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([a-z_]+\.[\w.]+)`", row[-3])}
    assert len(named) > 40
    for name in named:
        module, *path = name.split(".")
        found: object = importlib.import_module(f"scorer.pip_dominoes.{module}")
        for part in path:
            # A slot or a field without a default is known by its annotation or in __slots__.
            known = {*getattr(found, "__annotations__", ()), *getattr(found, "__slots__", ())}
            assert hasattr(found, part) or part in known, name
            found = getattr(found, part, None)


def test_tests() -> None:
    named = {name for row in ROWS for name in re.findall(r"`(test_\w+)(?:::(\w+))?`", row[-2])}
    assert len(named) > 25
    for module, function in named:
        text = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        assert not function or f"def {function}(" in text, (module, function)


def test_golden_tables() -> None:
    named = {name for row in ROWS for name in re.findall(r"golden `(\w+)`", row[-2])}
    assert {path.stem for path in FOLDER.joinpath("golden").glob("*.txt")} == named


def test_every_decision_is_there() -> None:
    numbers = [int(row[1]) for row in ROWS if row[1].strip().isdigit()]
    assert numbers == list(range(1, 22))


GOLDEN = Path(__file__).with_name("golden")


def test_there_are_at_least_100_cases() -> None:
    assert sum(len(rows(path.stem)) for path in GOLDEN.glob("*.txt")) >= 100


def test_no_case_is_there_twice() -> None:
    for path in GOLDEN.glob("*.txt"):
        cases = [tuple(row) for row in rows(path.stem)]
        assert len(set(cases)) == len(cases), path.name
