"""What boards show: evidence and decisions; three stories in which a third player lost points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest

from companion.games.kingdomino.kept_board import KeptBoard, rotated
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.shown import ShownBoard, shown_boards
from scorer.kingdomino import Position, Square, score
from tests.companion.games.kingdomino.seen import seen_as
from tests.scorer.kingdomino.random_games import play
from vision.kingdomino.result import KingdomReading

# Three finished kingdoms of one game.
KINGDOMS = dict(zip(("anna", "ben", "cleo"), play(Random(3), 3), strict=True))
READINGS = {key: seen_as(str(kingdom)) for key, kingdom in KINGDOMS.items()}
KEPT = {key: KeptReading(reading) for key, reading in READINGS.items()}
BOARDS = {key: KeptBoard.of_reading(each, key) for key, each in READINGS.items()}


def with_squares(board: KeptBoard, squares: Mapping[Position, str]) -> KeptBoard:
    set_now = {place: Square.parse(label) for place, label in squares.items()}
    return replace(
        board,
        kingdom=board.kingdom.replace(set_now),
        corrected=board.corrected | frozenset(squares),
    )


def shown(boards: Mapping[str, KeptBoard]) -> dict[str, ShownBoard]:
    return shown_boards(boards, KEPT)


def points(found: Mapping[str, ShownBoard]) -> dict[str, int]:
    return {key: score(one.board.kingdom).points for key, one in found.items()}


def places(key: str, wanted: Callable[[Square], bool]) -> list[Position]:
    return [place for place, square in KINGDOMS[key].items() if wanted(square)]


def test_a_slip_of_the_brush_changes_nobody_else_and_is_taken_back_whole() -> None:
    before = shown(BOARDS)
    assert not any(one.offers for one in before.values())
    row = [(1, column) for column in range(5)]
    after = shown({**BOARDS, "anna": with_squares(BOARDS["anna"], dict.fromkeys(row, "l1"))})
    for key in ("ben", "cleo"):
        assert after[key].board == before[key].board
    assert [str(after["anna"].board.kingdom[place]) for place in row] == ["l1"] * 5
    assert any(one.asked for one in after.values())
    assert shown(BOARDS) == before


def test_giants_take_points_from_nobody_else() -> None:
    before = shown(BOARDS)
    crowned = places("ben", lambda square: square.crowns > 0)[:2]
    giants = {place: f"{KINGDOMS['ben'][place]}!" for place in crowned}
    after = shown({**BOARDS, "ben": with_squares(BOARDS["ben"], giants)})
    assert points(after)["ben"] < points(before)["ben"]
    assert {**points(after), "ben": 0} == {**points(before), "ben": 0}
    assert not any(one.offers for one in after.values())


def test_confirmed_empty_squares_take_points_from_nobody() -> None:
    before = shown(BOARDS)
    for key in BOARDS:
        empty = dict.fromkeys(places(key, lambda square: square.is_empty), ".")
        after = shown({**BOARDS, key: with_squares(BOARDS[key], empty)})
        assert points(after) == points(before)
        assert not any(one.offers for one in after.values())


FIRST = seen_as("c w m1", {(0, 2): {"m1": 0.5, "m3": 0.5}})
SECOND = seen_as("c w m3", sure=0.97)


def two(first: KeptBoard, second: KeptBoard, *readings: KingdomReading) -> dict[str, ShownBoard]:
    kept = {"a": KeptReading(readings[0]), "b": KeptReading(readings[1])}
    return shown_boards({"first": first, "second": second}, kept)


@pytest.mark.parametrize("turns", range(4))
def test_both_places_are_asked_about_however_a_board_is_turned(turns: int) -> None:
    """There is one domino with three crowns: either the one or the other."""
    first = with_squares(KeptBoard.of_reading(FIRST, "a"), {(0, 2): "m3"})
    second = rotated(KeptBoard.of_reading(SECOND, "b"), turns)
    (mine,) = [place for place, square in second.kingdom.items() if str(square) == "m3"]
    found = two(first, second, FIRST, SECOND)
    assert found["second"].board == second
    assert mine in found["second"].asked
    assert found["second"].offers[mine][0] == found["second"].asked[mine]
    assert found["first"].asked == {(0, 2): Square.parse("m1")}
    answered = with_squares(second, {mine: "m3"})
    assert mine not in two(first, answered, FIRST, SECOND)["second"].offers


def test_a_doubt_offers_what_was_read_and_what_it_may_be() -> None:
    board = KeptBoard.of_reading(FIRST, "a")
    found = shown_boards({"first": board}, {"a": KeptReading(FIRST)})["first"]
    assert found.offers == {(0, 2): (Square.parse("m3"),)}
    assert not shown_boards(
        {"first": with_squares(board, {(0, 2): "m3"})}, {"a": KeptReading(FIRST)}
    )["first"].offers


def test_a_doubt_of_a_board_whose_reading_is_gone_may_be_anything() -> None:
    board = replace(KeptBoard.of_reading(FIRST), doubtful=frozenset({(0, 1)}))
    (offers,) = shown_boards({"first": board}, {})["first"].offers.values()
    assert len(offers) > 15


def test_the_same_boards_are_asked_about_by_the_box_that_is_played() -> None:
    """Forest with a crown lies beside wheat with two in Age of Giants, and beside none without."""
    reading = seen_as("c f w1", {(0, 2): {"w1": 0.6, "w2": 0.4}})
    boards = {"first": with_squares(KeptBoard.of_reading(reading, "a"), {(0, 1): "f1"})}
    kept, two_crowns = {"a": KeptReading(reading)}, {(0, 2): Square.parse("w2")}
    for giants in (False, True, False):
        asked = shown_boards(boards, kept, giants=giants)["first"].asked
        assert (asked == two_crowns) is giants
