"""A reading drawn on its photograph, so that a person sees at a glance whether it is right."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import Piece
from vision.common.drawing import Lettering
from vision.domino_duell.result import BoardReading

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

_WHITE = (255, 255, 255)
_SHIFT = 4


@dataclass(frozen=True)
class DrawSettings:
    """Look of a drawn reading; lengths in steps from one hollow to the next."""

    radius: float = 0.44
    ring: float = 0.05
    letters: float = 0.27
    sure: Colour = (0, 120, 90)
    doubt: Colour = (255, 0, 170)


def annotate(
    photo_rgb: Image, reading: BoardReading, settings: DrawSettings | None = None
) -> Image:
    """A copy of the photo with every stone ringed and named by its notation.

    ``photo_rgb`` (h, w, 3) is the upright photograph, at full size or reduced. A doubtful hollow
    has a ring of another colour and shows below, with a question mark, what else may be there,
    "." for nothing.
    """
    settings = settings or DrawSettings()
    picture = np.ascontiguousarray(photo_rgb).copy()
    middles = (reading.middles + 0.5) * photo_rgb.shape[1] / reading.width - 0.5
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    step = np.sort(apart, axis=1)[:, 1]
    drawn = [
        (each, middle, float(size))
        for each, middle, size in zip(reading.hollows, middles, step, strict=True)
        if each.piece is not None or each.doubtful
    ]
    for each, middle, size in drawn:
        colour = settings.doubt if each.doubtful else settings.sure
        x, y = (round(float(value) * (1 << _SHIFT)) for value in middle)
        radius = round(settings.radius * size * (1 << _SHIFT))
        for width, paint in ((2.0, _WHITE), (1.0, colour)):
            line = max(1, round(width * settings.ring * size))
            cv2.circle(picture, (x, y), radius, paint, line, cv2.LINE_AA, _SHIFT)
    for each, middle, size in drawn:
        lettering = Lettering(picture, settings.letters * size)
        if not each.doubtful:
            lettering.tag(_name(each.piece), middle, settings.sure)
            continue
        apart = np.array([0.0, 0.6 * settings.letters * size])
        lettering.tag(_name(each.piece), middle - apart, settings.doubt)
        lettering.tag(f"{_name(each.runner_up)}?", middle + apart, settings.doubt)
    return picture


def _name(piece: Piece | None) -> str:
    return "." if piece is None else str(piece)
