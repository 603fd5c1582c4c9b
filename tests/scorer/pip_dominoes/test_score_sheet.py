"""Score sheets and records of a game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import CodedError
from scorer.pip_dominoes import (
    DominoSet,
    Hand,
    MugginsRound,
    NotationError,
    PlayPoints,
    Remains,
    Round,
    Rounding,
    Tile,
    format_muggins_round,
    format_round,
    parse_muggins_round,
    parse_muggins_rounds,
    parse_round,
    parse_rounds,
)
from scorer.pip_dominoes.records import (
    choice_of,
    field_of,
    names_of,
    objects_of,
    optional_field,
    optional_number,
    whole_number,
)
from scorer.pip_dominoes.score_sheet import players_of_plays

SHEET = """
# Friday
12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23 +50 +50

11-11: Anna=5; Ben=3|4; Cleo=- +50   # Cleo forgot to knock
"""

names = st.text(alphabet="ABCäö ", min_size=1, max_size=4).map(str.strip).filter(bool)
hands = st.lists(st.sampled_from(DominoSet(12).tiles), max_size=6, unique=True).map(Hand.of)
left = hands | st.integers(0, 9999)


def test_a_sheet() -> None:
    first, second = parse_rounds(SHEET)
    assert first == Round(
        Tile(12, 12),
        (
            Remains("Anna", Hand.parse("10|11 0|0")),
            Remains("Ben", Hand()),
            Remains("Cleo", 23, 2),
        ),
    )
    assert second.points == {"Anna": 5, "Ben": 7, "Cleo": 50}
    assert second.out == ("Cleo",)
    assert parse_rounds("# nothing\n\n") == ()


def test_a_sheet_of_muggins() -> None:
    first, second = parse_muggins_rounds(
        "Anna=15; Ben=10 > Cleo / Anna=-; Ben=6|6 1|0; Cleo=9\nBen=5\n"
    )
    assert first == MugginsRound(
        (PlayPoints("Anna", 15), PlayPoints("Ben", 10, "Cleo")),
        (("Anna", Hand()), ("Ben", Hand.parse("6|6 1|0")), ("Cleo", 9)),
    )
    assert second == MugginsRound((PlayPoints("Ben", 5),))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Anna=3; Ben=4", "bad_round"),
        ("12: Anna=3", "bad_tile"),
        ("12|11: Anna=3", "no_double"),
        ("12|12: Anna", "bad_entry"),
        ("12|12: =3", "bad_entry"),
        ("12|12: Anna=", "bad_entry"),
        ("12|12: Anna=+50", "bad_entry"),
        ("12|12: Anna=12345", "bad_tile"),
        ("12|12: Anna=five", "bad_tile"),
        ("12|12: Anna=1|2 +20", "bad_tile"),
        ("12|12: Anna=1|2 2|1", "tile_twice"),
        ("12|12: Anna=1; Anna=2", "same_name"),
    ],
)
def test_lines_that_are_no_round(text: str, code: str) -> None:
    with pytest.raises(CodedError) as caught:
        parse_round(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Anna=ten", "bad_plays"),
        ("Anna=10>", "bad_plays"),
        ("Anna=>Ben", "bad_plays"),
        ("Anna=0>Ben", "not_in_fives"),
        ("Anna=-5", "bad_plays"),
        ("Anna=7", "not_in_fives"),
        ("Anna", "bad_entry"),
        ("/ Anna=x", "bad_tile"),
    ],
)
def test_lines_that_are_no_round_of_muggins(text: str, code: str) -> None:
    with pytest.raises(CodedError) as caught:
        parse_muggins_round(text)
    assert caught.value.code == code


@pytest.mark.parametrize("name", ["a=b", "a;b", "a#", "a>b", "a/b", "a\nb", " a", ""])
def test_names_that_a_sheet_can_not_hold(name: str) -> None:
    with pytest.raises(ValueError, match="no sign of the notation"):
        format_round(Round(Tile(9, 9), (Remains(name, 3),)))
    with pytest.raises(ValueError, match="no sign of the notation"):
        format_muggins_round(MugginsRound(hands=((name, 3),)))


@given(
    st.integers(0, 12),
    st.dictionaries(names, st.tuples(left, st.integers(0, 3)), min_size=1, max_size=4),
)
def test_rounds_round_trip(double: int, found: dict[str, tuple[Hand | int, int]]) -> None:
    remains = tuple(Remains(name, *each) for name, each in found.items())
    played = Round(Tile(double, double), remains)
    assert parse_round(format_round(played)) == played


@given(
    st.lists(st.tuples(names, st.integers(1, 50), st.none() | names), max_size=4),
    st.dictionaries(names, left, max_size=4),
)
def test_rounds_of_muggins_round_trip(
    plays: list[tuple[str, int, str | None]], found: dict[str, Hand | int]
) -> None:
    points = tuple(PlayPoints(name, 5 * fives, caller) for name, fives, caller in plays)
    played = MugginsRound(points, tuple(found.items()))
    assert parse_muggins_round(format_muggins_round(played)) == played


texts = st.text(alphabet="AB=;:|-/>+5019 ", max_size=40)


@given(texts)
def test_any_text_is_a_round_or_refused(text: str) -> None:
    try:
        played = parse_round(text)
    except CodedError:
        return
    assert parse_round(format_round(played)) == played


@given(texts)
def test_any_text_is_a_round_of_muggins_or_refused(text: str) -> None:
    try:
        played = parse_muggins_round(text)
    except CodedError:
        return
    assert parse_muggins_round(format_muggins_round(played)) == played


RECORD = {"text": "x", "number": 3, "yes": True, "none": None, "names": ["a"], "rows": [{}]}


def test_fields_of_their_kind() -> None:
    assert field_of(RECORD, "text", str) == "x"
    assert field_of(RECORD, "number", int) == 3
    assert field_of(RECORD, "yes", bool) is True
    assert optional_field(RECORD, "none", str) is None
    assert optional_field(RECORD, "missing", str) is None
    assert optional_field(RECORD, "text", str) == "x"
    assert (optional_number(RECORD, "number"), optional_number(RECORD, "none")) == (3.0, None)
    assert names_of(RECORD, "names") == ("a",)
    assert objects_of(RECORD, "rows") == [{}]
    assert whole_number(3, "number") == 3
    assert choice_of(RECORD, "missing", Rounding.UP) is Rounding.UP
    assert choice_of({"to": "up"}, "to", Rounding.NEAREST) is Rounding.UP


def test_fields_of_another_kind() -> None:
    for read in (
        lambda: field_of(RECORD, "yes", int),
        lambda: field_of(RECORD, "missing", str),
        lambda: field_of([], "text", str),
        lambda: field_of(None, "text", str),
        lambda: optional_field(RECORD, "number", str),
        lambda: optional_number(RECORD, "yes"),
        lambda: optional_number(RECORD, "text"),
        lambda: choice_of(RECORD, "text", Rounding.UP),
        lambda: names_of(RECORD, "rows"),
        lambda: objects_of(RECORD, "names"),
        lambda: whole_number(True, "yes"),
        lambda: whole_number(1.5, "number"),
    ):
        with pytest.raises(NotationError) as caught:
            read()
        assert caught.value.code == "bad_record"


def test_who_only_called_is_named_before_the_bars_too() -> None:
    sheet = "Anna=10>Cleo; Ben / Anna=-; Dora=3\nBen=5"
    assert players_of_plays(sheet) == ("Anna", "Cleo", "Ben")
