"""Photos of kingdoms read for a game, kept with it, read again in a frame, and aimed at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.kingdomino.editing import KeptReading, kept_readings
from companion.games.kingdomino.kind import rules_of_kingdoms
from companion.games.kingdomino.table import Seat, Table
from companion.reading.kingdomino import KINGDOMS, read_frame_isolated
from companion.store import Game, Json, StoreError
from companion.store.photos import keep_photo, load_photo
from companion.web.kingdomino.board_messages import Corners
from companion.web.photo_cache import CachedPhoto
from companion.web.visit import Visit
from scorer.kingdomino import score
from vision.kingdomino.result import KingdomReading, PhotoReading
from vision.photo.errors import PhotoError

__all__ = [
    "glance",
    "keep_readings",
    "read_again",
    "read_cached",
    "read_with",
    "reading_with_next_best",
]


_MOST_SEEN = 5


def read_cached(
    visit: Visit, photo: CachedPhoto, *, giants: bool = False, **how: Any
) -> PhotoReading:
    """The kingdoms of a photo, read in a worker process. PhotoError where none can be read.

    With ``giants`` the dominoes of Age of Giants may be in it; ``how`` are other options of the
    reader. The pixels that were decoded for the cache are read, so that a photo is decoded once.
    """
    with visit.reading_slot():
        source = photo.take_decoded() or photo.data
        return KINGDOMS.with_options(giants=giants, **how).ask(source)


def read_with(
    visit: Visit, photo: CachedPhoto, kept: KeptReading, *, giants: bool, same: bool
) -> PhotoReading:
    """What a photo shows, read together with a kingdom that was read before, which is photo 0.

    ``same`` where a person says that the photo shows that kingdom. PhotoError where it shows none.
    """
    before = PhotoReading((kept.reading,), kept.width, kept.height)
    earlier = KINGDOMS.codec.to_plain(before)
    return read_cached(visit, photo, giants=giants, earlier=earlier, same=same)


def glance(data: bytes, game: Game | None) -> list[dict[str, Json]]:
    """What a small picture of the camera shows, by the rules of a game; see ``GamePages``."""
    rules = rules_of_kingdoms(game.values if game else {})
    reader = KINGDOMS.with_options(giants=rules.age_of_giants, glance=True)
    seen = reader.ask(data)
    size = np.array([seen.width, seen.height])

    def shares(corners: NDArray[np.float64]) -> list[list[float]]:
        return [[round(float(x), 4), round(float(y), 4)] for x, y in corners / size]

    return [
        {
            "outline": shares(each.corners),
            "open": [shares(each.square_corners(place)) for place in each.doubtful],
            "points": score(each.kingdom, rules).points,
        }
        for each in seen.kingdoms[:_MOST_SEEN]
    ]


def keep_readings(
    visit: Visit, game_id: str, photo: CachedPhoto, reading: PhotoReading
) -> list[str]:
    """Keep the readings of a photo with a game; their ids, the largest kingdom first.

    Where the people have agreed, the photo itself is kept as well, reduced and without metadata.
    """
    visit.photos.give_to(photo, game_id)
    name = photo.id
    if visit.keep_photos:
        name = keep_photo(visit.store, game_id, photo.data, consent=True, decoder=visit.decode).id
    return [
        visit.store.keep_reading(
            game_id,
            KeptReading(kingdom, name, reading.width, reading.height, reading.warnings).to_data(),
        )
        for kingdom in reading.kingdoms
    ]


def reading_with_next_best(reading: KingdomReading) -> KingdomReading | None:
    """The other reading of the photo, which offers the one that is left in its turn."""
    if reading.next_best is None:
        return None
    return replace(reading.next_best, next_best=replace(reading, next_best=None))


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
    cached = visit.photos.get(kept.photo)
    size = kept.width, kept.height
    try:
        data = cached.data if cached else load_photo(table.store, kept.photo)
        giants = table.rules.rules.age_of_giants
        with visit.reading_slot():
            reading = read_frame_isolated(data, corners, grid, size, giants=giants)
    except (StoreError, PhotoError):
        return None
    fresh = KeptReading(reading, kept.photo, *size)
    return table.store.keep_reading(table.game.id, fresh.to_data()), fresh
