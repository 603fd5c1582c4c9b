from __future__ import annotations

import pytest

from scorer.pip_dominoes import DominoSet, Hand, RulesError, Tile, hand_problems


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
