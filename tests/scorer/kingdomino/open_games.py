"""Games with doubtful squares, drawn at random, and what can become of them by trying it all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from scorer.kingdomino import (
    CASTLE,
    EMPTY,
    QUESTS,
    BleakKing,
    Kingdom,
    OpenKingdom,
    Outcome,
    Position,
    Rules,
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
from tests.scorer.kingdomino.random_games import play


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


def check_order(games: Sequence[Sequence[OpenKingdom]], rules: Rules, found: Outcome) -> None:
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
