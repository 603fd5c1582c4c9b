from __future__ import annotations

import numpy as np
import pytest

from scorer.domino_duell import Board, Stone, Symbol
from vision.domino_duell.synthetic import (
    STEP_PX,
    TRAINED_MATERIALS,
    Material,
    draw_board,
    symbol_outline,
)


def test_stones_are_drawn_in_their_colours() -> None:
    rng = np.random.default_rng(2)
    material = Material.chosen(TRAINED_MATERIALS, rng)
    position = Board.parse("f6=rcw f7=bck")
    canvas, mask, middles = draw_board(position, material, rng)
    assert canvas.shape[:2] == mask.shape
    for hollow in ("f6", "f7"):
        stone = position[hollow]
        assert isinstance(stone, Stone)
        x, y = np.round(middles[position.shape.index[hollow]]).astype(int)
        ink = np.array(material.inks[stone.symbol_colour])
        np.testing.assert_allclose(canvas[y, x], ink, atol=2)
        paint = np.array(material.paints[stone.colour])
        beside = canvas[y, x + round(0.34 * STEP_PX)]
        assert np.abs(beside - paint).max() < 0.12 * 255


@pytest.mark.parametrize("symbol", Symbol)
def test_symbols_lie_round_their_middle(symbol: Symbol) -> None:
    outline = symbol_outline(symbol, 0.7)
    reach = np.linalg.norm(outline, axis=1).max()
    assert 0.85 < reach < 1.2
    np.testing.assert_allclose(
        np.linalg.norm(symbol_outline(symbol, 0.0), axis=1), np.linalg.norm(outline, axis=1)
    )
