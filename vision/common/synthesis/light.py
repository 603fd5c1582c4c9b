"""Photometric augmentation: colour casts, exposure, glare, shadow, blur, noise, compression."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "blob_mask",
    "develop",
    "dim_and_brighten",
    "glare",
    "jpeg",
    "jpeg_bytes",
    "shadow_edge",
    "soften",
]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# The share of reflections that break up into sparkles.
EMBOSSED_SHARE = 0.5


def blob_mask(shape: tuple[int, int], rng: np.random.Generator, size: float) -> Floats:
    """A soft ellipse, 0..1, at random in (h, w), with half axes of about ``size`` pixels."""
    height, width = shape
    small = 4
    mask = np.zeros((max(height // small, 2), max(width // small, 2)), np.float32)
    centre = (int(rng.integers(mask.shape[1])), int(rng.integers(mask.shape[0])))
    axes = (
        max(int(size / small * rng.uniform(0.5, 1.6)), 1),
        max(int(size / small * rng.uniform(0.3, 1.0)), 1),
    )
    cv2.ellipse(mask, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    sigma = max(size / small * rng.uniform(0.12, 0.5), 0.6)
    soft = cv2.GaussianBlur(mask, (0, 0), sigma)
    return np.asarray(cv2.resize(soft, (width, height)), np.float32)


def glare(picture: Floats, rng: np.random.Generator, size: float) -> Floats:
    """The picture with a reflection of a lamp, white or warm, about ``size`` pixels large.

    Smooth lacquer reflects one bright patch, embossed cardboard many sparkles.
    """
    height, width = picture.shape[:2]
    mask = blob_mask((height, width), rng, size)
    if rng.random() < EMBOSSED_SHARE:
        step = max(float(rng.uniform(0.02, 0.08)) * size, 1.0)
        shape = (math.ceil(height / step) + 1, math.ceil(width / step) + 1)
        grain = rng.standard_normal(shape, np.float32) * np.float32(rng.uniform(0.3, 1.0))
        sparkle = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
        mask = mask * np.clip(sparkle + np.float32(0.6), 0, 1.6)
    mask = mask[..., None]
    tint = np.array([1.0, rng.uniform(0.88, 1.0), rng.uniform(0.75, 1.05)], np.float32)
    strength = np.float32(rng.uniform(60, 235))
    return picture + mask * strength * tint


def shadow_edge(picture: Floats, rng: np.random.Generator) -> Floats:
    """The picture with one side in shadow, behind a straight edge of random softness."""
    height, width = picture.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:height:4, 0:width:4].astype(np.float32)
    across = (x - rng.uniform(0, width)) * np.cos(angle) + (y - rng.uniform(0, height)) * np.sin(
        angle
    )
    softness = rng.uniform(2, 0.2 * width)
    dark = rng.uniform(0.35, 0.85)
    factor = dark + (1 - dark) / (1 + np.exp(np.clip(-across / softness, -30, 30)))
    return np.asarray(
        picture * cv2.resize(factor.astype(np.float32), (width, height))[..., None], np.float32
    )


def soften(picture: Image, rng: np.random.Generator, strength: float) -> Image:
    """The picture with defocus, motion blur or low resolution, up to ``strength`` pixels."""
    kind = rng.random()
    amount = rng.uniform(0.0, strength)
    if kind < 0.45:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(amount, 0.3)), np.uint8)
    if kind < 0.65:
        length = max(int(amount * 3), 1) | 1
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        reach = (length - 1) / 2
        end = (reach * np.cos(angle), reach * np.sin(angle))
        cv2.line(
            kernel,
            (round(reach - end[0]), round(reach - end[1])),
            (round(reach + end[0]), round(reach + end[1])),
            1.0,
        )
        return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    height, width = picture.shape[:2]
    factor = 1.0 + amount * 0.8
    small = cv2.resize(
        picture,
        (max(int(width / factor), 8), max(int(height / factor), 8)),
        interpolation=cv2.INTER_AREA,
    )
    way_up = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, (width, height), interpolation=way_up), np.uint8)


def jpeg_bytes(rgb: Image, quality: int) -> bytes:
    """The picture (h, w, 3) RGB as a JPEG file; ``quality`` is 0..100."""
    bgr = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def jpeg(picture: Image, quality: int) -> Image:
    """The picture after JPEG compression at ``quality`` 0..100."""
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def develop(picture: Floats, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """The picture as uint8 RGB with random white balance, exposure, contrast, gamma and noise.

    Saturation and vignette vary too. ``picture`` is (h, w, 3) on a scale of 0..255, and may exceed
    it in reflections. ``strength`` 1 covers lamp light, blue casts, dim rooms and over-exposure.
    """
    height, width = picture.shape[:2]
    out = picture / 255.0
    if rng.random() < 0.3:
        # Vignette: many lenses darken the corners.
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        out = out * (1 - rng.uniform(0, 0.45) * (x * x + y * y) / 2)[..., None]
    warmth = rng.normal(0, 0.16) * strength
    if rng.random() < 0.15:
        warmth += rng.uniform(0.2, 0.55) * strength
    green = rng.normal(0, 0.05) * strength
    gains = np.exp(np.array([warmth, green, -1.25 * warmth], np.float32))
    exposure = np.exp(rng.normal(-0.05, 0.28) * strength)
    if rng.random() < 0.12:
        exposure *= rng.uniform(0.35, 0.8)
    out = out * (gains / gains.mean() * exposure).astype(np.float32)
    grey = out @ np.array([0.3, 0.59, 0.11], np.float32)
    saturation = 1 + rng.normal(-0.05, 0.22) * strength
    out = grey[..., None] + (out - grey[..., None]) * np.float32(max(saturation, 0.25))
    contrast = np.exp(rng.normal(0, 0.15) * strength)
    lift = rng.normal(0, 0.04) * strength + (0.12 * rng.random() if rng.random() < 0.15 else 0)
    out = (out - 0.45) * np.float32(contrast) + np.float32(0.45 + lift)
    out = out * 255
    if rng.random() < 0.6:
        sigma = abs(rng.normal(0, 6))
        # A quarter of the noise, repeated by mirroring, costs less and looks the same.
        grain = rng.standard_normal(((height + 1) // 2, (width + 1) // 2, 3), np.float32)
        grain = np.concatenate([grain, grain[::-1]])[:height]
        grain = np.concatenate([grain, grain[:, ::-1]], axis=1)[:, :width]
        out = out + grain * np.float32(sigma)
    gamma = np.exp(rng.normal(0, 0.18) * strength)
    curve = (np.linspace(0, 1, 256) ** gamma * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(np.clip(out, 0, 255).astype(np.uint8), curve), np.uint8)


def dim_and_brighten(picture: Image, rng: np.random.Generator) -> Image:
    """The picture as taken in a dim room, with the sensor's grain, and made bright again.

    A phone or the reader brightens it; both smooth the grain more or less, which leaves blotches.
    """
    height, width = picture.shape[:2]
    gain = float(np.exp(rng.uniform(np.log(0.08), np.log(0.45))))
    warm = np.array([1.0, rng.uniform(0.8, 1.0), rng.uniform(0.55, 1.0)], np.float32)
    size = float(rng.uniform(1.0, 3.0))
    coarse = rng.standard_normal(
        (math.ceil(height / size) + 1, math.ceil(width / size) + 1, 3), np.float32
    )
    grain = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    sigma = float(rng.uniform(1.0, 5.0))
    light = np.clip(picture * (warm * np.float32(gain)) + grain * np.float32(sigma), 0, 255)
    level = np.float32(rng.uniform(0.55, 1.0) / gain)
    balance = warm ** -np.float32(rng.uniform(0, 1))
    bright = np.clip(light.astype(np.uint8) * (balance * level), 0, 255).astype(np.uint8)
    strength = float(np.clip(rng.uniform(0.5, 1.6) * sigma * level, 1.0, 60.0))
    kind = rng.random()
    if kind < 0.55:
        smooth = cv2.fastNlMeansDenoisingColored(bright, None, strength, 1.5 * strength, 5, 15)
    elif kind < 0.85:
        smooth = cv2.bilateralFilter(bright, 7, 1.5 * strength, 4)
    else:
        smooth = bright
    return np.asarray(smooth, np.uint8)
