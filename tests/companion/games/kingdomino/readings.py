"""Readings for tests: what a reader would say of a photo of a given kingdom."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scorer.kingdomino import Kingdom, Position
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading

SQUARE_PX = 40


def kingdom_reading(
    notation: str,
    doubtful: Mapping[Position, str] | None = None,
    *,
    left: int = 10,
    top: int = 20,
    lattice_certain: bool = True,
) -> KingdomReading:
    """A kingdom seen straight from above, its corner at (left, top) pixels.

    ``doubtful`` has the runner-up of each square that is in doubt.
    """
    doubtful = doubtful or {}
    kingdom = Kingdom.parse(notation)
    squares = tuple(
        tuple(
            SquareReading(str(square), 0.61234, doubtful[row, column], True)
            if (row, column) in doubtful
            else SquareReading(str(square), 0.98765)
            for column, square in enumerate(line)
        )
        for row, line in enumerate(kingdom.rows)
    )
    homography = np.array([[SQUARE_PX, 0, left], [0, SQUARE_PX, top], [0, 0, 1]], np.float64)
    return KingdomReading(kingdom, squares, homography, lattice_certain=lattice_certain)


def photo_reading(*kingdoms: KingdomReading) -> PhotoReading:
    """A photo of 640 by 480 pixels with these kingdoms."""
    return PhotoReading(kingdoms, 640, 480, {"decode": 0.0123456, "locate": 0.5})
