"""Things on the table."""

from __future__ import annotations

import numpy as np

from training.kingdomino.render import Camera
from training.kingdomino.render.standing import put_things


def test_things_lie_round_a_kingdom_and_not_on_it() -> None:
    camera = Camera.above((2.5, 2.5), (300, 300), 40, tilt_deg=0, turn_deg=0)
    for seed in range(6):
        rgb = np.full((600, 600, 3), (255, 0, 255), np.uint8)
        put_things(rgb, camera, 12, np.random.default_rng(seed))
        changed = (rgb != (255, 0, 255)).any(axis=2)
        assert 0.02 < changed.mean() < 0.6
        assert not changed[260:340, 260:340].any()


def test_no_things() -> None:
    rgb = np.zeros((50, 50, 3), np.uint8)
    camera = Camera.above((0, 0), (25, 25), 10, tilt_deg=20, turn_deg=0)
    put_things(rgb, camera, 0, np.random.default_rng(1))
    assert not rgb.any()
