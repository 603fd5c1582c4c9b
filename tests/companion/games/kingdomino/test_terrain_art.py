"""One style of terrains for board, result and card, which everybody can tell apart."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.games.kingdomino.terrain_art import (
    ART,
    CASTLE,
    CROWN,
    Art,
    symbols,
    tile_picture,
    tile_svg,
)
from scorer.kingdomino import Square

_SQUARES = ["w", "f1", "l2", "g3", "s1!", "m3!!", "c"]


# Full dichromacy after Machado, Oliveira and Fernandes (2009), on linear RGB.
_SIGHT = {
    "all": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
}
_LEAST_CONTRAST = 3.0
"""Of shapes that carry a meaning, by WCAG 2.2, criterion 1.4.11."""


def _contrast(one: str, other: str, sight: object) -> float:
    """The contrast of two colours by WCAG, as somebody of this kind of sight sees them."""

    def luminance(colour: str) -> float:
        values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
        linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
        seen = np.clip(np.asarray(sight) @ linear, 0, 1)
        return float(seen @ (0.2126, 0.7152, 0.0722))

    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sight", _SIGHT)
@pytest.mark.parametrize("art", [*ART.values(), CASTLE], ids=lambda art: art.ground)
def test_shapes_stand_out_for_every_kind_of_sight(art: Art, sight: str) -> None:
    assert _contrast(art.ground, art.ink, _SIGHT[sight]) >= _LEAST_CONTRAST


@pytest.mark.parametrize("sight", _SIGHT)
@pytest.mark.parametrize("art", ART.values(), ids=lambda art: art.ground)
def test_crowns_stand_out_on_every_terrain_by_fill_or_line(art: Art, sight: str) -> None:
    colours = set(re.findall(r"#[0-9a-f]{6}", CROWN))
    assert len(colours) == 2
    best = max(_contrast(each, art.ground, _SIGHT[sight]) for each in colours)
    assert best >= _LEAST_CONTRAST


def test_every_terrain_has_shapes_of_its_own() -> None:
    assert len({art.shapes for art in ART.values()}) == len(ART) == 6


def test_a_page_gets_every_drawing_and_every_ground_once() -> None:
    root = ElementTree.fromstring(f"<svg>{symbols()}</svg>")
    found = {each.get("id"): each for each in root.iter("symbol")}
    letters = [each.letter for each in ART]
    assert list(found) == [*(f"tile-{each}" for each in letters), "tile-c", "crown", "covered"]
    for terrain, art in ART.items():
        drawn = ElementTree.tostring(found[f"tile-{terrain.letter}"], encoding="unicode")
        inside = ElementTree.tostring(
            ElementTree.fromstring(f"<a>{art.svg}</a>"), encoding="unicode"
        )
        assert inside.removeprefix("<a>").removesuffix("</a>") in drawn
    (style,) = root.iter("style")
    for letter, art in {**{each.letter: art for each, art in ART.items()}, "c": CASTLE}.items():
        assert f".ground-{letter}{{fill:{art.ground};background:{art.ground}}}" in (
            style.text or ""
        )


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
