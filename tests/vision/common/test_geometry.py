"""Homographies, rectified squares and resized pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.common.geometry import (
    PATCH_PX,
    cut_square,
    cut_squares,
    fit_homography,
    measure_stretch,
    project,
    rectify_quadrangle,
    resize_by_halves,
    resized_patches,
)


def quarters(side: int) -> np.ndarray:
    """A picture of four colours: red, green above blue, white."""
    half = side // 2
    picture = np.zeros((side, side, 3), np.uint8)
    picture[:half, :half] = (255, 0, 0)
    picture[:half, half:] = (0, 255, 0)
    picture[half:, :half] = (0, 0, 255)
    picture[half:, half:] = 255
    return picture


@pytest.mark.parametrize("side", [24, 64, 150, 500])
def test_a_whole_picture_comes_out_as_it_is(side: int) -> None:
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]]) - 0.5
    patch = cut_square(quarters(side), corners)
    assert patch.shape == (PATCH_PX, PATCH_PX, 3)
    np.testing.assert_array_equal(patch[8, 8], (255, 0, 0))
    np.testing.assert_array_equal(patch[8, -8], (0, 255, 0))
    np.testing.assert_array_equal(patch[-8, 8], (0, 0, 255))
    np.testing.assert_array_equal(patch[-8, -8], (255, 255, 255))


def test_corners_given_from_another_side_turn_the_patch() -> None:
    corners = np.array([[100, 0], [100, 100], [0, 100], [0, 0]]) - 0.5
    patch = cut_square(quarters(100), corners)
    np.testing.assert_array_equal(patch[8, 8], (0, 255, 0))
    np.testing.assert_array_equal(patch[8, -8], (255, 255, 255))


def test_beyond_the_picture_its_edge_goes_on() -> None:
    corners = np.array([[-50, 0], [50, 0], [50, 100], [-50, 100]]) - 0.5
    patch = cut_square(quarters(100), corners)
    np.testing.assert_array_equal(patch[8, 2], (255, 0, 0))


@pytest.mark.parametrize("side", [60, 230, 460, 20_000])
def test_squares_cut_together_look_like_those_cut_alone(side: int) -> None:
    """Large ones are cut from a smaller picture, also beyond its edges."""
    # Soft spots, on which a shift of one pixel shows.
    spots = np.random.default_rng(5).integers(0, 255, (50, 60, 3), np.uint8)
    picture = np.asarray(cv2.resize(spots, (1201, 1003), interpolation=cv2.INTER_CUBIC), np.uint8)
    turn = np.array([[0.97, -0.2], [0.25, 0.98]])
    around = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5
    squares = [
        np.array([x, y]) + side * around @ turn.T
        for x, y in ((300, 300), (621, 410), (1100.5, 700), (420, 960), (30, 40))
    ]
    squares.append(np.array([500, 500]) + 50 * around)
    patches = cut_squares(picture, squares)
    assert patches.shape == (6, PATCH_PX, PATCH_PX, 3)
    for corners, patch in zip(squares, patches, strict=True):
        off = np.abs(patch.astype(int) - cut_square(picture, corners).astype(int))
        # Spread over so many pixels that even the most samples are far apart.
        assert off.mean() < (1.5 if side < 1000 else 60)


def test_no_squares_are_no_patches() -> None:
    assert cut_squares(quarters(64), []).shape == (0, PATCH_PX, PATCH_PX, 3)


def test_a_quadrangle_is_rectified_at_any_size_and_black_outside_the_picture() -> None:
    corners = np.array([[100, 0], [100, 100], [0, 100], [0, 0]])
    turned = rectify_quadrangle(quarters(100), corners, 30)
    assert turned.shape == (30, 30, 3)
    np.testing.assert_array_equal(turned[5, 5], (0, 255, 0))
    np.testing.assert_array_equal(turned[5, -5], (255, 255, 255))
    outside = rectify_quadrangle(quarters(100), corners - (100, 0), 30)
    assert not outside[5].any()


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


def test_what_is_larger_is_averaged_and_what_is_smaller_is_drawn_between_its_pixels() -> None:
    noise = np.random.default_rng(5).integers(0, 256, (128, 96, 3), np.uint8)
    large, small, narrow = resized_patches([noise, noise[:20, :20], noise[:20]], 32)
    for patch, picture, way in (
        (large, noise, cv2.INTER_AREA),
        (small, noise[:20, :20], cv2.INTER_LINEAR),
        (narrow, noise[:20], cv2.INTER_LINEAR),
    ):
        expected = cv2.resize(np.ascontiguousarray(picture), (32, 32), interpolation=way)
        np.testing.assert_array_equal(patch, expected)


def test_any_size_becomes_one() -> None:
    red = np.full((7, 50, 3), (200, 30, 30), np.uint8)
    found = resized_patches([red, np.repeat(red, 9, 0)], 32)
    assert found.shape == (2, 32, 32, 3)
    assert (found == (200, 30, 30)).all()
    assert resized_patches([], 32).shape == (0, 32, 32, 3)


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 4), (0, 4, 3)])
def test_other_arrays_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="image 0"):
        resized_patches([np.zeros(shape, np.uint8)], 32)
    with pytest.raises(ValueError, match="float64"):
        resized_patches([np.zeros((4, 4, 3))], 32)  # type: ignore[list-item]


@pytest.mark.parametrize("size", [(64, 48), (100, 75), (66, 50), (40, 30), (200, 150)])
def test_resizing_by_halves_keeps_what_lies_where(size: tuple[int, int]) -> None:
    x, y = np.meshgrid(np.arange(200), np.arange(150))
    picture = np.stack([x, y, np.full_like(x, 90)], 2).astype(np.uint8)
    width, height = size
    found = resize_by_halves(picture, width, height)
    assert found.shape == (height, width, 3)
    across = (np.arange(width) + 0.5) * 200 / width - 0.5
    down = (np.arange(height) + 0.5) * 150 / height - 0.5
    np.testing.assert_allclose(found[height // 2, :, 0], across, atol=1.5)
    np.testing.assert_allclose(found[:, width // 2, 1], down, atol=1.5)


def test_grain_is_averaged_away_in_a_smaller_picture() -> None:
    grain = np.random.default_rng(1).normal(128, 40, (600, 800, 3))
    picture = np.clip(grain, 0, 255).astype(np.uint8)
    assert resize_by_halves(picture, 103, 77).std() < 40 / 5
