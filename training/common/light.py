"""What light, the lens and the file make of a picture, for the pictures of every game."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from training.common import synthetic
from training.common.arrays import Floats, Image, Matrix, Rng


@dataclass(frozen=True)
class Light:
    """How pictures are taken: shares of them, 0..1; lengths in squares or tiles of the game.

    ``glare`` have up to ``most_glares`` reflections, ``glare_size`` long, ``shadow`` an edge of it,
    ``patchy`` uneven light, ``soft`` blur up to ``blur_px``; ``strength`` scales changes of light.
    """

    glare: float = 0.3
    glare_size: tuple[float, float] = (0.3, 1.5)
    most_glares: int = 1
    shadow: float = 0.0
    patchy: float = 0.0
    soft: float = 1.0
    blur_px: float = 1.0
    strength: float = 0.75
    dim: float = 0.0
    coded: float = 0.4
    quality: tuple[int, int] = (35, 96)


def take_picture(rgb: NDArray[np.generic], unit_px: float, light: Light, rng: Rng) -> Image:
    """The photograph of what ``rgb`` (h, w, 3) shows, a square or tile ``unit_px`` pixels long."""
    lit = rgb.astype(np.float32)
    if light.shadow and rng.random() < light.shadow:
        lit = synthetic.shadow_edge(lit, rng)
    if light.patchy and rng.random() < light.patchy:
        lit = synthetic.patchy(lit, rng)
    if rng.random() < light.glare:
        for _ in range(int(rng.integers(light.most_glares)) + 1 if light.most_glares > 1 else 1):
            lit = synthetic.glare(lit, rng, unit_px * float(rng.uniform(*light.glare_size)))
    out = np.clip(lit, 0, 255).astype(np.uint8)
    if light.soft >= 1 or rng.random() < light.soft:
        out = synthetic.soften(out, rng, light.blur_px)
    out = synthetic.develop(out.astype(np.float32), rng, light.strength)
    if light.dim and rng.random() < light.dim:
        out = synthetic.dim_and_brighten(out, rng)
    if rng.random() < light.coded:
        out = synthetic.jpeg(out, int(rng.integers(*light.quality)))
    return out


# Skin tones from fair to dark, RGB.
SKINS = ((236, 188, 160), (224, 172, 136), (198, 134, 96), (141, 85, 54), (84, 52, 36))


def shaken(rgb: Floats, length_px: float, rng: Rng) -> Floats:
    """Motion blur along a slightly curved path."""
    size = int(np.ceil(length_px)) | 1
    kernel = np.zeros((size, size), np.float32)
    angle, bend = rng.uniform(0, np.pi), rng.uniform(-0.15, 0.15)
    t = np.linspace(-0.5, 0.5, 4 * size)
    x = t * np.cos(angle) - bend * (t * t - 0.1) * np.sin(angle)
    y = t * np.sin(angle) + bend * (t * t - 0.1) * np.cos(angle)
    at = np.round(np.stack([y, x]) * (size - 1) + (size - 1) / 2).astype(int)
    np.add.at(kernel, tuple(at.clip(0, size - 1)), 1)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def defocused(rgb: Floats, radius_px: float) -> Floats:
    """Blur by a disc."""
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    kernel = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def fill(picture: Floats | Image, pixels: Matrix, colour: ArrayLike) -> None:
    """Fill a polygon (n, 2) with a colour."""
    fixed = np.round(pixels * 16).astype(np.int32)
    cv2.fillPoly(picture, [fixed], np.asarray(colour, float).tolist(), cv2.LINE_AA, shift=4)


def stroke(mask: Image, start: Matrix, end: Matrix, thickness: float) -> None:
    """Draw a line with round ends into a mask (h, w)."""
    (a, b), (c, d) = np.round([start, end]).astype(int).tolist()
    cv2.line(mask, (a, b), (c, d), 255, max(int(thickness), 1), cv2.LINE_AA)


def filled(shape: tuple[int, ...], polygon: Matrix) -> Image:
    """The mask (h, w), 0..255, of a polygon (n, 2) in pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(polygon * 8).astype(np.int32)], 255, cv2.LINE_AA, shift=3)
    return mask


def painted(
    rgb: Floats, mask: Image, paint: Floats, px: float, shadow: Matrix, darkness: float = 0.45
) -> Floats:
    """Put paint, (h, w, 3) or (3,), through a mask; below lies its shadow. The soft mask, 0..1.

    Edges are as soft as those of a thing of ``px`` pixels; ``shadow`` (x, y) is in pixels.
    """
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.012 * px, 0.6)).astype(np.float32) / 255
    moved = np.array([[1, 0, shadow[0]], [0, 1, shadow[1]]], np.float64)
    dark = cv2.warpAffine(mask, moved, mask.shape[::-1])
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.1 * px, 1.0)).astype(np.float32) / 255
    rgb *= 1 - darkness * (dark * (1 - soft))[..., None]
    rgb[:] = rgb * (1 - soft[..., None]) + paint * soft[..., None]
    return np.asarray(soft, np.float32)
