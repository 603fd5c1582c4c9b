"""Other objects on a table: sheets of paper, pencils, mugs and coins."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.synthesis.render.camera import Camera
from vision.kingdomino.synthesis.render.canvas import Colour, to_fixed_point, vary_colour

__all__ = ["put_things"]

_SHIFT = 5
# Distance of the objects from the middle of the kingdom in squares.
_NEAREST, _FARTHEST = 3.6, 6.0


def put_things(
    rgb: NDArray[np.uint8], camera: Camera, count: int, rng: np.random.Generator
) -> None:
    """Draw ``count`` random objects on the table around a 5×5 kingdom into ``rgb``."""
    for _ in range(count):
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(_NEAREST, _FARTHEST)
        middle = 2.5 + away * np.array([np.cos(angle), np.sin(angle)])
        kind = int(rng.integers(4))
        if kind == 0:
            _sheet(rgb, camera, middle, rng)
        elif kind == 1:
            pencil = _box(middle, 2.2, 0.1, rng.uniform(0, np.pi))
            _fill(rgb, camera, pencil + 0.06, (30, 26, 22))
            _fill(rgb, camera, pencil, vary_colour((200, 70, 40), 0.3, rng))
        elif kind == 2:
            _mug(rgb, camera, middle, rng)
        else:
            for _ in range(3):
                coin = _round(middle + rng.uniform(-0.7, 0.7, 2), 0.24)
                _fill(rgb, camera, coin + 0.04, (40, 34, 28))
                _fill(rgb, camera, coin, vary_colour((186, 150, 90), 0.15, rng))


def _sheet(
    rgb: NDArray[np.uint8], camera: Camera, middle: NDArray[np.float64], rng: np.random.Generator
) -> None:
    turn = rng.uniform(0, np.pi)
    _fill(rgb, camera, _box(middle, 3.4, 2.4, turn) + 0.04, (70, 64, 60))
    _fill(rgb, camera, _box(middle, 3.4, 2.4, turn), vary_colour((232, 230, 222), 0.03, rng))
    down = np.array([-np.sin(turn), np.cos(turn)])
    for row in np.arange(-0.9, 1.0, 0.22):
        line = _box(middle + row * down, rng.uniform(1.5, 2.9), 0.03, turn)
        _fill(rgb, camera, line, (120, 124, 140))


def _mug(
    rgb: NDArray[np.uint8], camera: Camera, middle: NDArray[np.float64], rng: np.random.Generator
) -> None:
    """Draw a mug slice by slice from its foot up, so that it has the right perspective."""
    glaze = vary_colour((190, 194, 200), 0.25, rng)
    _fill(rgb, camera, _round(middle + 0.25, 1.0), (46, 38, 32))
    for height in np.linspace(0, 1.6, 24):
        shade = 0.6 + 0.3 * height / 1.6
        side = (int(glaze[0] * shade), int(glaze[1] * shade), int(glaze[2] * shade))
        _fill(rgb, camera, _round(middle, 0.85), side, float(height))
    _fill(rgb, camera, _round(middle, 0.85), glaze, 1.6)
    _fill(rgb, camera, _round(middle, 0.74), (62, 40, 26), 1.5)


def _round(middle: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return middle + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def _box(
    middle: NDArray[np.float64], length: float, width: float, turn: float
) -> NDArray[np.float64]:
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([middle + a * along * length / 2 + b * across * width / 2 for a, b in signs])


def _fill(
    rgb: NDArray[np.uint8],
    camera: Camera,
    outline: NDArray[np.float64],
    colour: Colour,
    height: float = 0.0,
) -> None:
    pixels = camera.pixels(np.column_stack([outline, np.full(len(outline), height)]))
    cv2.fillPoly(rgb, [to_fixed_point(pixels, _SHIFT)], colour, cv2.LINE_AA, shift=_SHIFT)
