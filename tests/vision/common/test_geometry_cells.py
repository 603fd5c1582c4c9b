"""Cells of a square grid: neighbours, what hangs together, extents."""

from __future__ import annotations

import numpy as np
import pytest

from vision.common.geometry import (
    STEPS,
    Cell,
    Extent,
    around,
    beside,
    connect,
    hang_together,
    longest_side,
    pairs_of,
    smallest_extent,
)


def drawn(*rows: str) -> set[Cell]:
    """The cells of a drawing that are marked."""
    return {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"}


def test_beside_a_cell_are_four() -> None:
    assert beside((2, -1)) == ((2, 0), (3, -1), (2, -2), (1, -1))
    assert beside((0, 0)) == STEPS


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({}, drawn(".##.", "#..#", ".##.")),
        ({"edges": False, "corners": True}, drawn("####", "....", "####")),
        ({"corners": True}, drawn("####", "#..#", "####")),
    ],
)  # fmt: skip
def test_around_cells_are_those_beside_them(named: dict[str, bool], expected: set[Cell]) -> None:
    assert around(drawn("....", ".##."), **named) == expected


def test_around_reaches_farther() -> None:
    far = around({(0, 0)}, corners=True, reach=2)
    assert len(far) == 24
    assert max(map(max, far)) == 2


def test_each_pair_of_neighbours_comes_once() -> None:
    cells = [(0, 0), (0, 1), (1, 1), (3, 3)]
    assert list(pairs_of(cells, cells)) == [((0, 0), (0, 1)), ((0, 1), (1, 1))]


def test_the_largest_group_comes_first() -> None:
    cells = drawn("##..#", "#....", "...#.", "....#")
    edges = [sorted(group) for group in hang_together(cells)]
    assert edges == [[(0, 0), (0, 1), (1, 0)], [(0, 4)], [(2, 3)], [(3, 4)]]
    corners = [sorted(group) for group in hang_together(cells, corners=True)]
    assert corners == [[(0, 0), (0, 1), (1, 0)], [(2, 3), (3, 4)], [(0, 4)]]
    assert connect([(0, 0), (5, 5)], [((0, 0), (5, 5))]) == [{(0, 0), (5, 5)}]


@pytest.mark.parametrize("corners", [False, True])
def test_groups_are_what_can_be_reached(corners: bool) -> None:
    rng = np.random.default_rng(7)
    for count in range(25):
        cells = {(int(r), int(c)) for r, c in rng.integers(-3, 4, (count, 2))}
        groups = hang_together(cells, corners=corners)
        assert sorted(cell for group in groups for cell in group) == sorted(cells)
        for group in groups:
            reached = {min(group)}
            for _ in cells:
                reached |= around(reached, corners=corners) & cells
            assert reached == group


def test_an_extent_holds_all_cells_and_no_more() -> None:
    extent = Extent.of([(1, -2), (3, 0)])
    assert extent == (1, -2, 3, 3)
    assert (extent.bottom, extent.right, extent.longest) == (4, 1, 3)
    assert smallest_extent([(1, -2), (3, 0)]) == extent
    assert smallest_extent([]) is None
    assert (longest_side([(0, 0), (0, 4)]), longest_side([])) == (5, 0)
    assert list(Extent(0, 1, 2, 2).cells()) == [(0, 1), (0, 2), (1, 1), (1, 2)]


@pytest.mark.parametrize("cell", [(0, 0), (1, 1), (-1, 0), (0, -1), (2, 1), (1, 2), (4, -3)])
def test_an_extent_widened_or_with_a_cell_is_that_of_all_cells(cell: Cell) -> None:
    extent = Extent(0, 0, 2, 2)
    assert extent.holds(cell) == (cell in set(extent.cells()))
    assert extent.with_cell(cell) == Extent.of([*extent.cells(), cell])
    grown = Extent.of(around(set(extent.cells()), corners=True, reach=2))
    assert extent.widened(2) == grown


def test_windows_are_all_places_of_a_rectangle() -> None:
    wide = list(Extent(1, 1, 2, 4).windows(2, 3))
    assert wide == [(1, 1, 2, 3), (1, 2, 2, 3)]
    assert list(Extent(0, 0, 1, 1).windows(5, 5)) == [(0, 0, 5, 5)]
    rng = np.random.default_rng(4)
    cells = {(int(r), int(c)) for r, c in rng.integers(0, 6, (12, 2))}
    best = max(sum(map(window.holds, cells)) for window in Extent.of(cells).windows(3, 3))
    assert best == max(
        sum(top <= r < top + 3 and left <= c < left + 3 for r, c in cells)
        for top in range(-3, 9)
        for left in range(-3, 9)
    )
