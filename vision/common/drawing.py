"""Draw short texts on coloured tags into a picture."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

_WHITE, _BLACK = (255, 255, 255), (24, 22, 26)
_WEIGHT = 700
# Smaller letters are illegible.
_MIN_PX = 9
# In letter heights: the padding beside the text, the height of a tag and that of capitals.
_PADDING, _TAG_HEIGHT, _CAPITALS = 0.3, 1.1, 0.7
_SHIFT = 4


def text_colour_on(colour: Colour) -> Colour:
    """Black or white, whichever has more contrast on ``colour``.

    Source: WCAG 2.2, relative luminance; at 0.18 both have the same contrast.
    """
    channels = np.array(colour) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return _BLACK if float(linear @ (0.2126, 0.7152, 0.0722)) > 0.18 else _WHITE


class Lettering:
    """Writes into ``picture`` in letters of about ``height_px`` pixels."""

    def __init__(self, picture: Image, height_px: float) -> None:
        self.picture = picture
        self.size = max(_MIN_PX, round(height_px))

    def tag(self, text: str, middle: Floats, colour: Colour) -> None:
        """Draw a tag with ``text`` about the pixel ``middle`` (x, y), kept inside the picture."""
        self.row_of_tags([(text, colour)], middle)

    def row_of_tags(self, texts: Sequence[tuple[str, Colour]], middle: Floats) -> None:
        """Draw tags side by side, the row centred on the pixel ``middle`` (x, y)."""
        widths = [self._text_width(text) + 2 * _PADDING * self.size for text, _ in texts]
        gap = 0.2 * self.size
        total = sum(widths) + gap * (len(texts) - 1)
        x, y = self._keep_inside(middle, total)
        left = x - total / 2
        for (text, colour), width in zip(texts, widths, strict=True):
            self._tag(text, (left + width / 2, y), width, colour)
            left += width + gap

    def _text_width(self, text: str) -> int:
        size = self.picture.shape[1::-1]
        box = cv2.getTextSize(size, text, (0, 0), _font(), self.size, _WEIGHT)
        return int(box[2])

    def _keep_inside(self, middle: Floats, width: float) -> tuple[float, float]:
        """The middle, moved so that a tag of ``width`` pixels lies inside the picture."""
        height_px, width_px = self.picture.shape[:2]
        half_width, half_height = width / 2 + 2, _TAG_HEIGHT * self.size / 2 + 2
        x = float(np.clip(middle[0], half_width, max(half_width, width_px - half_width)))
        y = float(np.clip(middle[1], half_height, max(half_height, height_px - half_height)))
        return x, y

    def _tag(self, text: str, middle: tuple[float, float], width: float, colour: Colour) -> None:
        x, y = middle
        ink = text_colour_on(colour)
        self._pill(middle, width + 0.12 * self.size, _TAG_HEIGHT + 0.12, ink)
        self._pill(middle, width, _TAG_HEIGHT, colour)
        origin = round(x - width / 2 + _PADDING * self.size), round(y + _CAPITALS / 2 * self.size)
        cv2.putText(self.picture, text, origin, ink, _font(), self.size, _WEIGHT)

    def _pill(
        self, middle: tuple[float, float], width: float, height: float, colour: Colour
    ) -> None:
        """Draw a filled bar with round ends, ``height`` in letter heights."""
        thick = max(1, round(height * self.size))
        x, y = middle
        reach = max(0.0, (width - thick) / 2)
        ends = np.array([[x - reach, y], [x + reach, y]])
        cv2.polylines(
            self.picture,
            [np.round(ends * (1 << _SHIFT)).astype(np.int32)],
            False,
            colour,
            thick,
            cv2.LINE_AA,
            shift=_SHIFT,
        )


_fonts = threading.local()


def _font() -> cv2.FontFace:
    """OpenCV's own font, one per thread because it caches glyphs."""
    if not hasattr(_fonts, "face"):
        _fonts.face = cv2.FontFace("sans")
    face: cv2.FontFace = _fonts.face
    return face
