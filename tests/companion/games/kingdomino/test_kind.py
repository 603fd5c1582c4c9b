"""Boards and rules as plain data, and two changes of one board put together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.kingdomino.kept_board import (
    KeptBoard,
    board_leaf,
    merge_boards,
    place_of_leaf,
    rotated,
)
from companion.games.kingdomino.kind import KeptRules
from companion.store.merging import WHOLE
from scorer.kingdomino import (
    QUESTS,
    BleakKing,
    Kingdom,
    Position,
    Rules,
    RulesError,
    Square,
    TieBreak,
)

SQUARES = st.sampled_from([Square.parse(text) for text in ("w", "w1", "f", "l2", "m3!", "c", ".")])
PLACES = st.tuples(st.integers(0, 3), st.integers(0, 3))
EDITS = st.dictionaries(PLACES, SQUARES, max_size=6)


@st.composite
def boards(draw: st.DrawFn) -> KeptBoard:
    rows = draw(st.lists(st.lists(SQUARES, min_size=4, max_size=4), min_size=4, max_size=4))
    corrected = draw(st.frozensets(PLACES, max_size=4))
    doubtful = draw(st.frozensets(PLACES, max_size=4)) - corrected
    insisted = (
        frozenset(draw(st.sets(st.sampled_from(sorted(corrected))))) if corrected else corrected
    )
    origin = draw(st.tuples(st.integers(-2, 2), st.integers(-2, 2)))
    kingdom = Kingdom(tuple(map(tuple, rows)))
    return KeptBoard(kingdom, origin, doubtful, corrected, reading="r", insisted=insisted)


def edited(board: KeptBoard, edits: dict[Position, Square]) -> KeptBoard:
    return KeptBoard(
        board.kingdom.replace(edits),
        board.origin,
        board.doubtful - edits.keys(),
        board.corrected | edits.keys(),
        board.frame,
        board.reading,
        board.insisted - edits.keys(),
    )


@given(boards())
def test_data_gives_the_board_back(board: KeptBoard) -> None:
    assert KeptBoard.from_data(board.to_data()) == board


@given(boards(), EDITS, EDITS)
def test_edits_of_different_squares_are_both_there_in_either_order(
    board: KeptBoard, mine: dict[Position, Square], theirs: dict[Position, Square]
) -> None:
    theirs = {place: square for place, square in theirs.items() if place not in mine}
    base = board.to_data()
    left, right = edited(board, mine).to_data(), edited(board, theirs).to_data()
    both = edited(edited(board, mine), theirs).to_data()
    assert merge_boards(base, left, right).collisions == ()
    assert merge_boards(base, left, right).value == both
    assert merge_boards(base, right, left).value == both


@given(boards(), EDITS, EDITS)
def test_no_square_that_a_person_set_is_lost(
    board: KeptBoard, first: dict[Position, Square], late: dict[Position, Square]
) -> None:
    """Whatever two people set: it is in the kingdom, or named in a collision."""
    base = board.to_data()
    current, sent = edited(board, first), edited(board, late)
    merged = merge_boards(base, current.to_data(), sent.to_data())
    result = KeptBoard.from_data(merged.value)
    told = {each.leaf: (each.kept, each.other) for each in merged.collisions}
    for side, edits in ((current, first), (sent, late)):
        for place in edits:
            leaf = f"{place[0] - board.origin[0]},{place[1] - board.origin[1]}"
            text = str(side.kingdom[place])
            changed = text != str(board.kingdom[place]) or place not in board.corrected
            kept = str(result.kingdom[place]) == text
            assert kept or not changed or text in told.get(leaf, ())


def test_a_square_that_a_person_set_wins_over_the_box() -> None:
    base = {"kingdom": "w f", "reading": "r"}
    by_box = KeptBoard.from_data({"kingdom": "w l", "doubtful": [[0, 1]], "reading": "r"})
    by_hand = KeptBoard.from_data({"kingdom": "w g", "corrected": [[0, 1]], "reading": "r"})
    base = KeptBoard.from_data(base).to_data()
    for current, sent in ((by_box, by_hand), (by_hand, by_box)):
        merged = merge_boards(base, current.to_data(), sent.to_data())
        assert merged.value["kingdom"] == "w g"
        assert merged.collisions == ()


def test_insisting_is_kept_beside_the_other_phone_and_through_turns() -> None:
    base = KeptBoard.from_data({"kingdom": "w f", "corrected": [[0, 1]], "reading": "r"})
    insists = replace(base, insisted=frozenset({(0, 1)}))
    confirmed = replace(base, corrected=frozenset({(0, 0), (0, 1)}))
    turned = rotated(base, 1)
    for other in (confirmed, turned):
        for current, sent in ((insists, other), (other, insists)):
            merged = merge_boards(base.to_data(), current.to_data(), sent.to_data())
            found = KeptBoard.from_data(merged.value)
            assert merged.collisions == ()
            assert [found.kingdom[place] for place in found.insisted] == [Square.parse("f")]
            assert found.corrected == other.corrected
    assert rotated(insists, 4) == insists


def test_a_row_added_above_moves_nobodys_square() -> None:
    base = KeptBoard.from_data({"kingdom": "w f"}).to_data()
    taller = KeptBoard.from_data(
        {"kingdom": "m ./w f", "origin": [1, 0], "corrected": [[0, 0]]}
    ).to_data()
    set_right = KeptBoard.from_data({"kingdom": "w g", "corrected": [[0, 1]]}).to_data()
    for current, sent in ((taller, set_right), (set_right, taller)):
        merged = merge_boards(base, current, sent)
        assert (merged.value["kingdom"], merged.collisions) == ("m ./w g", ())
        assert merged.value["origin"] == [1, 0]


def test_a_square_set_in_a_row_that_was_trimmed_brings_it_back() -> None:
    base = KeptBoard.from_data({"kingdom": "w f/. ."}).to_data()
    trimmed = KeptBoard.from_data({"kingdom": "w f"}).to_data()
    set_below = KeptBoard.from_data({"kingdom": "w f/l .", "corrected": [[1, 0]]}).to_data()
    assert merge_boards(base, trimmed, set_below).value["kingdom"] == "w f/l ."


@given(boards(), EDITS, EDITS, st.integers(0, 3), st.integers(0, 3))
def test_turning_and_painting_at_once_are_both_there(
    board: KeptBoard,
    mine: dict[Position, Square],
    theirs: dict[Position, Square],
    one: int,
    other: int,
) -> None:
    """The squares of both, in either order; the same turn by both of them is one."""
    theirs = {place: square for place, square in theirs.items() if place not in mine}
    left = rotated(edited(board, mine), one).to_data()
    right = rotated(edited(board, theirs), other).to_data()
    both = edited(edited(board, mine), theirs)
    wanted = rotated(both, one if one == other else one + other).to_data()
    for current, sent in ((left, right), (right, left)):
        merged = merge_boards(board.to_data(), current, sent)
        assert (merged.value, merged.collisions) == (wanted, ())


def test_a_square_that_two_set_is_asked_about_where_it_lies_after_a_turn() -> None:
    base = KeptBoard.from_data({"kingdom": "w f/. c"})
    mine = rotated(edited(base, {(0, 1): Square.parse("m")}), 1)
    yours = edited(base, {(0, 1): Square.parse("g")})
    merged = merge_boards(base.to_data(), mine.to_data(), yours.to_data())
    (collision,) = merged.collisions
    assert (collision.leaf, collision.kept, collision.other) == ("0,1", "m", "g")
    now = KeptBoard.from_data(merged.value)
    assert str(now.kingdom) == ". w/c m"
    assert place_of_leaf(now, collision.leaf) == (1, 1)
    assert place_of_leaf(now, "7,7") is None
    assert board_leaf(merged.value, collision.leaf) == "m"


def test_another_reading_or_an_unknown_frame_collides_as_a_whole() -> None:
    base = KeptBoard.from_data({"kingdom": "w f"}).to_data()
    painted = KeptBoard.from_data({"kingdom": "w g", "corrected": [[0, 1]]}).to_data()
    for other in ({"frame": "turned"}, {"reading": "another"}):
        changed = KeptBoard.from_data({"kingdom": "w/f", **other}).to_data()
        merged = merge_boards(base, changed, painted)
        assert merged.value == changed
        assert [(c.leaf, c.other) for c in merged.collisions] == [(WHOLE, painted)]


def test_leaves_are_counted_from_the_origin() -> None:
    data = KeptBoard.from_data({"kingdom": "m ./w f", "origin": [1, 0]}).to_data()
    assert board_leaf(data, "0,1") == "f"
    assert board_leaf(data, "-1,0") == "m"
    assert board_leaf(data, "5,5") is None
    assert board_leaf(None, "0,0") is None


@pytest.mark.parametrize(
    "data",
    [
        {"kingdom": "w", "origin": [0]},
        {"kingdom": "w", "origin": [True, 0]},
        {"kingdom": "w", "corrected": [[0, 1]]},
        {"kingdom": "w", "corrected": {}},
        {"kingdom": "w", "insisted": [[0, 0]]},
        {"kingdom": "w", "frame": 3},
        {"kingdom": "w", "reading": 3},
        {"kingdom": " ".join(["w"] * 21)},
        {},
        [],
    ],
)
def test_other_data_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        KeptBoard.from_data(data)


@given(
    dynasty=st.booleans(),
    quests=st.lists(st.sampled_from(QUESTS), max_size=2, unique=True),
    giants=st.booleans(),
    tie_break=st.sampled_from(TieBreak),
    bleak_king=st.sampled_from(BleakKing),
    duel=st.booleans(),
)
def test_data_gives_the_rules_back(
    dynasty: bool,
    quests: list[object],
    giants: bool,
    tie_break: TieBreak,
    bleak_king: BleakKing,
    duel: bool,
) -> None:
    rules = Rules(
        age_of_giants=giants,
        quests=tuple(quests),  # type: ignore[arg-type]  # hypothesis can't say it
        tie_break=tie_break,
        bleak_king=bleak_king,
        mighty_duel=duel,
        size=7 if duel else None,
    )
    kept = KeptRules(rules, dynasty)
    assert KeptRules.from_data(kept.to_data()) == kept
    assert list(kept.games) == ([1, 2, 3] if dynasty else [1])


def test_nothing_said_is_the_plain_game() -> None:
    assert KeptRules.from_data(None) == KeptRules.from_data({}) == KeptRules()


@pytest.mark.parametrize(
    "data",
    [
        {"tie_break": "coin"},
        {"quests": "harmony"},
        {"quests": [1]},
        {"size": True},
        {"size": 6},
        {"unknown": 1},
        {"harmony": True, "quests": ["harmony"]},
        [],
    ],
)
def test_rules_that_make_no_sense_are_refused(data: object) -> None:
    with pytest.raises(RulesError):
        KeptRules.from_data(data)
