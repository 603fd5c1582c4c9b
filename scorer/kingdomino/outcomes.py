"""Who can still win while squares are in doubt, and which of these squares decide it.

The points of a kingdom are a sum of terms, each of a few doubtful squares: a territory that some of
them may join, a corner, a line of crowns. Doubts are taken away one after the other, each by a sum
over the terms that it is in, so that no kingdom is scored for every combination of its squares
(variable elimination; Dechter, Bucket elimination, 1999).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import product
from math import prod

from scorer.kingdomino.errors import RulesError
from scorer.kingdomino.kingdom import Kingdom, Position, Square
from scorer.kingdomino.ranking import GAMES_OF_A_DYNASTY
from scorer.kingdomino.rules import PLAYERS, Rules, TieBreak
from scorer.kingdomino.scoring import score
from scorer.kingdomino.terms import Figures, Term, TooMuch, terms_of

__all__ = ["DecidingSquare", "OpenKingdom", "Outcome", "outcome", "outcome_of_dynasty"]

MAX_SUMS = 4000
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
    return _outcome([kingdoms], rules or Rules(), largest=True)


def outcome_of_dynasty(
    games: Sequence[Sequence[OpenKingdom]], rules: Rules | None = None
) -> Outcome:
    """The possible outcomes of three games by the sum of points; see ``dynasty``.

    RulesError ``dynasty_needs_three_games``, ``other_players`` or ``bad_players``.
    """
    if len(games) != GAMES_OF_A_DYNASTY:
        raise RulesError("dynasty_needs_three_games", games=len(games))
    if any({k.player for k in game} != {k.player for k in games[0]} for game in games):
        raise RulesError("other_players")
    return _outcome(games, rules or Rules(), largest=False)


def _outcome(games: Sequence[Sequence[OpenKingdom]], rules: Rules, *, largest: bool) -> Outcome:
    players = [kingdom.player for kingdom in games[0]]
    count = len(players)
    if (
        count not in PLAYERS
        or len(set(players)) < count
        or rules.players not in (None, count)
        or any(len(game) != count for game in games)
    ):
        raise RulesError("bad_players", players=count)
    cells = sum(k.kingdom.height * k.kingdom.width for game in games for k in game)
    by_crowns = largest and rules.tie_break is TieBreak.CROWNS
    scale = _Scale(largest, 3 * cells + 1 if by_crowns else 1)
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
    now = _winners([{estate.now} for estate in estates])
    possible = _winners(sets)
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


def _winners(sets: Sequence[set[int]]) -> set[int]:
    """Every set of winners, as bits, of players who each have one of these keys, the largest first.

    The largest key of all is one that each player reaches or can stay below.
    """
    least = [min(keys) for keys in sets]
    floor = max(least)
    holders: dict[int, int] = {}
    for bit, keys in enumerate(sets):
        for key in keys:
            if key >= floor:
                holders[key] = holders.get(key, 0) | 1 << bit
    found: set[int] = set()
    for key, mask in holders.items():
        bound = sum(1 << bit for bit, low in enumerate(least) if low == key)
        chosen = free = mask & ~bound
        while True:
            if chosen | bound:
                found.add(chosen | bound)
            if not chosen:
                break
            chosen = (chosen - 1) & free
    return found


def _deciding(estates: Sequence[_Estate], sets: Sequence[set[int]]) -> tuple[DecidingSquare, ...]:
    found = []
    for number, estate in enumerate(estates):
        others = [*sets[:number], *sets[number + 1 :]]
        floor = max(min(keys) for keys in others)
        rivals = sorted({key for keys in others for key in keys if key >= floor})
        if max(sets[number]) < floor:
            continue
        for doubt, square in enumerate(estate.doubts):
            by_option = estate.keys_by_option(doubt, (rivals[0], rivals[-1]))
            if not any(_is_parted(keys, rivals) for keys in by_option):
                continue
            if estate.exact:
                known = [set(keys) for keys in estate.keys_of_options(doubt)]
            else:
                known = [sets[number]] * len(square.squares)
            left = [len(_winners([*sets[:number], keys, *sets[number + 1 :]])) for keys in known]
            found.append((max(left), sum(left), number, square.game, square.position, square))
    return tuple(each[-1] for each in sorted(found, key=lambda each: each[:-1]))


def _is_parted(keys: Sequence[int], rivals: Sequence[int]) -> bool:
    """Whether the best of the others can lie between two of the keys, or have just one of them."""
    low, high = min(keys), max(keys)
    if low == high:
        return False
    place = bisect_left(rivals, low)
    return place < len(rivals) and rivals[place] <= high


@dataclass(frozen=True, slots=True)
class _Scale:
    """How a player's figures are one number: an index of points and crowns, and the largest.

    The largest territory is 0 where it doesn't count, and at least ``least`` else; an index is
    points * ``crowns`` + crowns.
    """

    largest: bool
    crowns: int
    least: int = 0

    def sum_of(self, figures: Figures) -> _Sum:
        crowns = figures.crowns if self.crowns > 1 else 0
        largest = max(figures.largest, self.least) if self.largest else 0
        return figures.points * self.crowns + crowns, largest

    def key(self, index: int, largest: int) -> int:
        """A number that is larger for whom is ahead in the ranking."""
        points, crowns = divmod(index, self.crowns)
        return (points * _MOST_SQUARES + largest) * self.crowns + crowns


_MOST_SQUARES, _MOST_POINTS = 1000, 100_000

_Sum = tuple[int, int]
"""The index of a sum, and its largest territory."""

_Values = dict[tuple[tuple[int, ...], tuple[int, ...]], int]
"""Sums that are possible, as bits by index.

