"""Squares that lie apart from a kingdom but on its grid are asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.kingdomino.laid import Places, block, laid_apart
from vision.kingdomino.apart import ApartSettings, find_squares_apart

SETTINGS = ApartSettings()
KINGDOM = block(3, 3)
CASTLE = {(1, 1): "c"}


def asked(
    places: Places, labels: dict[tuple[int, int], str], *, hidden: bool = False
) -> dict[tuple[int, int], str]:
    detections, (kingdom, other) = laid_apart((KINGDOM, CASTLE), (places, labels))
    return find_squares_apart(detections, kingdom, [other], {(0, 3)} if hidden else set(), SETTINGS)


def moved(places: Places, down: float = 0.0, right: float = 0.0) -> Places:
    return {cell: (r + down, c + right) for cell, (r, c) in places.items()}


THREE = block(3, 1, left=4)


def test_three_squares_a_step_away_on_the_grid_may_belong_to_it() -> None:
    assert asked(THREE, {(1, 4): "f1"}) == {(0, 4): "w", (1, 4): "f1", (2, 4): "w"}


@pytest.mark.parametrize(("off", "count"), [(0.29, 3), (0.31, 0)])
def test_what_lies_off_the_grid_does_not(off: float, count: int) -> None:
    assert len(asked(moved(THREE, down=off), {})) == count
    assert len(asked(moved(THREE, right=off), {})) == count


def test_a_domino_is_asked_about_only_where_something_hides_what_may_hold_it() -> None:
    domino = block(2, 1, left=4)
    assert asked(domino, {}) == {}
    assert len(asked(domino, {}, hidden=True)) == 2
    assert asked(block(1, 1, left=4), {}, hidden=True) == {}


def test_what_lies_farther_away_or_beyond_seven_squares_is_no_part() -> None:
    assert asked(block(3, 1, left=5), {}) == {}
    assert len(asked(block(1, 3, left=4), {})) == 3
    assert asked(block(1, 4, left=4), {}) == {}


def test_empty_cells_of_the_group_are_not_asked_about() -> None:
    assert set(asked(THREE, {(0, 4): "."}, hidden=True)) == {(1, 4), (2, 4)}


def test_a_group_on_the_kingdom_is_no_part() -> None:
    detections, (kingdom, other) = laid_apart((KINGDOM, CASTLE), (block(3, 1, left=2), {}))
    assert find_squares_apart(detections, kingdom, [other], set(), SETTINGS) == {}
    free = replace(kingdom, occupied=kingdom.occupied - {(0, 2), (1, 2), (2, 2)})
    assert len(find_squares_apart(detections, free, [other], set(), SETTINGS)) == 3
