"""The start tile."""

from __future__ import annotations

import numpy as np
import pytest

from training.kingdomino.render.tiles import CASTLE_RGB, draw_start_tile


@pytest.mark.parametrize("colour", CASTLE_RGB)
def test_the_crown_is_of_the_player_and_the_pavement_is_not(colour: str) -> None:
    tile = draw_start_tile(192, colour, np.random.default_rng(2)).astype(int)
    player = np.array(CASTLE_RGB[colour])
    crown, pavement = tile[96:115, 60:130], tile[20:35, 70:120]

    def away(part: np.ndarray[tuple[int, ...], np.dtype[np.int_]]) -> float:
        return float(np.abs(np.median(part.reshape(-1, 3), axis=0) - player).sum())

    assert away(crown) < away(pavement)


def test_five_colours_one_for_each_player() -> None:
    assert list(CASTLE_RGB) == ["pink", "yellow", "green", "blue", "brown"]


@pytest.mark.parametrize("px", [24, 48, 400])
def test_any_size(px: int) -> None:
    assert draw_start_tile(px, "blue", np.random.default_rng(1)).shape == (px, px, 3)
