"""Lattices found from noisy single squares, and lines of cells in which no square lies."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.kingdomino.lattice import (
    Detections,
    LatticeSettings,
    find_lattices,
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
