"""All sums that the points of a player can have, by the doubts that they depend on.

The points of a kingdom are a sum of terms, each of a few doubtful squares. Terms that hang together
are added up along the doubts, each of which is taken away by a sum over the terms that it is in
(variable elimination; Dechter, Bucket elimination, 1999).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any, Generic, TypeVar

from scorer.kingdomino.terms import Figures, Term


@dataclass(frozen=True, slots=True)
class Scale:
    """How a player's figures are one number: an index of points and crowns, and the largest.

    The largest territory is 0 where it doesn't count, and at least ``least`` else; an index is
    points * ``crowns`` + crowns.
    """

    largest: bool
    crowns: int
    least: int = 0

    def sum_of(self, figures: Figures) -> _Sum:
        """The figures as one number and the largest territory, as far as they are needed."""
        crowns = figures.crowns if self.crowns > 1 else 0
        largest = max(figures.largest, self.least) if self.largest else 0
        return figures.points * self.crowns + crowns, largest

    def key(self, index: int, largest: int) -> int:
        """A number that is larger for whom is ahead in the ranking."""
        points, crowns = divmod(index, self.crowns)
        return (points * _MOST_SQUARES + largest) * self.crowns + crowns

    def keys(self, values: Values) -> set[int]:
        """All keys of sums that stand under no square."""
        return {self.key(i, size) for (_, (size,)), bits in values.items() for i in indices(bits)}


_MOST_SQUARES, MOST_POINTS = 1000, 100_000

_Sum = tuple[int, int]
"""The index of a sum, and its largest territory."""

Values = dict[tuple[tuple[int, ...], tuple[int, ...]], int]
"""Sums that are possible, as bits by index.

They stand under the largest territories for each option of the square that is looked at, and how
much larger the index is for each option but the first. Without such a square there is one option.
"""


def plain(figures: _Sum) -> Values:
    """One sum, under no square."""
    return {((), (figures[1],)): 1 << figures[0]}


def _by_options(figures: Sequence[_Sum]) -> Values:
    first = figures[0][0]
    steps = tuple(index - first for index, _ in figures[1:])
    return {(steps, tuple(largest for _, largest in figures)): 1 << first}


_NOTHING = plain((0, 0))


def added(one: Values, other: Values) -> Values:
    """Each sum of the one with each of the other."""
    found: Values = {}
    _add(found, one, other)
    return found


def _add(found: Values, one: Values, other: Values) -> None:
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


def indices(bits: int) -> Iterator[int]:
    """The indices of sums, the smallest first."""
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


_SURE: _Table[Values] = _Table((), (), [_NOTHING])


@dataclass(slots=True, eq=False)
class _Node:
    """A doubt in the order in which doubts are taken away, with what is there when it goes.

    ``terms`` are those that no earlier doubt took along, ``own`` is their table, ``children`` are
    the earlier doubts whose sums depend on this one. ``up`` are the sums of all of that, whatever
    this doubt is, ``down`` those of all else; both by the later doubts that hang with it.
    """

    doubt: int
    terms: list[_Table[_Sum]]
    own: _Table[Values]
    children: list[_Node]
    up: _Table[Values]
    down: _Table[Values] = _SURE


class Group:
    """Terms that hang together by their doubts, of which each has so many ``options``.

    Sums go up from each doubt to the next one that it hangs with, and down again, once for all
    (Shafer and Shenoy, Probability propagation, 1990); so what a square adds is looked for where it
    stands alone, and everything beyond is a table already.
    """

    def __init__(self, terms: Sequence[Term], options: Sequence[int], scale: Scale) -> None:
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
        """The numbers of the doubts that its terms depend on."""
        return self._nodes

    @property
    def values(self) -> Values:
        """All sums of the terms."""
        return self._root.up.entries[0]

    def by_option(self, doubt: int) -> list[Values]:
        """All sums of the terms, for each option of a doubt."""
        node = self._nodes[doubt]
        cuts = [(each.up, each.down) for each in self._nodes.values() if doubt in each.up.scope]
        own = (node.own, *(child.up for child in node.children), node.down)
        tables = min([own, *cuts], key=_count_rows)
        found = _summed(tables, {each for table in tables for each in table.scope} - {doubt})
        return [found.entries[state] for state in found.states[0]]

    def together(self, doubt: int, *, standing: bool) -> Values:
        """All sums of the terms by the options of a doubt, the others chosen alike for each.

        With ``standing`` those alone in which what hangs with it stays as it is.
        """
        node = self._nodes[doubt]
        tables = [*self._below(node, doubt, standing), node.down]
        return _summed(tables, standing=standing).entries[0]

    def _below(self, node: _Node, doubt: int, standing: bool) -> Iterator[_Table[Values]]:
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
) -> _Table[Values]:
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
        entries = [plain(each) for each in sums] or [_NOTHING]
    else:
        count, numbers = len(options[order[-1]]), classes[order[-1]]
        entries = [
            _by_options([sums[first + number] for number in numbers])
            for first in range(0, len(sums), count)
        ]
    return _Table(tuple(kept), tuple([classes[each] for each in kept]), entries)


def _summed(
    tables: Sequence[_Table[Values]], gone: set[int] | None = None, *, standing: bool = False
) -> _Table[Values]:
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
        found: Values = {}
        for *most, last in block:
            _add(found, reduce(added, most) if most else _NOTHING, last)
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


def count_sums(terms: Sequence[Term], options: Sequence[int]) -> int:
    """How many sums are made of the terms, at most."""
    return sum(sums for _, sums in _steps([term.scope for term in terms], options))


def joined(terms: Sequence[Term]) -> list[tuple[Term, ...]]:
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
