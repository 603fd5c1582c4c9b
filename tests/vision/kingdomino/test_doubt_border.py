"""What lies beyond the edge of the picture is unknown; what it cuts is compared with the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.small_grids import block, lattice_at
from vision.common.network import shipped_weights
from vision.kingdomino.cells import Grid
from vision.kingdomino.doubt import find_cut_off, measure_border
from vision.kingdomino.lattice import GroundMap
from vision.kingdomino.weights import BorderCell, BorderModel

Image = NDArray[np.uint8]

MODEL = BorderModel.load(shipped_weights() / "border.json")
GROUND = GroundMap(np.zeros((2, 1, 1), np.float32), np.array([4.0, 4.0]), np.zeros(2))
SIZE = 800, 800
SIDE = 60
TABLE, SQUARES = (120, 90, 60), (40, 140, 60)


def cell_at(cell: Position, goes_on: bool | None) -> BorderCell:
    """A cell that looks like a square, like the table, or like nothing that can be told."""
    if goes_on is None:
        return BorderCell(cell, (0, -1), np.nan, np.nan, np.nan)
    return BorderCell(cell, (0, -1), 40.0 if goes_on else 1.0, 1.0, 0.6 if goes_on else 0.95)


@pytest.mark.parametrize(
    ("left", "rows", "columns", "cut_off"),
    [
        (200.0, 4, 4, False),
        (0.0, 4, 4, True),  # a fifth column may lie to the left
        (0.0, 4, 5, False),  # as wide as kingdoms are
        (0.0, 6, 5, True),  # but not those of a large game
        (0.0, 7, 7, False),
        (50.0, 4, 4, False),  # most of the next place is in the picture
        (20.0, 4, 4, True),
    ],
)
def test_what_cannot_be_seen_may_be_a_square(
    left: float, rows: int, columns: int, cut_off: bool
) -> None:
    occupied = block(rows, columns)
    assert bool(find_cut_off([], lattice_at((), left, 100), occupied, SIZE, MODEL)) == cut_off


@pytest.mark.parametrize(("goes_on", "told"), [(True, 4), (False, 0), (None, 4)])
def test_what_is_seen_of_the_next_row_tells_whether_there_is_one(
    goes_on: bool | None, told: int
) -> None:
    border = [cell_at((row, -1), goes_on) for row in range(4)]
    found = find_cut_off(border, lattice_at((), 20, 100), block(4, 4), SIZE, MODEL)
    assert sum(0 <= row < 4 for row, _ in found) == told
    assert all(column == -1 for _, column in found)


def test_a_single_domino_beyond_the_edge_is_told_beside_bare_table() -> None:
    border = [cell_at((row, -1), row == 2) for row in range(4)]
    found = find_cut_off(border, lattice_at((), 20, 100), block(4, 4), SIZE, MODEL)
    assert found.keys() & {(row, -1) for row in range(4)} == {(2, -1)}


@pytest.mark.parametrize(
    ("holes", "goes_on", "cut_off"),
    [(5, True, True), (5, False, False), (5, None, False), (4, True, False)],
)
def test_a_kingdom_with_many_holes_may_be_a_large_one(
    holes: int, goes_on: bool | None, cut_off: bool
) -> None:
    occupied = set(block(5, 5)) - {*[(1, 4), (2, 4), (3, 4), (4, 4), (4, 3)][:holes]}
    border = [cell_at((row, -1), goes_on) for row in range(5)]
    found = find_cut_off(border, lattice_at((), 25, 100), occupied, SIZE, MODEL)
    assert bool(found) == cut_off


def table_with_kingdom(left: float, columns: int) -> Image:
    """A table on which a kingdom of four rows begins so many pixels from the left edge."""
    rng = np.random.default_rng(5)
    rgb = np.full((*SIZE, 3), TABLE, np.float64)
    low, high = round(max(left, 0)), round(left + SIDE * columns)
    rgb[100 : 100 + 4 * SIDE, low:high] = SQUARES
    return np.asarray(np.clip(rgb + rng.normal(0, 3, rgb.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("strip", [0.14, 0.33, 0.5])
@pytest.mark.parametrize("goes_on", [True, False])
@pytest.mark.parametrize("bare", [0.77, 0.98])
def test_a_strip_of_the_next_row_is_told_however_bare_the_locator_calls_it(
    strip: float, goes_on: bool, bare: float
) -> None:
    left = strip * SIDE
    lattice = lattice_at((), left, 100)
    rgb = table_with_kingdom(left - SIDE * goes_on, 4 + goes_on)
    free = [(row, column) for row in range(4) for column in (5, 6)]
    ground = replace(GROUND, probabilities=np.full((2, 200, 200), bare, np.float32))
    grid = Grid(lattice, {}, frozenset(block(4, 4)))
    border = measure_border(rgb, lattice, grid, free, ground)
    assert [each.cell for each in border] == [(row, -1) for row in range(4)]
    found = find_cut_off(border, lattice, block(4, 4), SIZE, MODEL)
    assert bool(found) == goes_on


def test_nothing_is_measured_far_from_the_edge() -> None:
    lattice = lattice_at((), 200, 200)
    rgb = table_with_kingdom(200, 4)
    grid = Grid(lattice, {}, frozenset(block(4, 4)))
    assert measure_border(rgb, lattice, grid, [], GROUND) == []


@pytest.mark.parametrize(("left", "share"), [(30.0, 0.5), (0.0, 0.0)])
def test_it_is_told_how_much_of_a_cell_the_picture_shows(left: float, share: float) -> None:
    found = find_cut_off([], lattice_at((), left, 100), block(4, 4), SIZE, MODEL)
    assert found[0, -1] == pytest.approx(share, abs=0.09)


def test_a_cell_at_a_corner_is_cut_off_where_the_kingdom_may_reach_it() -> None:
    both_edges = find_cut_off([], lattice_at((), 0, 0), block(4, 4), SIZE, MODEL)
    assert (-1, -1) in both_edges
    full_above = find_cut_off([], lattice_at((), 0, 0), block(5, 5), SIZE, MODEL)
    assert full_above == {}
