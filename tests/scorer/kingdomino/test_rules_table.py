"""Every function and test that docs/rules.md names is there."""

import importlib
import re
from pathlib import Path

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
