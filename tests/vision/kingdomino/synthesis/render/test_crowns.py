"""Crowns and giants."""

from __future__ import annotations

import numpy as np
import pytest

from training.kingdomino.render.canvas import Canvas
from training.kingdomino.render.tiles import crown_outline, draw_crowns, draw_giants


def test_the_outline_of_a_crown() -> None:
    outline = np.array(crown_outline((0.5, 0.4), 0.2))
    np.testing.assert_allclose(np.ptp(outline, axis=0), (0.2, 0.16))
    upper = outline[:9, 1]
    assert ((upper[1:-1:2] > upper[:-2:2]) & (upper[1:-1:2] > upper[2::2])).all()


@pytest.mark.parametrize("crowns", [1, 2, 3])
def test_a_right_half_is_the_mirror_of_a_left_one(crowns: int) -> None:
    left, right = Canvas(1, 1, 100), Canvas(1, 1, 100)
    draw_crowns(left, 0, crowns, np.random.default_rng(1), mirrored=False)
    draw_crowns(right, 0, crowns, np.random.default_rng(1), mirrored=True)
    columns = [np.nonzero(canvas.rgb.any(axis=(0, 2)))[0] for canvas in (left, right)]
    assert columns[0].min() < 10
    assert columns[1].max() > 90
    np.testing.assert_allclose(99 - columns[1][::-1][[0, -1]], columns[0][[0, -1]], atol=2)


def test_no_crown_and_no_giant_draw_nothing() -> None:
    canvas = Canvas(1, 1, 100)
    draw_crowns(canvas, 0, 0, np.random.default_rng(1), mirrored=False)
    draw_giants(canvas, 0, 0, np.random.default_rng(1), mirrored=False)
    assert not canvas.rgb.any()


def test_giants_stand_on_the_outermost_crowns() -> None:
    canvas = Canvas(1, 1, 100)
    draw_giants(canvas, 0, 2, np.random.default_rng(1), mirrored=False)
    drawn = canvas.rgb.max(axis=2) > 0
    for middle in (17, 45):
        assert drawn[8:30, middle - 4 : middle + 4].mean() > 0.9
    assert not drawn[:, 65:].any()
