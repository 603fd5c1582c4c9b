"""What the board of a kingdom shows, and earlier boards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.kind import KINGDOMINO, KeptBoard, board_key
from companion.games.kingdomino.table import new_table
from companion.store import Actor, Change, Store, new_id
from companion.web.kingdomino import board_changes
from companion.web.kingdomino.board_changes import board_state, earlier_steps
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom
from tests.companion.games.kingdomino.readings import kingdom_reading


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


PART = board_key(0)


def kept(text: str, reading: str | None = None) -> KeptBoard:
    return KeptBoard(Kingdom.parse(text), reading=reading)


def history(store: Store, *done: tuple[str, KeptBoard | None]) -> list[str]:
    """The notation of the states before the last, after changes (action, board)."""
    players = [{"id": 0, "name": "Anna"}]
    game = store.create_game(KINGDOMINO.key, {"players": players}, Actor()).id
    for action, board in done:
        based_on = store.game(game).part(PART).sequence
        value = board and board.to_data()
        store.change(game, Change(PART, value, based_on, new_id(), action), Actor())
    found = earlier_steps(store, game, PART, store.game(game).part(PART).sequence)
    return [str(each.kingdom.format()) for each in found]


def test_a_new_kingdom_has_nothing_before_it(store: Store) -> None:
    assert history(store, ("by_hand", kept("c ."))) == []


def test_every_state_is_there_in_order(store: Store) -> None:
    done = [("by_hand", kept("c .")), ("set", kept("c w")), ("set", kept("c w1"))]
    assert history(store, *done) == ["c .", "c w"]


def test_what_was_undone_is_not(store: Store) -> None:
    a, b, c, d = (kept(text) for text in ("c .", "c w", "c w1", "c f"))
    begun = [("by_hand", a), ("set", b), ("set", c)]
    assert history(store, *begun, ("undo", b)) == ["c ."]
    assert history(store, *begun, ("undo", a)) == []
    assert history(store, *begun, ("undo", b), ("set", d)) == ["c .", "c w"]
    assert history(store, *begun, ("undo", b), ("redo", c)) == ["c .", "c w"]
    # Back to a state that was there twice is back to the later one.
    assert history(store, *begun, ("set", b), ("set", d), ("undo", b)) == ["c .", "c w", "c w1"]


def test_what_the_box_doubts_is_no_step(store: Store) -> None:
    board = kept("c w")
    doubtful = replace(board, doubtful=frozenset({(0, 1)}))
    done = [("by_hand", kept("c .")), ("set", board), ("settle", doubtful)]
    assert history(store, *done) == ["c ."]


def test_nothing_from_before_another_photo_or_an_empty_seat(store: Store) -> None:
    one, other = kept("c w", "one"), kept("c f", "other")
    assert history(store, ("photo", one), ("photo", other)) == []
    assert history(store, ("photo", one), ("clear", None), ("photo", one)) == []


def test_turns_and_what_people_settled_are_part_of_it(store: Store) -> None:
    board = kept("c w")
    settled = replace(board, corrected=frozenset({(0, 1)}))
    game = store.create_game(
        KINGDOMINO.key, {"players": [{"id": 0, "name": "Anna"}], PART: settled.to_data()}, Actor()
    ).id
    turned = replace(board, kingdom=Kingdom.parse("c/w"), frame="1", corrected=frozenset())
    store.change(game, Change(PART, turned.to_data(), 1, new_id(), "turn"), Actor())
    (step,) = earlier_steps(store, game, PART, 2)
    assert step.to_data() == {"kingdom": "c w", "settled": "01", "frame": [0, 0, 0]}
    assert earlier_steps(store, game, PART, 1) == ()


def test_only_so_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_changes, "MAX_STEPS", 2)
    texts = ("c .", "c w", "c w1", "c f", "c g")
    assert history(store, *(("set", kept(text)) for text in texts)) == ["c w1", "c f"]
