from __future__ import annotations

from typing import Any

import pytest

from companion.games.pip_dominoes.kept import CastleRules, MugginsTableRules, RoundRules
from scorer.pip_dominoes import Challenge, MugginsRules


@pytest.mark.parametrize(
    "rules",
    [
        RoundRules(),
        RoundRules(9, 3, 2),
        MugginsTableRules(MugginsRules(100, singles=True), 1),
        CastleRules(12, Challenge.CLOCK),
    ],
    ids=str,
)
def test_rules_come_back_from_their_data(rules: Any) -> None:
    assert type(rules).from_data(rules.to_data()) == rules


@pytest.mark.parametrize("rules", [RoundRules, MugginsTableRules, CastleRules])
def test_a_game_without_rules_has_the_usual_ones(rules: Any) -> None:
    assert rules.from_data(None) == rules()


def test_rounds_due_are_all_or_those_agreed() -> None:
    assert [RoundRules(9).rounds_due, RoundRules(12, 5).rounds_due] == [10, 5]


@pytest.mark.parametrize(
    ("rules", "data"),
    [
        (RoundRules, []),
        (RoundRules, {"set": "9"}),
        (RoundRules, {"set": 9, "rounds": 0}),
        (RoundRules, {"first": 16}),
        (MugginsTableRules, {"first": -1}),
        (CastleRules, {"challenge": 5}),
    ],
    ids=str,
)
def test_other_rules_are_refused(rules: Any, data: Any) -> None:
    with pytest.raises(ValueError, match=r"bad_record|no_such_round"):
        rules.from_data(data)
