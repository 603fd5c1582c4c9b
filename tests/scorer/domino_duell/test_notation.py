"""Stones and positions as text."""

from __future__ import annotations

import pytest

from scorer.domino_duell import (
    JOKER,
    STONES,
    Exchange,
    Lay,
    NotationError,
    Pass,
    Stone,
    Turn,
    UseJoker,
    format_turn,
    parse_piece,
    parse_turn,
)
from scorer.domino_duell.stone import FEATURES

RCW, GSL, YTK = map(Stone.parse, ("rcw", "gsl", "ytk"))


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("e6=rcw", Lay(RCW, "e6")),
        ("e6=rcw edge", Lay(RCW, "e6", at_edge=True)),
        ("e6=rcw inside +gsl", Lay(RCW, "e6", at_edge=False, drawn=GSL)),
        ("e6=rcw +*", Lay(RCW, "e6", drawn=JOKER)),
        ("joker h5 e6=rcw edge +gsl", Lay(RCW, "e6", True, "h5", GSL)),
        ("joker h5", UseJoker("h5")),
        ("swap 3", Exchange(3)),
        ("swap rcw *", Exchange(2, (RCW, JOKER))),
        ("swap rcw for gsl", Exchange(1, (RCW,), (GSL,))),
        ("swap 2 for gsl ytk", Exchange(2, (), (GSL, YTK))),
        ("pass", Pass()),
        ("Anna: e6=rcw", Lay(RCW, "e6", player="Anna")),
        ("Opa Jürgen: pass", Pass(player="Opa Jürgen")),
    ],
)
def test_turns_round_trip(text: str, turn: Turn) -> None:
    assert parse_turn(text) == turn
    assert format_turn(turn) == text
    assert parse_turn(f"  {text.replace(': ', ':  ')}   # a comment: with words") == turn


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("", "bad_turn", 1),
        ("  # nothing", "bad_turn", 1),
        ("lay rcw", "bad_turn", 1),
        ("joker", "bad_turn", 1),
        ("joker x5", "off_board", 7),
        ("joker h5 x6=rcw", "off_board", 10),
        ("z6=rcw", "off_board", 1),
        ("e6=rcx", "bad_stone", 4),
        ("  e6=rcx", "bad_stone", 6),
        ("e6=*", "joker_laid", 1),
        ("e6=rcw +", "bad_stone", 9),
        ("e6=rcw +rc", "bad_stone", 9),
        ("e6=rcw gsl", "bad_turn", 8),
        ("e6=rcw +gsl edge", "bad_turn", 13),
        ("swap", "bad_count", 1),
        ("swap 0", "bad_count", 6),
        (f"swap {'9' * 5000}", "bad_count", 6),
        ("swap 3 gsl", "bad_turn", 8),
        ("swap rcw 3", "bad_stone", 10),
        ("swap rcw for", "bad_count", 10),
        ("swap rcw gsl for ytk", "bad_count", 14),
        ("swap 1 for ytk *", "bad_count", 8),
        ("pass now", "bad_turn", 6),
        ("Anna: e6=rcx", "bad_stone", 10),
        (" Ben: e6=rcw", "unknown_player", 2),
    ],
)
def test_what_is_no_turn(text: str, code: str, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        parse_turn(text, players=("Anna",), line=7)
    assert refused.value.code == code
    assert (refused.value.details["line"], refused.value.details["column"]) == (7, column)


def test_any_name_goes_where_none_are_given() -> None:
    assert parse_turn("Cem: pass").player == "Cem"
    assert parse_piece("*") is JOKER


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
