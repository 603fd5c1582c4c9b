"""Points through homographies, and homographies from points."""

import numpy as np
import pytest

from vision.common.homography import fit_homography, project

TILTED = np.array([[40.0, 3.0, 200.0], [-2.0, 35.0, 120.0], [0.01, -0.02, 1.0]])
GRID = np.array([(x, y) for y in range(4) for x in range(4)], np.float64)


def test_a_point_is_divided_by_its_third_coordinate() -> None:
    assert project(np.array([[1.0, 2.0]]), TILTED) == pytest.approx(
        np.array([[246 / 0.97, 188 / 0.97]])
    )


def test_no_points_are_mapped_to_none() -> None:
    assert project(np.zeros((0, 2)), TILTED).shape == (0, 2)


def test_exact_points_give_their_homography_back() -> None:
    found = fit_homography(GRID, project(GRID, TILTED))
    assert found == pytest.approx(TILTED, abs=1e-3)


def test_noise_is_averaged_out() -> None:
    rng = np.random.default_rng(3)
    noisy = project(GRID, TILTED) + rng.normal(0, 0.5, GRID.shape)
    np.testing.assert_allclose(
        project(GRID, fit_homography(GRID, noisy)), project(GRID, TILTED), atol=1.0
    )


def test_points_on_a_line_determine_nothing() -> None:
    with pytest.raises(ValueError, match="no homography"):
        fit_homography(np.zeros((4, 2)), np.zeros((4, 2)))
