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
from functools import cached_property, reduce
from math import prod
from typing import Any, Generic, TypeVar

from scorer.kingdomino.errors import RulesError
from scorer.kingdomino.kingdom import Kingdom, Position, Square
from scorer.kingdomino.ranking import GAMES_OF_A_DYNASTY
from scorer.kingdomino.rules import PLAYERS, Rules, TieBreak
from scorer.kingdomino.scoring import score
from scorer.kingdomino.terms import Figures, Term, TooMuch, terms_of

__all__ = ["DecidingSquare", "OpenKingdom", "Outcome", "outcome", "outcome_of_dynasty"]

MAX_SUMS = 16_000
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

    def keys(self, values: _Values) -> set[int]:
        """All keys of sums that stand under no square."""
        return {self.key(i, size) for (_, (size,)), bits in values.items() for i in _indices(bits)}


_MOST_SQUARES, _MOST_POINTS = 1000, 100_000

_Sum = tuple[int, int]
"""The index of a sum, and its largest territory."""

_Values = dict[tuple[tuple[int, ...], tuple[int, ...]], int]
"""Sums that are possible, as bits by index.

They stand under the largest territories for each option of the square that is looked at, and how
much larger the index is for each option but the first. Without such a square there is one option.
"""


def _plain(figures: _Sum) -> _Values:
    return {((), (figures[1],)): 1 << figures[0]}


def _by_options(figures: Sequence[_Sum]) -> _Values:
    first = figures[0][0]
    steps = tuple(index - first for index, _ in figures[1:])
    return {(steps, tuple(largest for _, largest in figures)): 1 << first}


_NOTHING = _plain((0, 0))


def _added(one: _Values, other: _Values) -> _Values:
    """Each sum of the one with each of the other."""
    found: _Values = {}
    _add(found, one, other)
    return found


def _add(found: _Values, one: _Values, other: _Values) -> None:
    """Put each sum of the one with each of the other among what was found."""
    for tag, bits in one.items():
        for more_tag, more in other.items():
            (steps, sizes), (more_steps, more_sizes) = tag, more_tag
            if not steps:
                size = sizes[0]
                both = more_tag
                if size > min(more_sizes):
                    both = more_steps, tuple([each if each > size else size for each in more_sizes])
            elif not more_steps:
                size = more_sizes[0]
                both = tag
                if size > min(sizes):
                    both = steps, tuple([each if each > size else size for each in sizes])
            else:
                both = (
                    tuple(map(int.__add__, steps, more_steps)),
                    tuple(map(max, sizes, more_sizes)),
                )
            found[both] = found.get(both, 0) | _sums(bits, more)


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


Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True, eq=False)
class _Table(Generic[Entry]):
    """What a part of the points is by the choice of a few doubts, ``scope``.

    ``states`` has for each of them which state each of its options is; ``entries`` are in the order
    of the states, those of the last doubt one after the other.
    """

    scope: tuple[int, ...]
    states: tuple[Sequence[int], ...]
    entries: Sequence[Entry]

    def over(self, doubts: Sequence[int], options: Mapping[int, Sequence[int]]) -> list[Entry]:
        """The entry of every choice of these doubts, all of the scope among them, in order."""
        steps, step = {}, 1
        for doubt, states in zip(reversed(self.scope), reversed(self.states), strict=True):
            steps[doubt] = [step * states[option] for option in options[doubt]]
            step *= max(states) + 1
        places = [0]
        for doubt in doubts:
            more = steps.get(doubt) or [0] * len(options[doubt])
            places = [place + step for place in places for step in more]
        return [self.entries[place] for place in places]


_SURE: _Table[_Values] = _Table((), (), [_NOTHING])


@dataclass(slots=True, eq=False)
class _Node:
    """A doubt in the order in which doubts are taken away, with what is there when it goes.

    ``terms`` are those that no earlier doubt took along, ``own`` is their table, ``children`` are
    the earlier doubts whose sums depend on this one. ``up`` are the sums of all of that, whatever
    this doubt is, ``down`` those of all else; both by the later doubts that hang with it.
    """

    doubt: int
    terms: list[_Table[_Sum]]
    own: _Table[_Values]
    children: list[_Node]
    up: _Table[_Values]
    down: _Table[_Values] = _SURE


