"""What stands or lies on a drawn table: the cardboard castle in perspective, paper, pencils, mugs
and coins.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from training.common.arrays import Image, Matrix, Rng
from training.common.camera import Camera, box, disc
from training.kingdomino.render.canvas import Colour, shaded, to_fixed_point, vary_colour
from training.kingdomino.render.tiles import CASTLE_RGB

_SHIFT = 5


@dataclass(frozen=True)
class CastleShape:
    """The dimensions of a castle in squares; ``grey`` is the lightness of its walls, 0..255."""

    side: float = 0.74
    wall: float = 0.55
    keep: float = 0.36
    keep_height: float = 0.85
    turn_deg: float = 0.0
    grey: float = 120.0

    @classmethod
    def random(cls, rng: Rng) -> CastleShape:
        """A random castle, sometimes low or without a keep."""
        return cls(
            side=float(rng.uniform(0.62, 0.9)),
            wall=float(rng.uniform(0.35, 0.75)),
            keep=float(rng.choice([0.0, 1.0], p=[0.3, 0.7]) * rng.uniform(0.28, 0.45)),
            keep_height=float(rng.uniform(0.65, 1.15)),
            turn_deg=float(rng.normal(0, 6)),
            grey=float(rng.uniform(70, 170)),
        )


@dataclass(frozen=True)
class _Face:
    """A flat piece of cardboard: its outline (n, 3), its colour, and outlines printed on it."""

    outline: Matrix
    colour: Colour
    prints: tuple[tuple[Matrix, Colour], ...] = ()


def draw_castle(
    rgb: Image,
    camera: Camera,
    square: tuple[int, int],
    colour: str,
    rng: Rng,
    shape: CastleShape | None = None,
) -> Image:
    """Draw a castle with one of ``CASTLE_RGB`` on ``square`` (row, column) into ``rgb``.

    Returns the mask (h, w), 0 or 1, of what it hides.
    """
    shape = shape or CastleShape.random(rng)
    middle = np.array([square[1] + 0.5, square[0] + 0.5])
    _cast_shadow(rgb, camera, middle, shape)
    accent = CASTLE_RGB[colour]
    faces = _walls(middle, shape, shape.side / 2, shape.wall, accent, merlons=5)
    if shape.keep:
        faces += _walls(middle, shape, shape.keep / 2, shape.keep_height, accent, merlons=3)
        faces += _roof(middle, shape, accent)
    # Painter's algorithm: the farthest face first.
    for face in sorted(faces, key=lambda face: -camera.depth(face.outline.mean(axis=0))):
        _paint(rgb, camera, face)
    hidden = np.zeros(rgb.shape[:2], np.uint8)
    for face in faces:
        cv2.fillPoly(hidden, [np.round(camera.pixels(face.outline)).astype(np.int32)], 1)
    return hidden


def _corner(middle: Matrix, shape: CastleShape, half: float, number: int) -> Matrix:
    angle = np.deg2rad(shape.turn_deg + 45 + 90 * number)
    away = half * np.sqrt(2) * np.array([np.cos(angle), np.sin(angle)])
    return np.asarray(middle + away)


def _walls(
    middle: Matrix, shape: CastleShape, half: float, height: float, accent: Colour, merlons: int
) -> list[_Face]:
    faces = []
    for number in range(4):
        start, end = (_corner(middle, shape, half, number + step) for step in (0, 1))
        light = 0.75 + 0.35 * np.cos(np.deg2rad(shape.turn_deg + 90 * number + 140))
        grey = shape.grey * light
        colour, dark = shaded(grey, (0.95, 1, 1.08)), shaded(grey, (0.35, 0.35, 0.4))

        def at(
            places: list[tuple[float, float]], start: Matrix = start, end: Matrix = end
        ) -> Matrix:
            along = np.array(places)
            ground = start + (end - start) * along[:, :1]
            return np.column_stack([ground, along[:, 1] * height])

        top = _battlements(merlons)
        prints = [
            (at([(0.06, 0.7), (0.94, 0.7), (0.94, 0.74), (0.06, 0.74)]), dark),
            (at([(0.4, 0.0), (0.4, 0.3), (0.5, 0.4), (0.6, 0.3), (0.6, 0.0)]), dark),
            (at([(0.42, 0.68), (0.58, 0.68), (0.58, 0.48), (0.5, 0.42), (0.42, 0.48)]), accent),
            (at([(0.17, 0.35), (0.17, 0.55), (0.25, 0.55), (0.25, 0.35)]), dark),
            (at([(0.75, 0.35), (0.75, 0.55), (0.83, 0.55), (0.83, 0.35)]), dark),
        ]
        faces.append(_Face(at([(0, 0), *top, (1, 0)]), colour, tuple(prints)))
    return faces


def _battlements(merlons: int) -> list[tuple[float, float]]:
    """The upper edge of a wall from (0, 1) to (1, 1) with gaps between the merlons."""
    edge = []
    steps = 2 * merlons - 1
    for step in range(steps):
        level = 1.0 if step % 2 == 0 else 0.84
        edge += [(step / steps, level), ((step + 1) / steps, level)]
    return edge


def _roof(middle: Matrix, shape: CastleShape, accent: Colour) -> list[_Face]:
    """A pyramid over the keep."""
    tip = np.append(middle, shape.keep_height + 0.3)
    base = shape.keep_height * 0.9
    faces = []
    for number in range(4):
        start, end = (
            np.append(_corner(middle, shape, shape.keep * 0.44, number + step), base)
            for step in (0, 1)
        )
        light = 0.8 + 0.3 * np.cos(np.deg2rad(shape.turn_deg + 90 * number + 140))
        colour = shaded(accent, light)
        faces.append(_Face(np.array([start, end, tip]), colour))
    return faces


def _paint(rgb: Image, camera: Camera, face: _Face) -> None:
    for outline, colour in ((face.outline, face.colour), *face.prints):
        cv2.fillPoly(
            rgb, [to_fixed_point(camera.pixels(outline), _SHIFT)], colour, cv2.LINE_AA, shift=_SHIFT
        )
    edge = [to_fixed_point(camera.pixels(face.outline), _SHIFT)]
    side_px = float(np.linalg.norm(np.ptp(camera.pixels(face.outline), axis=0)))
    paper = shaded(np.add(face.colour, 120), 0.5)
    cv2.polylines(rgb, edge, True, paper, max(1, round(side_px / 70)), cv2.LINE_AA, shift=_SHIFT)


def _cast_shadow(rgb: Image, camera: Camera, middle: Matrix, shape: CastleShape) -> None:
    """A soft shadow on the table, to the right and below."""
    foot = np.array([_corner(middle, shape, shape.side / 2, number) for number in range(4)])
    thrown = foot + shape.wall * np.array([0.45, 0.3])
    hull = cv2.convexHull(np.r_[foot, thrown].astype(np.float32)).reshape(-1, 2)
    pixels = camera.on_plane(hull)
    mask = np.zeros(rgb.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, to_fixed_point(pixels, _SHIFT), 255, cv2.LINE_AA, shift=_SHIFT)
    width = float(np.ptp(pixels[:, 0]))
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, width / 18)).astype(np.float32) / 255
    rgb[:] = (rgb * (1 - 0.5 * soft[..., None])).astype(np.uint8)


# Distance of the objects from the middle of the kingdom in squares.
_NEAREST, _FARTHEST = 3.6, 6.0


def put_things(rgb: Image, camera: Camera, count: int, rng: Rng) -> None:
    """Draw ``count`` random objects on the table around a 5×5 kingdom into ``rgb``."""
    for _ in range(count):
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(_NEAREST, _FARTHEST)
        middle = 2.5 + away * np.array([np.cos(angle), np.sin(angle)])
        kind = int(rng.integers(4))
        if kind == 0:
            _sheet(rgb, camera, middle, rng)
        elif kind == 1:
            pencil = box(middle, 2.2, 0.1, rng.uniform(0, np.pi))
            _fill(rgb, camera, pencil + 0.06, (30, 26, 22))
            _fill(rgb, camera, pencil, vary_colour((200, 70, 40), 0.3, rng))
        elif kind == 2:
            _mug(rgb, camera, middle, rng)
        else:
            for _ in range(3):
                coin = disc(middle + rng.uniform(-0.7, 0.7, 2), 0.24)
                _fill(rgb, camera, coin + 0.04, (40, 34, 28))
                _fill(rgb, camera, coin, vary_colour((186, 150, 90), 0.15, rng))


def _sheet(rgb: Image, camera: Camera, middle: Matrix, rng: Rng) -> None:
    turn = rng.uniform(0, np.pi)
    _fill(rgb, camera, box(middle, 3.4, 2.4, turn) + 0.04, (70, 64, 60))
    _fill(rgb, camera, box(middle, 3.4, 2.4, turn), vary_colour((232, 230, 222), 0.03, rng))
    down = np.array([-np.sin(turn), np.cos(turn)])
    for row in np.arange(-0.9, 1.0, 0.22):
        line = box(middle + row * down, rng.uniform(1.5, 2.9), 0.03, turn)
        _fill(rgb, camera, line, (120, 124, 140))


def _mug(rgb: Image, camera: Camera, middle: Matrix, rng: Rng) -> None:
    """Draw a mug slice by slice from its foot up, so that it has the right perspective."""
    glaze = vary_colour((190, 194, 200), 0.25, rng)
    _fill(rgb, camera, disc(middle + 0.25, 1.0), (46, 38, 32))
    for height in np.linspace(0, 1.6, 24):
        side = shaded(glaze, 0.6 + 0.3 * height / 1.6)
        _fill(rgb, camera, disc(middle, 0.85), side, float(height))
    _fill(rgb, camera, disc(middle, 0.85), glaze, 1.6)
    _fill(rgb, camera, disc(middle, 0.74), (62, 40, 26), 1.5)


def _fill(rgb: Image, camera: Camera, outline: Matrix, colour: Colour, height: float = 0.0) -> None:
    pixels = camera.on_plane(outline, height)
    cv2.fillPoly(rgb, [to_fixed_point(pixels, _SHIFT)], colour, cv2.LINE_AA, shift=_SHIFT)
