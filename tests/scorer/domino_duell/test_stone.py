from __future__ import annotations

import pytest

from scorer.domino_duell import JOKER, STONES, NotationError, Stone, parse_piece
from scorer.domino_duell.stone import FEATURES


def test_each_of_the_64_stones_is_there_once() -> None:
    assert len(set(STONES)) == len(STONES) == 64
    assert [stone.number for stone in STONES] == list(range(64))
    assert len({str(stone) for stone in STONES}) == 64


def test_notation_round_trips() -> None:
    for stone in STONES:
        assert Stone.parse(str(stone)) is stone
        assert parse_piece(str(stone)) is stone
    assert parse_piece(str(JOKER)) is JOKER


@pytest.mark.parametrize("text", ["", "rc", "rcww", "RCW", "wcr", "rcy", "*", " rcw"])
def test_what_is_no_stone(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        Stone.parse(text)
    assert (refused.value.code, refused.value.details["text"]) == ("bad_stone", text)


def test_letters_and_words_as_the_rules_name_them() -> None:
    told = [[(each.letter, each.german) for each in feature] for feature in FEATURES]
    assert told == [
        [("y", "gelb"), ("r", "rot"), ("b", "blau"), ("g", "grün")],
        [("c", "Kreis"), ("m", "Mond"), ("t", "Dreieck"), ("s", "Stern")],
        [("w", "weiß"), ("k", "schwarz"), ("g", "grau"), ("l", "hellblau")],
    ]
    for feature in FEATURES:
        assert [each.number for each in feature] == [0, 1, 2, 3]


def test_equal_stones_are_equal_however_they_came_about() -> None:
    stone = Stone.parse("gsl")
    again = Stone(stone.colour, stone.symbol, stone.symbol_colour)
    assert again == stone
    assert hash(again) == hash(stone)


def test_the_number_follows_from_the_features_and_is_neither_given_nor_shown() -> None:
    stone = Stone.parse("gsl")
    assert stone.number == 63
    assert "number" not in repr(stone)
    with pytest.raises(TypeError):
        Stone(stone.colour, stone.symbol, stone.symbol_colour, 7)  # type: ignore[call-arg]