They stand under the largest territories for each option of the square that is looked at, and how
much larger the index is for each option but the first. Without such a square there is one option.
"""


_NOTHING = ((), (0,))


def _plain(figures: _Sum) -> _Values:
    return {((), (figures[1],)): 1 << figures[0]}


def _by_options(figures: Sequence[_Sum]) -> _Values:
    first = figures[0][0]
    steps = tuple(index - first for index, _ in figures[1:])
    return {(steps, tuple(largest for _, largest in figures)): 1 << first}


def _added(one: _Values, other: _Values) -> _Values:
    """Each sum of the one with each of the other."""
    if one.get(_NOTHING) == len(one) == 1:
        return other
    found: _Values = {}
    for (steps, largest), bits in one.items():
        for (more_steps, more_largest), more_bits in other.items():
            if not steps:
                tag = more_steps, _at_least(more_largest, largest[0])
            elif not more_steps:
                tag = steps, _at_least(largest, more_largest[0])
            else:
                steps_both = tuple(map(int.__add__, steps, more_steps))
                tag = steps_both, tuple(map(max, largest, more_largest))
            sums = _sums(bits, more_bits)
            found[tag] = found[tag] | sums if tag in found else sums
    return found


def _at_least(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
    return sizes if size <= min(sizes) else tuple([max(size, each) for each in sizes])


def _sums(bits: int, more: int) -> int:
    if bits.bit_count() > more.bit_count():
        bits, more = more, bits
    found = 0
    while bits:
        low = bits & -bits
        found |= more << low.bit_length() - 1
        bits ^= low
    return found


def _indices(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _united(found: _Values, more: _Values) -> None:
    for tag, bits in more.items():
        found[tag] = found.get(tag, 0) | bits


_Table = Mapping[tuple[int, ...], _Values]


@dataclass(frozen=True, slots=True, eq=False)
class _Factor:
    """A term of the points as a table over a few doubts, ``scope``.

    ``states`` has for each of them which state each of its options is; the table is by states.
    ``plain`` where no square is looked at in it.
    """

    scope: tuple[int, ...]
    states: tuple[Sequence[int], ...]
    table: _Table
    plain: bool = True

    def at(self, choice: Sequence[int]) -> _Values:
        return self.table[
            tuple([state[choice[v]] for v, state in zip(self.scope, self.states, strict=True)])
        ]


class _Terms:
    """Terms that hang together by their doubts, of which each has so many ``options``.

    The doubts are always taken away in one order, so that what doesn't hang with the square that is
    looked at is added up once for all of them.
    """

    def __init__(self, terms: Sequence[Term], options: Sequence[int], scale: _Scale) -> None:
        self._terms, self._options, self._scale = terms, options, scale
        self._factors = [self._factor(term) for term in terms]
        self._order = [doubt for doubt, _ in _steps([each.scope for each in terms], options)]
        self._without: dict[tuple[_Factor, ...], _Factor] = {}
        self._values: dict[int | None, _Values] = {}

    def has(self, doubt: int) -> bool:
        return any(doubt in term.scope for term in self._terms)

    def values(self, doubt: int | None = None) -> _Values:
        """All sums of the terms, by the options of a doubt if one is named."""
        if doubt not in self._values:
            self._values[doubt] = self._eliminated(doubt)
        return self._values[doubt]

    def _eliminated(self, kept: int | None) -> _Values:
        """All sums of the factors over every choice of their doubts."""
        left = [
            factor if kept not in term.scope else self._factor_for(term, kept)
            for term, factor in zip(self._terms, self._factors, strict=True)
        ]
        for doubt in self._order:
            touching = tuple(factor for factor in left if doubt in factor.scope)
            if not touching:
                continue
            left = [factor for factor in left if doubt not in factor.scope]
            known = self._without.get(touching)
            if known is None:
                known = _taken_away(doubt, touching, len(self._options))
                if known.plain:
                    self._without[touching] = known
            left.append(known)
        return reduce(_added, [factor.table[()] for factor in left])

    def _factor(self, term: Term) -> _Factor:
        table = {states: _plain(self._scale.sum_of(f)) for states, f in term.figures.items()}
        return _Factor(term.scope, term.states, table)

    def _factor_for(self, term: Term, doubt: int) -> _Factor:
        """The factor without a doubt of its scope: the sums for each of its options."""
        place = term.scope.index(doubt)
        scope, states = ((*each[:place], *each[place + 1 :]) for each in (term.scope, term.states))
        table = {}
        for rest in product(*(range(max(each) + 1) for each in states)):
            sums = [
                self._scale.sum_of(term.figures[(*rest[:place], state, *rest[place:])])
                for state in term.states[place]
            ]
            table[rest] = _by_options(sums)
        return _Factor(scope, states, table, plain=False)


def _taken_away(doubt: int, touching: Sequence[_Factor], count: int) -> _Factor:
    """The sums of the factors for whatever the doubt is; of ``count`` doubts in all."""
    scope = tuple(sorted({each for factor in touching for each in factor.scope} - {doubt}))
    classes = [_classes(each, touching) for each in scope]
    firsts = [[each.index(n) for n in range(max(each) + 1)] for each in classes]
    own = _classes(doubt, touching)
    options = [own.index(n) for n in range(max(own) + 1)]
    choice = [0] * count
    table = {}
    for chosen in product(*map(enumerate, firsts)):
        for each, (_, option) in zip(scope, chosen, strict=True):
            choice[each] = option
        found: _Values = {}
        for option in options:
            choice[doubt] = option
            _united(found, reduce(_added, [factor.at(choice) for factor in touching]))
        table[tuple([number for number, _ in chosen])] = found
    return _Factor(scope, tuple(classes), table, all(factor.plain for factor in touching))


def _classes(doubt: int, factors: Sequence[_Factor]) -> Sequence[int]:
    """For each option of a doubt a number, the same where no factor tells two of them apart."""
    states = [
        factor.states[factor.scope.index(doubt)] for factor in factors if doubt in factor.scope
    ]
    numbers: dict[tuple[int, ...], int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in zip(*states, strict=True)]


def _steps(scopes: Iterable[tuple[int, ...]], options: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The doubts in the order in which they are taken away, each with how many sums that takes.

    The next is always the one that takes the fewest.
    """
    left = [set(scope) for scope in scopes if scope]
    while left:
        near: dict[int, set[int]] = {}
        for scope in left:
            for doubt in scope:
                near.setdefault(doubt, set()).update(scope)
        sums, doubt = min((prod(options[n] for n in scope), d) for d, scope in near.items())
        yield doubt, sums
        left = [scope for scope in left if doubt not in scope]
        if near[doubt] != {doubt}:
            left.append(near[doubt] - {doubt})


