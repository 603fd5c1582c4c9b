"""Surfaces of tables from above: wood, cloth, carpet, stone, a cutting mat."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.synthesis.render.canvas import Colour, smooth_noise, vary_colour

__all__ = ["SURFACES", "draw_surface"]

Floats = NDArray[np.float32]


def draw_surface(
    kind: str, shape: tuple[int, int], square_px: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Draw one of ``SURFACES``, shape (h, w, 3), at ``square_px`` pixels per square."""
    rgb = _KINDS[kind](shape, square_px, rng)
    rgb += 5 * smooth_noise(shape, (5, 6), rng)[..., None]
    return np.clip(rgb, 0, 255).astype(np.uint8)


def _fill(shape: tuple[int, int], colour: Colour) -> Floats:
    return np.full((*shape, 3), colour, np.float32)


def _wood(shape: tuple[int, int], square_px: int, rng: np.random.Generator) -> Floats:
    """Planks with grain along x."""
    height, width = shape
    tones: tuple[Colour, ...] = ((150, 104, 62), (112, 74, 44), (186, 144, 98), (82, 56, 38))
    base = vary_colour(tones[int(rng.integers(len(tones)))], 0.06, rng)
    rgb = np.empty((*shape, 3), np.float32)
    plank = round(square_px * rng.uniform(1.6, 3.2))
    for top in range(0, height, plank):
        rows = min(plank, height - top)
        board = np.array(vary_colour(base, 0.06, rng), np.float32)
        bend = 0.35 * smooth_noise((rows, width), (3, 5), rng)
        level = np.linspace(0, rng.uniform(4, 9), rows, dtype=np.float32)[:, None] + bend
        rings = np.sin(2 * np.pi * level) + 0.5 * np.sin(2 * np.pi * 2.7 * level + 1)
        fibre = smooth_noise((rows, width), (max(2, rows // 2), max(2, width // 60)), rng)
        light = 1 + 0.05 * rings + 0.05 * fibre
        rgb[top : top + rows] = board * light[..., None]
        rgb[top : top + max(1, square_px // 40)] *= 0.45
    return rgb


def _cloth(shape: tuple[int, int], square_px: int, rng: np.random.Generator) -> Floats:
    """Woven threads with soft folds, plain or checked."""
    tones: tuple[Colour, ...] = ((150, 40, 44), (60, 84, 120), (206, 196, 176), (70, 100, 74))
    rgb = _fill(shape, vary_colour(tones[int(rng.integers(len(tones)))], 0.1, rng))
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    if rng.random() < 0.5:
        step = square_px * rng.uniform(0.7, 1.8)
        stripes = ((x % step) < step * 0.35).astype(np.float32)
        stripes += (y % step) < step * 0.35
        rgb += stripes[..., None] * np.float32(rng.choice([-24, 28]))
    thread = 2 * np.pi / max(5.0, square_px / 14)
    weave = np.sin(x * thread) * np.sin(y * thread)
    folds = smooth_noise(shape, (3, 4), rng)
    light = (1 + 0.09 * weave + 0.06 * folds)[..., None]
    return np.asarray(rgb * light, np.float32)


def _carpet(shape: tuple[int, int], square_px: int, rng: np.random.Generator) -> Floats:
    """Short threads in several tints."""
    tones: tuple[Colour, ...] = ((176, 164, 146), (110, 108, 112), (126, 96, 78))
    rgb = _fill(shape, vary_colour(tones[int(rng.integers(len(tones)))], 0.1, rng))
    fine = max(2, square_px // 24)
    tufts = smooth_noise(shape, (shape[0] // fine, shape[1] // fine), rng)
    specks = smooth_noise(shape, (shape[0] // (2 * fine), shape[1] // (2 * fine)), rng)
    rgb += 14 * tufts[..., None] + 10 * (specks[..., None] > 1.2)
    return rgb


def _stone(shape: tuple[int, int], square_px: int, rng: np.random.Generator) -> Floats:
    """A speckled worktop."""
    rgb = _fill(shape, vary_colour((196, 186, 170), 0.12, rng))
    for share, amount in ((10, 16), (20, 12), (5, 8)):
        cells = (shape[0] * share // square_px + 2, shape[1] * share // square_px + 2)
        spots = smooth_noise(shape, cells, rng)
        rgb += np.where(np.abs(spots) > 1.1, np.sign(spots) * amount, 0)[..., None]
    return rgb


def _mat(shape: tuple[int, int], square_px: int, rng: np.random.Generator) -> Floats:
    """A cutting mat with a fine grid that is not the grid of the kingdom."""
    tones: tuple[Colour, ...] = ((34, 58, 104), (30, 92, 74), (64, 66, 72))
    rgb = _fill(shape, vary_colour(tones[int(rng.integers(len(tones)))], 0.08, rng))
    step = square_px * rng.uniform(0.22, 0.34)
    for number in range(int(max(shape) / step) + 1):
        at = round(number * step)
        wide = max(1, square_px // (40 if number % 5 else 22))
        line = (150, 170, 190) if number % 5 else (196, 206, 214)
        cv2.line(rgb, (at, 0), (at, shape[0]), line, wide)
        cv2.line(rgb, (0, at), (shape[1], at), line, wide)
    return rgb


_KINDS: dict[str, Callable[[tuple[int, int], int, np.random.Generator], Floats]] = {
    "wood": _wood,
    "cloth": _cloth,
    "carpet": _carpet,
    "stone": _stone,
    "mat": _mat,
}
SURFACES = tuple(_KINDS)
