"""A kingdom that was kept without a game, brought to a seat of one."""

from __future__ import annotations

from dataclasses import replace

from companion.games import Player, Store, StoreError
from companion.games.history import Summary, delete_game, find_games, restore_game
from companion.games.photos import keep_photo, load_photo
from companion.kingdomino.kept_reading import KeptReading
from companion.kingdomino.kind import KINGDOMINO
from companion.web.kingdomino.readings import kept_readings
from companion.web.kingdomino.table import Seat, Table
from companion.web.photo_shelf import PhotoShelf
from companion.web.visit import Visit

__all__ = ["kept_kingdoms", "new_kept_kingdom", "open_games", "take_into"]

_SHOWN = 20


def new_kept_kingdom(visit: Visit) -> Table:
    """A new kingdom without a game: a table of its own kind, with one nameless seat."""
    seat = {"id": 0, "name": visit.say("kept.nameless"), "colour": None}
    parts = {"players": [seat]}
    game = visit.store.create_game(KINGDOMINO.key, parts, visit.actor, kept=True)
    return Table(visit.store, visit.actor, game)


def kept_kingdoms(visit: Visit) -> list[Summary]:
    """The kingdoms that this device keeps without a game, the latest first."""
    return find_games(
        visit.store, device=visit.device, kind=KINGDOMINO.key, kept=True, limit=_SHOWN
    )


def open_games(visit: Visit) -> list[Summary]:
    """The games of this device that still wait for a kingdom, the latest first."""
    found = find_games(visit.store, device=visit.device, kind=KINGDOMINO.key, limit=_SHOWN)
    return [game for game in found if not game.complete]


def take_into(visit: Visit, kept: Table, table: Table, seat: Seat | None) -> tuple[Table, Seat]:
    """Bring the kingdom to a seat, or to a new one at the end of the row; the table after it.

    The kept kingdom goes out of the list, and the notice at the foot of the page takes all of it
    back. StoreError where the seat can't be had, and then nothing has changed.
    """
    board = kept.seats[0].board
    if board is None:
        raise StoreError("bad_value", reason="bad_board")
    newcomer = seat is None
    if seat is None:
        table = table.with_player(_name(kept, table), kept.game.players[0].colour)
        seat = table.seats[-1]
    reading = kept_readings(visit.store, kept.game.id).get(board.reading or "")
    if reading is not None:
        moved = _with_photo(visit.store, visit.shelf, table, reading)
        board = replace(board, reading=visit.store.keep_reading(table.game.id, moved.to_data()))
    table = table.with_board(seat, board, "take")
    delete_game(visit.store, kept.game.id, visit.actor)
    key = seat.key

    def back() -> None:
        restore_game(visit.store, kept.game.id, visit.actor)
        now = table.undone(key)
        if newcomer:
            now.undone("players")

    visit.tell(visit.say("kept.taken"), back)
    taken = table.seat(seat.player.id)
    assert taken is not None
    return table, taken


def _with_photo(store: Store, shelf: PhotoShelf, table: Table, reading: KeptReading) -> KeptReading:
    """The reading with its photo at the other game: each game has its own, and goes with them."""
    if reading.photo is None:
        return reading
    shelved = shelf.get(reading.photo)
    if shelved is not None:
        shelved.game = table.game.id
        return reading
    try:
        copied = keep_photo(store, table.game.id, load_photo(store, reading.photo), consent=True)
    except StoreError:
        return replace(reading, photo=None)
    return replace(reading, photo=copied.id)


def _name(kept: Table, table: Table) -> str:
    """The name that was given to the kingdom, told apart where somebody has it already."""
    wanted = str((kept.game.values.get("about") or {}).get("title") or kept.game.players[0].name)
    taken = {player.name.casefold() for player in table.game.players}
    name, number = wanted, 2
    while name.casefold() in taken:
        name, number = f"{wanted} {number}", number + 1
    return Player(0, name).name
