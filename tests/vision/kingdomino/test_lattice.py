"""Lattices found from noisy single squares, and lines of cells in which no square lies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.kingdomino.small_grids import block, detected, lattice_at
from vision.kingdomino.lattice import (
    Detections,
    LatticeSettings,
    find_lattices,
    fit_lattice,
    middles_of,
    part_at_squeezed,
)

Floats = NDArray[np.float64]
STRAIGHT = np.array([[60.0, 0, 100], [0, 60, 80], [0, 0, 1]])
TURNED = np.array([[50.0, -28, 300], [28, 50, 60], [0, 0, 1]])
TILTED = np.array([[70.0, 12, 90], [-6, 52, 120], [1e-4, 2.2e-3, 1]])


def project(points: Floats, homography: Floats) -> Floats:
    seen = np.c_[points, np.ones(len(points))] @ homography.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def cells_of(
    places: list[tuple[int, int]], homography: Floats, rng: np.random.Generator, noise: float = 0.0
) -> Detections:
    """Squares as the locator finds them: centres off by ``noise`` squares, edges in any order."""
    centres, edges = [], []
    for row, column in places:
        middle = np.array([column + 0.5, row + 0.5])
        (centre,) = project(middle[None], homography)
        u = np.subtract(*project(middle + np.array([(0.5, 0), (-0.5, 0)]), homography))
        v = np.subtract(*project(middle + np.array([(0, 0.5), (0, -0.5)]), homography))
        side = np.sqrt(abs(u[0] * v[1] - u[1] * v[0]))
        centres.append(centre + rng.normal(0, noise, 2) * side)
        variants = [(u, v), (v, -u), (-u, -v), (-v, u)]
        edges.append(variants[rng.integers(4)])
    count = len(places)
    return Detections(np.array(centres), np.array(edges), np.full(count, 0.9), np.zeros((count, 9)))


@pytest.mark.parametrize(
    "homography", [STRAIGHT, TURNED, TILTED], ids=["straight", "turned", "tilted"]
)
@pytest.mark.parametrize(
    "places",
    [
        [(r, c) for r in range(5) for c in range(5)],
        [(r, c) for r in range(7) for c in range(7) if (r, c) not in {(1, 1), (4, 5), (6, 0)}],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 1), (1, 0), (1, 1), (2, 1)],
    ],
    ids=["5x5", "7x7 with holes", "a row", "few"],
)
def test_every_square_gets_its_place(homography: Floats, places: list[tuple[int, int]]) -> None:
    rng = np.random.default_rng(1)
    detections = cells_of(places, homography, rng, noise=0.04)
    lattices = find_lattices(detections, LatticeSettings())
    assert len(lattices) == 1
    assert {cell: places[k] for cell, k in lattices[0].members.items()} == {p: p for p in places}
    true = project(np.array([(c + 0.5, r + 0.5) for r, c in places]), homography)
    found = lattices[0].points([(c + 0.5, r + 0.5) for r, c in places])
    side = np.linalg.norm(detections.edges[:, 0], axis=1)
    assert (np.linalg.norm(found - true, axis=1) < 0.1 * side).all()


def test_a_lattice_tells_how_far_squares_lie_off_it() -> None:
    places = [(r, c) for r in range(5) for c in range(5)]
    detections = cells_of(places, TURNED, np.random.default_rng(3), noise=0.04)
    (lattice,) = find_lattices(detections, LatticeSettings())
    seen = lattice.places(detections.centres[[*lattice.members.values()]])
    off = np.linalg.norm(seen - middles_of(lattice.members), axis=1)
    assert lattice.misfit == pytest.approx(np.sqrt(np.mean(off**2)), rel=0.05)
    assert lattice.misfit > 0.02


def test_one_square_is_a_lattice_of_its_own() -> None:
    detections = cells_of([(0, 0)], TURNED, np.random.default_rng(2))
    (lattice,) = find_lattices(detections, LatticeSettings())
    np.testing.assert_allclose(
        lattice.points([(0, 0), (1, 0), (1, 1), (0, 1)]),
        project(np.array([(0, 0), (1, 0), (1, 1), (0, 1)]), TURNED),
        atol=1e-6,
    )


def test_a_turned_stranger_beside_the_kingdom_stays_out() -> None:
    rng = np.random.default_rng(5)
    kingdom = cells_of([(r, c) for r in range(5) for c in range(5)], STRAIGHT, rng)
    beside = np.array([[45.0, -40, 470], [40, 45, 120], [0, 0, 1]])
    loose = cells_of([(0, 0), (0, 1)], beside, rng)
    both = Detections(
        np.r_[kingdom.centres, loose.centres],
        np.r_[kingdom.edges, loose.edges],
        np.r_[kingdom.scores, loose.scores],
        np.r_[kingdom.grounds, loose.grounds],
    )
    sizes = [len(lattice.members) for lattice in find_lattices(both, LatticeSettings())]
    assert sizes == [25, 2]


def test_squares_that_are_all_weak_lie_where_they_are_seen() -> None:
    """Those of a kingdom in the shade, beside one of which all is sure."""
    places = [(r, c) for r in range(5) for c in range(5)]
    rng = np.random.default_rng(7)
    sure = cells_of(places, STRAIGHT @ np.array([[1, 0, 20], [0, 1, 0], [0, 0, 1]]), rng)
    weak = cells_of(places, TILTED, rng)
    both = Detections(
        np.r_[sure.centres, weak.centres],
        np.r_[sure.edges, weak.edges],
        np.r_[sure.scores, 0.4 * weak.scores],
        np.r_[sure.grounds, weak.grounds],
    )
    lattices = find_lattices(both, LatticeSettings())
    (found,) = (each for each in lattices if min(each.members.values()) == 25)
    assert [len(lattice.members) for lattice in lattices] == [25, 25]
    middles = middles_of(found.members)
    np.testing.assert_allclose(found.points(middles), project(middles, TILTED), atol=0.5)


def test_rows_run_to_the_right_whatever_the_first_edge_was() -> None:
    rng = np.random.default_rng(6)
    for _ in range(8):
        detections = cells_of([(r, c) for r in range(3) for c in range(4)], TURNED, rng)
        (lattice,) = find_lattices(detections, LatticeSettings())
        across, down = lattice.points([(1, 0), (0, 1)]) - lattice.points([(0, 0)])
        assert across[0] > abs(across[1])
        assert down[1] > abs(down[0])


def test_no_squares_no_lattices() -> None:
    nothing = Detections(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros(0), np.zeros((0, 9)))
    assert find_lattices(nothing, LatticeSettings()) == []


SETTINGS = LatticeSettings()
Places = list[tuple[float, float]]


def two_kingdoms(gap: float, across: bool = False) -> tuple[Places, Places]:
    """The places of two kingdoms of 5 × 5, and of what is taken for squares between them."""
    beyond = 5 + gap
    squares = [*block(5, 5).values(), *((r, c + beyond) for r, c in block(5, 5).values())]
    between = [(float(r), 4.5 + gap / 2) for r in (1, 2, 4)]
    if across:
        squares, between = [(c, r) for r, c in squares], [(c, r) for r, c in between]
    return squares, between


def found(squares: Places, weak: Places, score: float = 0.5) -> Detections:
    detections = detected([*squares, *weak])
    scores = np.r_[np.full(len(squares), 0.8), np.full(len(weak), score)]
    return replace(detections, scores=scores)


def sizes(detections: Detections) -> list[int]:
    return [len(lattice.members) for lattice in find_lattices(detections, SETTINGS)]


@pytest.mark.parametrize("gap", [0.5, 0.65, 0.75])
@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("score", [0.35, 0.5])
def test_what_looks_like_squares_in_a_narrow_gap_joins_no_two_kingdoms(
    gap: float, across: bool, score: float
) -> None:
    squares, between = two_kingdoms(gap, across)
    assert sizes(found(squares, between, score)) == [25, 25]


def test_squares_that_have_room_between_others_stay() -> None:
    squares, between = two_kingdoms(1.0)
    assert sizes(found(squares, between)) == [53]


def test_the_lattices_that_are_left_lie_on_their_squares() -> None:
    detections = found(*two_kingdoms(0.6))
    for lattice in find_lattices(detections, SETTINGS):
        assert lattice.misfit < 1e-6


@pytest.mark.parametrize(
    ("off", "size", "joins"), [(0.0, 1.0, True), (0.4, 1.0, False), (0.0, 0.4, False)]
)
def test_what_is_less_sure_joins_where_it_lies_on_a_cell_as_large_as_it(
    off: float, size: float, joins: bool
) -> None:
    detections = found([*block(3, 3).values()], [(1.0 + off, 3.0)], score=0.3)
    detections.edges[-1] *= size
    assert sizes(detections) == ([10] if joins else [9, 1])


@pytest.mark.parametrize("arm", [0, 2])
def test_a_standing_castle_leans_over_one_square_alone(arm: int) -> None:
    places = {**block(3, 3), **{(1, 3 + k): (1.0, 3.0 + k) for k in range(arm)}}
    castle = (1, 3 + arm)
    detections = found(list(places.values()), [(1.0, castle[1] - 0.2)])
    members = {cell: k for k, cell in enumerate([*places, castle])}
    lattice = replace(lattice_at(), members=members)
    parts, squeezed = part_at_squeezed(detections, lattice, SETTINGS)
    assert [len(part.members) for part in parts] == [10 + arm]
    assert not squeezed


def test_a_lattice_fitted_badly_shows_no_narrow_line() -> None:
    # By the lattice a line has too little room, but those on both sides are two squares apart.
    squares = [place for cell, place in block(3, 5).items() if cell[1] != 2]
    detections = found(squares, [(float(r), 2.0) for r in range(3)])
    members = {(int(r), int(c)): k for k, (r, c) in enumerate(squares)}
    members |= {(r, 2): len(squares) + r for r in range(3)}
    lattice = fit_lattice(detections, members, SETTINGS)
    stretched = replace(lattice, homography=lattice.homography @ np.diag([1.09, 1.0, 1.0]))
    parts, squeezed = part_at_squeezed(detections, stretched, SETTINGS)
    assert [len(part.members) for part in parts] == [15]
    assert not squeezed


@pytest.mark.parametrize(("left_out", "more"), [(5.6, 5.0), (4.0, 4.6)])
def test_squares_beside_a_narrow_line_stay_with_the_side_that_they_touch(
    left_out: float, more: float
) -> None:
    # One kingdom has a square more, beside the gap and not across it.
    squares, between = two_kingdoms(0.6)
    squares = [place for place in squares if place != (0.0, left_out)]
    lattices = find_lattices(found([*squares, (0.0, more)], between), SETTINGS)
    assert [len(lattice.members) for lattice in lattices] == [26, 24]
    assert all(lattice.misfit < 1e-6 for lattice in lattices)


def test_nothing_is_dropped_that_the_locator_is_as_sure_of_as_of_what_lies_beside_it() -> None:
    squares, between = two_kingdoms(0.75)
    assert sum(sizes(found(squares, between, score=0.75))) == 53
