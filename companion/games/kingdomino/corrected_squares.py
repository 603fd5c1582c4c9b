"""Cut the corrected squares of a kept kingdom out of its photo as labelled pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.kind import KeptBoard
from companion.store import Store
from companion.store.labelled_squares import keep_square
from vision.common.rectify import rectify_quadrangle

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
    """Keep the picture of every square that a person set or confirmed; returns their number.

    ``rgb`` is the upright photo of the reading in any size, shape (h, w, 3). Squares outside the
    photo are left out, and so are squares with giants, which occlude the tile. StoreError
    ``no_consent``.
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
            rectify_quadrangle(rgb, corners, _SIDE_PX),
            str(replace(square, giants=0)),
            place=f"{row},{column}",
            source_photo=kept.photo or board.reading or "",
            consent=consent,
        )
        count += 1
    return count
