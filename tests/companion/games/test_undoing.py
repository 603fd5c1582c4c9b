"""Undo and redo through the log, alone, with others, and after a reload."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.kingdomino.kind import board_key
from companion.store import Outcome, Store, StoreError, open_store
from companion.store.confirming import REDO, UNDO, Line, redo_target, undo_target
from tests.companion.games.table_talk import ANNA, BEN, FOUR, SEVEN, board, new_game, send

PART = board_key(0)


def test_undo_and_redo_outlast_a_reload(store: Store, url: str) -> None:
    game = new_game(store)
    for based_on, kingdom in enumerate((FOUR, SEVEN, "w w1")):
        send(store, game, board(kingdom), based_on)
    store.close()
    again = open_store(url)
    undone = [again.undo(game.id, PART, f"u{n}", ANNA).value for n in range(3)]
    assert [value and value["kingdom"] for value in undone] == [SEVEN, FOUR, None]
    with pytest.raises(StoreError, match="nothing_to_undo"):
        again.undo(game.id, PART, "u3")
    done = [again.redo(game.id, PART, f"r{n}", ANNA).value["kingdom"] for n in range(3)]
    assert done == [FOUR, SEVEN, "w w1"]
    with pytest.raises(StoreError, match="nothing_to_redo"):
        again.redo(game.id, PART, "r3")
    again.close()


def test_something_new_ends_redoing(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 1)
    undone = store.undo(game.id, PART, "u")
    send(store, game, board("w"), undone.part_sequence)
    with pytest.raises(StoreError, match="nothing_to_redo"):
        store.redo(game.id, PART, "r")
    assert store.undo(game.id, PART, "u2").value["kingdom"] == FOUR


def test_undoing_ones_own_change_leaves_what_others_did(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1/c ."), 0)
    anna = board("f w1/c .", corrected=[[0, 0]])
    mine = send(store, game, anna, first.part_sequence)
    ben = board("f w1/c l1", corrected=[[0, 0], [1, 1]])
    send(store, game, ben, mine.part_sequence, actor=BEN)
    undone = store.undo(game.id, PART, "u", ANNA, only_own=True)
    assert undone.value["kingdom"] == "w w1/c l1"
    assert undone.outcome is Outcome.MERGED


def test_an_undo_that_would_overwrite_others_is_told(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1", corrected=[[0, 0]]), 0)
    mine = send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    send(store, game, board("l w1", corrected=[[0, 0]]), mine.part_sequence, actor=BEN)
    undone = store.undo(game.id, PART, "u", ANNA, only_own=True)
    assert undone.value["kingdom"] == "l w1"
    assert [(c.kept, c.other) for c in undone.collisions] == [("l", "w")]


def test_an_undo_sent_twice_is_done_once(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 1)
    first, again = (store.undo(game.id, PART, "u") for _ in range(2))
    assert again.again
    assert (first.sequence, again.value["kingdom"]) == (again.sequence, FOUR)


def test_rules_and_players_can_be_undone_too(store: Store) -> None:
    game = new_game(store, rules={"harmony": True})
    send(store, game, {"middle_kingdom": True}, 1, "rules")
    assert store.undo(game.id, "rules", "u").value["harmony"] is True


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(st.sampled_from(["paint", "undo", "redo"]), max_size=14))
def test_undo_and_redo_follow_the_two_stacks_of_an_editor(store: Store, steps: list[str]) -> None:
    """The log does what a plain editor with two stacks does."""
    game = new_game(store)
    past: list[str | None] = [None]
    future: list[str | None] = []
    number = 0
    for index, step in enumerate(steps):
        if step == "paint":
            kingdom = f"w{index % 2 or ''} f/c {'wflgsm'[index % 6]}"
            number = send(store, game, board(kingdom), number).part_sequence
            past.append(kingdom)
            future.clear()
        elif step == "undo" and len(past) > 1:
            future.append(past.pop())
            number = store.undo(game.id, PART, f"s{index}").part_sequence
        elif step == "redo" and future:
            past.append(future.pop())
            number = store.redo(game.id, PART, f"s{index}").part_sequence
        value = store.game(game.id).part(PART).value
        assert (value and value["kingdom"]) == past[-1]


def test_targets_by_device() -> None:
    lines = [
        Line(1, "a", "set", None),
        Line(2, "b", "set", None),
        Line(3, "a", UNDO, 1),
    ]
    assert undo_target(lines, None) == 2
    assert undo_target(lines, "a") is None
    assert redo_target(lines, "a") == 1
    lines.append(Line(4, "a", REDO, 1))
    assert redo_target(lines, "a") is None
    assert undo_target(lines, "a") == 1
