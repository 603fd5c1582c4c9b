"""Drawn boards."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.domino_duell import JOKERS, Board, Colour, Stone, Symbol, SymbolColour
from training.domino_duell.scenes import (
    OTHER_MATERIALS,
    STEP_PX,
    TRAINED_MATERIALS,
    Material,
    SceneSettings,
    draw_bare_table,
    draw_board,
    draw_scene,
    random_position,
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


def test_other_materials_are_other() -> None:
    assert not set(TRAINED_MATERIALS.woods) & set(OTHER_MATERIALS.woods)
    assert not set(TRAINED_MATERIALS.corners) & set(OTHER_MATERIALS.corners)


def test_a_material_has_every_paint_and_ink() -> None:
    material = Material.chosen(TRAINED_MATERIALS, np.random.default_rng(0))
    assert set(material.paints) == set(Colour)
    assert set(material.inks) == set(SymbolColour)
    assert material == Material.chosen(TRAINED_MATERIALS, np.random.default_rng(0))


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
