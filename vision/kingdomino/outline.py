"""Where kingdoms lie in a picture, for somebody who is still aiming the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.locate.search import locate
from vision.kingdomino.reader import Reader
from vision.photo import Photo

__all__ = ["OutlineSettings", "find_outlines"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OutlineSettings:
    """A lattice of ``min_squares`` squares or more is shown, at most ``max_outlines`` of them."""

    min_squares: int = 5
    max_outlines: int = 5


def find_outlines(
    photo: Photo, reader: Reader, settings: OutlineSettings | None = None
) -> list[Floats]:
    """The frames of what looks like kingdoms, largest first: one look of the locator, no reading.

    Each is (4, 2): corners (x, y) clockwise, as shares of the width and height of the picture,
    0 to 1, beyond them where a kingdom goes on outside of the picture.
    """
    settings = settings or OutlineSettings()
    # One look at one size: a picture of the next moment comes soon enough.
    looking = replace(reader.settings.locate, other_long_sides_px=(), small_square_px=0.0)
    _, lattices = locate(photo.rgb, reader.weights.locator, looking)
    size = np.array([photo.rgb.shape[1], photo.rgb.shape[0]], np.float64)
    frames = []
    for lattice in lattices:
        if len(lattice.members) < settings.min_squares:
            continue
        rows, columns = (np.array(axis) for axis in zip(*lattice.members, strict=True))
        top, bottom = rows.min(), rows.max() + 1
        left, right = columns.min(), columns.max() + 1
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        frames.append(np.asarray(lattice.points(corners) / size))
    return frames[: settings.max_outlines]