def _count_sums(terms: Sequence[Term], options: Sequence[int]) -> int:
    """How many sums are made of the terms, at most."""
    return sum(sums for _, sums in _steps([term.scope for term in terms], options))


@dataclass(frozen=True)
class _Estate:
    """All that one player has, ready to be compared: the doubts and the sums of what they may be.

    ``base`` is what is sure, ``now`` the key as the squares stand, ``keys`` are all that are
    possible. Where it is not ``exact``, there are no groups, and the keys are bounds.
    """

    doubts: tuple[DecidingSquare, ...]
    groups: tuple[tuple[_Terms, _Values], ...]
    base: _Values
    scale: _Scale
    now: int
    keys: set[int]
    exact: bool = True

    @classmethod
    def of(
        cls, kingdoms: Sequence[tuple[int, OpenKingdom]], rules: Rules, scale: _Scale
    ) -> _Estate:
        now = fixed = Figures()
        doubts: list[DecidingSquare] = []
        terms: list[Term] = []
        exact = True
        for game, each in kingdoms:
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
        base = _plain(scale.sum_of(fixed))
        if not exact or _count_sums(terms, options) > MAX_SUMS:
            bounds = {0, key, scale.key(_MOST_POINTS * scale.crowns, 0)}
            return cls(tuple(doubts), (), base, scale, key, bounds, exact=False)
        joined = [_Terms(each, options, scale) for each in _joined(terms)]
        groups = tuple((each, each.values()) for each in joined)
        values = reduce(_added, [values for _, values in groups], base)
        keys = {scale.key(i, size) for (_, (size,)), bits in values.items() for i in _indices(bits)}
        return cls(tuple(doubts), groups, base, scale, key, keys)

    def _values_of(self, doubt: int) -> _Values:
        """All sums by the options of a doubt, the others chosen alike for each of them."""
        each = [terms.values(doubt) if terms.has(doubt) else all_ for terms, all_ in self.groups]
        return reduce(_added, each, self.base)

    def keys_by_option(self, doubt: int, window: tuple[int, int]) -> Iterator[Sequence[int]]:
        """The keys for each option of a doubt, for every choice of the others.

        Left out are those that lie on one side of the window, from its first key to its last.
        """
        if not self.exact:
            yield min(self.keys), max(self.keys)
            return
        key = self.scale.key
        for (steps, sizes), bits in self._values_of(doubt).items():
            if not any(steps) and len(set(sizes)) == 1:
                continue
            for index in _indices(bits):
                keys = [key(index, sizes[0])]
                keys += [
                    key(index + step, size) for step, size in zip(steps, sizes[1:], strict=True)
                ]
                if max(keys) >= window[0] and min(keys) <= window[1]:
                    yield keys

    def keys_of_options(self, doubt: int) -> list[set[int]]:
        """For each option of a doubt the keys that are left once it is known."""
        found: list[set[int]] = [set() for _ in self.doubts[doubt].squares]
        key = self.scale.key
        for (steps, sizes), bits in self._values_of(doubt).items():
            for option, keys in enumerate(found):
                step = steps[option - 1] if option and steps else 0
                size = sizes[option] if len(sizes) > 1 else sizes[0]
                keys.update(key(index + step, size) for index in _indices(bits))
        return found


def _open_squares(open_kingdom: OpenKingdom, game: int) -> list[DecidingSquare]:
    """The doubts that leave a choice, row by row."""
    found = []
    for position in sorted(open_kingdom.doubts):
        standing = open_kingdom.kingdom[position]
        squares = tuple(dict.fromkeys((standing, *open_kingdom.doubts[position])))
        if len(squares) > 1:
            found.append(DecidingSquare(open_kingdom.player, position, squares, game))
    return found


def _joined(terms: Sequence[Term]) -> list[tuple[Term, ...]]:
    """The terms in groups that share no doubt."""
    groups: list[tuple[set[int], list[Term]]] = []
    for term in terms:
        apart = []
        doubts, together = set(term.scope), [term]
        for group in groups:
            if group[0].isdisjoint(term.scope):
                apart.append(group)
            else:
                doubts |= group[0]
                together += group[1]
        groups = [*apart, (doubts, together)]
    return [tuple(together) for _, together in groups]
