"""Corrected squares kept as pictures, in the background."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from companion.games.kingdomino.corrected_squares import corrected_squares
from companion.games.kingdomino.editing import kept_readings
from companion.games.kingdomino.kept_board import KeptBoard, board_frame, rotated
from companion.store import StoreError
from companion.store.labelled_squares import keep_corrected
from companion.store.photos import load_photo
from companion.web.visit import Visit
from vision.photo.errors import PhotoError

__all__ = [
    "keep_squares",
    "keep_squares_later",
    "wait_until_squares_kept",
]

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
