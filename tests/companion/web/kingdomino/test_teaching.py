from __future__ import annotations

from dataclasses import replace

from companion.games.kingdomino.kind import KINGDOMINO
from companion.games.kingdomino.table import new_table
from companion.store import Actor, Store
from companion.store.labelled_squares import count_squares
from companion.web.kingdomino.board_changes import rotated
from companion.web.kingdomino.corrections import (
    keep_squares,
    keep_squares_later,
    wait_until_squares_kept,
)
from companion.web.kingdomino.readings import keep_readings, kept_readings, read_shelved
from companion.web.visit import Visit
from scorer.kingdomino import Square
from vision.kingdomino.samples import sample_folder


def test_a_corrected_square_is_kept_with_its_label(store: Store, visit: Visit) -> None:
    photo = visit.shelf.put((sample_folder() / "complete-5x5.jpg").read_bytes(), visit.device)
    table = new_table(store, Actor(visit.device)).with_player("Anna")
    (reading,) = keep_readings(
        store, table.game.id, photo, read_shelved(visit.house, photo), consent=False
    )
    table = table.with_reading(
        table.seats[0], reading, kept_readings(store, table.game.id)[reading]
    )
    board = table.seats[0].board
    assert board is not None
    kingdom = board.kingdom.replace({(0, 0): Square.parse("f2")})
    corrected = replace(board, kingdom=kingdom, corrected=frozenset({(0, 0)}))
    keep_squares_later(visit, table.game.id, rotated(corrected, 1))
    wait_until_squares_kept()
    assert count_squares(store, KINGDOMINO.key) == {"f2": 1}
    visit.shelf.drop(photo.id)
    assert keep_squares(store, visit.shelf, table.game.id, replace(corrected, reading=None)) == 0
