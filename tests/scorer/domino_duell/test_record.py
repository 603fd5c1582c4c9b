from __future__ import annotations

import json

import pytest

from scorer.domino_duell import (
    DEFAULT_SHAPE,
    JOKER,
    Board,
    End,
    Lay,
    NotationError,
    Record,
    SetUpError,
    Shape,
    parse_board,
    parse_piece,
)

TEXT = """\
players Anna, Opa Jürgen   # a comment
start f6=rtl f7=ycl g5=gml g6=bsw
hand Anna: bcl rsk *
begins Opa Jürgen
ends edge
jokers

Opa Jürgen: e6=bcw +gsk
f5=bcl
"""
HEAD = "players A, B\nstart f6=rtl f7=ycl g5=gml g6=bsw\n"


def test_a_game_in_text() -> None:
    record = Record.parse(TEXT)
    set_up = record.set_up
    assert set_up.players == ("Anna", "Opa Jürgen")
    assert str(set_up.start) == "f6=rtl f7=ycl g5=gml g6=bsw"
    assert set_up.hands == ((*map(parse_piece, ("bcl", "rsk")), JOKER), ())
    assert (set_up.begins, set_up.end, set_up.jokers) == (1, End.EDGE, True)
    assert [turn.player for turn in record.turns] == ["Opa Jürgen", None]
    assert isinstance(record.turns[1], Lay)
    assert record.lines == (8, 9)
    assert Record.parse(str(record)) == record


def test_only_players_and_start_must_be_there() -> None:
    record = Record.parse(HEAD)
    assert (record.turns, record.set_up.end, record.set_up.jokers) == ((), End.STONES, False)
    assert str(record) == HEAD
    assert Record.parse(HEAD.replace("\n", "\r\n")) == record


def test_data_is_ready_for_json_and_comes_back() -> None:
    record = Record.parse(TEXT)
    data = json.loads(json.dumps(record.to_data()))
    assert Record.from_data(data) == record
    assert data["turns"] == ["Opa Jürgen: e6=bcw +gsk", "f5=bcl"]
    assert data["begins"] == "Opa Jürgen"
    assert data["board"] is None
    with pytest.raises(SetUpError, match="unknown_player"):
        Record.from_data(data | {"hands": {"Ben": []}})


def test_another_board_is_drawn() -> None:
    text = "players A, B\n|o x x o\n| o o o\nstart a2=rtl a3=gml\n\na4=bcl\n"
    record = Record.parse(text)
    assert record.set_up.shape == Shape.parse("o x x o\n o o o")
    assert Record.parse(str(record)) == record
    assert Record.from_data(record.to_data()) == record


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "line_missing", 1, 1),
        ("players A, B\n", "line_missing", 2, 1),
        ("start f6=rtl\n", "line_missing", 2, 1),
        ("hello\n", "unknown_line", 1, 1),
        (HEAD + "players C, D\n", "line_twice", 3, 1),
        (HEAD + "f5=bcl\njokers\n", "late_line", 4, 1),
        (HEAD + "jokers 4\n", "unknown_line", 3, 8),
        (HEAD + "ends soon\n", "unknown_end", 3, 6),
        (HEAD + "ends\n", "unknown_line", 3, 1),
        (HEAD + "begins C\n", "unknown_player", 3, 8),
        (HEAD + "hand C: rcw\n", "unknown_player", 3, 6),
        (HEAD + "hand A rcw\n", "unknown_player", 3, 6),
        (HEAD + "hand A: rcx\n", "bad_stone", 3, 9),
        (HEAD + "hand A: rcw\nhand A: rck\n", "line_twice", 4, 1),
        (HEAD + "hand A: rcw\nhand B: ytk rcw\n", "piece_twice", 4, 13),
        (HEAD + "hand A: rtl\n", "piece_twice", 3, 9),
        (HEAD + "hand A: rcw *\n", "jokers_not_in_play", 3, 13),
        (HEAD + "hand A: rcw rck rcg rcl rmw rmk rmg rml\n", "hand_too_large", 3, 37),
        (HEAD + "f5=bcx\n", "bad_stone", 3, 4),
        (HEAD + "  B: f5=bcl soon\n", "bad_turn", 3, 13),
        ("players A\nstart f6=rtl f7=ycl g5=gml g6=bsw\n", "bad_players", 1, 1),
        ("players A, A\nstart f6=rtl f7=ycl g5=gml g6=bsw\n", "same_name", 1, 1),
        ("players A, B\nstart f6=rtl\n", "start_stones", 2, 1),
        ("players A, B\nstart f6=rtl f6=ycl\n", "hollow_twice", 2, 14),
        ("players A, B\nstart f6=rtl f7=rtl\n", "piece_twice", 2, 14),
        ("players A, B\n|o x\n|o o\n", "off_lattice", 3, 2),
        ("players A, B\n |o q\n", "bad_hollow_mark", 2, 5),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        Record.parse(text)
    details = refused.value.details
    assert (refused.value.code, details["line"], details["column"]) == (code, line, column)


