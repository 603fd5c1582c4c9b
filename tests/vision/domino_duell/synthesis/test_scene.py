from __future__ import annotations

import numpy as np

from scorer.domino_duell import JOKERS
from vision.domino_duell.synthetic import (
    SceneSettings,
    draw_bare_table,
    draw_scene,
    random_position,
)


def test_positions_are_possible_and_of_all_sizes() -> None:
    rng = np.random.default_rng(0)
    found = [random_position(rng) for _ in range(60)]
    assert min(len(each.stones) for each in found) < 15
    assert max(len(each.stones) for each in found) > 55
    assert {each.jokers for each in found} <= set(range(JOKERS + 1))
    assert any(each.jokers for each in found)


def test_all_hollows_are_in_the_picture() -> None:
    for seed in range(6):
        settings = SceneSettings(max_tilt_deg=45)
        scene = draw_scene(np.random.default_rng(seed), settings)
        assert scene.rgb.shape == (720, 960, 3)
        assert (scene.middles >= 0).all()
        assert (scene.middles < (960, 720)).all()


def test_the_same_seed_draws_the_same_picture() -> None:
    one, other = (draw_scene(np.random.default_rng(9)) for _ in range(2))
    np.testing.assert_array_equal(one.rgb, other.rgb)
    assert one.position == other.position
    table, again = (draw_bare_table(np.random.default_rng(9)) for _ in range(2))
    np.testing.assert_array_equal(table, again)
