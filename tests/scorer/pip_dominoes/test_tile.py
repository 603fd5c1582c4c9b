from __future__ import annotations

import pytest

from scorer.pip_dominoes import DOUBLE_BLANK, HIGHEST_PIPS, NotationError, Tile


def test_both_ways_to_hold_a_domino_are_one_tile() -> None:
    assert Tile.of(9, 5) == Tile.of(5, 9) == Tile.parse("9|5") == Tile.parse(" 5-9 ")
    assert hash(Tile.parse("9|5")) == hash(Tile.parse("5|9"))
    assert str(Tile.parse("9|5")) == "5|9"


def test_pips_and_doubles() -> None:
    assert Tile(10, 11).pips == 21
    assert Tile(7, 7).is_double
    assert not Tile(6, 7).is_double
    assert Tile.parse("0|0") == DOUBLE_BLANK
    assert DOUBLE_BLANK.pips == 0


def test_the_half_beside_another() -> None:
    tile = Tile(3, 6)
    assert (tile.beside(3), tile.beside(6)) == (6, 3)
    assert Tile(4, 4).beside(4) == 4
    assert tile.has(3)
    assert tile.has(6)
    assert not tile.has(4)
    with pytest.raises(ValueError, match=r"expected a half of 3\|6, got 4"):
        tile.beside(4)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "5|",
        "|9",
        "5|9|1",
        "5 | 9",
        "5/9",
        "a|b",
        "19|0",
        "0|19",
        "005|9",
        "-1|3",
        "5||9",
        "٥|٩",
    ],
)
def test_texts_that_are_no_tile(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Tile.parse(text)
    assert (caught.value.code, caught.value.details) == ("bad_tile", {"text": text})


@pytest.mark.parametrize(("low", "high"), [(6, 5), (-1, 0), (0, HIGHEST_PIPS + 1)])
def test_halves_that_are_none(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="expected 0 <= low <= high"):
        Tile(low, high)


def test_the_highest_tile_of_all() -> None:
    assert Tile.parse("18|18").pips == 36
