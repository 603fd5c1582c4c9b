"""Random table tops: photographed surfaces, patterns, and clutter that must not be detected."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["clutter", "random_table"]

Image = NDArray[np.uint8]


def _random_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    red, green, blue = (int(v) for v in rng.integers(0, 256, 3))
    return red, green, blue


def _stretch(picture: Image, shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """The surface at a random scale and rotation, repeated by mirroring until it fills (h, w)."""
    height, width = shape
    scale = float(np.exp(rng.uniform(np.log(0.6), np.log(4.0))))
    angle = rng.uniform(0, 360)
    middle = (picture.shape[1] / 2, picture.shape[0] / 2)
    turn = np.asarray(cv2.getRotationMatrix2D(middle, angle, scale), np.float64)
    turn[:, 2] += rng.uniform(-80, 80, 2)
    turn[:, 2] += (width / 2 - picture.shape[1] / 2, height / 2 - picture.shape[0] / 2)
    out = cv2.warpAffine(
        picture, turn, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(out, np.uint8)


# Tables and cloths in the colours of terrains, on which squares show only by their edges.
TERRAIN_COLOURS = (
    (235, 190, 40), (200, 150, 90), (170, 120, 60), (30, 100, 200), (20, 40, 120), (15, 20, 60),
    (120, 190, 40), (40, 80, 20), (180, 160, 120), (40, 38, 42),
)  # fmt: skip


def _plain_surface(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """One colour, half of the time that of a terrain, with soft clouds and some grain."""
    height, width = shape
    colour = np.array(_random_colour(rng), np.float32)
    if rng.random() < 0.5:
        near = TERRAIN_COLOURS[int(rng.integers(len(TERRAIN_COLOURS)))]
        colour = np.clip(np.array(near, np.float32) + rng.normal(0, 14, 3), 0, 255)
    base = np.full((height, width, 3), colour, np.float32)
    clouds = rng.standard_normal((6, 6, 3)).astype(np.float32) * rng.uniform(0, 18)
    grain = rng.standard_normal((height, width, 1)).astype(np.float32) * rng.uniform(0, 12)
    cloudy = base + cv2.resize(clouds, (width, height), interpolation=cv2.INTER_CUBIC) + grain
    return np.clip(cloudy, 0, 255).astype(np.uint8)


def _add_pattern(table: Image, rng: np.random.Generator) -> Image:
    """The table with a printed or woven pattern: a grid, stripes, checks, dots or motifs."""
    height, width = table.shape[:2]
    side = 2 * max(height, width)
    print_ = np.zeros((side, side), np.uint8)
    step = int(np.exp(rng.uniform(np.log(8), np.log(110))))
    line = max(1, int(step * rng.uniform(0.02, 0.3)))
    kind = rng.integers(5)
    if kind == 4:
        return _add_print(table, rng)
    if kind == 0:
        for at in range(0, side, step):
            cv2.line(print_, (at, 0), (at, side), 255, line)
            cv2.line(print_, (0, at), (side, at), 255, line)
    elif kind == 1:
        for at in range(0, side, step):
            cv2.line(print_, (at, 0), (at, side), 255, max(line, step // 3))
    elif kind == 2:
        y, x = np.mgrid[0:side, 0:side] // step
        print_[(x + y) % 2 == 0] = 255
    else:
        for y in range(0, side, step):
            for x in range(0, side, step):
                cv2.circle(print_, (x, y), max(line, 2), 255, -1)
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * side / 2
    seen = corners @ turn.T * rng.uniform(0.9, 1.3) + (width / 2, height / 2)
    seen += rng.uniform(-0.2, 0.2, seen.shape) * side / 2
    view = cv2.getPerspectiveTransform(corners + np.float32(side / 2), seen.astype(np.float32))
    mask = cv2.warpPerspective(print_, view, (width, height), flags=cv2.INTER_AREA)
    weight = (mask.astype(np.float32) / 255 * rng.uniform(0.2, 1.0))[..., None]
    ink = np.array(_random_colour(rng), np.float32)
    return np.clip(table * (1 - weight) + ink * weight, 0, 255).astype(np.uint8)


def _add_print(table: Image, rng: np.random.Generator) -> Image:
    """The table as a cloth with a print: one motif of strokes and spots, repeated and mirrored."""
    height, width = table.shape[:2]
    dark = np.float32(rng.uniform(0.1, 1.0))
    print_ = np.clip(table.astype(np.float32) * dark, 0, 255).astype(np.uint8)
    side = int(np.exp(rng.uniform(np.log(20), np.log(180))))
    motif, mask = np.zeros((side, side, 3), np.uint8), np.zeros((side, side), np.uint8)
    inks = [_random_colour(rng) for _ in range(int(rng.integers(1, 4)))]
    for _ in range(int(rng.integers(2, 14))):
        ink = inks[int(rng.integers(len(inks)))]
        x, y = (int(v) for v in rng.integers(0, side, 2))
        long, wide = (max(1, int(v)) for v in side * np.exp(rng.uniform(-4, -1, 2)))
        angle, span = float(rng.uniform(0, 360)), float(rng.choice([180, 360]))
        thick = -1 if rng.random() < 0.6 else max(1, int(wide * 0.3))
        for canvas, paint in ((motif, ink), (mask, (255, 255, 255))):
            cv2.ellipse(canvas, (x, y), (long, wide), angle, 0, span, paint, thick)
    if rng.random() < 0.6:
        motif = np.concatenate([motif, motif[:, ::-1]], 1)
        mask = np.concatenate([mask, mask[:, ::-1]], 1)
    tiles = (height // motif.shape[0] + 2, width // motif.shape[1] + 2)
    motif, mask = np.tile(motif, (*tiles, 1)), np.tile(mask, tiles)
    shape = (mask.shape[1], mask.shape[0])
    middle = (shape[0] / 2, shape[1] / 2)
    turn = cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 360)), float(rng.uniform(1, 1.6)))
    inked = cv2.warpAffine(motif, turn, shape, borderMode=cv2.BORDER_REFLECT)[:height, :width]
    where = cv2.warpAffine(mask, turn, shape, borderMode=cv2.BORDER_REFLECT)[:height, :width]
    weight = (where.astype(np.float32) / 255 * np.float32(rng.uniform(0.4, 1.0)))[..., None]
    return np.asarray(np.clip(print_ * (1 - weight) + inked * weight, 0, 255), np.uint8)


def random_table(
    surfaces: Sequence[Image], shape: tuple[int, int], rng: np.random.Generator
) -> Image:
    """A table top (h, w, 3): one or two surfaces of any colour, plain or patterned."""
    table = (
        _stretch(surfaces[int(rng.integers(len(surfaces)))], shape, rng)
        if surfaces and rng.random() < 0.75
        else _plain_surface(shape, rng)
    )
    if rng.random() < 0.3:
        hsv = cv2.cvtColor(table, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
        table = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.uint8)
    if rng.random() < 0.3:
        other = (
            _stretch(surfaces[int(rng.integers(len(surfaces)))], shape, rng)
            if surfaces and rng.random() < 0.6
            else _plain_surface(shape, rng)
        )
        height, width = shape
        edge = np.zeros(shape, np.uint8)
        points = rng.uniform(-0.3, 1.3, (3, 2)) * (width, height)
        cv2.fillPoly(edge, [points.astype(np.int32)], 1)
        table = np.where(edge[..., None] > 0, other, table)
    if rng.random() < 0.45:
        table = _add_pattern(table, rng)
    return np.ascontiguousarray(table)


def clutter(table: Image, pictures: Sequence[Image], rng: np.random.Generator, count: int) -> Image:
    """The table with ``count`` objects that are no squares: cards, coins, box lids, cables."""
    height, width = table.shape[:2]
    table = table.copy()
    for _ in range(count):
        centre = rng.uniform(0, 1, 2) * (width, height)
        size = float(np.exp(rng.uniform(np.log(8), np.log(0.4 * max(height, width)))))
        kind = rng.integers(5)
        at = (int(centre[0]), int(centre[1]))
        if kind == 0:
            cv2.circle(table, at, int(size / 2), _random_colour(rng), -1, cv2.LINE_AA)
            cv2.circle(
                table, at, int(size / 2), _random_colour(rng), max(1, int(size / 20)), cv2.LINE_AA
            )
        elif kind == 1:
            path = np.cumsum(rng.normal(0, size / 2, (6, 2)), axis=0) + centre
            thick = max(1, int(size / 14))
            cv2.polylines(
                table, [path.astype(np.int32)], False, _random_colour(rng), thick, cv2.LINE_AA
            )
        else:
            box = (
                (float(centre[0]), float(centre[1])),
                (size, size * float(rng.uniform(0.3, 1.0))),
                float(rng.uniform(0, 180)),
            )
            corners = cv2.boxPoints(box).astype(np.float32)
            if kind == 2 or not pictures:
                cv2.fillConvexPoly(
                    table, corners.astype(np.int32), _random_colour(rng), cv2.LINE_AA
                )
            else:
                picture = pictures[int(rng.integers(len(pictures)))]
                h, w = picture.shape[:2]
                source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
                view = cv2.getPerspectiveTransform(source, corners)
                cv2.warpPerspective(
                    picture,
                    view,
                    (width, height),
                    dst=table,
                    flags=cv2.INTER_LINEAR,
                    borderMode=cv2.BORDER_TRANSPARENT,
                )
    return table
