"""What a set has been through: makers' prints, reflections, wear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.synthesis.style import Style, luminance

__all__ = ["draw_print", "lived_in", "reflected"]

Floats = NDArray[np.float32]

_LETTERS = "ABCDEFGHKLMNOPQRSTUVWXYZ"
# How common each trait is among sets.
_PRINT, _SIDE, _THICK, _FILM, _GLOSS, _WORN = 0.4, 0.3, 0.15, 0.1, 0.3, 0.08
_BARLESS, _HOLES = 0.2, 0.2


def lived_in(style: Style, rng: np.random.Generator) -> Style:
    """The set with traits that fewer sets have, each by lot.

    Large prints on the backs, sides of two colours, thick tiles, sharp and soft reflections, worn
    pips; and dark sets more often without a bar and with holes where there is no pip.
    """
    if rng.random() < _PRINT:
        style = replace(style, back="print")
    if rng.random() < _SIDE:
        style = replace(style, side=style.back_colour)
    if rng.random() < _THICK:
        style = replace(style, thickness=float(rng.uniform(0.5, 0.95)))
    if rng.random() < _FILM:
        style = replace(style, film=float(rng.uniform(0.03, 0.25)))
    if rng.random() < _GLOSS:
        style = replace(style, gloss=float(rng.uniform(0.15, 1.0)))
    if rng.random() < _WORN:
        style = replace(style, worn=float(rng.uniform(0.2, 0.8)))
    if luminance(style.body) < 110:
        if rng.random() < _BARLESS:
            style = replace(style, bar_width=0.0)
        if style.highest <= 9 and rng.random() < _HOLES:
            style = replace(style, empty_holes=True)
    return style


def reflected(face: Floats, style: Style, rng: np.random.Generator) -> Floats:
    """A face (h, w, 3) that mirrors a window, or a lamp in creases; pips still show through."""
    height, width = face.shape[:2]
    if rng.random() < style.gloss:
        # A band of light across the tile, soft or sharp at its edges.
        angle = rng.uniform(0, np.pi)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / height
        across = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
        wide, soft = rng.uniform(0.1, 0.6), rng.uniform(0.02, 0.3)
        away = np.abs(across - np.float32(rng.uniform(-0.3, 2.0))) - np.float32(wide)
        band = np.clip(0.5 - away / np.float32(soft), 0, 1)
        face = _lit(face, np.float32(style.gloss * rng.uniform(0.15, 0.65)) * band, rng)
    if style.film and rng.random() < 0.7:
        cells = int(rng.integers(5, 16))
        small = rng.standard_normal((cells, 2 * cells)).astype(np.float32)
        small += 1.5 * cv2.resize(
            rng.standard_normal((3, 4)).astype(np.float32), (2 * cells, cells)
        )
        creases = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
        above = creases - np.float32(np.quantile(creases[::4, ::4], 1 - style.film))
        sharp = np.clip(above * np.float32(rng.uniform(2, 12)), 0, 1)
        face = _lit(face, np.float32(rng.uniform(0.25, 0.75)) * sharp, rng)
    return face


def _lit(face: Floats, share: Floats, rng: np.random.Generator) -> Floats:
    """The face with a share (h, w) of every pixel from a lamp's mirror image."""
    lamp = np.array([1.0, rng.uniform(0.93, 1.0), rng.uniform(0.85, 1.05)], np.float32) * 262
    return np.asarray(face + (lamp - face) * share[..., None], np.float32)


def draw_print(face: Floats, tone: Sequence[float], rng: np.random.Generator) -> None:
    """A maker's print in the middle of a back (h, w, 3): letters, a ring, a bar with dots."""
    height, width = face.shape[:2]
    # Letters stand along the tile or across it.
    along = rng.random() < 0.5
    wide, high = (width, height) if along else (height, width)
    ink = np.zeros((high, wide), np.uint8)
    text = "".join(rng.choice(list(_LETTERS), int(rng.integers(1, 5))))
    font, thick = int(rng.choice([0, 2, 3, 4])), max(round(height * rng.uniform(0.02, 0.12)), 1)
    (w, h), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = rng.uniform(0.4, 0.9) * min(wide / w, 0.6 * high / h)
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    foot = ((wide - w) // 2, (high + h) // 2 - round(rng.uniform(0, 0.15) * high))
    cv2.putText(ink, text, foot, font, scale, 255, thick, cv2.LINE_AA)
    left, right = (wide - w) // 2, (wide + w) // 2
    under = foot[1] + round(rng.uniform(0.05, 0.2) * height)
    extra = rng.random(3)
    if extra[0] < 0.5:
        strong = max(round(height * rng.uniform(0.02, 0.1)), 1)
        cv2.line(ink, (left, under), (right, under), 255, strong, cv2.LINE_AA)
        if extra[1] < 0.5:
            for x in np.linspace(left, right, int(rng.integers(3, 8))):
                cv2.circle(ink, (round(float(x)), under), max(strong // 3, 1), 0, -1, cv2.LINE_AA)
    if extra[2] < 0.3:
        middle = (wide // 2, high // 2)
        radius = round(rng.uniform(0.25, 0.45) * height)
        cv2.circle(ink, middle, radius, 255, max(round(0.04 * height), 1), cv2.LINE_AA)
    if not along:
        ink = np.ascontiguousarray(np.rot90(ink, 1 if rng.random() < 0.5 else 3))
    face += (np.array(tone, np.float32) - face) * (ink[..., None] / np.float32(255))
