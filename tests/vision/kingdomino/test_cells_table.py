"""What cells look like, and what looks like the table around the kingdom."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.small_grids import grid_of, lattice_at
from vision.kingdomino import cells
from vision.kingdomino.cells import (
    CellLooks,
    Grid,
    GridSettings,
    colours_at,
    compare_with_table,
    doubt_table_like,
    find_free_cells,
)
from vision.kingdomino.lattice import Lattice
from vision.kingdomino.result import LABELS, Floats

SIDE = 40
ORIGIN = 120
LATTICE = lattice_at((), ORIGIN, ORIGIN, SIDE)
FOREST, EMPTY, CASTLE = LABELS.index("f"), LABELS.index("."), LABELS.index("c")
SQUARES = {(r, c) for r in range(4) for c in range(4)}
FALSE = (0, 4)


def lawn(squares: set[Position]) -> NDArray[np.uint8]:
    """A grass-like table, with red squares on it."""
    rng = np.random.default_rng(0)
    grain = cv2.resize(rng.normal(0, 30, (140, 140)).astype(np.float32), (420, 420))
    picture = np.clip(np.array([60, 110, 50]) + grain[..., None], 0, 255).astype(np.uint8)
    for r, c in squares:
        top, left = ORIGIN + SIDE * r, ORIGIN + SIDE * c
        picture[top : top + SIDE, left : left + SIDE] = (200, 60, 40)
    return picture


def grid(seen: dict[Position, float]) -> Grid:
    """Forests with so much for "no square", and the castle, all found by the locator."""
    shares = {}
    for cell, empty in seen.items():
        shares[cell] = np.zeros(len(LABELS))
        shares[cell][CASTLE if cell == (1, 1) else FOREST] = 1 - empty
        shares[cell][EMPTY] = empty
    found = grid_of(lattice_at(seen, ORIGIN, ORIGIN, SIDE), shares)
    return replace(found, occupied=frozenset(seen))


def doubted(seen: dict[Position, float], others: tuple[Grid, ...] = ()) -> Grid:
    looks = CellLooks(lawn(SQUARES), GridSettings(odds=50))
    return doubt_table_like(looks, grid(seen), others)


def test_a_piece_of_the_table_is_doubted_and_a_square_is_not() -> None:
    seen = doubted({**dict.fromkeys(SQUARES, 0.02), FALSE: 0.02})
    assert seen.probabilities[FALSE][EMPTY] == pytest.approx(50 * 0.02 / (50 * 0.02 + 0.98))
    assert all(seen.probabilities[cell][EMPTY] == 0.02 for cell in SQUARES)
    assert FALSE in seen.occupied


def test_what_is_then_more_probably_the_table_goes() -> None:
    seen = doubted({**dict.fromkeys(SQUARES, 0.02), FALSE: 0.2})
    assert seen.occupied == SQUARES


@pytest.mark.parametrize(
    ("shows_table", "is_found", "is_surer"),
    [(True, False, True), (False, False, False), (True, True, False)],
)
def test_a_hole_that_shows_the_table_is_the_surer_for_it(
    shows_table: bool, is_found: bool, is_surer: bool
) -> None:
    hole = (1, 3)
    seen = grid({**dict.fromkeys(SQUARES, 0.02), hole: 0.8})
    members = {cell: k for cell, k in seen.lattice.members.items() if is_found or cell != hole}
    seen = replace(
        seen, occupied=seen.occupied - {hole}, lattice=replace(seen.lattice, members=members)
    )
    picture = lawn(SQUARES - {hole} if shows_table else SQUARES)
    judged = doubt_table_like(CellLooks(picture, GridSettings(odds=50)), seen, ())
    expected = 50 * 0.8 / (50 * 0.8 + 0.2) if is_surer else 0.8
    assert judged.probabilities[hole][EMPTY] == pytest.approx(expected)
    assert judged.occupied == seen.occupied


def test_what_hung_on_that_alone_goes_with_it() -> None:
    beyond = (0, 5)
    seen = doubted({**dict.fromkeys(SQUARES, 0.02), FALSE: 0.2, beyond: 0.0})
    assert seen.probabilities[beyond][EMPTY] == 0.0
    assert seen.occupied == SQUARES


def test_a_square_beyond_doubt_stays() -> None:
    seen = doubted({**dict.fromkeys(SQUARES, 0.02), FALSE: 0.0009})
    assert seen.probabilities[FALSE][EMPTY] == 0.0009


def test_without_enough_of_the_table_nothing_is_doubted() -> None:
    seen = grid({**dict.fromkeys(SQUARES, 0.02), FALSE: 0.02})
    framed = lawn(SQUARES)[: ORIGIN + 4 * SIDE, : ORIGIN + 5 * SIDE]
    narrow = doubt_table_like(CellLooks(framed, GridSettings(min_table=50)), seen, ())
    wide = doubt_table_like(CellLooks(framed), seen, ())
    assert narrow.probabilities[FALSE][EMPTY] == 0.02
    assert wide.probabilities[FALSE][EMPTY] > 0.02


def test_squares_of_another_kingdom_are_no_part_of_the_table() -> None:
    theirs = {(r, c): 0.0 for r in range(-2, 6) for c in (5, 6)}
    ours = dict.fromkeys(SQUARES, 0.02)
    picture = lawn(SQUARES | set(theirs))
    alone = doubt_table_like(CellLooks(picture), grid(ours), ())
    beside = doubt_table_like(CellLooks(picture), grid(ours), (grid(theirs),))
    assert any(alone.probabilities[cell][EMPTY] > 0.02 for cell in SQUARES)
    assert all(beside.probabilities[cell][EMPTY] == 0.02 for cell in SQUARES)


CELL_LOOKS_LATTICE = lattice_at((), side=SIDE)
PICTURE = np.random.default_rng(3).integers(0, 256, (5 * SIDE, 5 * SIDE, 3)).astype(np.uint8)
CELLS = [(r, c) for r in range(5) for c in range(5)]


def test_each_cell_of_a_lattice_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def colours_and_note(rgb: NDArray[np.uint8], points: Floats) -> NDArray[np.float32]:
        seen.extend(points)
        return colours_at(rgb, points)

    monkeypatch.setattr(cells, "colours_at", colours_and_note)
    looks = CellLooks(PICTURE)
    first = looks.measure(CELL_LOOKS_LATTICE, CELLS[:10])
    again = looks.measure(CELL_LOOKS_LATTICE, [*CELLS[5:12], CELLS[5]])
    assert len(seen) == 12
    np.testing.assert_array_equal(again[:5], first[5:])
    np.testing.assert_array_equal(again[0], again[-1])
    moved = Lattice(
        CELL_LOOKS_LATTICE.homography @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]]), {}, 0.0
    )
    (other,) = looks.measure(moved, CELLS[5:6])
    assert len(seen) == 13
    assert (other != first[5]).any()


@pytest.mark.parametrize("cell", [(0, -1), (-1, 0), (5, 0), (0, 5)])
def test_a_cell_that_the_edge_cuts_off_has_no_look(cell: Position) -> None:
    inner, outer = CellLooks(PICTURE).measure(CELL_LOOKS_LATTICE, [(0, 0), cell])
    assert np.isfinite(inner).all()
    assert np.isnan(outer).all()


def test_colour_contrast_and_roughness_of_a_cell() -> None:
    picture = np.zeros((SIDE, 4 * SIDE, 3), np.uint8)
    picture[:, SIDE : 2 * SIDE] = 255
    picture[:, 2 * SIDE : 3 * SIDE] = (255, 0, 0)
    picture[np.arange(SIDE) % 4 < 2, 3 * SIDE :] = 255
    black, white, red, striped = CellLooks(picture).measure(
        CELL_LOOKS_LATTICE, [(0, c) for c in range(4)]
    )
    assert black == pytest.approx([0, 0, 0, 0, 0], abs=0.01)
    assert white == pytest.approx([100, 0, 0, 0, 0], abs=0.01)
    assert red == pytest.approx([53.2, 80.1, 67.2, 0, 0], abs=0.3)
    assert striped[3] > 10
    assert striped[4] > 10


def test_a_distance_is_to_the_farthest_of_the_nearest_share() -> None:
    table = np.array([[0.0], [1.0], [2.0], [10.0]])
    own, apart = compare_with_table(np.array([[0.0]]), table, 2)
    assert list(own) == [2.0, 1.0, 2.0, 9.0]
    assert list(apart) == [1.0]


def test_the_free_cells_around_a_kingdom_are_those_on_which_nothing_was_found() -> None:
    square = grid_of(lattice_at([(0, 0), (1, 1), (1, 3)]))
    kingdom = replace(square, occupied=frozenset({(0, 0), (1, 1)}))
    other = grid_of(lattice_at([(0, 0)], left=-1.5 * 50, top=0))
    free = find_free_cells(kingdom, [other], 2)
    around = {(r, c) for r in range(-2, 4) for c in range(-2, 4)}
    extent = {(r, c) for r in range(2) for c in range(2)}
    assert set(free) == around - extent - {(1, 3)} - {(0, -2), (0, -1)}
