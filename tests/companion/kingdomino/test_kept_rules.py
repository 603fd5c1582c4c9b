"""The rules of a game as plain data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.kingdomino.kind import KeptRules
from scorer.kingdomino import QUESTS, BleakKing, Rules, RulesError, TieBreak


@given(
    dynasty=st.booleans(),
    quests=st.lists(st.sampled_from(QUESTS), max_size=2, unique=True),
    giants=st.booleans(),
    tie_break=st.sampled_from(TieBreak),
    bleak_king=st.sampled_from(BleakKing),
    duel=st.booleans(),
)
def test_data_gives_the_rules_back(
    dynasty: bool,
    quests: list[object],
    giants: bool,
    tie_break: TieBreak,
    bleak_king: BleakKing,
    duel: bool,
) -> None:
    rules = Rules(
        age_of_giants=giants,
        quests=tuple(quests),  # type: ignore[arg-type]  # hypothesis can't say it
        tie_break=tie_break,
        bleak_king=bleak_king,
        mighty_duel=duel,
        size=7 if duel else None,
    )
    kept = KeptRules(rules, dynasty)
    assert KeptRules.from_data(kept.to_data()) == kept
    assert list(kept.games) == ([1, 2, 3] if dynasty else [1])


def test_nothing_said_is_the_plain_game() -> None:
    assert KeptRules.from_data(None) == KeptRules.from_data({}) == KeptRules()


@pytest.mark.parametrize(
    "data",
    [
        {"tie_break": "coin"},
        {"quests": "harmony"},
        {"quests": [1]},
        {"size": True},
        {"size": 6},
        {"unknown": 1},
        {"harmony": True, "quests": ["harmony"]},
        [],
    ],
)
def test_rules_that_make_no_sense_are_refused(data: object) -> None:
    with pytest.raises(RulesError):
        KeptRules.from_data(data)
