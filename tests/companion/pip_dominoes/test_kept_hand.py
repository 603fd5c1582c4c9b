"""Hands as plain data: out and in again, what is in doubt, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.pip_dominoes.kept import KeptHand, KeptTile
from scorer.pip_dominoes import Hand, Tile

HANDS = [
    KeptHand(),
    KeptHand(counted=0),
    KeptHand(counted=37, double_blank=True),
    KeptHand(counted=37, reading="r1"),
    KeptHand.of_tiles([Tile(5, 9), Tile(0, 0)]),
    KeptHand.of_tiles([]).confirmed(),
    KeptHand((KeptTile(Tile(3, 3), 0),), reading="r1", incomplete=True),
    KeptHand((KeptTile(Tile(5, 9), 1, True), KeptTile(Tile(3, 4))), reading="r1"),
]


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_a_hand_comes_back_from_its_data(hand: KeptHand) -> None:
    assert KeptHand.from_data(hand.to_data()) == hand


def test_what_is_left() -> None:
    assert [each.left for each in HANDS[:5]] == [Hand(), 0, 87, 37, Hand.parse("5|9 0|0")]


def test_a_hand_that_may_miss_a_domino_is_not_settled() -> None:
    hand = KeptHand((KeptTile(Tile(5, 9), 0, True),), reading="r1", incomplete=True)
    assert (hand.checks, hand.is_settled) == (2, False)
    assert hand.confirmed().is_settled


def test_doubts_are_doubtful_tiles_and_those_that_are_twice() -> None:
    five_nine = Tile(5, 9)
    hand = KeptHand((KeptTile(five_nine), KeptTile(Tile(1, 2), 0, True), KeptTile(five_nine)))
    assert hand.doubts == (0, 1, 2)
    assert hand.confirmed().doubts == (0, 2)
    assert hand.left == Hand.parse("5|9 1|2")


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"tiles": 5},
        {"tiles": "5|x"},
        {"tiles": "5|9", "places": []},
        {"tiles": "5|9", "places": [-1]},
        {"tiles": "5|9", "doubtful": [1]},
        {"tiles": "5|9", "reading": ""},
        {"tiles": "5|9", "colour": "red"},
        {"counted": 12.5},
        {"counted": -1},
        {"counted": 10_000},
        {"counted": 5, "tiles": "5|9", "reading": "r"},
    ],
    ids=str,
)
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message is for programmers
        KeptHand.from_data(data)
