"""What follows from a correction, in the background: settling again, squares kept."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from companion.games.kingdomino.corrected_squares import corrected_squares
from companion.games.kingdomino.editing import board_of, edited_of, settled
from companion.games.kingdomino.kind import KeptBoard, board_key, rules_of
from companion.store import Actor, Change, Outcome, Store, StoreError, new_id
from companion.store.labelled_squares import keep_corrected
from companion.store.photos import load_photo
from companion.web.kingdomino.board_changes import board_frame, rotated
from companion.web.kingdomino.readings import kept_readings
from companion.web.visit import Visit
from vision.photo.errors import PhotoError

__all__ = [
    "keep_squares",
    "keep_squares_later",
    "settle_later",
    "settle_now",
    "wait_until_settled",
    "wait_until_squares_kept",
]

_LOG = logging.getLogger(__name__)
_SETTLER = ThreadPoolExecutor(1, "settler")
_WAITING: set[tuple[int, str, int]] = set()
_LOCK = threading.Lock()


def settle_later(store: Store, game_id: str, number: int = 1) -> None:
    """Settle the kingdoms of a table anew when the others are done; asked twice, done once."""
    job = (id(store), game_id, number)
    with _LOCK:
        if job in _WAITING:
            return
        _WAITING.add(job)
    _SETTLER.submit(_settle, job, store)


def wait_until_settled() -> None:
    """Wait for all that was asked so far."""
    _SETTLER.submit(lambda: None).result()


def _settle(job: tuple[int, str, int], store: Store) -> None:
    with _LOCK:
        _WAITING.discard(job)
    try:
        settle_now(store, job[1], job[2])
    except StoreError as error:
        _LOG.info("not settled: %s", error.code)
    except Exception:
        _LOG.exception("not settled")


def settle_now(store: Store, game_id: str, number: int = 1) -> int:
    """Settle the kingdoms of one table jointly; how many became different.

    Squares that people set or confirmed stay. What the box says otherwise now is changed and in
    doubt, as a change like any other, which gives way to whatever people do meanwhile.
    """
    game = store.game(game_id)
    readings = kept_readings(store, game_id)
    boards: dict[str, KeptBoard] = {}
    for player in game.players:
        key = board_key(player.id, number)
        value = game.part(key).value
        if value is not None:
            board = KeptBoard.from_data(value)
            if board.reading in readings:
                boards[key] = board
    if not boards:
        return 0
    keys = list(boards)
    before = {key: _as_read(boards[key]) for key in keys}
    kept = [readings[before[key].reading or ""] for key in keys]
    after = settled(
        [edited_of(before[key], each) for key, each in zip(keys, kept, strict=True)],
        giants=rules_of(game.values).rules.age_of_giants,
    )
    changed = 0
    for key, edited in zip(keys, after, strict=True):
        board = board_of(edited, boards[key].reading, "")
        if board == before[key]:
            continue
        turned = rotated(board, board_frame(boards[key]).turns)
        turned = replace(turned, frame=boards[key].frame)
        change = Change(key, turned.to_data(), game.part(key).sequence, new_id(), "settle")
        confirmed = store.change(game_id, change, Actor())
        changed += confirmed.outcome is not Outcome.COLLIDED
    return changed


def _as_read(board: KeptBoard) -> KeptBoard:
    """The board turned back to how it lies on the photo."""
    return rotated(board, -board_frame(board).turns)


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
