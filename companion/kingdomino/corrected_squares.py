"""The corrected squares of a kept kingdom as labelled pictures, cut from its photo."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games import Store
from companion.games.labelled_squares import keep_square
from companion.kingdomino.kept_board import KeptBoard
from companion.kingdomino.kept_reading import KeptReading

__all__ = ["keep_corrected_squares"]

_SIDE_PX = 64


def keep_corrected_squares(
    store: Store,
    game_id: str,
    board: KeptBoard,
    kept: KeptReading,
    rgb: NDArray[np.uint8],
    *,
    consent: bool,
) -> int:
    """Keep every square that people set or confirmed, as it looks in the photo; how many.

    ``rgb`` is the upright photo of the reading in any size, shape (h, w, 3). Rows and columns that
    the photo doesn't show are left out, and so are squares with giants: a giant hides the tile.
    StoreError ``no_consent``.
    """
    reading, count = kept.reading, 0
    for place in sorted(board.corrected):
        row, column = place[0] - board.origin[0], place[1] - board.origin[1]
        square = board.kingdom[place]
        if (
            square.giants
            or row not in range(reading.kingdom.height)
            or column not in range(reading.kingdom.width)
        ):
            continue
        around = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        corners = reading.points(around) * (rgb.shape[1] / kept.width)
        keep_square(
            store,
            game_id,
            _cut_out(rgb, corners),
            str(replace(square, giants=0)),
            place=f"{row},{column}",
            source_photo=kept.photo or board.reading or "",
            consent=consent,
        )
        count += 1
    return count


def _cut_out(rgb: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The quadrangle ``corners``, shape (4, 2), pixels (x, y), clockwise, as a square."""
    side = _SIDE_PX
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(rgb, view, (side, side), flags=cv2.INTER_AREA), dtype=np.uint8
    )
