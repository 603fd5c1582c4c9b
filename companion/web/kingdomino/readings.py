"""Photos of kingdoms read for a game and kept with it, read again in a frame, and the squares that
people corrected kept as pictures.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.kingdomino.kept_board import KeptBoard, board_frame, rotated
from companion.games.kingdomino.kept_reading import KeptReading, kept_readings
from companion.games.kingdomino.kind import rules_of_kingdoms
from companion.games.kingdomino.table import Seat, Table
from companion.reading.kingdomino import KINGDOMS, read_frame_isolated
from companion.store import Game, Json, StoreError
from companion.store.labelled_squares import SIDE_PX, CorrectedSquare, keep_corrected
from companion.store.photos import keep_photo, load_photo
from companion.web.kingdomino.board import Corners
from companion.web.photo_cache import CachedPhoto
from companion.web.visit import Visit
from scorer.kingdomino import score
from vision.common.geometry import rectify_quadrangle
from vision.kingdomino.result import KingdomReading, PhotoReading
from vision.photo.errors import PhotoError

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


_LOG = logging.getLogger(__name__)
_SQUARE_KEEPER = ThreadPoolExecutor(1, "teacher")


def keep_squares_later(visit: Visit, game_id: str, board: KeptBoard) -> None:
    """Keep the squares that people set or confirmed, in the background."""
    _SQUARE_KEEPER.submit(_keep_logged, visit, game_id, board)


def wait_until_squares_kept() -> None:
    """Wait for all that was asked so far."""
    _SQUARE_KEEPER.submit(lambda: None).result()


def _keep_logged(visit: Visit, game_id: str, board: KeptBoard) -> None:
    try:
        keep_squares(visit, game_id, board)
    except (StoreError, PhotoError) as error:
        _LOG.info("squares not kept: %s", error.code)
    except Exception:
        _LOG.exception("squares not kept")


def keep_squares(visit: Visit, game_id: str, board: KeptBoard) -> int:
    """Cut the corrected squares of a board from its photo, if that is still here; how many."""
    store = visit.store
    kept = kept_readings(store, game_id).get(board.reading or "")
    if kept is None or kept.photo is None:
        return 0
    cached = visit.photos.get(kept.photo)
    rgb = visit.decode(cached.data if cached else load_photo(store, kept.photo)).rgb
    as_read = rotated(board, -board_frame(board).turns)
    squares = corrected_squares(as_read, kept, rgb)
    return keep_corrected(store, game_id, squares, source_photo=kept.photo, consent=True)


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
