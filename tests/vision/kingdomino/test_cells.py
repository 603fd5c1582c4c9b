"""The grid goes as far as squares do, and no farther."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.kingdomino.small_grids import detected, lattice_at
from vision.kingdomino.cells import CellLooks, Grid, grow, read_members
from vision.kingdomino.lattice import Detections, GroundMap, Lattice
from vision.kingdomino.reader import default_reader
from vision.kingdomino.refit import sample_folder, sample_labels
from vision.kingdomino.result import CASTLE_COLOURS, LABELS
from vision.photo import PhotoError, decode

SIDE = 60
GREYS = {".": 0, "c": 60, "w": 120, "f": 180}


class ByGrey:
    """A classifier of plain grey squares."""

    def probabilities(
        self, patches: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        found = np.full((len(patches), len(LABELS)), 1e-4)
        for k, patch in enumerate(patches):
            grey = patch[16:48, 16:48].mean()
            label = min(GREYS, key=lambda name: abs(GREYS[name] - grey))
            found[k, LABELS.index(label)] = 1
        colours = np.full((len(patches), len(CASTLE_COLOURS)), 1 / len(CASTLE_COLOURS))
        return found / found.sum(1, keepdims=True), colours


def table(rows: str) -> NDArray[np.uint8]:
    """A photo of grey squares, two squares of bare table around them."""
    grid = [line.split() for line in rows.split("/")]
    photo = np.zeros(((len(grid) + 4) * SIDE, (len(grid[0]) + 4) * SIDE, 3), np.uint8)
    for r, line in enumerate(grid):
        for c, label in enumerate(line):
            top, left = (r + 2) * SIDE, (c + 2) * SIDE
            photo[top : top + SIDE, left : left + SIDE] = GREYS[label]
    return photo


def found_at(cells: list[tuple[int, int]]) -> tuple[Detections, Lattice]:
    """A lattice of the photo above on which the squares at ``cells`` were found."""
    corner = 2 * SIDE - 0.5
    return detected(cells, (), corner, corner, SIDE), lattice_at(cells, corner, corner, SIDE)


def covered_at(cells: list[tuple[int, int]]) -> GroundMap:
    """Things on these cells of the photo above, and nothing known of the rest."""
    found = np.zeros((2, 12, 16), np.float32)
    found[0] = 0.5
    for r, c in cells:
        found[:, r + 2, c + 2] = 0.0, 0.9
    return GroundMap(found, np.array([SIDE, SIDE], np.float64), np.zeros(2))


def occupied(rows: str, cells: list[tuple[int, int]]) -> set[tuple[int, int]]:
    return set(grown(rows, cells).occupied)


def grown(
    rows: str, cells: list[tuple[int, int]], covered: list[tuple[int, int]] | None = None
) -> Grid:
    detections, lattice = found_at(cells)
    if covered is not None:
        detections = replace(detections, ground=covered_at(covered))
    looks, classifier = CellLooks(table(rows)), ByGrey()
    (found,) = read_members(looks, detections, [lattice], classifier)  # type: ignore[arg-type]
    return grow(looks, detections, found, classifier)  # type: ignore[arg-type]


def test_what_the_locator_missed_is_found_all_around() -> None:
    found = occupied("w w f f/w c . f/w w w .", [(1, 1), (1, 0)])
    assert found == {(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 3), (2, 0), (2, 1), (2, 2)}


def test_an_empty_cell_in_the_lattice_is_none_of_the_kingdom() -> None:
    assert (0, 1) not in occupied("c . w/w w w", [(0, 0), (0, 1), (1, 0), (1, 1)])


def test_a_group_that_does_not_touch_stays_out() -> None:
    assert occupied("c w . w w", [(0, 0), (0, 1), (0, 3), (0, 4)]) == {(0, 0), (0, 1)}


def test_corners_touch_too() -> None:
    assert occupied("c w ./. . f", [(0, 0)]) == {(0, 0), (0, 1), (1, 2)}


def test_without_a_castle_the_largest_group_counts() -> None:
    assert occupied("w . f f f", [(0, 0), (0, 2), (0, 3), (0, 4)]) == {(0, 2), (0, 3), (0, 4)}


def test_of_equal_groups_without_a_castle_the_first_in_reading_order_counts() -> None:
    assert occupied(". . f/w . f/w . .", [(0, 2), (1, 0), (1, 2), (2, 0)]) == {(0, 2), (1, 2)}


def test_the_castle_counts_before_a_larger_group() -> None:
    assert occupied("c . f f f", [(0, 0), (0, 2), (0, 3), (0, 4)]) == {(0, 0)}


def test_what_the_locator_missed_makes_no_kingdom_larger_than_usual() -> None:
    cells = [(r, c) for r in range(2) for c in range(5)]
    rows = "c w w w w w/w w w w w w"
    assert occupied(rows, cells) == set(cells)
    # One that was found shows that the kingdom is one of a large game.
    assert occupied(rows, [*cells, (0, 5)]) == {*cells, (0, 5), (1, 5)}


def test_a_covered_cell_shows_no_square_and_is_told() -> None:
    grid = grown("c w . f f", [(0, 0), (0, 1)], covered=[(0, 2)])
    assert grid.seen[0, 2].things > 0.5 > grid.seen[0, 1].things
    assert (0, 2) not in grid.occupied


def test_a_frame_that_fits_reads_what_the_photo_holds() -> None:
    path, reader = sample_folder() / "complete-5x5.jpg", default_reader()
    found = reader.read(path).kingdoms[0]
    framed = reader.read_frame(path, found.corners.tolist(), 5, 5)
    assert framed.kingdom == sample_labels()["complete-5x5.jpg"]
    assert framed.lattice_certain
    np.testing.assert_allclose(framed.corners, found.corners, atol=0.5)
    assert framed.castle_colour == found.castle_colour


def test_a_frame_is_set_in_pixels_of_the_whole_photo_however_it_is_reduced() -> None:
    small = decode(sample_folder() / "complete-5x5.jpg").rgb
    large = small.repeat(2, axis=0).repeat(2, axis=1)
    corners = 2 * default_reader().read(small).kingdoms[0].corners + 0.5
    framed = default_reader().read_frame(large, corners.tolist(), 5, 5)
    assert framed.kingdom == sample_labels()["complete-5x5.jpg"]
    np.testing.assert_allclose(framed.corners, corners, atol=0.1)


def test_a_part_of_the_kingdom_in_a_frame_of_its_own() -> None:
    path, reader = sample_folder() / "complete-5x5.jpg", default_reader()
    found = reader.read(path).kingdoms[0]
    corners = found.points([(1, 1), (4, 1), (4, 4), (1, 4)])
    framed = reader.read_frame(path, corners.tolist(), 3, 3)
    expected = [[str(found.kingdom[r, c]) for c in (1, 2, 3)] for r in (1, 2, 3)]
    assert [[str(square) for square in row] for row in framed.kingdom.rows] == expected


def test_a_frame_on_the_bare_table_holds_no_kingdom() -> None:
    path = sample_folder() / "no-kingdom.jpg"
    corners = [[10, 10], [60, 10], [60, 60], [10, 60]]
    with pytest.raises(PhotoError, match="no_kingdom"):
        default_reader().read_frame(path, corners, 2, 2)


@pytest.mark.parametrize("far", [5, float("nan"), float("inf")])
def test_corners_without_an_area_are_refused(far: float) -> None:
    corners = [(5.0, 5.0), (far, 5.0), (far, far), (5.0, far)]
    with pytest.raises(ValueError, match="corners"):
        default_reader().read_frame(sample_folder() / "complete-5x5.jpg", corners, 5, 5)


def test_squares_of_several_lattices_are_each_read_where_they_lie() -> None:
    """All are classified together, each by the lattice that it is counted on."""
    cells = [(0, 0), (0, 1), (0, 3), (0, 4)]
    detections, _ = found_at(cells)
    corner = 2 * SIDE - 0.5
    lattices = [
        lattice_at([(0, 0), (0, 1)], corner, corner, SIDE),
        lattice_at([(0, 0), (0, 1)], corner + 3 * SIDE, corner, SIDE, first=2),
    ]
    looks = CellLooks(table("c w . f f"))
    found = read_members(looks, detections, lattices, ByGrey())  # type: ignore[arg-type]
    labels = [[LABELS[seen.argmax()] for seen in grid.probabilities.values()] for grid in found]
    assert labels == [["c", "w"], ["f", "f"]]
