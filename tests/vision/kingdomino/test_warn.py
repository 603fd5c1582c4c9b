"""Warnings: what is hidden, and what lies beside a kingdom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.small_grids import SIDE, block, detected_on, grid_of, lattice_at
from vision.kingdomino.cells import CellLooks, Grid, Seen, find_covered
from vision.kingdomino.doubt import HiddenSettings, find_growing_cells, find_hidden_cells
from vision.kingdomino.lattice import Detections, GroundMap
from vision.kingdomino.result import LABELS
from vision.kingdomino.warn import (
    WARNINGS,
    ApartSettings,
    find_beside,
    find_unread_groups,
    sort_codes,
)

SETTINGS = ApartSettings()


KINGDOM = grid_of(lattice_at(block(3, 3), 200, 200))


@pytest.mark.parametrize(
    ("left", "beside", "elsewhere"),
    [(200 + 3.5 * SIDE, {0}, False), (200 + 8 * SIDE, set(), True)],
)
def test_squares_that_became_part_of_no_kingdom_are_told(
    left: float, beside: set[int], elsewhere: bool
) -> None:
    loose = grid_of(lattice_at([(0, 0), (0, 1)], left, 200, first=9))
    found = detected_on(KINGDOM, loose)
    told = find_beside(found, [KINGDOM, loose], [KINGDOM], SETTINGS)
    assert told == (beside, elsewhere)


def test_squares_elsewhere_are_told_though_others_lie_beside() -> None:
    near, far = (
        grid_of(lattice_at([(0, 0), (0, 1)], 200 + away * SIDE, 200, first=first))
        for away, first in ((3.5, 9), (8, 11))
    )
    grids = [KINGDOM, near, far]
    assert find_beside(detected_on(*grids), grids, [KINGDOM], SETTINGS) == ({0}, True)


def test_what_lies_on_the_kingdom_is_no_other_group() -> None:
    top_of_castle = grid_of(lattice_at([(0, 0), (0, 1)], 215, 190, first=9))
    found = detected_on(KINGDOM, top_of_castle)
    assert find_unread_groups(found, [KINGDOM, top_of_castle], [KINGDOM]) == []


@pytest.mark.parametrize(("score", "groups"), [(0.9, 1), (0.5, 0)])
def test_a_single_square_is_told_only_where_it_is_sure(score: float, groups: int) -> None:
    single = grid_of(lattice_at([(0, 0)], 500, 200, first=9))
    found = detected_on(KINGDOM, single)
    found.scores[9] = score
    assert len(find_unread_groups(found, [single], [KINGDOM])) == groups


def test_codes_come_in_one_order() -> None:
    assert sort_codes({"beside", "cut_off"}) == ("cut_off", "beside")
    assert sort_codes(set(WARNINGS)) == WARNINGS


@pytest.mark.parametrize(("left", "numbers"), [(200 + 3.5 * SIDE, {0, 1}), (200 + 8 * SIDE, set())])
def test_a_kingdom_without_a_castle_beside_another_may_be_a_part_of_it(
    left: float, numbers: set[int]
) -> None:
    castle = np.zeros(len(LABELS))
    castle[LABELS.index("c")] = 1.0
    whole = KINGDOM.with_probabilities({(0, 0): castle})
    part = grid_of(lattice_at(block(3, 3), left, 200, first=9))
    told, _ = find_beside(detected_on(whole, part), [whole, part], [whole, part], SETTINGS)
    assert told == numbers


def test_what_lies_beside_a_doubtful_kingdom_is_doubtful_too() -> None:
    castle = np.zeros(len(LABELS))
    castle[LABELS.index("c")] = 1.0
    cells = [(r, c) for r in range(3) for c in range(3)]
    grids = [grid_of(lattice_at(cells, 200 + 3.5 * k * SIDE, 200, first=9 * k)) for k in range(3)]
    grids[:2] = [grid.with_probabilities({(0, 0): castle}) for grid in grids[:2]]
    told, _ = find_beside(detected_on(*grids), grids, grids, SETTINGS)
    assert told == {0, 1, 2}
    grids[2] = grids[2].with_probabilities({(0, 0): castle})
    told, _ = find_beside(detected_on(*grids), grids, grids, SETTINGS)
    assert told == set()


HIDDEN_SIDE = 40
HOLES = {(1, 2), (3, 3)}
OCCUPIED = {(r, c) for r in range(5) for c in range(5)} - HOLES
LATTICE = lattice_at((), 160.0, 160.0, HIDDEN_SIDE)
GRID = Grid(LATTICE, {}, frozenset(OCCUPIED))


def photo(table: tuple[int, int, int] = (150, 140, 120)) -> NDArray[np.uint8]:
    """A table with some grain and red squares on it."""
    rng = np.random.default_rng(0)
    picture = np.full((520, 520, 3), table, np.float32) + rng.normal(0, 6, (520, 520, 1))
    for r, c in OCCUPIED:
        painted(picture, (r, c), (200, 60, 40))
    return np.clip(picture, 0, 255).astype(np.uint8)


def painted(
    picture: NDArray[np.floating] | NDArray[np.uint8], cell: Position, colour: tuple[int, int, int]
) -> None:
    top, left = 160 + HIDDEN_SIDE * cell[0], 160 + HIDDEN_SIDE * cell[1]
    picture[top : top + HIDDEN_SIDE, left : left + HIDDEN_SIDE] = colour


def test_a_hole_that_shows_the_table_is_not_hidden() -> None:
    assert find_hidden_cells(CellLooks(photo()), LATTICE, GRID, HiddenSettings()) == set()


def test_a_hole_that_shows_something_else_is() -> None:
    picture = photo()
    painted(picture, (1, 2), (225, 180, 150))
    assert find_hidden_cells(CellLooks(picture), LATTICE, GRID, HiddenSettings()) == {(1, 2)}


def test_an_arm_over_the_table_does_not_make_a_hand_look_like_the_table() -> None:
    picture = photo()
    painted(picture, (1, 2), (225, 180, 150))
    for column in (5, 6):
        painted(picture, (1, column), (225, 180, 150))
    assert find_hidden_cells(CellLooks(picture), LATTICE, GRID, HiddenSettings()) == {(1, 2)}


def test_a_chequered_table_hides_nothing() -> None:
    picture = photo()
    for r in range(-3, 8):
        for c in range(-3, 8):
            if (r, c) not in OCCUPIED and (r + c) % 2:
                painted(picture, (r, c), (60, 60, 70))
    assert find_hidden_cells(CellLooks(picture), LATTICE, GRID, HiddenSettings()) == set()


def test_where_no_table_is_seen_nobody_can_say() -> None:
    picture = photo()[160 : 160 + 5 * HIDDEN_SIDE, 160 : 160 + 5 * HIDDEN_SIDE]
    painted(picture, (1, 2), (225, 180, 150))
    lattice = lattice_at((), side=HIDDEN_SIDE)
    grid = Grid(lattice, {}, frozenset(OCCUPIED))
    looks = CellLooks(np.ascontiguousarray(picture))
    assert find_hidden_cells(looks, lattice, grid, HiddenSettings()) == set()


def test_what_the_locator_takes_for_a_thing_is_hidden_in_the_kingdom_and_beside_it() -> None:
    things = {(1, 2): 0.9, (3, 3): 0.4, (-1, 2): 0.8, (-2, 2): 0.8, (2, 2): 0.7}
    bare = np.eye(len(LABELS))[0]
    grid = replace(GRID, seen={cell: Seen(bare, things=share) for cell, share in things.items()})
    found = find_hidden_cells(CellLooks(photo()), LATTICE, grid, HiddenSettings())
    assert found == {(1, 2), (-1, 2), (2, 2)}


@pytest.mark.parametrize(
    ("row", "holes", "is_told"),
    [(5, 5, True), (6, 5, False), (5, 4, False)],
    ids=["beside it", "farther off", "beside a full one"],
)
def test_a_thing_beside_a_kingdom_is_told_where_it_may_go_on(
    row: int, holes: int, is_told: bool
) -> None:
    # A strip along one row of cells, four pixels a value.
    things = np.zeros((2, 130, 130), np.float32)
    top = 40 + HIDDEN_SIDE // 4 * row
    things[1, top : top + HIDDEN_SIDE // 4, 40:90] = 1.0
    ground = GroundMap(things, np.array([4.0, 4.0]), np.zeros(2))
    found = Detections(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros(0), np.zeros((0, 9)), ground)
    occupied = [*block(5, 5)][holes - 1 : -1]
    assert bool(find_covered(found, LATTICE, find_growing_cells(occupied))) == is_told
