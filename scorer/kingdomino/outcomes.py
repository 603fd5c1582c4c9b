"""Who can still win while squares are in doubt, and which of these squares decide it.

What the points can be is a matter of ``sums``: no kingdom is scored for every combination of its
squares.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from scorer.computed import computed_once
from scorer.kingdomino.errors import RulesError
from scorer.kingdomino.kingdom import Kingdom, Position, Square
from scorer.kingdomino.ranking import GAMES_OF_A_DYNASTY
from scorer.kingdomino.rules import PLAYERS, Rules, TieBreak
from scorer.kingdomino.scoring import score
from scorer.kingdomino.sums import (
    MOST_POINTS,
    Group,
    Scale,
    Values,
    added,
    count_sums,
    indices,
    joined,
    plain,
)
from scorer.kingdomino.terms import Figures, Term, TooMuch, terms_of

MAX_SUMS = 4_000
"""Sums for one kingdom, beyond which only bounds of its points are reckoned with."""


@dataclass(frozen=True, slots=True)
class OpenKingdom:
    """The kingdom of a player, some of whose squares are in doubt.

    ``doubts`` has by (row, column) what may lie there besides the square that stands; any
    combination of them is possible. IndexError for a position outside of the kingdom.
    """

    player: str
    kingdom: Kingdom
    doubts: Mapping[Position, tuple[Square, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for position in self.doubts:
            self.kingdom[position]


@dataclass(frozen=True, slots=True)
class DecidingSquare:
    """A square in doubt that can change who wins.

    ``squares`` is what may lie there, what stands first; ``game`` is the number of the game in a
    Dynasty, from 1.
    """

    player: str
    position: Position
    squares: tuple[Square, ...]
    game: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who wins as the squares stand, and who can win.

    ``winners`` are several players where they share the victory. ``possible`` has the winners of
    every combination of the doubtful squares, those of now first; the outcome is ``certain`` if
    there are no others. ``deciding`` are the squares of which a change can change the winners while
    all others stay what they may be, first those that leave the fewest outcomes once they are
    known; every other doubt changes nothing. Where so much hangs together that it can't be counted,
    ``exact`` is False: then ``possible`` and ``deciding`` may have more than there is, never less.
    """

    winners: tuple[str, ...]
    possible: tuple[tuple[str, ...], ...]
    deciding: tuple[DecidingSquare, ...] = ()
    exact: bool = True

    @property
    def certain(self) -> bool:
        """Whether the same players win whatever the doubtful squares are."""
        return len(self.possible) == 1


def outcome(kingdoms: Sequence[OpenKingdom], rules: Rules | None = None) -> Outcome:
    """The possible outcomes of one game; see ``rank`` for how players are compared.

    RulesError ``bad_players`` for fewer than 2 or more than 5 players, two of one name, or another
    number than in the rules.
    """
    return _outcome([kingdoms], [rules or Rules()], largest=True)


def outcome_of_dynasty(
    games: Sequence[Sequence[OpenKingdom]], rules: Rules | Sequence[Rules] | None = None
) -> Outcome:
    """The possible outcomes of three games by the sum of points; see ``dynasty``.

    ``rules`` are those of all games, or of each of them: their grids may differ.

    RulesError ``dynasty_needs_three_games``, ``other_players`` or ``bad_players``.
    """
    if rules is None or isinstance(rules, Rules):
        rules = [rules or Rules()] * len(games)
    for each in (games, rules):
        if len(each) != GAMES_OF_A_DYNASTY:
            raise RulesError("dynasty_needs_three_games", games=len(each))
    if any({k.player for k in game} != {k.player for k in games[0]} for game in games):
        raise RulesError("other_players")
    return _outcome(games, rules, largest=False)


