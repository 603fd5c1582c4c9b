"""Which kingdoms are read with which weights."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table.measure import Task
from benchmarks.table.sheets import load_kingdoms
from vision.kingdomino.evaluate.results import held_out_parts

__all__ = ["Part", "split"]


@dataclass(frozen=True)
class Part:
    """Kingdoms that share their weights; None are the shipped ones."""

    names: tuple[str, ...]
    weights: Path | None = None

    def tasks(self, condition: str, numbers: Iterable[int]) -> list[Task]:
        """The photographs with these numbers, each kingdom in its turn."""
        return [
            Task(condition, number, self.names[turn % len(self.names)], self.names, self.weights)
            for turn, number in enumerate(numbers)
        ]

    def without(self, names: Container[str]) -> Part:
        """The same without some kingdoms."""
        left = tuple(name for name in self.names if name not in names)
        return Part(left, self.weights)


def split(data: Path, weights: Path | None, folds: Sequence[Path]) -> list[Part]:
    """All kingdoms with the same weights, or of each fold those that it was not trained on."""
    sheets = load_kingdoms(data)
    if not folds:
        return [Part(tuple(sheet.name for sheet in sheets), weights)]
    parts = held_out_parts(sheets, data, len(folds))
    return [
        Part(tuple(sheet.name for sheet in unseen), folder)
        for folder, unseen in zip(folds, parts, strict=True)
    ]
