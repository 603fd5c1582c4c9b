"""Buildings on squares with crowns."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.kingdomino import Terrain
from training.kingdomino.render.canvas import Canvas
from training.kingdomino.render.terrain import draw_building


@pytest.mark.parametrize("terrain", Terrain)
@pytest.mark.parametrize("crowns", [1, 2, 3])
def test_a_building_fills_the_middle_and_leaves_the_crowns_their_place(
    terrain: Terrain, crowns: int
) -> None:
    for seed in range(4):
        canvas = Canvas(1, 1, 100, (255, 0, 255))
        draw_building(canvas, 0, terrain, crowns, np.random.default_rng(seed))
        drawn = (canvas.rgb != (255, 0, 255)).any(axis=2)
        assert drawn[45:75, 35:65].mean() > 0.5
        assert drawn[:8].mean() < 0.02
        assert 0.08 < drawn.mean() < 0.75