def _outcome(
    games: Sequence[Sequence[OpenKingdom]], rules: Sequence[Rules], *, largest: bool
) -> Outcome:
    players = [kingdom.player for kingdom in games[0]]
    count = len(players)
    if (
        count not in PLAYERS
        or len(set(players)) < count
        or any(each.players not in (None, count) for each in rules)
        or any(len(game) != count for game in games)
    ):
        raise RulesError("bad_players", players=count)
    cells = sum(k.kingdom.height * k.kingdom.width for game in games for k in game)
    by_crowns = largest and rules[0].tie_break is TieBreak.CROWNS
    scale = Scale(largest, 3 * cells + 1 if by_crowns else 1)
    estates = [
        _Estate.of(
            [(number, k) for number, game in enumerate(games, 1) for k in game if k.player == name],
            rules,
            scale,
        )
        for name in players
    ]
    every = set[int]().union(*(estate.keys for estate in estates))
    sets = [estate.keys if estate.exact else every for estate in estates]
    now = _Field.of({1 << number: {each.now} for number, each in enumerate(estates)}).winners
    possible = _Field.of({1 << number: keys for number, keys in enumerate(sets)}).winners
    (standing,) = now
    deciding = _deciding(estates, sets) if len(possible) > 1 else ()
    order = sorted(possible, key=lambda mask: (mask != standing, mask.bit_count(), mask))
    return Outcome(
        _named(standing, players),
        tuple(_named(mask, players) for mask in order),
        deciding,
        all(estate.exact for estate in estates),
    )


def _named(mask: int, players: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(players) if mask >> bit & 1)