def test_a_board_in_text() -> None:
    position = parse_board("f6=rtl  # red\n\n  f7=gml g5=*\n")
    assert position == Board.parse("f6=rtl f7=gml g5=*")
    assert position.shape == DEFAULT_SHAPE
    small = parse_board("|o o\n| o\na1=rtl\n")
    assert small.shape.hollows == ("a1", "a2", "b1")
    assert parse_board("") == Board.of()


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("f6=rtl\n f7=rtl", "piece_twice", 2, 2),
        ("f6=rtl f6=gml", "hollow_twice", 1, 8),
        ("f6=rtl\nz9=gml", "off_board", 2, 1),
        ("a1=* a2=* a3=*\na4=* a5=*", "too_many_jokers", 2, 6),
        ("f6=rtl f7", "bad_placing", 1, 8),
        ("f6=rtl f7=g", "bad_stone", 1, 11),
    ],
)
def test_mistakes_of_a_board(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        parse_board(text)
    details = refused.value.details
    assert (refused.value.code, details["line"], details["column"]) == (code, line, column)


@pytest.mark.parametrize("name", ["start", "begins late", "ends", "jokers aside", "players"])
def test_a_player_may_be_called_like_a_line(name: str) -> None:
    head = HEAD.replace("players A", f"players {name}")
    record = Record.parse(f"{head}{name}: f5=bcl\n{name} : pass  # at 10:30\n")
    assert [turn.player for turn in record.turns] == [name, name]
    assert Record.parse(str(record)) == record


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [("|", "empty_board", 2), ("  |  ", "empty_board", 4), ("|o\n| o\n" * 14, "too_many_rows", 2)],
)
def test_a_drawing_that_is_wrong_as_a_whole_is_told_at_its_first_mark(
    text: str, code: str, column: int
) -> None:
    with pytest.raises(NotationError) as refused:
        parse_board(text)
    details = refused.value.details
    assert (refused.value.code, details["line"], details["column"]) == (code, 1, column)


def test_a_bar_within_a_drawing_is_no_hollow() -> None:
    with pytest.raises(NotationError) as refused:
        parse_board("|o | o")
    assert (refused.value.code, refused.value.details) == (
        "bad_hollow_mark",
        {"text": "|", "line": 1, "column": 4},
    )


def test_where_the_turns_stood_is_no_part_of_a_game() -> None:
    record = Record.parse(HEAD + "f5=bcl\n")
    assert record.lines == (3,)
    assert record == Record(record.set_up, record.turns)
    assert "lines" not in repr(record)


def test_german_words_and_capitals_say_the_same() -> None:
    english = """players Anna, Ben
start f6=rtl f7=ycl g5=gml g6=bsw
hand Anna: ytk
begins Ben
ends edge
jokers
Anna: e6=bcl edge +gsk
swap ytk for bsl
joker h5 e7=rcw inside
joker h5
pass
"""
    german = """Spieler: Anna, Ben
START f6=rtl f7=ycl g5=gml g6=bsw
Hand Anna: ytk
beginnt: Ben
Endet Rand
Joker
Anna: e6=bcl Rand +gsk
Tausche ytk gegen bsl
JOKER h5 e7=rcw innen
Joker h5
passt
"""
    assert Record.parse(german) == Record.parse(english)
    assert str(Record.parse(german)) == str(Record.parse(english))


def test_a_player_may_be_called_as_a_line_is() -> None:
    record = Record.parse("players Hand, Joker\nstart f6=rtl f7=ycl g5=gml g6=bsw\nJoker: pass\n")
    assert [turn.player for turn in record.turns] == ["Joker"]
