"""Labelled photographs; scenes drawn ahead of a training, and what the networks are shown of them:
dominoes and halves cut out as the reader will cut them, relit and jittered.
"""

from __future__ import annotations

import csv
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box, rotation
from training.common.synthetic import Light, any_of, between, jpeg_bytes, mark, take_picture
from training.pip_dominoes.scenes.domino import random_style, with_rare_traits
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.table import Drawn, Scene
from vision.pip_dominoes import weights
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


_LIGHT = Light(
    glare=0.2, glare_size=(0.3, 2.5), shadow=0.15, patchy=0.2, strength=0.9, quality=(35, 95)
)


def relit(rgb: Image, tile_px: float, blur_px: float, rng: Rng) -> Image:
    """The picture in other light, with glare, shadow, blur of ``blur_px`` at most and the loss of a
    JPEG; ``tile_px`` is about the short side of a domino.
    """
    return take_picture(recoloured(rgb, rng), tile_px, replace(_LIGHT, blur_px=blur_px), rng)


def recoloured(rgb: Image, rng: Rng) -> Image:
    """Now and then with channels exchanged, in grey or in negative, which the truth survives."""
    chance = rng.random()
    if chance < 0.12:
        rgb = rgb[..., rng.permutation(3)]
    elif chance < 0.22:
        rgb = np.repeat(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)
    return np.ascontiguousarray(255 - rgb if rng.random() < 0.06 else rgb)


# How far the locator's frames, and the refined ones, may be off.
LOOSE = {"shift": 0.07, "scale": 0.10, "turn_deg": 3.5, "corner": 0.025}
TIGHT = {"shift": 0.025, "scale": 0.03, "turn_deg": 1.2, "corner": 0.015}


def jittered(
    corners: Matrix, rng: Rng, *, shift: float, scale: float, turn_deg: float, corner: float
) -> Matrix:
    """Corners as found by somebody who errs; lengths in short sides."""
    edges, middle = corners[[1, 3]] - corners[0], corners.mean(0)
    grown = np.linalg.solve(edges.T, (corners - middle).T).T * np.exp(rng.normal(0, scale, 2))
    moved = grown @ edges @ rotation(np.deg2rad(rng.normal(0, turn_deg))).T
    wrong = rng.normal(0, shift, 2) + rng.normal(0, corner, (4, 2))
    return np.asarray(middle + moved + wrong * float(np.linalg.norm(edges[1])))


# Spread of a pip on the maps.
PIP_SIGMA = 0.85


def face_sample(
    rgb: Image, drawn: Drawn | None, corners: Matrix, rng: Rng
) -> tuple[Image, Floats, Floats, int]:
    """A patch, its map of pips (1, 48, 80), how far the corners are off (8) and its kind.

    ``drawn`` is None where there is no face at ``corners``.
    """
    heat = np.zeros((weights.PIP_MAPS, *weights.PIP_MAP_PX), np.float32)
    off, kind = np.zeros(8, np.float32), "none"
    found = jittered(corners, rng, **LOOSE)
    if rng.random() < 0.5:
        found = found[[2, 3, 0, 1]]
    face = weights.FACE_PX, weights.FACE_MARGIN_PX
    patch = relit(weights.cut(rgb, found, *face), 64, 2.2, rng)
    if drawn is not None:
        turned = np.linalg.norm(found[0] - corners[0]) > np.linalg.norm(found[0] - corners[2])
        true = corners[[2, 3, 0, 1]] if turned else corners
        seen = weights.face_points(found, true, to_patch=True)
        off[:] = ((seen - weights.patch_corners(*face)) / weights.CORNER_UNIT_PX).ravel()
        spots = weights.face_points(found, drawn.pips[:, :2], to_patch=True)
        for x, y in ((spots + 0.5) / weights.PIP_STRIDE - 0.5).tolist():
            mark(heat[0], x, y, PIP_SIGMA)
        kind = "figures" if drawn.numerals else "pips"
    return patch, heat, off, weights.KINDS.index(kind)


def half_sample(rgb: Image, drawn: Drawn | None, corners: Matrix, rng: Rng) -> tuple[Image, int]:
    """The patch of a half, the bar at its right, and its class."""
    found = jittered(corners, rng, **TIGHT)
    half, side = int(rng.integers(2)), weights.HALF_PX
    square = weights.half_corners(found)[half]
    patch = weights.cut(rgb, square, (side, side), weights.HALF_MARGIN_PX)
    label = weights.NO_HALF if drawn is None else drawn.halves[half]
    return relit(patch, 48, 1.6, rng), label


# Dominoes of each scene that are used before the next one is opened.
PER_SCENE = 12
# Numbers up to 12 are common enough to leave some out.
COMMON_KEPT = 0.6
# Of what is no face, backs and frames across two dominoes, as far as there are any.
BACK_SHARE, ACROSS_SHARE = 0.35, 0.4
# How far such a frame is off, in sides of a domino.
ACROSS_REACH = (0.32, 0.65)


def draw_samples(
    scenes: Sequence[StoredScene], none_share: float, rng: Rng
) -> Iterator[tuple[Image, Drawn | None, Matrix]]:
    """Endless (picture, domino or None, corners)."""
    while True:
        scene = any_of(scenes, rng)
        rgb = scene.rgb()
        readable = [drawn for drawn in scene.drawn if drawn.readable]
        for _ in range(PER_SCENE):
            if rng.random() < none_share or not readable:
                corners = _elsewhere(scene, rgb.shape[0], rng)
                if corners is not None:
                    yield rgb, None, corners
                continue
            drawn = any_of(readable, rng)
            if max(drawn.halves) > 12 or rng.random() < COMMON_KEPT:
                yield rgb, drawn, drawn.corners


def _elsewhere(scene: StoredScene, size: int, rng: Rng) -> Matrix | None:
    """The corners of no domino's face: a back, bare ground, or across two dominoes."""
    chance = rng.random()
    if chance < BACK_SHARE and len(scene.backs):
        return np.asarray(scene.backs[int(rng.integers(len(scene.backs)))])
    if chance < BACK_SHARE + ACROSS_SHARE and scene.drawn:
        corners = any_of(scene.drawn, rng).corners
        reach = [rng.choice([-1, 1]) * rng.uniform(*ACROSS_REACH) for _ in range(2)]
        u, v = (corners[[1, 3]] - corners[0]) * np.array(reach)[:, None]
        kind = int(rng.integers(3))
        return np.asarray(corners + (u if kind < 2 else 0) + (v if kind else 0))
    short = between(17, 90, rng)
    angle, middle = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.9, 2) * size
    for drawn in scene.drawn:
        half = float(np.linalg.norm(drawn.corners[1] - drawn.corners[0])) / 2
        if np.linalg.norm(drawn.corners.mean(0) - middle) < 1.2 * max(short, half):
            return None
    return box(middle, 2 * short, short, angle)
