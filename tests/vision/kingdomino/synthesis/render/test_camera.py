"""The pinhole camera above the table."""

from __future__ import annotations

import numpy as np

from training.kingdomino.render import Camera


def test_straight_above_a_square_has_its_pixels() -> None:
    camera = Camera.above((2, 1), (300, 200), 50, tilt_deg=0, turn_deg=0)
    seen = camera.pixels([(2, 1, 0), (3, 1, 0), (2, 2, 0)])
    np.testing.assert_allclose(seen, [(300, 200), (350, 200), (300, 250)], atol=1e-9)


def test_turned_clockwise() -> None:
    camera = Camera.above((0, 0), (0, 0), 50, tilt_deg=0, turn_deg=90)
    np.testing.assert_allclose(camera.pixels([(1, 0, 0)]), [(0, 50)], atol=1e-9)


def test_leaning_back_what_is_lower_in_the_picture_is_nearer_and_larger() -> None:
    camera = Camera.above((0, 0), (0, 0), 50, tilt_deg=35, turn_deg=0)
    far, near = camera.pixels([(-1, -2, 0), (1, -2, 0), (-1, 2, 0), (1, 2, 0)]).reshape(2, 2, 2)
    assert near[1, 0] - near[0, 0] > far[1, 0] - far[0, 0]
    assert near[0, 1] > far[0, 1]
    assert camera.depth((0, 2, 0)) < camera.depth((0, -2, 0))


def test_what_stands_rises_in_the_picture() -> None:
    camera = Camera.above((0, 0), (0, 0), 50, tilt_deg=35, turn_deg=0)
    foot, top = camera.pixels([(0, 0, 0), (0, 0, 1)])
    assert top[1] < foot[1] - 20
    assert camera.depth((0, 0, 1)) < camera.depth((0, 0, 0))


def test_the_homography_of_a_height_is_the_projection_at_that_height() -> None:
    camera = Camera.above((1, 2), (300, 200), 60, tilt_deg=30, turn_deg=25, azimuth_deg=40)
    for height in (0.0, 0.4):
        seen = camera.homography(height) @ (3.0, -1.0, 1.0)
        expected = camera.pixels([(3.0, -1.0, height)])[0]
        np.testing.assert_allclose(seen[:2] / seen[2], expected)
