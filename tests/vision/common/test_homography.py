"""Points through homographies, and homographies from points."""

import numpy as np
import pytest

from vision.common.rectify import fit_homography, measure_stretch, project

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


@pytest.mark.parametrize("turn_deg", [0, 30, 90])
@pytest.mark.parametrize("lean_deg", [0, 25, 60])
def test_a_lean_stretches_by_the_inverse_of_its_cosine(lean_deg: float, turn_deg: float) -> None:
    turn, lean = np.deg2rad([turn_deg, lean_deg])
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    view = np.eye(3)
    view[:2, :2] = 40 * np.diag([1, np.cos(lean)]) @ turned
    assert measure_stretch(view, (2.5, 2.5)) == pytest.approx(1 / np.cos(lean))


def test_the_stretch_is_that_of_the_place() -> None:
    fleeing = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0.2, 1]])
    assert measure_stretch(fleeing, (0, 3)) > 1.2 > measure_stretch(fleeing, (0, 0.5))
