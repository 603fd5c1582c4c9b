from __future__ import annotations

import pytest

from scorer.pip_dominoes import (
    Hand,
    MugginsRules,
    Rounding,
    RoundWorth,
    RulesError,
    Side,
    round_worth,
    sides_of,
)
from tests.scorer.pip_dominoes.golden_tables import rows

READINGS = [
    MugginsRules(),
    MugginsRules(rounding=Rounding.UP),
    MugginsRules(rounded=RoundWorth.EACH_HAND),
    MugginsRules(rounding=Rounding.UP, rounded=RoundWorth.EACH_HAND),
]


@pytest.mark.parametrize("row", rows("muggins_rounds"), ids=lambda row: row[0])
def test_golden(row: list[str]) -> None:
    hands = [Hand.parse(text) if text.strip() != "-" else Hand() for text in row[0].split(";")]
    names = tuple(str(seat + 1) for seat in range(len(hands)))
    pips = {name: hand.pips for name, hand in zip(names, hands, strict=True)}
    out = next((name for name, hand in zip(names, hands, strict=True) if not len(hand)), None)
    for rules, points in zip(READINGS, row[2:], strict=True):
        side, worth = round_worth(pips, sides_of(names, rules), out=out, rules=rules)
        assert ("+".join(side.players) if side else "-") == row[1]
        assert worth == int(points)


def test_sides() -> None:
    assert sides_of(("A", "B", "C", "D")) == (Side(("A", "C")), Side(("B", "D")))
    assert sides_of(("A", "B", "C")) == (Side(("A",)), Side(("B",)), Side(("C",)))
    singles = sides_of(("A", "B", "C", "D"), MugginsRules(singles=True))
    assert [side.name for side in singles] == ["A", "B", "C", "D"]
    assert sides_of(("A", "B", "C", "D"))[1].name == "B + D"


def test_four_singles_score_as_with_three() -> None:
    rules = MugginsRules(singles=True)
    names = ("A", "B", "C", "D")
    pips = {"A": 0, "B": 11, "C": 20, "D": 12}
    assert round_worth(pips, sides_of(names, rules), out="A", rules=rules) == (Side(("A",)), 45)


@pytest.mark.parametrize(
    ("names", "code"),
    [(("A",), "bad_players"), (tuple("ABCDE"), "bad_players"), (("A", "A"), "same_name")],
)
def test_refusals(names: tuple[str, ...], code: str) -> None:
    with pytest.raises(RulesError) as caught:
        sides_of(names)
    assert caught.value.code == code
    with pytest.raises(RulesError) as caught:
        MugginsRules(target=0)
    assert caught.value.code == "bad_target"


@pytest.mark.parametrize(
    ("pips", "nearest", "up"),
    [(0, 0, 0), (1, 0, 5), (2, 0, 5), (3, 5, 5), (4, 5, 5), (5, 5, 5), (22, 20, 25), (23, 25, 25)],
)
def test_fives(pips: int, nearest: int, up: int) -> None:
    for rounding, points in ((Rounding.NEAREST, nearest), (Rounding.UP, up)):
        found = MugginsRules(rounding=rounding).in_fives(pips)
        assert (found, type(found)) == (points, int)


def test_the_lowest_target_is_one() -> None:
    assert MugginsRules(target=1).target == 1
