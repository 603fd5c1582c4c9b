"""Tiles, sets and hands."""

from __future__ import annotations

import pytest

from scorer.pip_dominoes import (
    DOUBLE_BLANK,
    HIGHEST_PIPS,
    SETS,
    DominoSet,
    Hand,
    NotationError,
    RulesError,
    Tile,
    hand_problems,
)

TABLE = [(6, 28, 168), (9, 55, 495), (12, 91, 1092), (15, 136, 2040), (18, 190, 3420)]
"""Set, tiles and pips, from the table of the rules, "Common facts"."""


def test_every_set_is_in_the_table() -> None:
    assert tuple(highest for highest, _, _ in TABLE) == SETS


@pytest.mark.parametrize(("highest", "size", "pips"), TABLE)
def test_tiles_and_pips(highest: int, size: int, pips: int) -> None:
    domino_set = DominoSet(highest)
    assert (domino_set.size, domino_set.pips) == (size, pips)
    assert len(set(domino_set.tiles)) == len(domino_set.tiles) == size
    assert sum(tile.pips for tile in domino_set.tiles) == pips
    assert domino_set.tiles[-1] == Tile(highest, highest)


def test_doubles_from_the_highest() -> None:
    assert [str(tile) for tile in DominoSet(6).doubles] == [
        "6|6",
        "5|5",
        "4|4",
        "3|3",
        "2|2",
        "1|1",
        "0|0",
    ]


def test_membership() -> None:
    assert Tile(0, 9) in DominoSet(9)
    assert Tile(0, 10) not in DominoSet(9)


@pytest.mark.parametrize(("number", "highest"), [(0, 6), (6, 6), (7, 9), (12, 12), (18, 18)])
def test_the_smallest_set_that_has_a_number(number: int, highest: int) -> None:
    assert DominoSet.holding(number) == DominoSet(highest)


@pytest.mark.parametrize("highest", [0, 7, 21])
def test_other_sets_are_refused(highest: int) -> None:
    with pytest.raises(RulesError) as caught:
        DominoSet(highest)
    assert (caught.value.code, caught.value.details) == ("unknown_set", {"set": highest})


def test_no_set_has_nineteen() -> None:
    with pytest.raises(RulesError):
        DominoSet.holding(19)


def test_a_set_is_named_by_its_highest_half() -> None:
    assert [str(DominoSet(highest)) for highest in SETS] == ["6", "9", "12", "15", "18"]


def found(highest: int, double: str | None, **hands: str) -> list[tuple[str, tuple[str, ...], str]]:
    problems = hand_problems(
        {name: Hand.parse(text) for name, text in hands.items()},
        DominoSet(highest),
        Tile.parse(double) if double else None,
    )
    return [(each.code, each.players, str(each.tile)) for each in problems]


def test_a_hand_keeps_its_order() -> None:
    hand = Hand.parse("10|11  0|0 3|12")
    assert str(hand) == "10|11 0|0 3|12"
    assert len(hand) == 3
    assert hand.pips == 36
    assert hand.has_double_blank
    assert Tile(0, 0) in hand
    assert not Hand.parse("0|1").has_double_blank
    assert (len(Hand()), Hand().pips, str(Hand())) == (0, 0, "")


def test_a_tile_exists_once() -> None:
    with pytest.raises(RulesError) as caught:
        Hand.parse("4|5 5|4")
    assert (caught.value.code, caught.value.details) == ("tile_twice", {"tile": "4|5"})


def test_a_tile_leaves_the_hand() -> None:
    assert Hand.parse("1|2 3|4").without(Tile(1, 2)) == Hand.parse("3|4")
    with pytest.raises(RulesError) as caught:
        Hand.parse("1|2").without(Tile(3, 4))
    assert caught.value.code == "not_in_hand"


def test_hands_with_nothing_odd() -> None:
    assert found(12, "12|12", Anna="10|11 0|0", Ben="", Cleo="11|12") == []


def test_tiles_that_can_not_be_there() -> None:
    assert found(9, "9|9", Anna="9|10") == [("outside_set", ("Anna",), "9|10")]
    assert found(9, "9|9", Anna="9|9 1|2") == [("starting_double_in_hand", ("Anna",), "9|9")]
    assert found(9, "0|0", Anna="0|0") == [("starting_double_in_hand", ("Anna",), "0|0")]
    assert found(9, "9|9", Anna="1|2", Ben="3|4", Cleo="2|1") == [
        ("in_two_hands", ("Anna", "Cleo"), "1|2")
    ]


def test_more_tiles_than_there_are() -> None:
    everything = " ".join(map(str, DominoSet(6).tiles))
    assert found(6, None, Anna=everything) == []
    assert found(6, "6|6", Anna=everything) == [
        ("starting_double_in_hand", ("Anna",), "6|6"),
        ("too_many_tiles", ("Anna",), "None"),
    ]


def test_both_ways_to_hold_a_domino_are_one_tile() -> None:
    assert Tile.of(9, 5) == Tile.of(5, 9) == Tile.parse("9|5") == Tile.parse(" 5-9 ")
    assert hash(Tile.parse("9|5")) == hash(Tile.parse("5|9"))
    assert str(Tile.parse("9|5")) == "5|9"


def test_pips_and_doubles() -> None:
    assert Tile(10, 11).pips == 21
    assert Tile(7, 7).is_double
    assert not Tile(6, 7).is_double
    assert Tile.parse("0|0") == DOUBLE_BLANK
    assert DOUBLE_BLANK.pips == 0


def test_the_half_beside_another() -> None:
    tile = Tile(3, 6)
    assert (tile.beside(3), tile.beside(6)) == (6, 3)
    assert Tile(4, 4).beside(4) == 4
    assert tile.has(3)
    assert tile.has(6)
    assert not tile.has(4)
    with pytest.raises(ValueError, match=r"expected a half of 3\|6, got 4"):
        tile.beside(4)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "5|",
        "|9",
        "5|9|1",
        "5 | 9",
        "5/9",
        "a|b",
        "19|0",
        "0|19",
        "005|9",
        "-1|3",
        "5||9",
        "٥|٩",
    ],
)
def test_texts_that_are_no_tile(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Tile.parse(text)
    assert (caught.value.code, caught.value.details) == ("bad_tile", {"text": text})


@pytest.mark.parametrize(("low", "high"), [(6, 5), (-1, 0), (0, HIGHEST_PIPS + 1)])
def test_halves_that_are_none(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="expected 0 <= low <= high"):
        Tile(low, high)


def test_the_highest_tile_of_all() -> None:
    assert Tile.parse("18|18").pips == 36
