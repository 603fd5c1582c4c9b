"""Groups parted where nothing lies, and joined again where a kingdom was parted by mistake."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.kingdomino.small_grids import SIDE, Places, block, laid, laid_apart
from vision.kingdomino.detect.lattice import GroundMap
from vision.kingdomino.kingdoms.regroup import RegroupSettings, count_unpaired_squares, regroup

SETTINGS = RegroupSettings()
CASTLE = {(1, 1): "c"}


def sizes(places: Places, labels: dict[tuple[int, int], str]) -> list[int]:
    detections, grid = laid(places, labels)
    return [len(part.lattice.members) for part in regroup(detections, [grid], SETTINGS)]


def test_a_place_that_holds_no_square_joins_no_two_groups() -> None:
    places = {**block(3, 3), (1, 3): (1.0, 3.0), **block(3, 3, 4)}
    assert sizes(places, {**CASTLE, (1, 5): "c", (1, 3): "."}) == [9, 9]
    assert sizes(places, {**CASTLE, (1, 5): "c", (1, 3): "f"}) == [19]


def test_the_gap_beside_a_place_without_a_square_counts_again() -> None:
    # Something between the places of the lattice drew the domino nearer than it lies.
    places = {**block(3, 3), (3, 0): (3.0, 0.0), (3, 1): (3.3, 1.0), (4, 1): (4.3, 1.0)}
    assert sizes(places, {**CASTLE, (3, 0): "."}) == [9, 2]


@pytest.mark.parametrize(
    ("columns", "gap", "parts"),
    [
        (2, 0.08, 1),  # as crooked as people lay
        (2, 0.25, 2),  # a step apart
        (3, 0.08, 2),  # six squares wide with it
    ],
)
def test_a_group_without_a_castle_joins_the_kingdom_that_it_fits(
    columns: int, gap: float, parts: int
) -> None:
    detections, grids = laid_apart(
        (block(4, 3), CASTLE), (block(4, columns, left=3, gap=gap), {(0, 3): "f"})
    )
    found = regroup(detections, grids, SETTINGS)
    assert len(found) == parts
    assert sum(len(part.occupied) for part in found) == 12 + 4 * columns


def test_another_kingdom_is_never_joined() -> None:
    detections, grids = laid_apart((block(4, 2), CASTLE), (block(4, 2, left=2), {(1, 2): "c"}))
    assert len(regroup(detections, grids, SETTINGS)) == 2


def test_unpaired_squares_are_counted_by_the_dominoes_of_the_box() -> None:
    _, grid = laid(block(1, 4), {(0, 0): "c", (0, 1): "m3", (0, 2): "w", (0, 3): "f"})
    assert count_unpaired_squares(grid, grid.occupied) == 1
    assert count_unpaired_squares(grid, {(0, 1), (0, 2)}) == 0
    assert count_unpaired_squares(grid, {(0, 1), (0, 3)}) == 2


@pytest.mark.parametrize(("turn_deg", "parts"), [(3.0, 1), (12.0, 2)])
def test_dominoes_that_lie_askew_are_not_joined(turn_deg: float, parts: int) -> None:
    detections, grids = laid_apart(
        (block(4, 3), CASTLE), (block(2, 1, left=3, gap=0.09), {(0, 3): "f"})
    )
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    edges = detections.edges.copy()
    edges[-2:] = edges[-2:] @ np.array([[c, s], [-s, c]])
    turned = replace(detections, edges=edges)
    assert len(regroup(turned, grids, SETTINGS)) == parts


def covered_at(cells: list[tuple[int, int]]) -> GroundMap:
    found = np.zeros((2, 12, 12), np.float32)
    for r, c in cells:
        found[1, r, c] = 0.9
    return GroundMap(found, np.array([SIDE, SIDE]), np.zeros(2))


@pytest.mark.parametrize(
    ("covered", "parts"),
    [
        ([], 2),
        ([(1, 3)], 1),
        ([(0, 3), (2, 3)], 1),
        ([(1, 1)], 2),  # not between them
    ],
)
def test_what_lies_beyond_a_covered_cell_belongs_to_the_kingdom(
    covered: list[tuple[int, int]], parts: int
) -> None:
    detections, grids = laid_apart((block(3, 3), CASTLE), (block(3, 1, left=4), {(0, 4): "f"}))
    detections = replace(detections, ground=covered_at(covered))
    assert len(regroup(detections, grids, SETTINGS)) == parts


def test_a_kingdom_whose_castle_is_covered_is_one_kingdom_all_the_same() -> None:
    detections, grids = laid_apart((block(3, 3), {}), (block(3, 1, left=4), {}))
    assert len(regroup(detections, grids, SETTINGS)) == 2
    detections = replace(detections, ground=covered_at([(1, 3)]))
    (found,) = regroup(detections, grids, SETTINGS)
    assert len(found.occupied) == 12


def test_another_kingdom_beyond_a_covered_cell_is_another() -> None:
    detections, grids = laid_apart((block(3, 2), CASTLE), (block(3, 2, left=3), {(1, 3): "c"}))
    detections = replace(detections, ground=covered_at([(0, 2), (1, 2), (2, 2)]))
    assert len(regroup(detections, grids, SETTINGS)) == 2
