"""Rectified squares are upright, whatever their size and tilt."""

import cv2
import numpy as np
import pytest

from vision.common.rectify import PATCH_PX, cut_square, cut_squares, rectify_quadrangle


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
