"""Every refusal carries what the sentence that people read needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scorer.domino_duell import (
    JOKER,
    STONES,
    Board,
    BoardError,
    Game,
    Record,
    SetUp,
    SetUpError,
    parse_board,
    parse_piece,
    parse_turn,
)
from scorer.domino_duell.board import DEFAULT_SHAPE
from scorer.errors import CodedError
from tests.scorer.domino_duell.test_game import KNOWN, nearly_full, played, started

START = Board.parse("f6=ycw f7=rmk g5=btg g6=gsl")


def set_up(**changes: Any) -> SetUp:
    return SetUp(**{"players": ("Anna", "Ben"), "start": START, **changes})


def from_data(**changes: Any) -> Record:
    start = {hollow: str(piece) for hollow, piece in START.items()}
    return Record.from_data({"players": ["Anna", "Ben"], "start": start, **changes})


def drawn_from_an_empty_bag() -> Game:
    late = nearly_full("gsl", "gsg")
    return played(late, f"{late.legal_moves()[0].hollow}=gsl +gsg")


def passed_with_a_move() -> Game:
    return played(nearly_full("gsl", "gsg"), "pass")


REFUSALS: list[tuple[Callable[[], object], str, dict[str, object]]] = [
    (lambda: Board.of({"z9": "rcw"}), "off_board", {"hollow": "z9"}),
    (
        lambda: Board.of({"f6": "ycw", "f7": "ycw"}),
        "piece_twice",
        {"stone": "ycw", "hollows": ("f6", "f7")},
    ),
    (
        lambda: Board.of(dict.fromkeys(("f5", "f6", "f7", "g5", "g6"), JOKER)),
        "too_many_jokers",
        {"found": 5, "allowed": 4},
    ),
    (lambda: set_up(players=("Anna",)), "bad_players", {"found": 1, "least": 2, "most": 6}),
    (lambda: set_up(players=("Anna", " Ben")), "bad_name", {"player": " Ben"}),
    (lambda: set_up(players=("Anna", "hand Ben")), "bad_name", {"player": "hand Ben"}),
    (lambda: set_up(players=("Anna", "Anna")), "same_name", {"player": "Anna"}),
    (lambda: set_up(begins=2), "bad_begins", {"found": 2}),
    (lambda: set_up(start=Board.of()), "start_stones", {"hollows": DEFAULT_SHAPE.middle}),
    (lambda: set_up(hands=(STONES[1:8],)), "bad_players", {"found": 1, "expected": 2}),
    (
        lambda: set_up(hands=(STONES[1:3], STONES[10:18])),
        "hand_too_large",
        {"player": "Ben", "found": 8, "allowed": 7},
    ),
    (lambda: set_up(hands=((JOKER,), ())), "jokers_not_in_play", {}),
    (lambda: set_up(hands=((parse_piece("gsl"),), ())), "piece_twice", {"stone": "gsl"}),
    (lambda: from_data(hands={"Eva": [], "Dora": []}), "unknown_player", {"player": "Dora"}),
    (lambda: played(started(), "swap 8"), "hand_too_small", {"found": 8, "allowed": 7}),
    (
        lambda: played(nearly_full("rcw", "bmk", bag=0), "swap 1"),
        "bag_too_small",
        {"found": 1, "allowed": 0},
    ),
    (
        drawn_from_an_empty_bag,
        "bag_too_small",
        {"found": 1, "allowed": 0},
    ),
    (
        lambda: Board.of({"a1": "rtl", "f6": "ycw", "f7": "ycw"}),
        "piece_twice",
        {"stone": "ycw", "hollows": ("f6", "f7")},
    ),
    (lambda: Board.parse("f6"), "bad_placing", {"text": "f6"}),
    (lambda: Board.parse("z9=rtl"), "off_board", {"text": "z9", "hollow": "z9"}),
    (
        lambda: Board.parse("f6=rtl f6=gml"),
        "hollow_twice",
        {"text": "f6=gml", "hollow": "f6"},
    ),
    (
        lambda: Board.parse("f6=rtl=gml"),
        "bad_stone",
        {"text": "rtl=gml", "line": 1, "column": 4},
    ),
    (
        lambda: parse_turn("Eva: pass", players=("Anna",)),
        "unknown_player",
        {"text": "Eva", "line": 1, "column": 1},
    ),
    (lambda: parse_turn("  "), "bad_turn", {"text": "", "line": 1, "column": 1}),
    (lambda: parse_turn("lay it"), "bad_turn", {"text": "lay", "line": 1, "column": 1}),
    (lambda: parse_turn("Anna: pass: now"), "bad_turn", {"text": "pass:", "line": 1, "column": 7}),
    (
        lambda: parse_turn("joker x5"),
        "off_board",
        {"text": "x5", "hollow": "x5", "line": 1, "column": 7},
    ),
    (
        lambda: parse_turn("z6=rcw"),
        "off_board",
        {"text": "z6", "hollow": "z6", "line": 1, "column": 1},
    ),
    (
        lambda: played(started(begins=1), "Anna: pass"),
        "not_their_turn",
        {"player": "Anna", "expected": "Ben"},
    ),
    (lambda: played(started(*KNOWN), "e6=rcw"), "in_other_hand", {"stone": "rcw"}),
    (lambda: played(started(*KNOWN), "e6=gtw"), "not_in_hand", {"stone": "gtw"}),
    (lambda: played(started(*KNOWN), "e6=bcl +rcw"), "not_in_bag", {"stone": "rcw"}),
    (lambda: played(started(*KNOWN), "swap gtw"), "not_in_hand", {"stone": "gtw"}),
    (lambda: played(started(), "swap bcl bcl"), "not_in_hand", {"stone": "bcl"}),
    (lambda: played(nearly_full("gsl gtl", "gsg"), "joker c3"), "no_jokers", {"hollow": "c3"}),
    (
        lambda: played(nearly_full("gsl *", "gsg", jokers=True), "joker b1"),
        "too_near_border",
        {"hollow": "b1"},
    ),
    (passed_with_a_move, "need_not_pass", {"stone": "gsl", "hollow": "h7"}),
    (
        lambda: parse_turn("swap 0"),
        "bad_count",
        {"text": "0", "expected": 1, "line": 1, "column": 6},
    ),
    (
        lambda: parse_turn("swap"),
        "bad_count",
        {"text": "swap", "expected": 1, "line": 1, "column": 1},
    ),
    (
        lambda: parse_turn("swap rcw gsl for ytk"),
        "bad_count",
        {"text": "for", "expected": 2, "line": 1, "column": 14},
    ),
    (
        lambda: parse_turn("swap 3 for"),
        "bad_count",
        {"text": "for", "expected": 1, "line": 1, "column": 8},
    ),
]


@pytest.mark.parametrize(("refused", "code", "details"), REFUSALS, ids=[r[1] for r in REFUSALS])
def test_a_refusal_names_what_is_wrong(
    refused: Callable[[], object], code: str, details: dict[str, object]
) -> None:
    with pytest.raises(CodedError) as caught:
        refused()
    found = {name: value for name, value in caught.value.details.items() if name != "number"}
    assert (str(caught.value.code), found) == (code, details)


def test_too_many_jokers_are_counted_in_a_text_too() -> None:
    with pytest.raises(CodedError) as caught:
        parse_board("f5=* f6=* f7=* g5=* g6=*")
    details = caught.value.details
    assert caught.value.code == "too_many_jokers"
    assert (details["found"], details["allowed"]) == (5, 4)


def test_rules_left_out_of_a_record_are_those_of_the_sheet() -> None:
    record = from_data()
    assert record.set_up == SetUp(("Anna", "Ben"), START)
    assert record.turns == ()


def test_errors_are_of_their_kind() -> None:
    with pytest.raises(BoardError):
        Board.of({"z9": "rcw"})
    with pytest.raises(SetUpError):
        set_up(begins=2)


HEAD = "players A, B\nstart f6=rtl f7=ycl g5=gml g6=bsw\n"


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        ("", "line_missing", {"text": "players", "line": 1, "column": 1}),
        ("players A, B\n", "line_missing", {"text": "start", "line": 2, "column": 1}),
        (HEAD + "hand\n", "unknown_player", {"text": "hand", "line": 3, "column": 1}),
        (HEAD + "hand C\n", "unknown_player", {"text": "C", "line": 3, "column": 6}),
        (HEAD + "hand A: rcw: rck\n", "bad_stone", {"text": "rcw:", "line": 3, "column": 9}),
        (HEAD + "Eva: f5=bcl\n", "unknown_player", {"text": "Eva", "line": 3, "column": 1}),
        (
            HEAD + "hand A: rtl\n",
            "piece_twice",
            {"stone": "rtl", "text": "rtl", "line": 3, "column": 9},
        ),
        (
            "players A, B\nstart f6=rtl f7=rtl\n",
            "piece_twice",
            {"stone": "rtl", "text": "f7=rtl", "line": 2, "column": 14},
        ),
        (
            "players A, B\nstart f6=rtl f6=gml\n",
            "hollow_twice",
            {"hollow": "f6", "text": "f6=gml", "line": 2, "column": 14},
        ),
    ],
)
def test_a_mistake_in_a_game_names_what_is_wrong_and_where(
    text: str, code: str, details: dict[str, object]
) -> None:
    with pytest.raises(CodedError) as caught:
        Record.parse(text)
    assert (str(caught.value.code), caught.value.details) == (code, details)


def test_a_turn_of_a_record_names_a_player_of_the_game() -> None:
    with pytest.raises(CodedError) as caught:
        from_data(turns=["Eva: pass"])
    assert (caught.value.code, caught.value.details["text"]) == ("unknown_player", "Eva")
