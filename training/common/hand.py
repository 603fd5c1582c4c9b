"""A hand that reaches over a table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["draw_hand"]

Floats = NDArray[np.float32]
Point = NDArray[np.float64]

# In widths of the palm: of each finger, from the index on, its offset sideways and its length.
FINGERS = ((-0.36, 0.95), (-0.12, 1.1), (0.12, 1.02), (0.36, 0.8))
FINGER_WIDTH = 0.24
THUMB = (0.75, 0.85)
ARM_WIDTH = 0.72
# Skin tones from fair to dark, RGB.
SKINS = ((236, 188, 160), (224, 172, 136), (198, 134, 96), (141, 85, 54), (84, 52, 36))


def draw_hand(
    rgb: Floats, unit_px: float, rng: np.random.Generator, near: Point | None = None
) -> Floats:
    """Draw a hand into ``rgb`` (h, w, 3); returns the mask (h, w), 0..1, of what it occludes.

    The palm is about as wide as two lengths of ``unit_px`` pixels; it lies about the point
    ``near`` (x, y) in pixels, or anywhere.
    """
    height, width = rgb.shape[:2]
    palm = unit_px * float(rng.uniform(1.5, 2.4))
    if near is None:
        at = rng.uniform(0.1, 0.9, 2) * (width, height)
    else:
        at = near + rng.normal(0, 0.6, 2) * palm
    edge = _edge_point(width, height, rng)
    ahead = (at - edge) / max(float(np.linalg.norm(at - edge)), 1.0)
    side = np.array([-ahead[1], ahead[0]]) * rng.choice([-1, 1])
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))], np.float32) * rng.uniform(0.8, 1.1)
    sleeve = np.array([rng.integers(0, 256) for _ in range(3)], np.float32)
    mask = np.zeros((height, width), np.uint8)
    cloth = np.zeros((height, width), np.uint8)
    wrist = at - ahead * 0.9 * palm
    _stroke(mask, at - ahead * 0.45 * palm, at + ahead * 0.1 * palm, 0.95 * palm)
    _stroke(mask, wrist, at, ARM_WIDTH * palm)
    _stroke(mask, edge, wrist, ARM_WIDTH * palm)
    if rng.random() < 0.7:
        cuff = wrist - ahead * palm * rng.uniform(0.1, 1.5)
        _stroke(cloth, edge, cuff, 1.15 * ARM_WIDTH * palm)
    pointing = rng.random() < 0.4
    for number, (across, length) in enumerate(FINGERS):
        if pointing and number:
            length = 0.35
        root = at + side * across * palm + ahead * 0.2 * palm
        tip = root + (ahead + side * across * rng.uniform(0.1, 0.6)) * length * palm
        _stroke(mask, root, tip, FINGER_WIDTH * palm)
    aside, length = THUMB
    root = at - side * 0.4 * palm - ahead * 0.3 * palm
    _stroke(mask, root, root + (ahead * 0.6 - side * aside) * length * palm, FINGER_WIDTH * palm)
    mask = np.maximum(mask, cloth)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.02 * palm, 0.5)).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(mask, (0, 0), max(0.12 * palm, 1.0)).astype(np.float32) / 255
    depth = cv2.GaussianBlur(mask, (0, 0), max(0.1 * palm, 1.0)).astype(np.float32) / 255
    blotches = rng.standard_normal((9, 12)).astype(np.float32) * np.float32(rng.uniform(0, 0.1))
    shade = 1 + cv2.resize(blotches, (width, height), interpolation=cv2.INTER_CUBIC)
    paint = skin * ((0.55 + 0.5 * depth) * shade)[..., None]
    paint = np.where(cloth[..., None] > 0, sleeve * ((0.6 + 0.4 * depth) * shade)[..., None], paint)
    rgb *= 1 - 0.4 * (shadow * (1 - soft))[..., None]
    rgb[:] = rgb * (1 - soft[..., None]) + paint * soft[..., None]
    return np.asarray(soft, np.float32)


def _edge_point(width: int, height: int, rng: np.random.Generator) -> Point:
    """A random point (x, y) just outside the picture."""
    share = float(rng.uniform(-0.1, 1.1))
    points = (
        (share * width, -0.1 * height),
        (share * width, 1.1 * height),
        (-0.1 * width, share * height),
        (1.1 * width, share * height),
    )
    return np.array(points[int(rng.integers(4))])


def _stroke(mask: NDArray[np.uint8], start: Point, end: Point, thickness: float) -> None:
    """Draw a line with round ends."""
    a, b = (tuple(int(v) for v in np.round(p)) for p in (start, end))
    cv2.line(mask, (a[0], a[1]), (b[0], b[1]), 255, max(int(thickness), 1), cv2.LINE_AA)
