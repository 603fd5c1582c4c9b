"""What lamps, hands that shake and small sensors do to a picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["darkened", "defocused", "mirrored_light", "shaken"]

Floats = NDArray[np.float32]
Point = NDArray[np.float64]


def mirrored_light(
    shape: tuple[int, ...], at: Point, radius_px: float, rng: np.random.Generator
) -> Floats:
    """Light (h, w) that lacquer throws back: bright in the middle, fading outwards."""
    height, width = shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle, squeeze = rng.uniform(0, np.pi), rng.uniform(0.55, 1.0)
    dx, dy = x - at[0], y - at[1]
    u = (dx * np.cos(angle) + dy * np.sin(angle)) / radius_px
    v = (-dx * np.sin(angle) + dy * np.cos(angle)) / (radius_px * squeeze)
    edge = np.clip((np.hypot(u, v) - 1) / rng.uniform(0.06, 0.2), -30, 30)
    light = 1 / (1 + np.exp(edge))
    return np.asarray(light * rng.uniform(150, 260), np.float32)


def shaken(rgb: Floats, length_px: float, rng: np.random.Generator) -> Floats:
    """Motion blur along a slightly curved path."""
    size = int(np.ceil(length_px)) | 1
    kernel = np.zeros((size, size), np.float32)
    angle, bend = rng.uniform(0, np.pi), rng.uniform(-0.15, 0.15)
    for t in np.linspace(-0.5, 0.5, 4 * size):
        x = t * np.cos(angle) - bend * (t * t - 0.1) * np.sin(angle)
        y = t * np.sin(angle) + bend * (t * t - 0.1) * np.cos(angle)
        column = int(np.clip(round(x * (size - 1) + (size - 1) / 2), 0, size - 1))
        row = int(np.clip(round(y * (size - 1) + (size - 1) / 2), 0, size - 1))
        kernel[row, column] += 1
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def defocused(rgb: Floats, radius_px: float) -> Floats:
    """Blur by a disc."""
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    kernel = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def darkened(rgb: Floats, level: str, rng: np.random.Generator) -> Floats:
    """``level`` low or very low: a dim room; night: the same as a phone's night mode shows it."""
    gain = {"low": 0.3, "very low": 0.13, "night": 0.12}[level] * rng.uniform(0.8, 1.2)
    grain = {"low": 6.0, "very low": 8.0, "night": 6.0}[level]
    warm = np.array([1.0, rng.uniform(0.82, 0.98), rng.uniform(0.6, 0.95)], np.float32)
    coarse = rng.standard_normal((rgb.shape[0] // 2, rgb.shape[1] // 2, 3)).astype(np.float32)
    noise = 0.6 * rng.standard_normal(rgb.shape).astype(np.float32) + 0.8 * cv2.resize(
        coarse, rgb.shape[1::-1]
    )
    dim = np.clip(rgb * warm * np.float32(gain) + noise * np.float32(grain), 0, 255)
    if level != "night":
        return np.asarray(dim, np.float32)
    smooth = cv2.bilateralFilter(dim.astype(np.uint8), 9, 30, 5).astype(np.float32)
    lifted = np.clip(smooth / (0.9 * gain), 0, 255)
    return np.asarray(cv2.bilateralFilter(lifted.astype(np.uint8), 9, 40, 5), np.float32)
