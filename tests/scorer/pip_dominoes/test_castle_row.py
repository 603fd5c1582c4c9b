from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.pip_dominoes import (
    Clearing,
    DominoSet,
    NotationError,
    Removal,
    Row,
    RulesError,
    UprightTile,
    best_clearing,
)
from tests.scorer.pip_dominoes.golden_tables import rows


@st.composite
def some_rows(draw: st.DrawFn, most: int = 7) -> Row:
    tiles = draw(st.lists(st.sampled_from(DominoSet(6).tiles), max_size=most, unique=True))
    turned = draw(st.lists(st.booleans(), min_size=len(tiles), max_size=len(tiles)))
    return Row(
        tuple(
            UprightTile(tile.high, tile.low) if turn else UprightTile(tile.low, tile.high)
            for tile, turn in zip(tiles, turned, strict=True)
        )
    )


def told(row: Row) -> str:
    return ", ".join(
        f"{' '.join(str(position + 1) for position in each.positions)} ({each.option})"
        for each in row.removals
    )


@pytest.mark.parametrize("row", rows("castle_rows"), ids=lambda row: row[0])
def test_golden(row: list[str]) -> None:
    text, removals, tiles, pips = row
    lying = Row.parse(text)
    assert str(lying) == text
    assert told(lying) == removals
    clearing = best_clearing(lying)
    assert (len(clearing.left), clearing.left.pips) == (int(tiles), int(pips))
    assert clearing.is_best


def test_a_removal_closes_the_row_up() -> None:
    row = Row.parse("1|2 5|6 1|3 4|4 1|5")
    assert str(row.without((1,))) == "1|2 1|3 4|4 1|5"
    for positions in ((0,), (4,), (1, 3), ()):
        with pytest.raises(RulesError) as caught:
            row.without(positions)
        assert caught.value.code == "not_removable"
        assert caught.value.details == {"tiles": tuple(position + 1 for position in positions)}


def test_the_solver_tells_each_step() -> None:
    row = Row.parse("1|2 5|6 1|3 4|4 1|5")
    clearing = best_clearing(row)
    left = row
    for removal in clearing.removals:
        left = left.without(removal.positions)
    assert left == clearing.left == Row()
    assert best_clearing(Row.parse("3|5 2|2 5|3")).removals == ()


def test_the_solver_says_when_it_stopped_early() -> None:
    row = Row.parse("6|0 6|1 5|5 6|2 6|3 4|4 6|4 6|5 3|3 6|6")
    assert best_clearing(row).is_best
    short = best_clearing(row, most_rows=5)
    assert not short.is_best
    left = row
    for removal in short.removals:
        left = left.without(removal.positions)
    assert left == short.left


def test_a_tile_is_not_turned() -> None:
    assert not UprightTile.parse("3|5").agrees_with(UprightTile.parse("5|3"))
    assert UprightTile.parse("3|5").tile == UprightTile.parse("5|3").tile
    with pytest.raises(NotationError):
        Row.parse("3|5 x")


def test_a_row_that_can_be_emptied_is_emptied_without_trying_every_way() -> None:
    row = Row.parse(" ".join(f"18|{number}" for number in range(18)))
    assert best_clearing(row, most_rows=100) == Clearing(
        tuple(Removal((left, left + 1, left + 2), 2) for left in range(15, -1, -3)), Row(), True
    )


@given(some_rows())
def test_removals_are_those_found_by_trying_every_group(row: Row) -> None:
    """Every group of one to three tiles, judged by the sentences of the sheet."""
    found = set()
    for count in (1, 2, 3):
        for positions in combinations(range(len(row)), count):
            for left in range(len(row) - 2):
                window = range(left, left + 3)
                one, two, three = row.tiles[left : left + 3]
                same_top = one.top == two.top == three.top
                same_bottom = one.bottom == two.bottom == three.bottom
                if (same_top or same_bottom) and set(positions) <= set(window):
                    found.add(positions)
                between = one.top == three.top or one.bottom == three.bottom
                if between and positions == (left + 1,):
                    found.add(positions)
    assert {removal.positions for removal in row.removals} == found
    assert len(row.removals) == len(found)


@given(some_rows(most=6))
def test_no_other_way_leaves_less(row: Row) -> None:
    def least(current: Row) -> tuple[int, int]:
        ways = [least(current.without(each.positions)) for each in current.removals]
        return min(ways, default=(len(current), current.pips))

    left = best_clearing(row).left
    assert (len(left), left.pips) == least(row)
    assert left.removals == ()


@given(some_rows())
def test_notation_round_trips(row: Row) -> None:
    assert Row.parse(str(row)) == row
    mirrored = Row(tuple(UprightTile(each.bottom, each.top) for each in row.tiles))
    assert mirrored.removals == row.removals


def test_option_two_stands_for_the_tile_between_too() -> None:
    assert Removal((1,), 2) in Row.parse("3|5 3|2 3|1").removals


def test_a_search_cut_short_gives_the_best_row_it_has_met() -> None:
    row = Row.parse("3|5 3|2 3|1")
    assert best_clearing(row, most_rows=1) == Clearing((Removal((0, 1, 2), 2),), Row(), False)
