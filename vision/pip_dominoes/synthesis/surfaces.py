"""What dominoes lie on: wood, cloth, garden tables, patterns; drawn, or cut from a photograph."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["SURFACES", "cut_surface", "draw_alike", "draw_surface"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_WOODS = (
    (150, 104, 62),
    (112, 74, 44),
    (186, 144, 98),
    (82, 56, 38),
    (206, 176, 134),
    (60, 44, 34),
)
SURFACES = ("plain", "wood", "cloth", "dots", "stone", "slats", "checks", "grid")


def _noise(size: int, cells: tuple[float, float], rng: np.random.Generator) -> Floats:
    shape = (max(int(cells[0]), 2), max(int(cells[1]), 2))
    small = rng.standard_normal(shape).astype(np.float32)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _tone(rng: np.random.Generator) -> NDArray[np.float64]:
    grey = rng.uniform(15, 245)
    return np.asarray(np.clip(grey + rng.normal(0, 1, 3) * rng.choice([4, 30, 70]), 4, 252))


def _wood(size: int, tile_px: float, rng: np.random.Generator) -> Floats:
    base = np.array(_WOODS[int(rng.integers(len(_WOODS)))], np.float32) * rng.uniform(0.8, 1.2)
    y = np.linspace(0, size / tile_px, size, dtype=np.float32)[:, None]
    bend = 0.5 * _noise(size, (4, 3), rng)
    rings = np.sin(y * rng.uniform(4, 16) + 3 * bend)
    fibre = _noise(size, (size / 2, 8), rng)
    picture = base * (1 + 0.07 * rings + 0.05 * fibre)[..., None]
    plank = rng.uniform(1.5, 8) * tile_px
    for at in np.arange(rng.uniform(0, plank), size, plank):
        cv2.line(
            picture, (0, int(at)), (size, int(at)), (base * 0.4).tolist(), max(int(tile_px / 25), 1)
        )
    return np.asarray(picture, np.float32)


def _cloth(size: int, tile_px: float, rng: np.random.Generator) -> Floats:
    step = max(tile_px / rng.uniform(6, 25), 2.5)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    weave = np.sin(x * np.float32(2 * np.pi / step)) * np.sin(y * np.float32(2 * np.pi / step))
    folds = _noise(size, (4, 4), rng)
    light = 1 + np.float32(rng.uniform(0.02, 0.12)) * weave + 0.07 * folds
    return np.asarray(_tone(rng).astype(np.float32) * light[..., None], np.float32)


def _dots(size: int, tile_px: float, rng: np.random.Generator) -> Floats:
    """Polka dots, as like to pips as a cloth can be."""
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    tone = tuple(_tone(rng))
    step, radius = tile_px * rng.uniform(0.25, 1.2), rng.uniform(0.15, 0.38)
    odd = rng.random() < 0.5
    for row, y in enumerate(np.arange(0, size, step)):
        shift = step / 2 if odd and row % 2 else 0
        for x in np.arange(shift, size, step):
            centre = (int(x * 16), int(y * 16))
            cv2.circle(picture, centre, int(radius * step * 16), tone, -1, cv2.LINE_AA, 4)
    return picture


def _bands(size: int, tile_px: float, rng: np.random.Generator, both: bool) -> Floats:
    """Garden slats with gaps, or checks."""
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    tone = (_tone(rng) * 0.6).tolist()
    step = tile_px * rng.uniform(0.5, 4)
    wide = max(int(step * (0.5 if both else rng.uniform(0.05, 0.25))), 1)
    for at in np.arange(0, size, step):
        cv2.line(picture, (0, int(at)), (size, int(at)), tone, wide)
    if both:
        upright = np.full((size, size, 3), picture[0, 0], np.float32)
        for at in np.arange(0, size, step):
            cv2.line(upright, (int(at), 0), (int(at), size), tone, wide)
        picture = np.asarray((picture + upright) / 2, np.float32)
    return picture


def _stone(size: int, tile_px: float, rng: np.random.Generator) -> Floats:
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    for fine in (3.0, 8.0, 25.0):
        amount = rng.uniform(0, 14)
        picture += amount * _noise(size, (size / fine, size / fine), rng)[..., None]
    return picture


def _grid(size: int, tile_px: float, rng: np.random.Generator) -> Floats:
    """Tiled or ruled ground: pale rectangles with dark joints, as large as dominoes or larger."""
    picture = np.full((size, size, 3), _tone(rng), np.float32)
    line = _tone(rng).tolist()
    wide, high = tile_px * rng.uniform(0.8, 4, 2)
    thick = max(int(tile_px * rng.uniform(0.02, 0.12)), 1)
    for at in np.arange(0, size, high):
        cv2.line(picture, (0, int(at)), (size, int(at)), line, thick)
    for at in np.arange(0, size, wide):
        cv2.line(picture, (int(at), 0), (int(at), size), line, thick)
    return picture


def draw_surface(kind: str, size: int, tile_px: float, rng: np.random.Generator) -> Image:
    """A square picture of one of ``SURFACES`` as seen from above, turned at random."""
    if kind == "plain":
        picture = np.full((size, size, 3), _tone(rng), np.float32)
    elif kind == "wood":
        picture = _wood(size, tile_px, rng)
    elif kind == "cloth":
        picture = _cloth(size, tile_px, rng)
    elif kind == "dots":
        picture = _dots(size, tile_px, rng)
    elif kind == "stone":
        picture = _stone(size, tile_px, rng)
    elif kind == "grid":
        picture = _grid(size, tile_px, rng)
    else:
        picture = _bands(size, tile_px, rng, both=kind == "checks")
    picture += 4 * _noise(size, (5, 5), rng)[..., None]
    if rng.random() < 0.5:
        picture = picture.transpose(1, 0, 2)
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))


def draw_alike(size: int, colour: Sequence[float], rng: np.random.Generator) -> Image:
    """A square ground of nearly the ``colour`` of what lies on it, as white dominoes on linen."""
    tone = np.array(colour, np.float32) * rng.uniform(0.8, 1.12) + rng.normal(0, 6, 3)
    light = 1 + rng.uniform(0.02, 0.15) * _noise(size, (4, 4), rng)
    grain = rng.uniform(0, 6) * _noise(size, (size / 3, size / 3), rng)
    picture = tone * light[..., None] + grain[..., None]
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))


def cut_surface(photographs: Sequence[Image], size: int, rng: np.random.Generator) -> Image:
    """A square part of a photograph of a table, enlarged, turned or mirrored."""
    photo = photographs[int(rng.integers(len(photographs)))]
    height, width = photo.shape[:2]
    side = int(min(height, width) * rng.uniform(0.4, 1.0))
    top, left = int(rng.integers(height - side + 1)), int(rng.integers(width - side + 1))
    part = cv2.resize(photo[top : top + side, left : left + side], (size, size))
    part = np.rot90(part, int(rng.integers(4)))
    return np.ascontiguousarray(part[:, ::-1] if rng.random() < 0.5 else part)
