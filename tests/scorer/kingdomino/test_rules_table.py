"""Every function, test and golden table that docs/rules.md names is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from tests.scorer.kingdomino.golden_tables import rows, squares

ROOT = Path(__file__).parents[3]
TABLE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ROWS = [line.split("|") for line in TABLE.splitlines() if re.match(r"\| (?!---)", line)]


def test_functions() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([a-z_]+\.[\w.]+)`", row[-3])}
    assert len(named) > 25
    for name in named:
        module, *path = name.split(".")
        found: object = importlib.import_module(f"scorer.kingdomino.{module}")
        for part in path:
            # A slot or a field without a default is known by its annotation or in __slots__.
            known = {*getattr(found, "__annotations__", ()), *getattr(found, "__slots__", ())}
            assert hasattr(found, part) or part in known, name
            found = getattr(found, part, None)


def test_tests() -> None:
    named = {
        name for row in ROWS for name in re.findall(r"`((?:box\.)?test_\w+)(?:::(\w+))?`", row[-2])
    }
    assert len(named) > 20
    for module, function in named:
        path = ROOT.joinpath("tests", "scorer", "kingdomino", *module.split("."))
        text = path.with_suffix(".py").read_text(encoding="utf-8")
        assert not function or f"def {function}(" in text, (module, function)


def test_golden_tables() -> None:
    named = {name for row in ROWS for name in re.findall(r"golden `(\w+)`", row[-2])}
    folder = ROOT / "tests" / "scorer" / "kingdomino" / "golden"
    assert {path.stem for path in folder.glob("*.txt")} - {"notation"} == named


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
