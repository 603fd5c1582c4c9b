"""What the board of a kingdom shows, and earlier boards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.kept_board import KeptBoard, rotated
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.games.kingdomino.table import new_table
from companion.store import Actor, Change, Store, new_id
from companion.web.kingdomino import board_changes
from companion.web.kingdomino.board_changes import board_state, own_steps
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom
from tests.companion.games.kingdomino.readings import kingdom_reading
from tests.companion.games.kingdomino.seen import seen_as


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
    sent = state.dossier({})["reading"]["rows"]
    said = [each.get("why", "") for row in sent for each in row]
    assert said == ["", "", "", "Auf diesem Feld spiegelt sich eine Lampe."]
    assert "why" not in sent[0][0]


PART = board_key(0)
ME, YOU = Actor("my-phone"), Actor("your-phone")


def kept(text: str, reading: str | None = None) -> KeptBoard:
    return KeptBoard(Kingdom.parse(text), reading=reading)


def begun(store: Store, *done: tuple[str, KeptBoard | None] | tuple[str, KeptBoard, Actor]) -> str:
    """A game after changes (action, board, actor) of its one kingdom."""
    players = [{"id": 0, "name": "Anna"}]
    game = store.create_game(KINGDOMINO.key, {"players": players}, ME).id
    for action, board, *actor in done:
        based_on = store.game(game).part(PART).sequence
        value = board and board.to_data()
        change = Change(PART, value, based_on, new_id(), action)
        store.change(game, change, actor[0] if actor else ME)
    return game


def steps(store: Store, game: str, device: str = ME.device) -> list[str]:
    """What can be taken back: the kingdom before and after each step, or "read"."""
    found = own_steps(store, game, PART, store.game(game).part(PART).sequence, device)
    return [
        f"{each.before.kingdom} > {each.after.kingdom}" if each.before and each.after else "read"
        for each in found
    ]


def history(store: Store, *done: tuple[str, KeptBoard | None]) -> list[str]:
    return steps(store, begun(store, *done))


def test_a_new_kingdom_has_nothing_before_it(store: Store) -> None:
    assert history(store, ("by_hand", kept("c ."))) == []


def test_every_step_is_there_in_order(store: Store) -> None:
    done = [("by_hand", kept("c .")), ("set", kept("c w")), ("set", kept("c w1"))]
    assert history(store, *done) == ["c . > c w", "c w > c w1"]


def test_what_was_done_to_a_kingdom_before_it_was_taken_away_is_no_step(store: Store) -> None:
    before = ("by_hand", kept("c .")), ("set", kept("c w")), ("clear", None)
    assert history(store, *before, ("by_hand", kept("c ."))) == []
    assert history(store, *before, ("by_hand", kept("c .")), ("set", kept("c f"))) == ["c . > c f"]


def test_what_was_undone_is_not(store: Store) -> None:
    a, b, c, d = (kept(text) for text in ("c .", "c w", "c w1", "c f"))
    done = [("by_hand", a), ("set", b), ("set", c)]
    assert history(store, *done, ("undo", b)) == ["c . > c w"]
    assert history(store, *done, ("undo", b), ("undo", a)) == []
    assert history(store, *done, ("undo", b), ("set", d)) == ["c . > c w", "c w > c f"]
    assert history(store, *done, ("undo", b), ("redo", c)) == ["c . > c w", "c w > c w1"]


def test_another_phone_has_steps_of_its_own(store: Store) -> None:
    a, b, c, d = (kept(text) for text in ("c . .", "c w .", "c w f", "c l f"))
    game = begun(store, ("by_hand", a), ("set", b), ("set", c, YOU), ("set", d))
    assert steps(store, game) == ["c . . > c w .", "c w f > c l f"]
    assert steps(store, game, YOU.device) == ["c w . > c w f"]


def test_what_a_notice_took_back_is_no_step_any_more(store: Store) -> None:
    game = begun(store, ("by_hand", kept("c .")), ("set", kept("c w")), ("set", kept("c w1")))
    store.undo(game, store.log(game)[2].sequence, new_id(), YOU)
    assert len(steps(store, game)) == 1


def test_what_the_box_doubts_is_no_step(store: Store) -> None:
    board = kept("c w")
    doubtful = replace(board, doubtful=frozenset({(0, 1)}))
    done = [("by_hand", kept("c .")), ("set", board), ("settle", doubtful)]
    assert history(store, *done) == ["c . > c w"]


def test_corners_are_a_step_and_end_the_way_back_until_they_are_taken_back(store: Store) -> None:
    one, other = kept("c w", "one"), kept("c f", "other")
    done = [("photo", kept("c m", "one")), ("set", one), ("corners", other)]
    assert history(store, *done) == ["read"]
    assert history(store, *done, ("set", kept("c g", "other"))) == ["read", "c f > c g"]
    game = begun(store, *done)
    (step,) = own_steps(store, game, PART, 3, ME.device)
    assert step.change is not None
    assert step.to_data() == {"change": step.change}
    store.undo(game, step.change, new_id(), ME)
    assert KeptBoard.from_data(store.game(game).part(PART).value) == one
    assert steps(store, game) == ["c m > c w"]


def test_nothing_from_before_an_empty_seat(store: Store) -> None:
    one = kept("c w", "one")
    assert history(store, ("photo", one), ("clear", None), ("photo", one)) == []


def test_turns_and_what_people_settled_are_part_of_it(store: Store) -> None:
    board = kept("c w")
    settled = replace(board, corrected=frozenset({(0, 1)}))
    turned = replace(rotated(board, 1), corrected=frozenset())
    game = begun(store, ("by_hand", board), ("confirm", settled), ("turn", turned))
    _, turn = own_steps(store, game, PART, 3, ME.device)
    assert turn.to_data()["before"] == {"kingdom": "c w", "settled": "01", "frame": [0, 0, 0]}
    assert turn.to_data()["after"] == {"kingdom": "c/w", "settled": "00", "frame": [1, 0, 0]}
    assert len(own_steps(store, game, PART, 2, ME.device)) == 1


def test_insisting_is_a_step(store: Store) -> None:
    board = replace(kept("c w"), corrected=frozenset({(0, 1)}))
    insists = replace(board, insisted=board.corrected)
    game = begun(store, ("by_hand", board), ("confirm", insists))
    (step,) = own_steps(store, game, PART, 2, ME.device)
    assert [step.to_data()[side]["settled"] for side in ("before", "after")] == ["01", "02"]


def test_only_so_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_changes, "MAX_STEPS", 2)
    texts = ("c .", "c w", "c w1", "c f", "c g")
    found = history(store, *(("set", kept(text)) for text in texts))
    assert found == ["c w1 > c f", "c f > c g"]


def test_whose_the_last_change_is(store: Store, visit: Visit) -> None:
    table = new_table(store, visit.actor).with_player("Anna", "pink")
    table = table.with_board(table.seats[0], kept("c w1"), "paint")
    state = board_state(visit, table.seats[0], None)
    assert (state.title, state.colour) == ("Anna", "pink")
    visit.parameters = {"game": table.game.id}
    assert board_state(visit, table.seats[0], None).mine
    table = replace(table, actor=YOU).with_board(table.seats[0], kept("c w2"), "set")
    assert not board_state(visit, table.seats[0], None).mine


def test_only_what_the_box_asks_is_asked_and_the_likeliest_is_offered_first(
    store: Store, visit: Visit
) -> None:
    table = new_table(store, visit.actor).with_player("Anna").with_player("Ben")
    first = seen_as("c w m1", {(0, 2): {"m1": 0.5, "m3": 0.5}})
    second = seen_as("c w m3", {(0, 1): {"w": 0.6, "f": 0.4}}, sure=0.97)
    for number, reading in enumerate((first, second)):
        read = KeptReading(reading)
        reading_id = store.keep_reading(table.game.id, read.to_data())
        table = table.with_reading(table.seats[number], reading_id, read)
    table = table.with_square(table.seats[0], (0, 2), Kingdom.parse("m3")[0, 0])
    seat = table.seats[1]
    opened = board_state(visit, seat, None).open_squares
    assert opened is not None
    assert {place: each.asked for place, each in opened.items()} == {(0, 1): False, (0, 2): True}
    assert opened[0, 1].offers[0] == "f"
