"""Dominoes cut out flat."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pip_dominoes.weights import (
    FACE_MARGIN_PX,
    FACE_PX,
    HALF_MARGIN_PX,
    HALF_PX,
    cut,
    face_points,
    half_corners,
    patch_corners,
)

CORNERS = np.array([(60.0, 40.0), (160.0, 60.0), (150.0, 110.0), (50.0, 90.0)])


def picture() -> np.ndarray:
    """A red first half and a green second half on grey, between them a white bar."""
    rgb = np.full((200, 240, 3), 90, np.uint8)
    middle = (CORNERS[0] + CORNERS[1]) / 2, (CORNERS[3] + CORNERS[2]) / 2
    first = np.array([CORNERS[0], middle[0], middle[1], CORNERS[3]])
    second = np.array([middle[0], CORNERS[1], CORNERS[2], middle[1]])
    for box, colour in ((first, (200, 0, 0)), (second, (0, 200, 0))):
        cv2.fillConvexPoly(rgb, np.round(box).astype(np.int32), colour)
    top, bottom = np.round(middle).astype(int).tolist()
    cv2.line(rgb, top, bottom, (255, 255, 255), 5)
    return rgb


def test_the_long_edge_lies_along_the_patch_with_a_margin() -> None:
    patch = cut(picture(), CORNERS, FACE_PX, FACE_MARGIN_PX)
    assert patch.shape == (FACE_PX[1], FACE_PX[0], 3)
    np.testing.assert_array_equal(patch[48, 40], (200, 0, 0))
    np.testing.assert_array_equal(patch[48, 120], (0, 200, 0))
    assert patch[48, 80].min() > 180
    np.testing.assert_array_equal(patch[48, 6], (90, 90, 90))


def test_both_halves_have_the_bar_at_their_right() -> None:
    for box, colour in zip(half_corners(CORNERS), ((200, 0, 0), (0, 200, 0)), strict=True):
        patch = cut(picture(), box, (HALF_PX, HALF_PX), HALF_MARGIN_PX)
        np.testing.assert_array_equal(patch[HALF_PX // 2, HALF_PX // 2], colour)
        assert patch[HALF_PX // 2, HALF_PX - HALF_MARGIN_PX].min() > 180
        np.testing.assert_array_equal(patch[HALF_PX // 2, 2], (90, 90, 90))


def test_points_go_to_the_patch_and_back() -> None:
    flat = face_points(CORNERS, CORNERS, to_patch=True)
    np.testing.assert_allclose(flat, patch_corners(FACE_PX, FACE_MARGIN_PX), atol=1e-3)
    np.testing.assert_allclose(face_points(CORNERS, flat, to_patch=False), CORNERS, atol=1e-3)


def test_large_dominoes_are_averaged_not_sampled() -> None:
    fine = np.zeros((900, 1700, 3), np.uint8)
    fine[:, ::2] = 255
    box = np.array([(50.0, 50.0), (1650.0, 50.0), (1650.0, 850.0), (50.0, 850.0)])
    patch = cut(fine, box, FACE_PX, FACE_MARGIN_PX)[20:-20, 20:-20]
    assert patch.std() < 40
