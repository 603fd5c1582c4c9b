"""The values that kept games, JSON and the languages know, and those of fields left out."""

from __future__ import annotations

from enum import Enum

import pytest

from scorer.domino_duell import (
    HAND_SIZE,
    JOKERS,
    PLAYERS,
    Colour,
    End,
    Exchange,
    Game,
    GroupKind,
    Hand,
    Joker,
    Lay,
    Pass,
    Reason,
    Record,
    SetUp,
    Symbol,
    SymbolColour,
    UseJoker,
)
from scorer.domino_duell.board import JOKER_NUMBER, NOTHING, Window
from scorer.domino_duell.notation import EDGE_WORDS
from scorer.domino_duell.scoring import EDGE_FACTOR
from tests.scorer.defaults import defaults_of


def test_reasons_are_named_by_their_code() -> None:
    assert [reason.value for reason in Reason] == [
        "off_board", "occupied", "stone_on_board", "joker_laid", "no_group", "not_in_hand",
        "in_other_hand", "not_in_bag", "bag_too_small", "hand_too_small", "no_stone_to_take",
        "too_near_border", "no_jokers", "need_not_pass", "not_their_turn", "game_over",
    ]  # fmt: skip
    assert all(reason.value == reason.name.lower() for reason in Reason)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (End, {"STONES": "stones", "EDGE": "edge"}),
        (Joker, {"JOKER": "*"}),
        (GroupKind, {"TRIPLE": ("triple", 3, 1), "QUADRUPLE": ("quadruple", 4, 3)}),
        (
            Colour,
            {
                "YELLOW": ("y", "yellow", "gelb"),
                "RED": ("r", "red", "rot"),
                "BLUE": ("b", "blue", "blau"),
                "GREEN": ("g", "green", "grün"),
            },
        ),
        (
            Symbol,
            {
                "CIRCLE": ("c", "circle", "Kreis"),
                "MOON": ("m", "moon", "Mond"),
                "TRIANGLE": ("t", "triangle", "Dreieck"),
                "STAR": ("s", "star", "Stern"),
            },
        ),
        (
            SymbolColour,
            {
                "WHITE": ("w", "white", "weiß"),
                "BLACK": ("k", "black", "schwarz"),
                "GREY": ("g", "grey", "grau"),
                "LIGHT_BLUE": ("l", "light blue", "hellblau"),
            },
        ),
    ],
)
def test_enumerations(kind: type[Enum], values: dict[str, object]) -> None:
    assert {member.name: member.value for member in kind} == values


@pytest.mark.parametrize(
    ("kind", "defaults"),
    [
        (SetUp, {"hands": (), "begins": 0, "end": End.STONES, "jokers": False}),
        (Record, {"turns": (), "lines": ()}),
        (Game, {"steps": (), "passes": 0}),
        (Hand, {"known": ()}),
        (Lay, {"player": None, "at_edge": None, "joker": None, "drawn": None}),
        (UseJoker, {"player": None}),
        (Exchange, {"player": None, "given": (), "drawn": ()}),
        (Pass, {"player": None}),
        (Window, {"inside": 0}),
    ],
)
def test_fields_left_out(kind: type, defaults: dict[str, object]) -> None:
    assert defaults_of(kind) == defaults


def test_figures_of_the_sheet() -> None:
    assert (JOKERS, HAND_SIZE, list(PLAYERS), EDGE_FACTOR) == (4, 7, [2, 3, 4, 5, 6], 2)
    assert (NOTHING, JOKER_NUMBER) == (-1, -2)
    assert EDGE_WORDS == {"edge": True, "inside": False}
