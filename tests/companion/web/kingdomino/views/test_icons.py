from __future__ import annotations

from itertools import product
from xml.etree import ElementTree

import pytest

from companion.web.kingdomino.views.icons import data_address, square_svg
from scorer.kingdomino import CASTLE, EMPTY, Square, Terrain

SQUARES = [
    EMPTY,
    CASTLE,
    *(
        Square(terrain, crowns, giants)
        for terrain, crowns, giants in product(Terrain, range(4), range(4))
        if giants <= crowns
    ),
]


def drawn(square: Square, colour: str) -> int:
    """How many shapes of a colour the drawing has."""
    return sum(
        element.get("fill") == colour
        for element in ElementTree.fromstring(square_svg(square)).iter()
    )


def test_every_square_has_a_drawing_of_its_own() -> None:
    assert len({square_svg(square) for square in SQUARES}) == len(SQUARES) == 62


@pytest.mark.parametrize("square", SQUARES, ids=str)
def test_a_drawing_shows_ground_crowns_and_giants(square: Square) -> None:
    if square.terrain:
        assert drawn(square, square.terrain.colour) == 1
    assert drawn(square, "#ffd23f") == square.crowns
    assert drawn(square, "#7a1f2b") == square.giants


def test_an_address_can_stand_in_a_style_sheet() -> None:
    address = data_address(square_svg(CASTLE))
    assert address.startswith("data:image/svg+xml,")
    assert not set(address.removeprefix("data:image/svg+xml,")) & set("\"'<>() #")
