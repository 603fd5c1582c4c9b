"""A reading drawn on its photograph, so that a person sees at a glance whether it is right."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.drawing import Lettering
from vision.pip_dominoes.result import DominoReading, HandReading

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

_WHITE, _BLACK = (255, 255, 255), (24, 22, 26)
_SHIFT = 4


@dataclass(frozen=True)
class DrawSettings:
    """Look of a drawn reading; lengths in shares of a domino's short side, ``table`` in 0..1.

    ``sure`` and ``doubt`` are the colours of frames and tags.
    """

    table: float = 0.6
    frame: float = 0.07
    letters: float = 0.36
    total_letters: float = 0.6
    sure: Colour = (0, 120, 90)
    doubt: Colour = (255, 0, 170)


def annotate(photo_rgb: Image, reading: HandReading, settings: DrawSettings | None = None) -> Image:
    """A copy of the photo with every domino framed and its numbers written on it.

    ``photo_rgb`` (h, w, 3) is the upright photograph, at full size or reduced. A doubtful domino
    is framed in another colour and shows a question mark with what else it may be. In the top
    left corner stands the sum beside the number of doubtful dominoes.
    """
    settings = settings or DrawSettings()
    picture = np.ascontiguousarray(photo_rgb).copy()
    scale = photo_rgb.shape[1] / reading.width
    outlines = [(d.corners + 0.5) * scale - 0.5 for d in reading.dominoes]
    if not outlines:
        return picture
    _dim_table(picture, outlines, settings)
    shorts = [float(np.linalg.norm(box[2] - box[1])) for box in outlines]
    for domino, box, short in zip(reading.dominoes, outlines, shorts, strict=True):
        colour = settings.doubt if domino.doubtful else settings.sure
        for width, paint in ((2.0, _WHITE), (1.0, colour)):
            line = max(1, round(width * settings.frame * short))
            cv2.polylines(picture, [_fixed(box)], True, paint, line, cv2.LINE_AA, shift=_SHIFT)
    for domino, box, short in zip(reading.dominoes, outlines, shorts, strict=True):
        _tags(picture, domino, box, short, settings)
    _total(picture, reading, float(np.median(shorts)), settings)
    return picture


def _dim_table(picture: Image, outlines: list[Floats], settings: DrawSettings) -> None:
    """Darken what is no domino."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for box in outlines:
        cv2.fillConvexPoly(mask, _fixed(box), 1, cv2.LINE_8, _SHIFT)
    dark = cv2.convertScaleAbs(picture, alpha=settings.table)
    cv2.copyTo(dark, 1 - mask, picture)


def _tags(
    picture: Image, domino: DominoReading, box: Floats, short: float, settings: DrawSettings
) -> None:
    """The numbers in the middle of the halves; what else it may be in the middle of the domino."""
    lettering = Lettering(picture, settings.letters * short)
    colour = settings.doubt if domino.doubtful else _BLACK
    first, second = (box[0] + box[3]) / 2, (box[1] + box[2]) / 2
    for share, number in zip((0.25, 0.75), domino.halves, strict=True):
        lettering.tag(str(number), first + share * (second - first), colour)
    if domino.doubtful:
        lettering.tag(f"{domino.runner_up}?", box.mean(0), settings.doubt)


def _total(picture: Image, reading: HandReading, short: float, settings: DrawSettings) -> None:
    lettering = Lettering(picture, settings.total_letters * short)
    texts = [(str(reading.sum), _BLACK)]
    if reading.doubtful:
        texts.append((f"?{len(reading.to_check) or ''}", settings.doubt))
    lettering.row_of_tags(texts, np.zeros(2))


def _fixed(pixels: Floats) -> NDArray[np.int32]:
    """Pixels as whole numbers with ``_SHIFT`` binary places, as OpenCV draws them."""
    return np.round(pixels * (1 << _SHIFT)).astype(np.int32)
