from __future__ import annotations

import json

import pytest

from scorer.pip_dominoes import (
    DominoSet,
    Hand,
    Remains,
    Round,
    RulesError,
    Tile,
    hand_points,
    starting_double,
)
from tests.scorer.pip_dominoes.golden_tables import rows


@pytest.mark.parametrize("row", rows("hand_points"), ids=lambda row: " ".join(row[:2]))
def test_golden(row: list[str]) -> None:
    double, hand, pips, points = Tile.parse(row[0]), Hand.parse(row[1]), int(row[2]), int(row[3])
    assert hand.pips == pips
    assert hand_points(hand, double) == points
    assert Remains("Anna", hand).points(double) == points
    assert Remains("Anna", hand, 2).points(double) == points + 100


@pytest.mark.parametrize(
    ("highest", "number", "double"),
    [(9, 1, "9|9"), (9, 10, "0|0"), (12, 5, "8|8"), (12, 13, "0|0"), (18, 19, "0|0")],
)
def test_starting_doubles(highest: int, number: int, double: str) -> None:
    assert starting_double(DominoSet(highest), number) == Tile.parse(double)


@pytest.mark.parametrize("number", [0, 11, -1])
def test_rounds_that_are_none(number: int) -> None:
    with pytest.raises(RulesError) as caught:
        starting_double(DominoSet(9), number)
    assert caught.value.code == "no_such_round"


def played(*remains: Remains, double: str = "9|9") -> Round:
    return Round(Tile.parse(double), remains)


def test_a_round_with_a_player_out() -> None:
    each = played(Remains("Anna", Hand.parse("4|5 0|0")), Remains("Ben", Hand()), Remains("C", 23))
    assert each.points == {"Anna": 59, "Ben": 0, "C": 23}
    assert each.out == ("Ben",)
    assert not each.is_blocked
    assert each.problems(DominoSet(9)) == ()


def test_a_blocked_round_counts_for_everybody() -> None:
    each = played(Remains("Anna", Hand.parse("4|5")), Remains("Ben", 3))
    assert each.is_blocked
    assert each.points == {"Anna": 9, "Ben": 3}


def test_the_double_blank_adds_nothing_in_the_round_that_it_starts() -> None:
    left = (Remains("Anna", Hand.parse("4|5 0|0")), Remains("Ben", Hand()))
    assert played(*left, double="0|0").points == {"Anna": 9, "Ben": 0}
    assert played(*left, double="1|1").points == {"Anna": 59, "Ben": 0}


def test_who_is_out_can_have_a_penalty() -> None:
    each = played(Remains("Anna", Hand(), 1), Remains("Ben", 3))
    assert each.points == {"Anna": 50, "Ben": 3}
    assert each.out == ("Anna",)


def test_two_players_out_are_odd() -> None:
    each = played(Remains("Anna", 0), Remains("Ben", Hand()))
    (problem,) = each.problems(DominoSet(9))
    assert (problem.code, problem.players) == ("several_out", ("Anna", "Ben"))


def test_refusals() -> None:
    with pytest.raises(RulesError) as caught:
        played(Remains("Anna", 1), double="9|8")
    assert caught.value.code == "no_double"
    with pytest.raises(RulesError) as caught:
        played(Remains("Anna", 1), Remains("Anna", 2))
    assert caught.value.code == "same_name"
    for wrong in ((-1, 0), (3, -1)):
        with pytest.raises(RulesError) as caught:
            Remains("Anna", *wrong)
        assert caught.value.code == "below_zero"


def test_a_round_as_json() -> None:
    each = played(Remains("Anna", Hand.parse("4|5")), Remains("Ben", Hand(), 1), Remains("C", 23))
    record = each.to_dict()
    assert record == {
        "double": "9|9",
        "hands": {"Anna": "4|5", "Ben": "", "C": 23},
        "penalties": {"Ben": 1},
    }
    assert Round.from_dict(json.loads(json.dumps(record))) == each
    assert "penalties" not in played(Remains("Anna", 3)).to_dict()
