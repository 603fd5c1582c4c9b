from __future__ import annotations

import pytest

from scorer.pip_dominoes import SETS, DominoSet, RulesError, Tile

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
