"""Ground and ornaments of the terrains."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.kingdomino import Terrain
from training.kingdomino.render.canvas import Canvas, Style
from training.kingdomino.render.terrain import GROUND, draw_divider, draw_ornaments, ground


@pytest.mark.parametrize("terrain", Terrain)
def test_bare_ground_is_near_its_colour(terrain: Terrain) -> None:
    bare = ground(terrain, (96, 192), np.random.default_rng(1))
    assert bare.shape == (96, 192, 3)
    np.testing.assert_allclose(np.median(bare, axis=(0, 1)), GROUND[terrain][0], atol=40)
    assert bare.std() > 2


@pytest.mark.parametrize("terrain", Terrain)
def test_ornaments_stay_on_their_half_and_give_way_to_a_building(terrain: Terrain) -> None:
    def changed(beside_building: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        canvas = Canvas(2, 1, 100, (255, 0, 255))
        rng = np.random.default_rng(4)
        draw_ornaments(canvas, 0, terrain, rng, Style(), beside_building=beside_building)
        return np.asarray((canvas.rgb != (255, 0, 255)).any(axis=2))

    alone, beside = changed(False), changed(True)
    assert alone[:, :100].any()
    assert not alone[:, 112:].any()
    assert beside.mean() <= alone.mean()


@pytest.mark.parametrize("left", Terrain)
def test_unlike_halves_are_divided_in_the_middle(left: Terrain) -> None:
    right = Terrain.LAKE if left is not Terrain.LAKE else Terrain.WHEAT
    canvas = Canvas(2, 1, 100, (255, 255, 255))
    draw_divider(canvas, left, right, np.random.default_rng(1))
    dark = canvas.rgb.min(axis=2) < 200
    assert dark[:, 80:120].any(axis=1).all()
    assert not dark[:, :80].any()
    assert not dark[:, 120:].any()
