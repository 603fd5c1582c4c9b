from __future__ import annotations

import pytest

from scorer.domino_duell import DEFAULT_SHAPE, JOKER, Board, BoardError, NotationError, Stone


def test_notation_round_trips() -> None:
    position = Board.parse("g5=gml\nf7=*  f6=rtl")
    assert str(position) == "f6=rtl f7=* g5=gml"
    assert Board.parse(str(position)) == position
    assert Board.of({"f6": "rtl", "f7": "*", "g5": Stone.parse("gml")}) == position
    assert hash(Board.parse(str(position))) == hash(position)


def test_what_lies_where() -> None:
    position = Board.parse("f6=rtl f7=*")
    assert position["f6"] == Stone.parse("rtl")
    assert position["f7"] is JOKER
    assert position["a1"] is None
    assert (position.stones, position.jokers) == ((Stone.parse("rtl"),), 1)
    assert len(position.free) == 100
    with pytest.raises(KeyError):
        position["z1"]


def test_pieces_are_put_and_taken() -> None:
    position = Board.of().with_piece("f6", Stone.parse("rtl"))
    assert str(position) == "f6=rtl"
    assert position.with_piece("f6", None) == Board.of()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("f6", "bad_placing"),
        ("f6=rt", "bad_stone"),
        ("z1=rtl", "off_board"),
        ("f6=rtl f6=gml", "hollow_twice"),
    ],
)
def test_what_is_no_position(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        Board.parse(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("f6=rtl f7=rtl", "piece_twice"),
        ("a1=* a2=* a3=* a4=* a5=*", "too_many_jokers"),
    ],
)
def test_pieces_that_there_are_not(text: str, code: str) -> None:
    with pytest.raises(BoardError) as refused:
        Board.parse(text)
    assert refused.value.code == code


def test_a_hollow_that_the_board_has_not() -> None:
    with pytest.raises(BoardError, match="off_board"):
        Board.of({"z1": "rtl"})


def test_as_many_cells_as_hollows() -> None:
    with pytest.raises(ValueError, match="expected 102, got 1"):
        Board(DEFAULT_SHAPE, (None,))


def test_all_four_jokers_may_lie() -> None:
    board = Board.of(dict.fromkeys(("f5", "f6", "f7", "g5"), JOKER))
    assert board.jokers == 4
