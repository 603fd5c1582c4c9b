"""Labelled photographs, and scenes drawn ahead: ``python -m training.pip_dominoes.corpus DATA
OUT``.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pip_dominoes.scenes.face import with_rare_traits
from training.pip_dominoes.scenes.scene import Drawn, Scene, SceneSettings, draw_scene
from training.pip_dominoes.scenes.style import random_style
from vision.common.synthetic import jpeg_bytes
from vision.pip_dominoes.result import Tile, parse_tile

__all__ = [
    "LabelledPhoto",
    "StoredScene",
    "load_scenes",
    "read_photo_labels",
    "read_tile_labels",
    "save_scene",
    "table_photographs",
]


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


Image = NDArray[np.uint8]

QUALITY = 94
# Photographs of tables are kept at this long side.
TABLE_PX = 900


@dataclass(frozen=True, eq=False)
class StoredScene:
    """A scene whose picture is kept as the bytes of a JPEG file.

    ``whole`` says that all faces of dominoes are among ``drawn``; ``source`` whose photograph it
    is, "" for a drawing.
    """

    jpeg: bytes
    drawn: tuple[Drawn, ...]
    backs: NDArray[np.float64]
    whole: bool = True
    source: str = ""

    def rgb(self) -> Image:
        """The picture (h, w, 3)."""
        rgb = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR_RGB)
        return np.asarray(rgb, np.uint8)


def save_scene(scene: Scene, path: Path, *, whole: bool = True, source: str = "") -> None:
    """Write a scene as one file of arrays, see ``StoredScene``."""
    drawn = scene.drawn
    np.savez(
        path,
        whole=np.array(whole),
        source=np.array(source),
        jpeg=np.frombuffer(jpeg_bytes(scene.rgb, QUALITY), np.uint8),
        backs=scene.backs.astype(np.float32),
        halves=np.array([d.halves for d in drawn], np.int16).reshape(-1, 2),
        corners=np.array([d.corners for d in drawn], np.float32).reshape(-1, 4, 2),
        hidden=np.array([d.hidden for d in drawn], np.float32),
        readable=np.array([d.readable for d in drawn], bool),
        numerals=np.array([d.numerals for d in drawn], bool),
        counts=np.array([len(d.pips) for d in drawn], np.int64),
        pips=np.concatenate([np.zeros((0, 3)), *(d.pips for d in drawn)]).astype(np.float32),
    )


def _loaded(path: Path) -> StoredScene:
    with np.load(path, allow_pickle=False) as kept:
        ends = np.cumsum(kept["counts"])
        pips = np.split(kept["pips"], ends[:-1]) if len(ends) else []
        rows = zip(
            kept["halves"].tolist(), kept["corners"], pips, kept["hidden"].tolist(),
            kept["readable"].tolist(), kept["numerals"].tolist(), strict=True,
        )  # fmt: skip
        drawn = tuple(
            Drawn(
                (a, b), corners.astype(np.float64), spots.astype(np.float64), hidden, read, figures
            )
            for (a, b), corners, spots, hidden, read, figures in rows
        )
        return StoredScene(
            kept["jpeg"].tobytes(),
            drawn,
            kept["backs"].astype(np.float64),
            bool(kept["whole"]) if "whole" in kept else True,
            str(kept["source"]) if "source" in kept else "",
        )


def load_scenes(folder: Path) -> list[StoredScene]:
    """All scenes of a folder, in the order of their names."""
    return [_loaded(path) for path in sorted(folder.glob("*.npz"))]


def table_photographs(data: Path) -> Iterator[Image]:
    """Photographs of tables without dominoes, RGB; none where the folder is missing."""
    for path in sorted((data / "backgrounds").glob("*")):
        bgr = cv2.imread(str(path))
        if bgr is None:
            continue
        shrink = min(1.0, TABLE_PX / max(bgr.shape[:2]))
        bgr = cv2.resize(bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        yield np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)


def main() -> None:
    """Draw and write scenes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", type=Path, help="folder with backgrounds")
    options.add_argument("out", type=Path, help="folder to write the scenes to")
    options.add_argument("--count", type=int, default=4000)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    cv2.setNumThreads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    # One table photograph in twelve is kept back for measuring.
    tables = [rgb for k, rgb in enumerate(table_photographs(chosen.data)) if k % 12]
    settings = SceneSettings(alike_share=0.1, words_share=0.12)
    for number in range(chosen.first, chosen.first + chosen.count):
        rng = np.random.default_rng([chosen.seed, number])
        style = with_rare_traits(random_style(rng), rng)
        scene = draw_scene(settings, rng, tables, style)
        save_scene(scene, chosen.out / f"{number:06d}.npz")


if __name__ == "__main__":
    main()
