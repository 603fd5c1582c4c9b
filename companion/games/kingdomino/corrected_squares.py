"""The corrected squares of a kept kingdom, cut out of its photo."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.kept_board import KeptBoard
from companion.store.labelled_squares import SIDE_PX, CorrectedSquare
from vision.common.rectify import rectify_quadrangle

__all__ = ["corrected_squares"]


def corrected_squares(
    board: KeptBoard, kept: KeptReading, rgb: NDArray[np.uint8]
) -> Iterator[CorrectedSquare]:
    """Every square that a person set or confirmed.

    ``rgb`` is the upright photo of the reading in any size, shape (h, w, 3). Squares outside the
    grid of the reading are left out, and so are squares with giants or pieces of The Court, which
    occlude the tile.
    """
    reading = kept.reading
    for place in sorted(board.corrected):
        row, column = place[0] - board.origin[0], place[1] - board.origin[1]
        square = board.kingdom[place]
        if (
            square != square.printed
            or row not in range(reading.kingdom.height)
            or column not in range(reading.kingdom.width)
        ):
            continue
        corners = reading.square_corners((row, column)) * (rgb.shape[1] / kept.width)
        picture = rectify_quadrangle(rgb, corners, SIDE_PX)
        yield CorrectedSquare(f"{row},{column}", picture, str(square))