@dataclass(frozen=True, slots=True)
class _Field:
    """Players who each have one of their keys, the largest first.

    ``floor`` is the largest key that one of them has at least. ``holders`` are the keys from there
    on by who can have them, as bits, and who of these has none smaller. The largest key of all is
    one that each player reaches or can stay below.
    """

    floor: int = 0
    holders: Mapping[tuple[int, int], set[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, sets: Mapping[int, set[int]]) -> _Field:
        """The players by their bits."""
        return reduce(lambda found, each: found.plus(*each), sets.items(), cls())

    def plus(self, bit: int, keys: set[int]) -> _Field:
        """One player more."""
        least = min(keys)
        floor = max(least, self.floor)
        mine = {key for key in keys if key >= floor}
        found: dict[tuple[int, int], set[int]] = {}
        for (mask, bound), theirs in self.holders.items():
            if floor > self.floor:
                theirs = {key for key in theirs if key >= floor}
            both = theirs & mine
            mine -= both
            if least in both:
                both.discard(least)
                found[mask | bit, bound | bit] = {least}
            found[mask | bit, bound] = both
            found[mask, bound] = theirs - both - {least} if least in theirs else theirs - both
        if least in mine:
            mine.discard(least)
            found[bit, bit] = {least}
        found[bit, 0] = mine
        return _Field(floor, {who: keys for who, keys in found.items() if keys})

    @property
    def keys(self) -> set[int]:
        return set().union(*self.holders.values())

    @property
    def winners(self) -> set[int]:
        """Every set of winners, as bits."""
        found = set()
        for mask, bound in self.holders:
            chosen = free = mask & ~bound
            while True:
                if chosen | bound:
                    found.add(chosen | bound)
                if not chosen:
                    break
                chosen = (chosen - 1) & free
        return found


def _deciding(estates: Sequence[_Estate], sets: Sequence[set[int]]) -> tuple[DecidingSquare, ...]:
    by_bit = {1 << number: keys for number, keys in enumerate(sets)}
    found = []
    for number, estate in enumerate(estates):
        bit = 1 << number
        others = _Field.of({other: keys for other, keys in by_bit.items() if other != bit})
        rivals = sorted(others.keys)
        if max(sets[number]) < others.floor:
            continue
        for doubt, square in enumerate(estate.doubts):
            if estate.exact:
                if not estate.decides(doubt, rivals):
                    continue
                known = estate.keys_by_option(doubt)
            else:
                known = [sets[number]] * len(square.squares)
            left = [len(others.plus(bit, keys).winners) for keys in known]
            found.append((max(left), sum(left), number, square.game, square.position, square))
    return tuple(each[-1] for each in sorted(found, key=lambda each: each[:-1]))


@dataclass(frozen=True)
class _Estate:
    """All that one player has, ready to be compared: the doubts and the sums of what they may be.

    ``base`` is what is sure, ``now`` the key as the squares stand, ``keys`` are all that are
    possible. Where it is not ``exact``, there are no groups, and the keys are bounds.
    """

    doubts: tuple[DecidingSquare, ...]
    groups: tuple[Group, ...]
    base: Values
    scale: Scale
    now: int
    keys: set[int]
    exact: bool = True

    @classmethod
    def of(
        cls, kingdoms: Sequence[tuple[int, OpenKingdom]], of_games: Sequence[Rules], scale: Scale
    ) -> _Estate:
        now = fixed = Figures()
        doubts: list[DecidingSquare] = []
        terms: list[Term] = []
        exact = True
        for game, each in kingdoms:
            rules = of_games[game - 1]
            standing = score(each.kingdom, rules)
            now = now.plus(Figures(standing.points, standing.largest_territory, standing.crowns))
            mine = _open_squares(each, game)
            try:
                sure, found = terms_of(each.kingdom, {d.position: d.squares for d in mine}, rules)
            except TooMuch:
                exact = False
            else:
                fixed = fixed.plus(sure)
                terms += [
                    replace(term, scope=tuple(number + len(doubts) for number in term.scope))
                    for term in found
                ]
            doubts += mine
        key = scale.key(*scale.sum_of(now))
        # A territory smaller than one that is always there is never the largest.
        least = max([fixed.largest, *(min(f.largest for f in t.figures.values()) for t in terms)])
        scale = replace(scale, least=least)
        options = [len(each.squares) for each in doubts]
        base = plain(scale.sum_of(fixed))
        if not exact or count_sums(terms, options) > MAX_SUMS:
            bounds = {0, key, scale.key(MOST_POINTS * scale.crowns, 0)}
            return cls(tuple(doubts), (), base, scale, key, bounds, exact=False)
        groups = tuple(Group(each, options, scale) for each in joined(terms))
        values = reduce(added, [each.values for each in groups], base)
        return cls(tuple(doubts), groups, base, scale, key, scale.keys(values))

    @computed_once
    def _beside(self) -> dict[int, tuple[Group, Values]]:
        """For each doubt that counts its group, and the sums of all else."""
        found = {}
        for group in self.groups:
            others = [each.values for each in self.groups if each is not group]
            rest = reduce(added, others, self.base)
            found.update(dict.fromkeys(group.doubts, (group, rest)))
        return found

    def decides(self, doubt: int, rivals: Sequence[int]) -> bool:
        """Whether the best of the others can lie between two options, or have just one of them.

        ``rivals`` are all that the best can have, sorted. Nearly always it is seen with what hangs
        together as it stands.
        """
        if doubt not in self._beside:
            return False
        group, rest = self._beside[doubt]
        return any(
            self._is_parted(added(group.together(doubt, standing=standing), rest), rivals)
            for standing in (True, False)
        )

    def _is_parted(self, values: Values, rivals: Sequence[int]) -> bool:
        key = self.scale.key
        for (steps, sizes), bits in values.items():
            if not any(steps) and len(set(sizes)) == 1:
                continue
            for index in indices(bits):
                keys = [key(index, sizes[0])]
                keys += [
                    key(index + step, size) for step, size in zip(steps, sizes[1:], strict=True)
                ]
                low, high = min(keys), max(keys)
                place = bisect_left(rivals, low)
                if low < high and place < len(rivals) and rivals[place] <= high:
                    return True
        return False

    def keys_by_option(self, doubt: int) -> list[set[int]]:
        """For each option of a doubt that counts the keys that are left once it is known."""
        group, rest = self._beside[doubt]
        return [self.scale.keys(added(each, rest)) for each in group.by_option(doubt)]


def _open_squares(open_kingdom: OpenKingdom, game: int) -> list[DecidingSquare]:
    """The doubts that leave a choice, row by row."""
    found = []
    for position in sorted(open_kingdom.doubts):
        standing = open_kingdom.kingdom[position]
        squares = tuple(dict.fromkeys((standing, *open_kingdom.doubts[position])))
        if len(squares) > 1:
            found.append(DecidingSquare(open_kingdom.player, position, squares, game))
    return found
