"""Dominoes in text, and how many a set has."""

from __future__ import annotations

import pytest

from vision.pip_dominoes.result import SETS, format_tile, parse_tile, tiles_of


@pytest.mark.parametrize(
    ("highest", "count", "pips"),
    [(6, 28, 168), (9, 55, 495), (12, 91, 1092), (15, 136, 2040), (18, 190, 3420)],
)
def test_a_set_has_each_domino_once(highest: int, count: int, pips: int) -> None:
    tiles = tiles_of(highest)
    assert highest in SETS
    assert len(set(tiles)) == len(tiles) == count
    assert sum(a + b for a, b in tiles) == pips


def test_text_goes_there_and_back() -> None:
    assert [parse_tile(format_tile(b, a)) for a, b in tiles_of(18)] == list(tiles_of(18))
    assert parse_tile("9|5") == (5, 9)


@pytest.mark.parametrize("text", ["", "5", "5|", "|5", "a|b", "5|19", "-1|4", "1|2|3", "5/9"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="tile: expected"):
        parse_tile(text)
