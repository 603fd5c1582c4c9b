"""Who can still win: compared with scoring every combination of the doubtful squares."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from scorer.kingdomino import (
    CASTLE,
    EMPTY,
    QUESTS,
    BleakKing,
    Goal,
    Kingdom,
    OpenKingdom,
    Position,
    Quest,
    Rules,
    RulesError,
    Score,
    Square,
    Terrain,
    TieBreak,
    dynasty,
    outcome,
    outcome_of_dynasty,
    rank,
    score,
)
from scorer.kingdomino import outcomes as module
from tests.scorer.kingdomino.random_games import play

W, L, F, F1 = (Square.parse(each) for each in ("w", "l", "f", "f1"))


def choices(kingdom: OpenKingdom) -> list[list[tuple[Position, Square]]]:
    return [
        [(place, square) for square in dict.fromkeys((kingdom.kingdom[place], *others))]
        for place, others in sorted(kingdom.doubts.items())
    ]


def all_scores(
    kingdom: OpenKingdom, rules: Rules
) -> Iterator[tuple[Mapping[Position, Square], Score]]:
    for chosen in product(*choices(kingdom)):
        squares = dict(chosen)
        yield squares, score(kingdom.kingdom.replace(squares), rules)


def by_trying(
    games: Sequence[Sequence[OpenKingdom]], rules: Rules
) -> tuple[set[frozenset[str]], set[tuple[int, str, Position]]]:
    """All sets of winners, and the squares that change them while the others stay."""
    kingdoms = [(number, each) for number, game in enumerate(games, 1) for each in game]
    winners: dict[tuple[tuple[int, str, Position, Square], ...], frozenset[str]] = {}
    for combination in product(*(list(all_scores(each, rules)) for _, each in kingdoms)):
        found: dict[int, dict[str, Score]] = {}
        for (number, each), (_, result) in zip(kingdoms, combination, strict=True):
            found.setdefault(number, {})[each.player] = result
        ranking = rank(found[1], rules) if len(games) == 1 else dynasty(list(found.values()), rules)
        key = tuple(
            (number, each.player, place, square)
            for (number, each), (squares, _) in zip(kingdoms, combination, strict=True)
            for place, square in squares.items()
        )
        winners[key] = frozenset(ranking.winners)
    deciding = set()
    for spot in range(len(next(iter(winners)))):
        seen: dict[tuple[object, ...], frozenset[str]] = {}
        for key, names in winners.items():
            number, player, place, _ = key[spot]
            if seen.setdefault((*key[:spot], *key[spot + 1 :]), names) != names:
                deciding.add((number, player, place))
    return set(winners.values()), deciding


AT_COURT = ("w*", "f*", "w:farmer", "f:king", "l:queen", "g:banker:7", "w+1")
COURT = [Square.parse(text) for text in AT_COURT]


def random_square(rng: Random) -> Square:
    if rng.random() < 0.15:
        return rng.choice((EMPTY, CASTLE, rng.choice(COURT)))
    return Square(rng.choice(list(Terrain)[:4]), rng.choice((0, 0, 1, 2)))


def random_table(rng: Random, players: int, doubts: int, side: int = 4) -> list[OpenKingdom]:
    found = []
    left = doubts
    for number in range(players):
        rows = tuple(
            tuple(random_square(rng) if rng.random() < 0.9 else EMPTY for _ in range(side))
            for _ in range(side)
        )
        mine = left if number == players - 1 else rng.randrange(left + 1)
        left -= mine
        places = rng.sample([(r, c) for r in range(side) for c in range(side)], mine)
        others = {
            place: tuple(random_square(rng) for _ in range(rng.choice((1, 1, 2))))
            for place in places
        }
        found.append(OpenKingdom(f"p{number}", Kingdom(rows), others))
    return found


def random_rules(rng: Random) -> Rules:
    rules = Rules(
        tie_break=rng.choice(list(TieBreak)), bleak_king=rng.choice(list(BleakKing)), size=5
    )
    kind = rng.randrange(3)
    if kind == 0:
        return rules
    if kind == 1:
        return replace(rules, harmony=True, middle_kingdom=rng.random() < 0.5)
    return replace(rules, quests=tuple(rng.sample(QUESTS, 2)))


def check(games: Sequence[Sequence[OpenKingdom]], rules: Rules) -> None:
    found = outcome(games[0], rules) if len(games) == 1 else outcome_of_dynasty(games, rules)
    possible, deciding = by_trying(games, rules)
    assert found.exact
    assert len(found.possible) == len(set(found.possible))
    assert set(map(frozenset, found.possible)) == possible, (games, rules)
    assert found.certain == (len(possible) == 1)
    assert found.possible[0] == found.winners
    mine = {(each.game, each.player, each.position) for each in found.deciding}
    assert mine == deciding, (games, rules)
    check_order(games, rules, found)


def check_order(
    games: Sequence[Sequence[OpenKingdom]], rules: Rules, found: module.Outcome
) -> None:
    """What leaves the fewest outcomes is asked first."""
    left = []
    for each in found.deciding:
        counts = []
        for square in each.squares:
            known = [list(game) for game in games]
            (index,) = (n for n, k in enumerate(known[each.game - 1]) if k.player == each.player)
            there = known[each.game - 1][index]
            rest = {place: s for place, s in there.doubts.items() if place != each.position}
            fixed = there.kingdom.replace({each.position: square})
            known[each.game - 1][index] = OpenKingdom(there.player, fixed, rest)
            again = (
                outcome(known[0], rules) if len(games) == 1 else outcome_of_dynasty(known, rules)
            )
            counts.append(len(again.possible))
        left.append((max(counts), sum(counts)))
    assert left == sorted(left)


@pytest.mark.parametrize("seed", range(60))
def test_as_by_trying_everything(seed: int) -> None:
    rng = Random(seed)
    for _ in range(2):
        check([random_table(rng, rng.choice((2, 2, 3)), rng.randrange(6))], random_rules(rng))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4000))
def test_as_by_trying_everything_thousands_of_times(seed: int) -> None:
    rng = Random(10_000 + seed)
    check([random_table(rng, rng.choice((2, 3, 4)), rng.randrange(8))], random_rules(rng))


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


def open_game(rng: Random, doubts: int, most: int) -> list[OpenKingdom]:
    """Four finished kingdoms with so many doubts in all, each with 1 to ``most`` other squares."""
    kingdoms = play(rng, 4)
    taken = [
        (number, place)
        for number, kingdom in enumerate(kingdoms)
        for place, square in kingdom.items()
        if square.terrain is not None
    ]
    chosen = rng.sample(taken, doubts)
    return [
        OpenKingdom(
            str(number),
            kingdom,
            {
                place: tuple(
                    Square(rng.choice(list(Terrain)), rng.choice((0, 0, 1)))
                    for _ in range(rng.randrange(1, most + 1))
                )
                for owner, place in chosen
                if owner == number
            },
        )
        for number, kingdom in enumerate(kingdoms)
    ]


@pytest.mark.slow
def test_thirty_doubts_in_four_kingdoms_take_no_time() -> None:
    """At most 50 ms of processor time, as the middle one of many tables."""
    rng = Random(7)
    seconds = []
    for _ in range(40):
        table = open_game(rng, 30, 1)
        started = time.process_time()
        assert outcome(table).exact
        seconds.append(time.process_time() - started)
    assert sorted(seconds)[20] < 0.05
