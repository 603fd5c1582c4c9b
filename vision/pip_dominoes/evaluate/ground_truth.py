"""The labels of photographs and single pictures of dominoes."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from vision.pip_dominoes.tiles import Tile, parse_tile

__all__ = ["LabelledPhoto", "read_photo_labels", "read_tile_labels"]


@dataclass(frozen=True)
class LabelledPhoto:
    """A photograph and the dominoes in it; ``set`` is 0 where it is not known."""

    path: Path
    tiles: tuple[Tile, ...]
    set: int
    scene: str
    source: str

    @property
    def pips(self) -> int:
        """The sum of all dominoes."""
        return sum(a + b for a, b in self.tiles)


def read_photo_labels(folder: Path) -> list[LabelledPhoto]:
    """The photographs of a ``photos.csv`` with its folder ``photos``, or of a ``labels.csv``.

    ``tiles`` separates dominoes by blanks. OSError where there are no labels.
    """
    listed = folder / "photos.csv"
    pictures = folder / "photos"
    if not listed.exists():
        listed, pictures = folder / "labels.csv", folder
    with listed.open(encoding="utf-8", newline="") as rows:
        return [
            LabelledPhoto(
                path=pictures / row["file"],
                tiles=tuple(sorted(parse_tile(text) for text in row["tiles"].split())),
                set=int(row["set"].removeprefix("double-") or 0),
                scene=row.get("scene") or row["file"],
                source=row.get("source") or "drawn",
            )
            for row in csv.DictReader(rows)
        ]


def read_tile_labels(folder: Path) -> list[LabelledPhoto]:
    """The pictures of single dominoes of ``tiles.csv``, their group as scene."""
    with (folder / "tiles.csv").open(encoding="utf-8", newline="") as rows:
        return [
            LabelledPhoto(
                folder / "tiles" / row["file"], (parse_tile(row["tile"]),), 0,
                row["group"], row["source"],
            )
            for row in csv.DictReader(rows)
        ]  # fmt: skip
