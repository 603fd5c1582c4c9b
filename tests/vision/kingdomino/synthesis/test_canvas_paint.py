"""Outlines, light and paint of things on the canvas."""

import numpy as np

from training.kingdomino.scenes.occluders import (
    CANVAS_PX,
    directions,
    fill_polygon,
    limb_mask,
    paint_surface,
    round_light,
)


def test_a_polygon_fills_its_area() -> None:
    mask = fill_polygon(np.array([(20.0, 30.0), (120.0, 30.0), (120.0, 80.0), (20.0, 80.0)]))
    assert abs((mask > 127).sum() - 100 * 50) < 200


def test_directions_are_of_length_one_and_at_right_angles() -> None:
    ahead, side = directions(np.random.default_rng(1))
    np.testing.assert_allclose([ahead @ ahead, side @ side, ahead @ side], [1, 1, 0], atol=1e-12)


def test_a_limb_narrows_towards_its_tip() -> None:
    root, tip = np.array([96.0, -100.0]), np.array([96.0, 150.0])
    mask = limb_mask(root, (root + tip) / 2, tip, 40.0, 0.5)
    widths = (mask > 127).sum(1)
    assert abs(int(widths[10]) - 40) <= 3
    assert widths[140] < 30
    assert widths[185] == 0


def test_what_is_round_is_darker_at_its_edge() -> None:
    for seed in range(5):
        mask = fill_polygon(np.array([(30.0, -9.0), (90.0, -9.0), (90.0, 200.0), (30.0, 200.0)]))
        light = round_light(mask, 30.0, np.random.default_rng(seed))
        assert light[96, 60] > (light[96, 32] + light[96, 87]) / 2
        assert light.min() >= 0.2


def test_surfaces_differ_and_pictures_are_printed_on_some() -> None:
    rng = np.random.default_rng(2)
    picture = np.zeros((50, 80, 3), np.uint8)
    picture[..., 1] = 255
    surfaces = [paint_surface(rng, [picture]) for _ in range(60)]
    assert all(each.shape == (CANVAS_PX, CANVAS_PX, 3) for each in surfaces)
    means = np.array([each.mean((0, 1)) for each in surfaces])
    assert (means.std(0) > 40).all()
    assert (np.abs(means - (0, 255, 0)).max(1) < 20).sum() >= 3
