"""Labelled photographs, and scenes drawn ahead of a training."""

from __future__ import annotations

import csv
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from training.common.arrays import Image, Matrix
from training.common.synthetic import jpeg_bytes
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.style import random_style, with_rare_traits
from training.pip_dominoes.scenes.table import Drawn, Scene
from vision.pip_dominoes.result import Tile, parse_tile


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
    listed, pictures = folder / "photos.csv", folder / "photos"
    if not listed.exists():
        listed, pictures = folder / "labels.csv", folder
    return [
        LabelledPhoto(
            pictures / row["file"],
            tuple(sorted(map(parse_tile, row["tiles"].split()))),
            int(row["set"].removeprefix("double-") or 0),
            row.get("scene") or row["file"],
            row.get("source") or "drawn",
        )
        for row in _rows(listed)
    ]


def read_tile_labels(folder: Path) -> list[LabelledPhoto]:
    """The pictures of single dominoes of ``tiles.csv``, their group as scene."""
    at, rows = folder / "tiles", _rows(folder / "tiles.csv")
    return [
        LabelledPhoto(at / r["file"], (parse_tile(r["tile"]),), 0, r["group"], r["source"])
        for r in rows
    ]


def _rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


QUALITY = 94
# Photographs of tables are kept at this long side, and one in so many is kept back for measuring.
TABLE_PX = 900
PRINT_PX = 192
KEPT_BACK = 12
# From so many scenes on, all processors draw them.
FEW = 100


@dataclass(frozen=True, eq=False)
class StoredScene:
    """A scene whose picture is kept as the bytes of a JPEG file."""

    jpeg: bytes
    drawn: tuple[Drawn, ...]
    backs: Matrix

    def rgb(self) -> Image:
        """The picture (h, w, 3)."""
        rgb = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR_RGB)
        return np.asarray(rgb, np.uint8)


def save_scene(scene: Scene, path: Path) -> None:
    """Write a scene as one file of arrays, see ``StoredScene``."""
    faces = [
        (*d.halves, d.hidden, d.readable, d.numerals, len(d.pips), *d.corners.ravel())
        for d in scene.drawn
    ]
    fresh = path.with_suffix(".part.npz")
    np.savez(
        fresh,
        jpeg=np.frombuffer(jpeg_bytes(scene.rgb, QUALITY), np.uint8),
        backs=scene.backs.astype(np.float32),
        faces=np.array(faces, np.float32).reshape(-1, 14),
        pips=np.concatenate([np.zeros((0, 3)), *(d.pips for d in scene.drawn)], dtype=np.float32),
    )
    fresh.replace(path)


def load_scene(path: Path) -> StoredScene:
    """What ``save_scene`` wrote."""
    with np.load(path, allow_pickle=False) as kept:
        backs, pips, drawn = kept["backs"].astype(np.float64), kept["pips"].astype(np.float64), []
        for a, b, hidden, readable, numerals, count, *corners in kept["faces"].tolist():
            own, pips = np.split(pips, [int(count)])
            box = np.reshape(corners, (4, 2))
            drawn.append(Drawn((int(a), int(b)), box, own, hidden, bool(readable), bool(numerals)))
        return StoredScene(kept["jpeg"].tobytes(), tuple(drawn), backs)


def _opened(paths: Iterable[Path], kept_back: bool) -> Iterator[MatLike]:
    """The pictures (h, w, 3) RGB among files, those kept back for measuring or the rest."""
    read = (cv2.imread(str(path), cv2.IMREAD_COLOR_RGB) for path in sorted(paths))
    for number, rgb in enumerate(rgb for rgb in read if rgb is not None):
        if (number % KEPT_BACK == 0) == kept_back:
            yield rgb


def table_photographs(data: Path, *, kept_back: bool) -> list[Image]:
    """Photographs of tables without dominoes, RGB; none where the folder is missing."""
    found = []
    for rgb in _opened((data / "backgrounds").glob("*"), kept_back):
        shrink = min(1.0, TABLE_PX / max(rgb.shape[:2]))
        small = cv2.resize(rgb, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        found.append(np.asarray(small, np.uint8))
    return found


def lived_with(data: Path, settings: SceneSettings, *, kept_back: bool) -> Callable[..., Scene]:
    """What draws a scene with a set that has been lived with, the same for the same numbers.

    It lies on photographs of tables and, if there are prints in the ``settings``, among tiles of
    other games: those that are kept back for measuring, or the rest.
    """
    tables, prints = table_photographs(data, kept_back=kept_back), []
    if settings.print_share:
        games = (data / "dominoes", data / "not_kingdomino")
        paths = (path for folder in games for path in folder.rglob("*.jpg"))
        for rgb in _opened(paths, kept_back):
            size = (PRINT_PX, PRINT_PX * rgb.shape[0] // rgb.shape[1])
            small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
            prints.append(np.asarray(small, np.uint8))

    def draw(*key: int) -> Scene:
        rng = np.random.default_rng(key)
        style = with_rare_traits(random_style(rng), rng)
        return draw_scene(settings, rng, tables, style, prints=prints)

    return draw


def draw_stored(
    data: Path, folder: Path, settings: SceneSettings, count: int, seed: int
) -> list[StoredScene]:
    """``count`` scenes, drawn into a folder of these ``settings`` where they are not there yet."""
    folder = folder / hashlib.sha256(repr(settings).encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"scene-{seed}-{number:06d}.npz" for number in range(count)]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    if missing:
        cv2.setNumThreads(1)
        scene_of = lived_with(data, settings, kept_back=False)

        def draw(numbers: Sequence[int]) -> None:
            for number in numbers:
                save_scene(scene_of(seed, number), paths[number])
                if number % 500 == 499:
                    print(f"{number + 1} of {count} scenes drawn", flush=True)

        parts = 1 if len(missing) < FEW or sys.platform != "linux" else os.cpu_count() or 1
        shares = [missing[k::parts] for k in range(parts)]
        others = [get_context("fork").Process(target=draw, args=(own,)) for own in shares[1:]]
        for each in others:
            each.start()
        draw(shares[0])
        for each in others:
            each.join()
    return [load_scene(path) for path in paths]
