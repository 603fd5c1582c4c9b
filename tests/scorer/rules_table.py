"""The tables of rules in the documents: all that they name is there."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class RulesTable:
    """The ``rows``, each a list of cells, of a document about the game of a package of `scorer`."""

    package: str
    rows: Sequence[Sequence[str]]

    @property
    def folder(self) -> Path:
        """The tests of the game."""
        return ROOT / "tests" / "scorer" / self.package

    @classmethod
    def of(cls, package: str, document: str) -> RulesTable:
        """All rows of the tables in a document, their heads too."""
        lines = (ROOT / "docs" / document).read_text(encoding="utf-8").splitlines()
        rows = [re.split(r"(?<!\\)\|", line) for line in lines if re.match(r"\| (?!---)", line)]
        return cls(package, rows)

    def _named(self, pattern: str, column: int) -> set[str]:
        return {name for row in self.rows for name in re.findall(pattern, row[column])}

    def check_functions(self, least: int) -> None:
        """Each function is there, and so many at least are named."""
        named = self._named(r"`([a-z_]+\.[\w.]+)`", -3)
        assert len(named) >= least
        for name in named:
            module, *path = name.split(".")
            found: object = importlib.import_module(f"scorer.{self.package}.{module}")
            for part in path:
                # A slot or a field without a default is known by its annotation or in __slots__.
                known = {*getattr(found, "__annotations__", ()), *getattr(found, "__slots__", ())}
                assert hasattr(found, part) or part in known, name
                found = getattr(found, part, None)

    def check_tests(self, least: int) -> None:
        """Each module of tests, and each test named in one, is there; so many are named."""
        named = self._named(r"`((?:\w+\.)?test_\w+(?:::\w+)?)`", -2)
        assert len(named) >= least
        for name in named:
            module, _, function = name.partition("::")
            path = self.folder.joinpath(*module.split(".")).with_suffix(".py")
            text = path.read_text(encoding="utf-8")
            assert not function or f"def {function}(" in text, name

    def check_golden_tables(self, *others: str) -> None:
        """The golden tables are those that are named, and ``others``."""
        named = self._named(r"golden `(\w+)`", -2)
        assert {path.stem for path in self.folder.glob("golden/*.txt")} == named | {*others}
