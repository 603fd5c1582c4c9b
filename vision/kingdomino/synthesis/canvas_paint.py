"""Paint, outlines and light for things that lie over squares, on a canvas (192, 192)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.rectify import PATCH_PX

__all__ = [
    "CANVAS_PX",
    "any_colour",
    "clouds",
    "directions",
    "fill_polygon",
    "finish",
    "limb_mask",
    "paint_surface",
    "place_anywhere",
    "round_light",
]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Point = NDArray[np.float64]

# Three squares by three.
CANVAS_PX = 3 * PATCH_PX


def any_colour(rng: np.random.Generator) -> Floats:
    """Any colour, a third of the time near grey."""
    colour = rng.uniform(0, 255, 3)
    if rng.random() < 0.33:
        colour = np.clip(rng.uniform(10, 250) + rng.normal(0, 8, 3), 0, 255)
    return np.asarray(colour, np.float32)


def clouds(rng: np.random.Generator, cells: int, deviation: float) -> Floats:
    """Smooth random brightness (192, 192), around 0."""
    coarse = rng.standard_normal((cells, cells), np.float32) * np.float32(deviation)
    size = (CANVAS_PX, CANVAS_PX)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.float32)


def paint_surface(rng: np.random.Generator, pictures: Sequence[Image]) -> Floats:
    """Paint (192, 192, 3): plain, striped, checked, written on, or with a part of a picture."""
    kind = int(rng.integers(6))
    paint = np.tile(any_colour(rng), (CANVAS_PX, CANVAS_PX, 1))
    y, x = np.mgrid[0:CANVAS_PX, 0:CANVAS_PX].astype(np.float32)
    if kind < 3:
        angle, step = rng.uniform(0, np.pi), rng.uniform(3, 50)
        along = x * np.cos(angle) + y * np.sin(angle)
        wave = np.mod(along, step) < step * rng.uniform(0.2, 0.6)
        if kind == 1:
            across = y * np.cos(angle) - x * np.sin(angle)
            wave = wave ^ (np.mod(across, step) < 0.5 * step)
        if kind:
            paint = np.where(wave[..., None], any_colour(rng), paint)
    elif kind == 3:
        ink = tuple(float(v) for v in any_colour(rng))
        line = int(rng.integers(5, 18))
        for at in range(0, CANVAS_PX, line):
            begin = 0
            while begin < CANVAS_PX and rng.random() < 0.96:
                end = begin + int(rng.integers(3, 30))
                cv2.line(paint, (begin, at), (end, at), ink, max(line // 3, 1))
                begin = end + int(rng.integers(2, 8))
    elif kind == 4 and len(pictures):
        picture = pictures[int(rng.integers(len(pictures)))]
        share = rng.uniform(0.15, 1.0)
        side = max(int(min(picture.shape[:2]) * share), 8)
        top = int(rng.integers(picture.shape[0] - side + 1))
        left = int(rng.integers(picture.shape[1] - side + 1))
        part = picture[top : top + side, left : left + side]
        paint = cv2.resize(part, (CANVAS_PX, CANVAS_PX)).astype(np.float32)
    else:
        for _ in range(int(rng.integers(2, 14))):
            middle = tuple(int(v) for v in rng.integers(0, CANVAS_PX, 2))
            axes = tuple(int(v) for v in rng.integers(3, 40, 2))
            ink = tuple(float(v) for v in any_colour(rng))
            cv2.ellipse(paint, middle, axes, float(rng.uniform(0, 180)), 0, 360, ink, -1)
    shade = clouds(rng, int(rng.integers(2, 9)), rng.uniform(0, 14))
    grain = rng.standard_normal((CANVAS_PX, CANVAS_PX), np.float32) * rng.uniform(0, 7)
    return np.asarray(paint + (shade + grain)[..., None], np.float32)


def finish(paint: Floats) -> Image:
    return np.clip(paint, 0, 255).astype(np.uint8)


def fill_polygon(polygon: Point) -> Image:
    mask = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    cv2.fillPoly(mask, [np.round(polygon * 16).astype(np.int32)], 255, cv2.LINE_AA, shift=4)
    return mask


def round_light(mask: Image, radius: float, rng: np.random.Generator) -> Floats:
    """Light on something round with this outline, about 0.4..1.2: darker at its edges."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    bulge = np.sqrt(np.clip(1 - (1 - np.clip(depth / radius, 0, 1)) ** 2, 0, 1))
    smooth = cv2.GaussianBlur(bulge, (0, 0), 1.2)
    angle = rng.uniform(0, 2 * np.pi)
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) * np.float32(np.cos(angle))
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1) * np.float32(np.sin(angle))
    low = rng.uniform(0.4, 0.8)
    light = low + (1.05 - low) * smooth + rng.uniform(0, 0.5) * (slope_x + slope_y)
    return np.asarray(np.clip(light, 0.2, 1.4), np.float32)


def place_anywhere(rng: np.random.Generator) -> Point:
    return np.asarray(rng.uniform(0.15, 0.85, 2) * CANVAS_PX)


def directions(rng: np.random.Generator) -> tuple[Point, Point]:
    """A random direction and the one across it."""
    angle = rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(angle), np.sin(angle)])
    return ahead, np.array([-ahead[1], ahead[0]])


def limb_mask(root: Point, bend: Point, tip: Point, thick: float, narrowing: float) -> Image:
    """The mask of a bent limb that narrows towards its round tip."""
    mask = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    t = np.linspace(0, 1, 28)[:, None]
    way = (1 - t) ** 2 * root + 2 * t * (1 - t) * bend + t**2 * tip
    widths = thick * (1 + (narrowing - 1) * np.clip(2 * t[:, 0] - 1, 0, 1))
    points = np.clip(np.round(way * 16), -20000, 20000).astype(int)
    for (a, b), width in zip(pairwise(points), widths[:-1], strict=True):
        ends = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
        cv2.line(mask, *ends, 255, max(int(width), 1), cv2.LINE_AA, shift=4)
    return mask
