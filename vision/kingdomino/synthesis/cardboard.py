"""A cardboard castle that stands on its tile and occludes what is behind it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["hidden_share", "stand_castle"]

Floats = NDArray[np.float32]

# The parts of a cardboard castle in the colour of its player, RGB.
ACCENTS = {
    "pink": (214, 80, 120), "yellow": (235, 200, 30), "green": (40, 140, 60),
    "blue": (30, 100, 190), "brown": (120, 80, 50),
}  # fmt: skip


def stand_castle(
    rgb: Floats, base: Floats, rise: Floats, colour: str, rng: np.random.Generator
) -> Floats:
    """Draw a castle, four walls, into ``rgb`` on the square with corners ``base`` (4, 2).

    ``rise`` (2,) is the displacement of its top in pixels. Returns the mask (h, w), 0..1, of what
    the walls occlude.
    """
    mask = np.zeros(rgb.shape[:2], np.float32)
    inset = rng.uniform(0.0, 0.16)
    centre = base.mean(0)
    foot = centre + (base - centre) * (1 - inset)
    top = centre + rise + (base - centre) * (1 - inset) * rng.uniform(1.0, 1.18)
    both = np.r_[foot, top]
    low = np.maximum(np.floor(both.min(0)).astype(int) - 3, 0)
    high = np.minimum(np.ceil(both.max(0)).astype(int) + 4, rgb.shape[1::-1])
    if (high - low < 2).any():
        return mask
    area = (slice(low[1], high[1]), slice(low[0], high[0]))
    out = rgb[area]
    foot, top, centre = foot - low, top - low, centre - low
    grey = rng.uniform(35, 190)
    tint = np.array([1, rng.uniform(0.92, 1.05), rng.uniform(0.85, 1.15)], np.float32)
    accent = ACCENTS[colour]
    wall = rng.uniform(0.03, 0.12)
    order = np.argsort([float((foot[i] + foot[(i + 1) % 4]) @ rise) for i in range(4)])
    for side in order:
        a, b = foot[side], foot[(side + 1) % 4]
        c, d = top[(side + 1) % 4], top[side]
        inner = (centre - (a + b) / 2) * wall
        quad = np.array([a, b, c, d, d + inner, c + inner], np.float32)
        hull = cv2.convexHull(quad).reshape(-1, 2)
        shape = np.zeros(out.shape[:2], np.uint8)
        cv2.fillConvexPoly(shape, np.round(hull * 8).astype(np.int32), 255, cv2.LINE_AA, shift=3)
        if rng.random() < 0.7:
            # Battlements are cut out of the wall.
            for at in (0.12, 0.5, 0.88):
                p = d + (c - d) * at
                q = p + (a - d) * 0.22
                wide = max(1, int(np.linalg.norm(c - d) * 0.09))
                cv2.line(shape, _pixel(p), _pixel(q), 0, wide)
        paint = np.zeros_like(out) + tint * np.float32(grey * rng.uniform(0.6, 1.25))
        if rng.random() < 0.45:
            spot = ((a + b) / 2 + (c + d) / 2) / 2
            radius = max(1, int(np.linalg.norm(a - b) * rng.uniform(0.1, 0.3)))
            cv2.circle(paint, _pixel(spot), radius, accent, -1)
        paint += rng.standard_normal((*out.shape[:2], 1)).astype(np.float32) * 9
        weight = (shape.astype(np.float32) / 255)[..., None]
        out[:] = out * (1 - weight) + paint * weight
        mask[area] = np.maximum(mask[area], shape.astype(np.float32) / 255)
    return mask


def _pixel(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def hidden_share(corners: Floats, hidden: Floats) -> float:
    """The share, 0..1, of the square with these corners that the mask ``hidden`` covers."""
    mask = np.zeros(hidden.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    total = int(mask.sum())
    return float((hidden * mask).sum()) / total if total else 0.0
