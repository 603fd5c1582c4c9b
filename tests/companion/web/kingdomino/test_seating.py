from __future__ import annotations

from companion.games.kingdomino.kind import KeptBoard
from companion.games.kingdomino.table import Placement, Seat, placements
from companion.store import Player
from scorer.kingdomino import Kingdom

BOARD = KeptBoard(Kingdom.parse("w1 c w"))


def seat(number: int, colour: str | None = None, *, filled: bool = False) -> Seat:
    board = BOARD if filled else None
    return Seat(Player(number, f"Player {number}", colour), 1, board, 1, None, None)


def test_one_kingdom_fills_the_seat_it_was_taken_for_whatever_its_colour() -> None:
    seats = [seat(0, "pink", filled=True), seat(1, "blue")]
    assert placements(seats, [("a", "green")], 0) == [Placement("a", 0)]


def test_where_nobody_sits_each_kingdom_makes_a_player() -> None:
    assert placements([], [("a", "pink"), ("b", None)], None) == [Placement("a"), Placement("b")]


def test_several_go_by_colour_and_the_rest_is_asked() -> None:
    seats = [seat(0, "pink"), seat(1), seat(2)]
    found = placements(seats, [("a", None), ("b", "pink"), ("c", "blue")], None)
    assert found == [Placement("a", ask=True), Placement("b", 0), Placement("c", ask=True)]


def test_the_last_one_goes_to_the_last_empty_seat() -> None:
    seats = [seat(0, "pink"), seat(1)]
    assert placements(seats, [("a", None), ("b", "pink")], None) == [
        Placement("a", 1),
        Placement("b", 0),
    ]


def test_a_kingdom_that_is_there_is_never_replaced_by_one_of_several() -> None:
    seats = [seat(0, "pink", filled=True), seat(1, "blue")]
    found = placements(seats, [("a", "pink"), ("b", "blue")], 1)
    assert found == [Placement("a", ask=True), Placement("b", 1)]


def test_another_colour_at_a_full_table_is_another_player() -> None:
    seats = [seat(0, "pink", filled=True)]
    assert placements(seats, [("a", "blue")], None) == [Placement("a")]
    assert placements(seats, [("a", "pink")], None) == [Placement("a", ask=True)]


def test_two_castles_of_one_colour_are_asked() -> None:
    seats = [seat(0, "pink"), seat(1), seat(2)]
    found = placements(seats, [("a", "pink"), ("b", "pink")], None)
    assert found == [Placement("a", 0), Placement("b", ask=True)]
