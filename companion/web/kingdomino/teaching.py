"""Corrected squares kept as labelled pictures, where the person has agreed."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from companion.games import Store, StoreError
from companion.games.photos import load_photo
from companion.kingdomino.corrected_squares import keep_corrected_squares
from companion.kingdomino.kept_board import KeptBoard
from companion.reading.decoding import decode_isolated
from companion.web.kingdomino.changes import board_frame, rotated
from companion.web.kingdomino.readings import kept_readings
from companion.web.photo_shelf import PhotoShelf
from companion.web.visit import Visit
from vision.photo.errors import PhotoError

__all__ = ["keep_squares", "teach", "wait_until_taught"]

_LOG = logging.getLogger(__name__)
_WORKER = ThreadPoolExecutor(1, "teacher")


def teach(visit: Visit, game_id: str, board: KeptBoard) -> None:
    """Keep the squares that people set or confirmed, in the background."""
    _WORKER.submit(_keep, visit.store, visit.shelf, game_id, board)


def wait_until_taught() -> None:
    """Wait for all that was asked so far."""
    _WORKER.submit(lambda: None).result()


def _keep(store: Store, shelf: PhotoShelf, game_id: str, board: KeptBoard) -> None:
    try:
        keep_squares(store, shelf, game_id, board)
    except (StoreError, PhotoError) as error:
        _LOG.info("squares not kept: %s", error.code)
    except Exception:
        _LOG.exception("squares not kept")


def keep_squares(store: Store, shelf: PhotoShelf, game_id: str, board: KeptBoard) -> int:
    """Cut the corrected squares of a board from its photo, if that is still here; how many."""
    kept = kept_readings(store, game_id).get(board.reading or "")
    if kept is None or kept.photo is None:
        return 0
    shelved = shelf.get(kept.photo)
    rgb = decode_isolated(shelved.data if shelved else load_photo(store, kept.photo)).rgb
    as_read = rotated(board, -board_frame(board).turns)
    return keep_corrected_squares(store, game_id, as_read, kept, rgb, consent=True)
