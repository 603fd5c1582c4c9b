"""Points through homographies, and homographies from points."""

import numpy as np
import pytest

from vision.common.homography import fitted, project

TILTED = np.array([[40.0, 3.0, 200.0], [-2.0, 35.0, 120.0], [0.01, -0.02, 1.0]])
GRID = np.array([(x, y) for y in range(4) for x in range(4)], np.float64)


def test_a_point_is_divided_by_its_third_coordinate() -> None:
    assert project(np.array([[1.0, 2.0]]), TILTED) == pytest.approx(
        np.array([[246 / 0.97, 188 / 0.97]])
    )


def test_exact_points_give_their_homography_back() -> None:
    found = fitted(GRID, project(GRID, TILTED), np.ones(len(GRID)))
    assert found == pytest.approx(TILTED, abs=1e-6)


def test_a_point_of_little_weight_pulls_little() -> None:
    moved = project(GRID, TILTED)
    moved[5] += 25.0
    weights = np.ones(len(GRID))
    weights[5] = 1e-4
    found = fitted(GRID, moved, weights)
    others = np.delete(np.arange(len(GRID)), 5)
    assert project(GRID[others], found) == pytest.approx(moved[others], abs=1e-3)
