"""A hand drawn on its photo, so that a person sees at a glance whether it is right."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pip_dominoes.hand_reading import HandReading
from vision.common.lettering import Lettering

__all__ = ["DrawSettings", "draw_dominoes"]

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class DrawSettings:
    """Look of a drawn hand; lengths in shares of a domino's short side."""

    line: float = 0.06
    letters: float = 0.42
    sure: Colour = (0, 200, 120)
    doubt: Colour = (255, 0, 170)


def draw_dominoes(
    photo_rgb: Image, reading: HandReading, settings: DrawSettings | None = None
) -> Image:
    """A copy of the photo with every domino framed and named.

    ``photo_rgb`` (h, w, 3) is the upright photo, at full size or reduced. A doubtful domino has
    another colour, a question mark and what else it may be.
    """
    settings = settings or DrawSettings()
    picture = np.ascontiguousarray(photo_rgb).copy()
    scale = photo_rgb.shape[1] / reading.width
    for domino in reading.dominoes:
        corners = np.asarray(domino.corners, dtype=np.float64) * scale
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        short = float(np.sort(sides)[:2].mean())
        colour = settings.doubt if domino.doubtful else settings.sure
        cv2.polylines(
            picture,
            [np.round(corners).astype(np.int32)],
            isClosed=True,
            color=colour,
            thickness=max(1, round(settings.line * short)),
            lineType=cv2.LINE_AA,
        )
        text = f"{domino.tile}?" if domino.doubtful else domino.tile
        if domino.doubtful and domino.runner_up:
            text = f"{text} {domino.runner_up}"
        Lettering(picture, settings.letters * short).tag(text, corners.mean(axis=0), colour)
    return picture
