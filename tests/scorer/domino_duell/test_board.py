"""The shape of the board, and stones on it."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer.domino_duell import DEFAULT_SHAPE, JOKER, Board, BoardError, NotationError, Shape, Stone


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


def test_the_default_board_is_that_of_the_rules() -> None:
    shape = Shape(DEFAULT_SHAPE.rows)  # Nothing of it is computed yet.
    assert len(shape.hollows) == 102
    rows = Counter(name[0] for name in shape.hollows)
    assert list(rows.values()) == [6, 7, 8, 9, 10, 11, 11, 10, 9, 8, 7, 6]
    assert shape.middle == ("f6", "f7", "g5", "g6")
    assert len(shape.edge) == 32
    starts = [0, -1, -2, -3, -4, -5, -4, -3, -2, -1, 0, 1]
    left = min(x for x, _ in shape.places)
    for name, (x, row) in zip(shape.hollows, shape.places, strict=True):
        assert x - left == starts[row] + 2 * int(name[1:]) + 5 - 2, name


def test_neighbours_are_mutual_and_the_edge_has_fewer() -> None:
    shape = Shape(DEFAULT_SHAPE.rows)  # Nothing of it is computed yet.
    for index, near in enumerate(shape.neighbours):
        assert len(set(near)) == len(near)
        assert all(index in shape.neighbours[each] for each in near)
        assert (len(near) < 6) == (shape.hollows[index] in shape.edge)
    names = {shape.hollows[each] for each in shape.neighbours[shape.index["f6"]]}
    assert names == {"f5", "f7", "e5", "e6", "g5", "g6"}


def test_within_two_steps_lie_eighteen_hollows_of_the_open_board() -> None:
    shape = Shape(DEFAULT_SHAPE.rows)  # Nothing of it is computed yet.
    around = {shape.hollows[each] for each in shape.surroundings[shape.index["f6"]]}
    assert len(around) == 18
    assert {"f4", "f8", "d4", "d5", "d6", "h4", "h5", "h6"} <= around
    assert len(shape.surroundings[shape.index["a1"]]) == 8


def test_windows_hold_their_hollow_and_lie_in_a_line() -> None:
    shape = Shape(DEFAULT_SHAPE.rows)  # Nothing of it is computed yet.
    index = shape.index["f6"]
    assert len(shape.triples[index]) == 9
    assert len(shape.quadruples[index]) == 12
    assert [each.hollows for each in shape.triples[shape.index["a1"]]] == [
        ("a1", "a2", "a3"),
        ("a1", "b2", "c3"),
        ("a1", "b1", "c1"),
    ]
    for window in shape.quadruples[index]:
        inside = [
            set(triple.hollows)
            for number, triple in enumerate(shape.triples[index])
            if window.inside >> number & 1
        ]
        assert all(three < set(window.hollows) for three in inside)
        assert len(inside) in (1, 2)


def test_a_drawing_round_trips() -> None:
    assert Shape.parse(str(DEFAULT_SHAPE)) == DEFAULT_SHAPE


def test_another_board_with_a_gap() -> None:
    shape = Shape.parse(" x o\no   o\n o o")
    assert shape.hollows == ("a1", "a2", "b1", "b2", "c1", "c2")
    assert shape.middle == ("a1",)
    assert {shape.hollows[each] for each in shape.neighbours[0]} == {"a2", "b1"}
    assert shape.edge == set(shape.hollows)
    assert all(not windows for windows in shape.triples)


@pytest.mark.parametrize(
    ("drawing", "code", "details"),
    [
        ("o o\no o", "off_lattice", {"line": 2, "column": 1}),
        ("o oo", "off_lattice", {"line": 1, "column": 4}),
        ("o o\n o q", "bad_hollow_mark", {"text": "q", "line": 2, "column": 4}),
        ("Xo o", "bad_hollow_mark", {"text": "X", "line": 1, "column": 1}),
        ("", "empty_board", {}),
        ("   ", "empty_board", {}),
        ("\n".join(["o", " o"] * 14), "too_many_rows", {"found": 28, "allowed": 26}),
    ],
)
def test_bad_drawings(drawing: str, code: str, details: dict[str, object]) -> None:
    with pytest.raises(NotationError) as refused:
        Shape.parse(drawing)
    assert (refused.value.code, refused.value.details) == (code, details)


def test_a_board_may_have_as_many_rows_as_there_are_letters() -> None:
    assert Shape(("o", " o") * 13).hollows[-1] == "z1"
