"""The squares of a photo read again in a frame that a person has set."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
from PIL import Image

from companion.games import StoreError
from companion.games.photos import load_photo
from companion.kingdomino.kept_reading import KeptReading
from companion.kingdomino.own_head import use_own_head
from companion.web.board import Corners
from companion.web.kingdomino.readings import kept_readings
from companion.web.kingdomino.table import Seat, Table
from companion.web.visit import Visit
from vision.kingdomino.reader import default_reader
from vision.photo import PhotoError

__all__ = ["read_again"]


def read_again(
    visit: Visit, table: Table, seat: Seat, corners: Corners, grid: tuple[int, int]
) -> tuple[str, KeptReading] | None:
    """The reading in the frame, kept with the game, and its id; None where nothing was found.

    ``corners`` are pixels of the upright photo as it was taken, clockwise from the top left.
    """
    board = seat.board
    kept = kept_readings(table.store, table.game.id).get(board.reading or "") if board else None
    if kept is None or kept.photo is None:
        return None
    shelved = visit.shelf.get(kept.photo)
    try:
        data = shelved.data if shelved else load_photo(table.store, kept.photo)
        shown_side = max(kept.width, kept.height) if shelved else _long_side(data)
        scale = shown_side / max(kept.width, kept.height)
        frame = [(x * scale, y * scale) for x, y in corners]
        use_own_head()
        reading = default_reader().read_frame(data, frame, *grid)
    except (StoreError, PhotoError):
        return None
    scale = max(kept.width, kept.height) / shown_side
    grown = np.diag([scale, scale, 1.0]) @ reading.homography
    reading = replace(reading, homography=grown)
    fresh = KeptReading(reading, kept.photo, kept.width, kept.height)
    return table.store.keep_reading(table.game.id, fresh.to_data()), fresh


def _long_side(data: bytes) -> int:
    """Pixels of the picture that is at hand: a kept photo is a reduced one."""
    try:
        with Image.open(BytesIO(data)) as picture:
            return max(picture.size)
    except OSError:
        raise PhotoError("not_a_picture") from None
