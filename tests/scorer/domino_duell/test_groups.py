from __future__ import annotations

from itertools import combinations

import pytest

from scorer.domino_duell import (
    STONES,
    Colour,
    GroupKind,
    Stone,
    SymbolColour,
    completions,
    is_group,
    missing_features,
)
from scorer.domino_duell.scoring import TRIPLE_MASKS
from tests.scorer.domino_duell.golden_tables import rows


def stones(text: str) -> list[Stone]:
    return [Stone.parse(word) for word in text.split()]


@pytest.mark.parametrize(("there", "missing"), rows("completions"))
def test_completions(there: str, missing: str) -> None:
    found = completions(stones(there))
    assert sorted(map(str, found)) == sorted(missing.split())


def test_completions_are_what_trying_all_stones_finds() -> None:
    for pair in combinations(STONES[::3], 2):
        tried = [stone for stone in STONES if stone not in pair and is_group((*pair, stone))]
        assert sorted(completions(pair), key=STONES.index) == tried
        assert len(tried) in (2, 4, 8)


def test_a_triple_has_exactly_one_fourth_and_it_closes_the_exclusive_or() -> None:
    for one, other, third in combinations(STONES, 3):
        if not is_group((one, other, third)):
            continue
        fourth = completions((one, other, third))
        assert len(fourth) == 1
        assert is_group((one, other, third, *fourth))
        assert fourth[0].number == one.number ^ other.number ^ third.number


def test_every_three_stones_of_a_quadruple_are_a_triple() -> None:
    quadruple = stones("rcw rmk rsl rtg")
    assert is_group(quadruple)
    assert all(is_group(three) for three in combinations(quadruple, 3))


def test_the_table_of_triples_is_the_rule() -> None:
    for one, other in combinations(STONES[1::5], 2):
        mask = TRIPLE_MASKS[64 * one.number + other.number]
        assert mask == TRIPLE_MASKS[64 * other.number + one.number]
        for stone in STONES:
            is_third = stone not in (one, other) and is_group((one, other, stone))
            assert bool(mask >> stone.number & 1) == is_third


def test_features_say_why() -> None:
    colour, symbol, ink = missing_features(stones("rcw rmk"))
    assert (colour.equal, colour.values) == (True, (Colour.RED,))
    assert (symbol.equal, len(symbol.values)) == (False, 2)
    assert ink.values == (SymbolColour.GREY, SymbolColour.LIGHT_BLUE)


@pytest.mark.parametrize("text", ["rcw", "rcw rmk rsl rtg", "rcw rcw", "rcw rmk rcw"])
def test_only_two_or_three_different_stones_can_be_completed(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        completions(stones(text))


def test_only_three_or_four_stones_can_be_a_group() -> None:
    with pytest.raises(ValueError, match="expected 3 or 4, got 2"):
        is_group(stones("rcw rmk"))


def test_kinds() -> None:
    assert [(kind.key, kind.size, kind.points) for kind in GroupKind] == [
        ("triple", 3, 1),
        ("quadruple", 4, 3),
    ]
