from __future__ import annotations

import pytest

from companion.games.pip_dominoes.card import PIPS
from companion.web.pip_dominoes.parts import tile_name, tile_picture
from scorer.pip_dominoes import HIGHEST_PIPS, Tile


@pytest.mark.parametrize("number", range(HIGHEST_PIPS + 1))
def test_a_half_has_as_many_pips_as_its_number(number: int) -> None:
    assert sum(row.bit_count() for row in PIPS[number]) == number
    assert tile_picture(Tile(0, number)).count("<circle") == number


def test_a_picture_is_named_only_where_it_says_something() -> None:
    tile = Tile(5, 9)
    assert 'aria-label="5-9"' in tile_picture(tile, tile_name(tile))
    assert 'aria-hidden="true"' in tile_picture(tile)
