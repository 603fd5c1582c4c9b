from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE
from vision.common.rectify import project
from vision.domino_duell.detect import grow_lattices, place, places_of

TILTED = np.array([[38.0, 9.0, 240.0], [-7.0, 33.0, 150.0], [0.004, -0.006, 1.0]])


def points(seed: int, noise_px: float = 0.0, strangers: int = 0) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    seen = project(places_of(DEFAULT_SHAPE), TILTED)
    seen = seen + rng.normal(0, noise_px, seen.shape)
    return np.concatenate([seen, rng.uniform(0, 900, (strangers, 2))])


def test_neighbours_are_one_step_apart() -> None:
    places = places_of(DEFAULT_SHAPE)
    for index, near in enumerate(DEFAULT_SHAPE.neighbours):
        steps = np.linalg.norm(places[list(near)] - places[index], axis=1)
        np.testing.assert_allclose(steps, 1.0)
    np.testing.assert_allclose(np.linalg.norm(place([(1, 0), (0, 1), (-1, 1)]), axis=1), 1.0)


@pytest.mark.parametrize(("noise_px", "strangers"), [(0.0, 0), (1.5, 40)])
def test_the_lattice_of_a_tilted_board_is_found(noise_px: float, strangers: int) -> None:
    found = grow_lattices(points(1, noise_px, strangers))
    assert len(found[0]) >= 98
    seen = project(place(found[0].nodes), found[0].homography)
    assert np.median(np.linalg.norm(seen - found[0].points, axis=1)) < 2 * noise_px + 0.1


def test_a_cloth_that_bends_comes_after_the_board() -> None:
    """Its lattice has more points, but they do not lie on one plane."""
    across, down = np.meshgrid(np.arange(14.0), np.arange(14.0))
    cloth = np.stack([26 * across + 13 * (down % 2), 22 * down], -1).reshape(-1, 2)
    cloth = cloth + 9 * np.sin(cloth[:, ::-1] / 45) + (900.0, 700.0)
    board = points(1)
    both = np.random.default_rng(0).permutation(np.concatenate([cloth, board]))
    first, second = grow_lattices(both)
    assert len(first) == first.agreeing == len(board)
    assert len(second) > len(first)


def test_points_at_random_are_no_lattice() -> None:
    assert grow_lattices(np.random.default_rng(0).uniform(0, 900, (60, 2))) == []
    assert grow_lattices(np.full((40, 2), 300.0)) == []
    assert grow_lattices(np.zeros((0, 2))) == []
