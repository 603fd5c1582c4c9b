"""What touches is one kingdom, and how far it reaches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.vision.kingdomino.small_grids import detected, lattice_at
from vision.common.geometry import Extent
from vision.kingdomino.groups import rank_dividing_lines
from vision.kingdomino.lattice import (
    Detections,
    Lattice,
    LatticeSettings,
    find_lattices,
    measure_gaps,
)
from vision.kingdomino.passes import find_taken_cells
from vision.kingdomino.settling import with_hidden_edges

Floats = NDArray[np.float64]
FIVE = [(r, c) for r in range(5) for c in range(5)]


def sizes(detections: Detections) -> list[int]:
    return [len(lattice.members) for lattice in find_lattices(detections, LatticeSettings())]


def middles(cells: list[Position]) -> list[tuple[float, float]]:
    return [(float(r), float(c)) for r, c in cells]


@pytest.mark.parametrize(
    ("gap", "found"), [(0.0, [27]), (0.04, [27]), (0.1, [25, 2]), (0.3, [25, 2])]
)
def test_a_domino_belongs_to_what_it_touches(gap: float, found: list[int]) -> None:
    loose = [(2.0, 5.0 + gap), (2.0, 6.0 + gap)]
    assert sizes(detected(middles(FIVE) + loose)) == found


def test_one_crooked_square_is_half_of_a_domino_and_stays() -> None:
    crooked = [(r, c + 0.2 if (r, c) == (2, 4) else c) for r, c in middles(FIVE)]
    assert sizes(detected(crooked)) == [25]


@pytest.mark.parametrize(("turn", "found"), [(5.0, [27]), (18.0, [25, 2])])
def test_a_domino_askew_is_loose_though_it_touches(turn: float, found: list[int]) -> None:
    a = np.deg2rad(turn)
    loose = [(2.0, 5.02), (2.0 + np.sin(a), 5.02 + np.cos(a))]
    both = detected(middles(FIVE) + loose, [0.0] * 25 + [turn] * 2)
    assert sizes(both) == found


def test_squares_that_are_found_turned_but_in_line_are_no_loose_domino() -> None:
    beside = [(2.0, 5.0), (2.0, 6.0)]
    assert sizes(detected(middles(FIVE) + beside, [0.0] * 25 + [18.0] * 2)) == [27]


def test_a_domino_askew_among_others_is_none_that_lies_loose() -> None:
    a = np.deg2rad(18.0)
    askew = {(2, 2): (2.0, 2.0), (2, 3): (2.0 + np.sin(a), 2.0 + np.cos(a))}
    places = [askew.get(cell, place) for cell, place in zip(FIVE, middles(FIVE), strict=True)]
    assert sizes(detected(places, [18.0 * (cell in askew) for cell in FIVE])) == [25]


def test_two_kingdoms_with_a_gap_are_two_lattices() -> None:
    other = [(r, c + 5.15) for r, c in middles(FIVE)]
    assert sizes(detected(middles(FIVE) + other)) == [25, 25]


def test_gaps_are_shares_of_a_square_along_the_way() -> None:
    found = measure_gaps(
        detected([(0, 0), (0.1, 1.2), (1.0, 0)]), lattice_at([(0, 0), (0, 1), (1, 0)])
    )
    assert found == {
        ((0, 0), (0, 1)): pytest.approx(0.2),
        ((0, 0), (1, 0)): pytest.approx(0.0),
    }


def test_two_castles_are_parted_along_the_widest_gap() -> None:
    cells = [(r, c) for r in range(3) for c in range(6)]
    apart = measure_gaps(
        detected([(r, c + (0.08 if c > 2 else 0)) for r, c in cells]), lattice_at(cells)
    )
    found = rank_dividing_lines(cells, apart, ((1, 1), (1, 4)))
    assert found[0].gap == pytest.approx(0.08)
    assert found[0].first == {(r, c) for r, c in cells if c < 3}
    assert found[0].second == {(r, c) for r, c in cells if c > 2}
    assert [line.worth for line in found] == sorted((line.worth for line in found), reverse=True)


def test_without_a_gap_kingdoms_are_no_wider_than_usual() -> None:
    cells = [(0, c) for c in range(10)]
    found = rank_dividing_lines(
        cells, measure_gaps(detected(middles(cells)), lattice_at(cells)), ((0, 1), (0, 8))
    )
    assert found[0].first == {(0, c) for c in range(5)}


def test_stray_squares_beside_two_kingdoms_do_not_move_the_line() -> None:
    cells = [(r, c) for r in range(5) for c in range(10)] + [(5, 2), (-1, 8)]
    places = [(float(r), c + (0.02 if c > 6 else 0)) for r, c in cells]
    apart = measure_gaps(detected(places), lattice_at(cells))
    found = rank_dividing_lines(cells, apart, ((1, 1), (1, 9)))
    assert found[0].first == {(r, c) for r, c in cells if c < 5}


def test_castles_side_by_side_in_a_domino_are_not_parted() -> None:
    assert not rank_dividing_lines([(0, 0), (0, 1), (0, 2)], {}, ((0, 0), (0, 2)))


def test_places_under_the_squares_of_others_are_taken() -> None:
    cells = [(0, 0), (0, 1)]
    detections = detected([(0, 0), (0, 1), (0.5, 2.3), (0.5, 3.3)])
    other = Lattice(np.eye(3), {(0, 0): 2, (0, 1): 3}, 0.0)
    taken = find_taken_cells(detections, lattice_at(cells), [other])
    assert {(0, 2), (1, 2), (0, 3), (1, 3)} <= taken
    assert not taken & {(0, 0), (0, 1), (-1, 2), (2, 2)}


def test_a_single_square_with_a_gap_is_no_group_of_its_own() -> None:
    assert sizes(detected([(0.0, 0.0), (0.0, 1.0), (0.0, 2.15)])) == [3]


Cells = list[tuple[int, int]]
FOUR_ROWS = [(r, c) for r in range(4) for c in range(5)]


def grown(occupied: Cells, hidden: Cells) -> tuple[int, int, int, int]:
    return with_hidden_edges(Extent.of(occupied), occupied, hidden)


@pytest.mark.parametrize(
    ("hidden", "extent"),
    [
        ([], (0, 0, 4, 5)),
        ([(-1, 1)], (-1, 0, 5, 5)),
        ([(4, 2)], (0, 0, 5, 5)),
        # More is hidden above; a kingdom of five rows has no room for both.
        ([(4, 2), (-1, 1), (-1, 2)], (-1, 0, 5, 5)),
        # Beyond five squares across nothing is expected.
        ([(1, 5)], (0, 0, 4, 5)),
        # Two steps away, and beside a corner alone.
        ([(5, 1), (-2, 0)], (0, 0, 4, 5)),
        ([(4, 5)], (0, 0, 4, 5)),
        # Within the extent already.
        ([(2, 2)], (0, 0, 4, 5)),
    ],
)
def test_a_kingdom_may_go_on_into_what_is_hidden_beside_it(
    hidden: Cells, extent: tuple[int, int, int, int]
) -> None:
    assert grown(FOUR_ROWS, hidden) == extent


def test_to_the_left_as_well() -> None:
    assert grown([(0, 0), (0, 1)], [(0, -1)]) == (0, -1, 1, 3)


def test_a_large_kingdom_may_go_on_to_seven_squares() -> None:
    six = [(0, c) for c in range(6)]
    assert grown(six, [(0, 6), (1, 2)]) == (0, 0, 2, 7)
    assert grown([*six, (0, 6)], [(0, 7)]) == (0, 0, 1, 7)
