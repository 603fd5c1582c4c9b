"""Every function, test and golden table that docs/domino_duell.md names is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDER = Path(__file__).parent
TEXT = (ROOT / "docs" / "domino_duell.md").read_text(encoding="utf-8")
ROWS = [line.split("|") for line in TEXT.split("\n## ")[2].splitlines() if line.startswith("| ")]


def test_functions() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([a-z_]+\.[\w.]+)`", row[-3])}
    assert len(named) > 12
    for name in named:
        module, *path = name.split(".")
        found: object = importlib.import_module(f"scorer.domino_duell.{module}")
        for part in path:
            found = getattr(found, part)


def test_tests() -> None:
    named = {name for row in ROWS for name in re.findall(r"`(test_\w+)(?:::(\w+))?`", row[-2])}
    assert len(named) > 4
    for module, function in named:
        text = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        assert not function or f"def {function}(" in text, (module, function)


def test_golden_tables() -> None:
    named = {name for row in ROWS for name in re.findall(r"golden `(\w+)`", row[-2])}
    assert {path.stem for path in FOLDER.joinpath("golden").glob("*.txt")} == named
