from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import CodedError
from scorer.pip_dominoes import (
    DominoSet,
    Hand,
    MugginsRound,
    PlayPoints,
    Remains,
    Round,
    Tile,
    format_muggins_round,
    format_round,
    parse_muggins_round,
    parse_muggins_rounds,
    parse_round,
    parse_rounds,
)

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
