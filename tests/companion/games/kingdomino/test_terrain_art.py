"""One style of terrains: the drawings of board, result and card are the same."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.games.kingdomino.terrain_art import (
    ART,
    CASTLE,
    COVERED_CROWN,
    CROWN,
    Art,
    tile_picture,
    tile_svg,
)
from scorer.kingdomino import Square
from tests.companion.web.node import run_node

_SCRIPT = """
const art = await import(`${process.env.WEB}/kingdomino/static/drawing.mjs`);
console.log(JSON.stringify([art.TERRAIN_ART, art.CASTLE_ART, art.CROWN, art.COVERED_CROWN]));
"""
_SQUARES = ["w", "f1", "l2", "g3", "s1!", "m3!!", "c"]


def test_the_board_has_the_same_drawings() -> None:
    terrains, castle, crown, covered = json.loads(run_node("--input-type=module", text=_SCRIPT))
    assert {each.letter: Art(**terrains[each.letter]) for each in ART} == {
        each.letter: art for each, art in ART.items()
    }
    assert Art(**castle) == CASTLE
    assert (crown, covered) == (CROWN, COVERED_CROWN)


@pytest.mark.parametrize("notation", _SQUARES)
def test_a_tile_is_drawn_as_its_svg_says(notation: str) -> None:
    square = Square.parse(notation)
    drawn = ElementTree.fromstring(f"<g>{tile_svg(square)}</g>")
    assert len([each for each in drawn if each.get("transform")]) == square.crowns
    pixels = np.asarray(tile_picture(square, 100))
    assert pixels.shape == (100, 100, 3)
    ground = tuple(int(drawn[0].attrib["fill"][at : at + 2], 16) for at in (1, 3, 5))
    assert tuple(pixels[1, 1]) == ground
    below = pixels[72:84, 40:60] != ground
    assert below.any() == bool(square.crowns or square.is_castle)


def test_an_empty_square_has_no_picture() -> None:
    with pytest.raises(ValueError, match="empty"):
        tile_picture(Square(), 10)
