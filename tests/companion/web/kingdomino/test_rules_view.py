from __future__ import annotations

from random import Random

import pytest

from companion.games.kingdomino.kind import KeptRules
from companion.web.kingdomino.players_view import changed_rules
from companion.web.shell import Act
from scorer.kingdomino import BleakKing, Goal, Quest, Rules, RulesError, TieBreak


def after(*acts: Act, start: KeptRules | None = None) -> KeptRules:
    kept = start or KeptRules()
    for act in acts:
        changed = changed_rules(kept, act, Random(3))
        assert changed is not None
        kept = changed
    return kept


def test_every_switch() -> None:
    kept = after(
        Act("mighty_duel", "true"),
        Act("dynasty", "true"),
        Act("compare_crowns", "true"),
        Act("bleak_king_by_squares", "true"),
        Act("harmony", "true"),
        Act("middle_kingdom", "true"),
        Act("middle_kingdom", "false"),
    )
    assert kept.dynasty
    assert kept.rules == Rules(
        mighty_duel=True,
        harmony=True,
        tie_break=TieBreak.CROWNS,
        bleak_king=BleakKing.SQUARES,
    )


def test_two_quests_are_drawn_and_take_the_variants_out() -> None:
    kept = after(Act("harmony", "true"), Act("giants", "true"), Act("draw"))
    assert len(set(kept.rules.quests)) == 2
    assert not kept.rules.harmony


def test_quests_are_chosen_one_by_one_and_taken_back() -> None:
    kept = after(Act("giants", "true"), Act("quest", "0|harmony"), Act("quest", "1|lost-corner"))
    assert kept.rules.quests == (Quest(Goal.HARMONY), Quest(Goal.LOST_CORNER))
    kept = after(Act("quest", "0|"), start=kept)
    assert kept.rules.quests == (Quest(Goal.LOST_CORNER),)
    assert after(Act("giants", "false"), start=kept).rules == Rules()


def test_one_quest_twice_is_refused() -> None:
    with pytest.raises(RulesError, match="duplicate_quest"):
        after(Act("quest", "0|harmony"), Act("quest", "1|harmony"))


def test_an_act_about_something_else() -> None:
    assert changed_rules(KeptRules(), Act("photo")) is None
