from __future__ import annotations

from dataclasses import replace

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.table import new_table
from companion.store import Actor, Store
from companion.web.kingdomino.board_changes import board_state
from companion.web.visit import Visit
from tests.companion.kingdomino.readings import kingdom_reading


def test_why_a_square_is_in_doubt_is_said_in_words(store: Store, visit: Visit) -> None:
    reading = kingdom_reading("w1 w/c f", {(1, 1): "f1", (0, 0): "w"})
    rows = [list(row) for row in reading.squares]
    rows[1][1] = replace(rows[1][1], reason="glare")
    rows[0][0] = replace(rows[0][0], reason="a_code_of_tomorrow")
    kept = KeptReading(replace(reading, squares=tuple(map(tuple, rows))), "photo", 640, 480)
    table = new_table(store, Actor(visit.device)).with_player("Anna")
    reading_id = store.keep_reading(table.game.id, kept.to_data())
    table = table.with_reading(table.seats[0], reading_id, kept)
    state = board_state(visit, table.seats[0], kept)
    assert state.reading is not None
    said = [each.why for row in state.reading.squares for each in row]
    assert said == ["", "", "", "Auf diesem Feld spiegelt sich eine Lampe."]
    sent = state.dossier({})["reading"]["rows"]
    assert sent[1][1]["why"] == said[3]
    assert "why" not in sent[0][0]
