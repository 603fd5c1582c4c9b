"""Ground truth from label files: pictures with the kingdom or the square that they show."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scorer.kingdomino import Kingdom

__all__ = ["LabelledKingdom", "LabelledSquare", "read_labels"]

# Columns that group near-duplicate pictures, in order of preference.
GROUP_COLUMNS = ("scene", "kingdom_group", "session")
PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".bmp"}


@dataclass(frozen=True)
class LabelledKingdom:
    """A photograph and its kingdom as seen in the picture, None if it shows none.

    ``castle_colour`` is empty if it is not annotated.
    """

    path: Path
    kingdom: Kingdom | None
    group: str
    castle_colour: str = ""

    @property
    def session(self) -> str:
        """The key that near-duplicates share, as in ``vision.kingdomino.training.corpus``.

        Other crops of the same kingdoms lie in a folder with a longer name: "boards_loose".
        """
        return f"{self.path.parent.name.partition('_')[0]} {self.group}"


@dataclass(frozen=True)
class LabelledSquare:
    """A picture of one square and its label; ``castle_colour`` is empty if it is unknown."""

    path: Path
    label: str
    group: str
    castle_colour: str = ""

    @property
    def session(self) -> str:
        """The session that the square was photographed in."""
        return self.group


def read_labels(
    folder: Path, *, without_kingdom: bool = False
) -> Sequence[LabelledKingdom | LabelledSquare]:
    """Read ``folder/labels.csv``: kingdoms (column kingdom) or single squares (column label).

    The column castle_colour is optional. With ``without_kingdom`` no label file is needed: all
    pictures in the folder are taken to show no kingdom. FileNotFoundError without a label file,
    ValueError for one with neither column.
    """
    if without_kingdom:
        paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
        return [LabelledKingdom(path, None, "no kingdom") for path in paths]
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    columns = set(rows[0]) if rows else {"kingdom"}
    group = next((name for name in GROUP_COLUMNS if name in columns), None)
    if "kingdom" in columns:
        return [
            LabelledKingdom(
                folder / row["file"],
                Kingdom.parse(row["kingdom"]) if row["kingdom"].strip() else None,
                row[group] if group else "all",
                row.get("castle_colour", ""),
            )
            for row in rows
        ]
    if "label" in columns:
        return [
            LabelledSquare(
                folder / row["file"],
                row["label"],
                row[group] if group else "all",
                row.get("castle_colour", ""),
            )
            for row in rows
        ]
    raise ValueError(f"{folder / 'labels.csv'}: expected a column kingdom or label, got {columns}")
