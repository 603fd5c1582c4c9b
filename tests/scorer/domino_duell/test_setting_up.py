from __future__ import annotations

from typing import Any

import pytest

from scorer.domino_duell import JOKER, STONES, Board, End, SetUp, SetUpError, Shape, parse_piece
from scorer.domino_duell.game import NOT_IN_NAMES

START = Board.parse("f6=ycw f7=rmk g5=btg g6=gsl")


def test_a_set_up_by_the_rules() -> None:
    set_up = SetUp(("Anna", "Opa Jürgen"), START, end=End.EDGE, jokers=True)
    assert set_up.pieces == 68
    assert SetUp(("A", "B"), START).pieces == 64
    assert SetUp(("A", "B"), START, ((), ())) == SetUp(("A", "B"), START)


def test_a_board_with_another_middle() -> None:
    shape = Shape.parse("o x x o")
    assert SetUp(("A", "B"), Board.parse("a2=rcw a3=bmk", shape)).shape == shape


HANDS = (STONES[1:8], STONES[8:15])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"players": ("Anna",)}, "bad_players"),
        ({"players": tuple("ABCDEFG")}, "bad_players"),
        ({"players": ("Anna", "")}, "bad_name"),
        ({"players": ("Anna", " Ben")}, "bad_name"),
        ({"players": ("Anna", "Ben, Cem")}, "bad_name"),
        ({"players": ("Anna", "Ben: x")}, "bad_name"),
        ({"players": ("Anna", "hand Anna")}, "bad_name"),
        ({"players": ("Anna", "Anna")}, "same_name"),
        ({"begins": 2}, "bad_begins"),
        ({"begins": -1}, "bad_begins"),
        ({"start": Board.parse("f6=ycw f7=rmk g5=btg")}, "start_stones"),
        ({"start": Board.parse("f6=ycw f7=rmk g5=btg g6=*")}, "start_stones"),
        ({"start": Board.parse("f6=ycw f7=rmk g5=btg g6=gsl a1=rcw")}, "start_stones"),
        ({"hands": (STONES[:8], ())}, "hand_too_large"),
        ({"hands": (STONES[1:8],)}, "bad_players"),
        ({"hands": (STONES[1:8], STONES[7:10])}, "piece_twice"),
        ({"hands": ((parse_piece("gsl"),), ())}, "piece_twice"),
        ({"hands": ((JOKER,), ())}, "jokers_not_in_play"),
        ({"hands": ((JOKER,) * 3, (JOKER,) * 2), "jokers": True}, "piece_twice"),
    ],
)
def test_what_the_rules_forbid(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(SetUpError) as refused:
        SetUp(**{"players": ("Anna", "Ben"), "start": START, **changes})
    assert refused.value.code == code


def test_only_signs_of_the_notation_are_kept_out_of_names() -> None:
    assert set(",:=#\n") == NOT_IN_NAMES
    assert SetUp(("Xaver", "O'Neill (2)"), START).players == ("Xaver", "O'Neill (2)")
