"""The squares of a photo read again in a frame that a person has set."""

from __future__ import annotations

from companion.games import StoreError
from companion.games.photos import load_photo
from companion.kingdomino.isolated_reading import read_frame_isolated
from companion.kingdomino.kept_reading import KeptReading
from companion.web.board import Corners
from companion.web.kingdomino.readings import kept_readings
from companion.web.kingdomino.table import Seat, Table
from companion.web.visit import Visit
from vision.photo.errors import PhotoError

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
    size = kept.width, kept.height
    try:
        data = shelved.data if shelved else load_photo(table.store, kept.photo)
        with visit.house.waiting.told(visit.device) as on_waiting:
            giants = table.rules.rules.age_of_giants
            reading = read_frame_isolated(data, corners, grid, size, on_waiting, giants=giants)
    except (StoreError, PhotoError):
        return None
    fresh = KeptReading(reading, kept.photo, *size)
    return table.store.keep_reading(table.game.id, fresh.to_data()), fresh
