"""Which groups of squares are worth a look, and which of them are kingdoms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.kingdomino import Position
from tests.vision.kingdomino.observed import sure_of
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.detect.search import GROUNDS
from vision.kingdomino.kingdoms.choose import (
    ChooseSettings,
    choose_kingdoms,
    lies_on,
    select_lattices,
)

SETTINGS = ChooseSettings()


def flat_lattice(left: float, top: float, side: float, rows: int, columns: int) -> Lattice:
    homography = np.array([[side, 0, left], [0, side, top], [0, 0, 1.0]])
    members = {(r, c): r * columns + c for r in range(rows) for c in range(columns)}
    return Lattice(homography, members, 0.0)


def detections(castles: list[float]) -> Detections:
    """Detections that differ in the probability of a castle only."""
    count = len(castles)
    grounds = np.zeros((count, len(GROUNDS)))
    grounds[:, GROUNDS.index("c")] = castles
    return Detections(np.zeros((count, 2)), np.zeros((count, 2, 2)), np.ones(count), grounds)


def numbered(lattice: Lattice, first: int) -> Lattice:
    members = {place: first + k for k, place in enumerate(lattice.members)}
    return replace(lattice, members=members)


def test_a_lattice_on_top_of_another_is_told_from_one_beside_it() -> None:
    kingdom = flat_lattice(100, 100, 50, 5, 5)
    top_of_castle = flat_lattice(210, 190, 52, 1, 1)
    neighbour = flat_lattice(330, 160, 50, 1, 2)
    assert lies_on(top_of_castle, top_of_castle.members, kingdom, kingdom.members)
    assert not lies_on(neighbour, neighbour.members, kingdom, kingdom.members)
    assert not lies_on(kingdom, kingdom.members, top_of_castle, top_of_castle.members)


def test_half_of_the_squares_is_not_most_of_them() -> None:
    kingdom = flat_lattice(0, 0, 50, 1, 2)
    assert not lies_on(flat_lattice(50, 0, 50, 1, 2), [(0, 0), (0, 1)], kingdom, kingdom.members)
    three = [(0, 0), (0, 1), (0, 2)]
    assert lies_on(flat_lattice(0, 0, 50, 1, 3), three, kingdom, kingdom.members)


@pytest.mark.parametrize(
    ("squares", "castle", "kept"),
    [(2, 0.0, True), (1, 0.0, False), (1, 0.05, True), (1, 0.049, False)],
)
def test_a_single_square_is_read_only_with_a_hint_of_a_castle(
    squares: int, castle: float, kept: bool
) -> None:
    first = flat_lattice(0, 0, 50, 3, 3)
    other = numbered(flat_lattice(500, 0, 50, 1, squares), 9)
    found = detections([0.0] * 9 + [castle] + [0.0] * (squares - 1))
    expected = [first, other] if kept else [first]
    assert select_lattices(found, [first, other], SETTINGS) == expected


def test_only_the_ground_of_a_castle_hints_at_one() -> None:
    first, single = flat_lattice(0, 0, 50, 3, 3), numbered(flat_lattice(500, 0, 50, 1, 1), 9)
    found = detections([0.0] * 10)
    for ground in range(len(GROUNDS)):
        found.grounds[:] = 0.0
        found.grounds[9, ground] = 1.0
        kept = select_lattices(found, [first, single], SETTINGS)
        assert len(kept) == (2 if GROUNDS[ground] == "c" else 1)


def test_the_largest_group_is_always_read() -> None:
    only = flat_lattice(0, 0, 50, 1, 1)
    assert select_lattices(detections([0.0]), [only], SETTINGS) == [only]


def test_a_group_that_lies_on_a_larger_one_is_not_read() -> None:
    first = flat_lattice(0, 0, 50, 3, 3)
    on_it = numbered(flat_lattice(5, 5, 50, 2, 2), 9)
    assert select_lattices(detections([1.0] * 13), [first, on_it], SETTINGS) == [first]


def grid(rows: int, columns: int, castle: bool, left: float = 0.0) -> Grid:
    places: list[Position] = [(r, c) for r in range(rows) for c in range(columns)]
    found = {place: sure_of("w") for place in places}
    if castle:
        found[0, 0] = sure_of("c")
    lattice = flat_lattice(left, 0, 50, rows, columns)
    return Grid(lattice, found, {}, frozenset(places), dict.fromkeys(places, 0.9))


@pytest.mark.parametrize(("columns", "chosen"), [(3, 0), (4, 1)])
def test_without_any_castle_four_squares_are_a_kingdom(columns: int, chosen: int) -> None:
    assert len(choose_kingdoms([grid(1, columns, castle=False)], SETTINGS)) == chosen


@pytest.mark.parametrize(("columns", "chosen"), [(8, 1), (9, 2)])
def test_beside_a_castle_it_takes_nine_squares(columns: int, chosen: int) -> None:
    kingdom, other = grid(1, 3, castle=True), grid(1, columns, castle=False, left=1000)
    assert len(choose_kingdoms([kingdom, other], SETTINGS)) == chosen


def test_a_castle_makes_the_smallest_group_a_kingdom_and_the_largest_goes_first() -> None:
    small, large = grid(1, 1, castle=True), grid(3, 3, castle=True, left=1000)
    assert choose_kingdoms([small, large], SETTINGS) == [large, small]


def test_one_kingdom_lies_on_a_place_once() -> None:
    large, same = grid(3, 3, castle=True), grid(2, 2, castle=True, left=5)
    assert choose_kingdoms([same, large], SETTINGS) == [large]


def test_an_empty_grid_is_no_kingdom() -> None:
    nothing = replace(grid(1, 4, castle=False), occupied=frozenset())
    assert choose_kingdoms([nothing], SETTINGS) == []


@pytest.mark.parametrize(("columns", "chosen"), [(4, 1), (5, 2)])
def test_the_castle_of_five_squares_is_looked_for(columns: int, chosen: int) -> None:
    kingdom, other = grid(3, 3, castle=True), grid(1, columns, castle=False, left=500)
    assert len(choose_kingdoms([kingdom, other], SETTINGS, to_grow=True)) == chosen
    assert len(choose_kingdoms([kingdom, other], SETTINGS)) == 1