class _Terms:
    """Terms that hang together by their doubts, of which each has so many ``options``.

    Sums go up from each doubt to the next one that it hangs with, and down again, once for all
    (Shafer and Shenoy, Probability propagation, 1990); so what a square adds is looked for where it
    stands alone, and everything beyond is a table already.
    """

    def __init__(self, terms: Sequence[Term], options: Sequence[int], scale: _Scale) -> None:
        self._nodes: dict[int, _Node] = {}
        left = [
            _Table(each.scope, each.states, [scale.sum_of(f) for f in each.figures.values()])
            for each in terms
        ]
        roots: list[_Node] = []
        for doubt, _ in _steps([term.scope for term in terms], options):
            mine = [each for each in left if doubt in each.scope]
            children = [node for node in roots if doubt in node.up.scope]
            own = _joint(mine)
            up = _summed([own, *(node.up for node in children)], {doubt})
            self._nodes[doubt] = node = _Node(doubt, mine, own, children, up)
            left = [each for each in left if doubt not in each.scope]
            roots = [*(each for each in roots if doubt not in each.up.scope), node]
        (self._root,) = roots
        for node in reversed(self._nodes.values()):
            for child in node.children:
                others = [each.up for each in node.children if each is not child]
                tables = [node.own, *others, node.down]
                gone = {each for table in tables for each in table.scope}.difference(child.up.scope)
                child.down = _summed(tables, gone)

    @property
    def doubts(self) -> Iterable[int]:
        return self._nodes

    @property
    def values(self) -> _Values:
        """All sums of the terms."""
        return self._root.up.entries[0]

    def by_option(self, doubt: int) -> list[_Values]:
        """All sums of the terms, for each option of a doubt."""
        node = self._nodes[doubt]
        cuts = [(each.up, each.down) for each in self._nodes.values() if doubt in each.up.scope]
        own = (node.own, *(child.up for child in node.children), node.down)
        tables = min([own, *cuts], key=_count_rows)
        found = _summed(tables, {each for table in tables for each in table.scope} - {doubt})
        return [found.entries[state] for state in found.states[0]]

    def together(self, doubt: int, *, standing: bool) -> _Values:
        """All sums of the terms by the options of a doubt, the others chosen alike for each.

        With ``standing`` those alone in which what hangs with it stays as it is.
        """
        node = self._nodes[doubt]
        tables = [*self._below(node, doubt, standing), node.down]
        return _summed(tables, standing=standing).entries[0]

    def _below(self, node: _Node, doubt: int, standing: bool) -> Iterator[_Table[_Values]]:
        """What is there when a doubt goes, by the options of one that is in it or above it."""
        yield _joint(node.terms, doubt, standing=standing)
        for child in node.children:
            if doubt in child.up.scope:
                tables = list(self._below(child, doubt, standing))
                yield _summed(tables, {child.doubt}, standing=standing)
            else:
                yield child.up


def _joint(
    terms: Sequence[_Table[_Sum]], doubt: int | None = None, *, standing: bool = False
) -> _Table[_Values]:
    """Terms as one table; of a doubt that is named, by its options instead of its choice.

    With ``standing`` of one entry, in which all other doubts are what they are now.
    """
    scope, classes, options = _choices(terms)
    kept = [each for each in scope if each != doubt]
    if standing:
        options.update((each, options[each][:1]) for each in kept)
    order = kept if doubt is None or doubt not in classes else [*kept, doubt]
    sums = [_sum(row) for row in zip(*(term.over(order, options) for term in terms), strict=True)]
    if len(order) == len(kept):
        entries = [_plain(each) for each in sums] or [_NOTHING]
    else:
        count, numbers = len(options[order[-1]]), classes[order[-1]]
        entries = [
            _by_options([sums[first + number] for number in numbers])
            for first in range(0, len(sums), count)
        ]
    return _Table(tuple(kept), tuple([classes[each] for each in kept]), entries)


def _summed(
    tables: Sequence[_Table[_Values]], gone: set[int] | None = None, *, standing: bool = False
) -> _Table[_Values]:
    """The sums of the tables, whatever the doubts are that are gone; all of them for None.

    With ``standing`` of one entry, in which every doubt is what it is now.
    """
    scope, classes, options = _choices(tables)
    away = [each for each in scope if gone is None or each in gone]
    kept = [each for each in scope if each not in away]
    if standing:
        options = {each: found[:1] for each, found in options.items()}
    rows = zip(*(table.over([*kept, *away], options) for table in tables), strict=True)
    count = prod(len(options[each]) for each in away)
    entries = []
    for block in zip(*[rows] * count, strict=True):
        found: _Values = {}
        for *most, last in block:
            _add(found, reduce(_added, most) if most else _NOTHING, last)
        entries.append(found)
    return _Table(tuple(kept), tuple([classes[each] for each in kept]), entries)


def _count_rows(tables: Sequence[_Table[Any]]) -> int:
    _, _, options = _choices(tables)
    return prod(map(len, options.values()))


def _sum(figures: Sequence[_Sum]) -> _Sum:
    return sum([index for index, _ in figures]), max([size for _, size in figures], default=0)


def _choices(
    tables: Sequence[_Table[Any]],
) -> tuple[tuple[int, ...], dict[int, Sequence[int]], dict[int, list[int]]]:
    """The doubts of the tables; for each a number by option, and the first option of each number.

    Two options have one number where no table tells them apart.
    """
    scope = tuple(sorted({each for table in tables for each in table.scope}))
    classes = {each: _classes(each, tables) for each in scope}
    firsts = {
        each: [found.index(n) for n in range(max(found) + 1)] for each, found in classes.items()
    }
    return scope, classes, firsts


def _classes(doubt: int, tables: Sequence[_Table[Any]]) -> Sequence[int]:
    """For each option of a doubt a number, the same where no table tells two of them apart."""
    states = [table.states[table.scope.index(doubt)] for table in tables if doubt in table.scope]
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
    groups: tuple[_Terms, ...]
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
        groups = tuple(_Terms(each, options, scale) for each in _joined(terms))
        values = reduce(_added, [each.values for each in groups], base)
        return cls(tuple(doubts), groups, base, scale, key, scale.keys(values))

    @cached_property
    def _beside(self) -> dict[int, tuple[_Terms, _Values]]:
        """For each doubt that counts its group, and the sums of all else."""
        found = {}
        for group in self.groups:
            others = [each.values for each in self.groups if each is not group]
            rest = reduce(_added, others, self.base)
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
            self._is_parted(_added(group.together(doubt, standing=standing), rest), rivals)
            for standing in (True, False)
        )

    def _is_parted(self, values: _Values, rivals: Sequence[int]) -> bool:
        key = self.scale.key
        for (steps, sizes), bits in values.items():
            if not any(steps) and len(set(sizes)) == 1:
                continue
            for index in _indices(bits):
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
        return [self.scale.keys(_added(each, rest)) for each in group.by_option(doubt)]


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
