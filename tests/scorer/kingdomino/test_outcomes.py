"""Who can still win: compared with scoring every combination of the doubtful squares."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.outcomes import compared, milliseconds
from scorer.kingdomino import (
    EMPTY,
    Goal,
    Kingdom,
    OpenKingdom,
    Quest,
    Rules,
    RulesError,
    Square,
    Terrain,
    TieBreak,
    outcome,
    outcome_of_dynasty,
)
from tests.scorer.kingdomino.open_games import check, random_rules, random_table

W, L, F, F1 = (Square.parse(each) for each in ("w", "l", "f", "f1"))


@pytest.mark.parametrize("seed", range(60))
def test_as_by_trying_everything(seed: int) -> None:
    rng = Random(seed)
    for _ in range(2):
        check([random_table(rng, rng.choice((2, 2, 3)), rng.randrange(6))], random_rules(rng))


@pytest.mark.slow
def test_as_by_trying_everything_hundreds_of_times() -> None:
    """``python -m benchmarks.outcomes`` compares thousands."""
    assert compared(300, first=10_000) == 300


@pytest.mark.parametrize("seed", range(8))
def test_three_games_are_added(seed: int) -> None:
    rng = Random(seed)
    games = [random_table(rng, 2, rng.randrange(3), side=3) for _ in range(3)]
    check(games, Rules(tie_break=rng.choice(list(TieBreak))))


def test_whatever_an_open_square_is_the_same_wins() -> None:
    pink = OpenKingdom("pink", Kingdom.parse("m3 m m/c w f"), {(1, 2): (L, EMPTY)})
    yellow = OpenKingdom("yellow", Kingdom.parse("w1 w w/c l f"), {(1, 1): (W,)})
    found = outcome([pink, yellow])
    assert (found.certain, found.winners, found.deciding) == (True, ("pink",), ())


def test_one_square_decides() -> None:
    pink = OpenKingdom("pink", Kingdom.parse("w1 w w/c f f"), {(1, 2): (F1,), (0, 2): (L,)})
    yellow = OpenKingdom("yellow", Kingdom.parse("l1 l l/c l w"), {(1, 2): (F,)})
    found = outcome([pink, yellow])
    assert found.winners == ("yellow",)
    assert found.possible == (("yellow",), ("pink",))
    assert [(each.player, each.position) for each in found.deciding] == [
        ("pink", (0, 2)),
        ("pink", (1, 2)),
    ]
    assert found.deciding[1].squares == (F, F1)


def test_squares_that_decide_only_together() -> None:
    """Two of three crowns win: none alone leaves fewer outcomes, and each can change the winner."""
    crowned = {
        (0, n): (Square.parse(f"{letter}1"),) for n, letter in ((0, "f"), (2, "l"), (4, "g"))
    }
    pink = OpenKingdom("pink", Kingdom.parse("f . l . g"), crowned)
    yellow = OpenKingdom("yellow", Kingdom.parse("w1 . . . ."), {(0, 0): (Square.parse("w2"),)})
    assert len(outcome([pink, yellow]).deciding) == 4


def test_a_doubt_without_a_choice_is_none() -> None:
    kingdom = Kingdom.parse("w1 w c")
    found = outcome([OpenKingdom("a", kingdom, {(0, 0): ()}), OpenKingdom("b", kingdom)])
    assert found.certain
    assert found.winners == ("a", "b")


def test_what_is_refused() -> None:
    kingdom = OpenKingdom("a", Kingdom.parse("w"))
    with pytest.raises(IndexError):
        OpenKingdom("a", Kingdom.parse("w"), {(3, 3): (F,)})
    with pytest.raises(RulesError, match="bad_players"):
        outcome([kingdom])
    with pytest.raises(RulesError, match="bad_players"):
        outcome([kingdom, kingdom])
    with pytest.raises(RulesError, match="bad_players"):
        outcome([kingdom, OpenKingdom("b", kingdom.kingdom)], Rules(players=3))
    with pytest.raises(RulesError, match="dynasty_needs_three_games"):
        outcome_of_dynasty([[kingdom]])
    pair = [kingdom, OpenKingdom("b", kingdom.kingdom)]
    with pytest.raises(RulesError, match="other_players"):
        outcome_of_dynasty([pair, pair, [kingdom, OpenKingdom("c", kingdom.kingdom)]])
    with pytest.raises(RulesError, match="dynasty_needs_three_games"):
        outcome_of_dynasty([pair] * 3, [Rules()] * 2)


def test_a_kingdom_of_which_nothing_is_sure_leaves_everything_open() -> None:
    """More hangs together than can be counted: no winner is said to be certain."""
    everything = tuple(Square(terrain, crowns) for terrain in Terrain for crowns in range(3))
    dark = Kingdom.parse("/".join(["w " * 7] * 7))
    doubts = {place: (*everything, EMPTY) for place, _ in dark.items()}
    for rules in (Rules(), Rules(quests=(Quest(Goal.FOLIE_DES_GRANDEURS),))):
        found = outcome(
            [OpenKingdom("a", dark, doubts), OpenKingdom("b", Kingdom.parse("w1 c"))], rules
        )
        assert not found.exact
        assert set(found.possible) == {("a",), ("b",), ("a", "b")}
        assert len(found.deciding) == 49


@pytest.mark.parametrize(("most", "limit_ms"), [(1, 50), (2, 50)])
def test_thirty_doubts_in_four_kingdoms_take_no_time(most: int, limit_ms: int) -> None:
    """Of processor time, as the middle one of many games."""
    found, exact = milliseconds(20, 30, most)
    assert exact == len(found)
    assert found[10] < limit_ms


def test_neither_crowns_nor_territories_part_a_tied_dynasty() -> None:
    few, many = Kingdom.parse("w1 w w w c"), Kingdom.parse("w2 w c . .")
    games = [[OpenKingdom("a", few), OpenKingdom("b", many)]] * 3
    assert outcome_of_dynasty(games, Rules(tie_break=TieBreak.CROWNS)).winners == ("a", "b")


def test_each_game_of_a_dynasty_goes_by_its_own_rules() -> None:
    pair = [OpenKingdom("a", Kingdom.parse("c w w")), OpenKingdom("b", Kingdom.parse("w c w"))]
    rules = [Rules(), Rules(), Rules(middle_kingdom=True)]
    assert outcome_of_dynasty([pair] * 3, rules).winners == ("b",)
