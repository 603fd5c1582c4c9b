"""Exact depth-first search for a cut of kingdoms into distinct dominoes of the box."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from scorer.kingdomino.box.graph import BoxGraph, Kind
from scorer.kingdomino.kingdom import Square

Edge = tuple[int, int, int]
"""Two squares of the graph and the number of the kind of their domino."""


class GaveUp(Exception):
    """The time limit of the search has passed."""


class Supply:
    """The dominoes that are left while the search takes them and gives them back.

    ``counts`` is the number of dominoes of each kind. ``loose`` is the number of single squares,
    any two of which may form a domino: those of the expansion, whose pairs are uncertain. They are
    used only when ``counts`` has no domino left. Beyond these, ``spare`` dominoes of any kind may
    be used.

    ``ready[kind]`` is whether another domino of the kind is available.
    """

    __slots__ = (
        "_all_counts",
        "_counts",
        "_kinds",
        "_loose",
        "_related",
        "_spare",
        "_taken_loose",
        "_taken_spare",
        "ready",
    )

    def __init__(
        self,
        kinds: Sequence[Kind],
        counts: Mapping[Kind, int],
        loose: Mapping[Square, int],
        spare: int = 0,
    ) -> None:
        self._kinds = kinds
        self._all_counts = counts
        self._counts = [counts.get(kind, 0) for kind in kinds]
        self._loose = Counter(dict(loose))
        self._taken_loose = [0] * len(kinds)
        self._taken_spare = [0] * len(kinds)
        self._spare = spare
        # For each kind those whose availability may change with it: they share a loose square.
        self._related = [
            [
                number
                for number, other in enumerate(kinds)
                if other == kind or any(square in other and square in loose for square in kind)
            ]
            for kind in kinds
        ]
        self.ready = [self._can_take(kind) for kind in range(len(kinds))]

    @property
    def spare(self) -> int:
        """The number of dominoes beyond the box that may still be used."""
        return self._spare

    def _has_loose(self, kind: int) -> bool:
        one, other = self._kinds[kind]
        return self._loose[one] > (one == other) and self._loose[other] > 0

    def _can_take(self, kind: int) -> bool:
        return self._counts[kind] > 0 or self._spare > 0 or self._has_loose(kind)

    def take(self, kind: int) -> None:
        """Take one domino of the kind, which must be ready."""
        if self._counts[kind]:
            self._counts[kind] -= 1
        elif self._has_loose(kind):
            self._taken_loose[kind] += 1
            self._loose.subtract(self._kinds[kind])
        else:
            self._taken_spare[kind] += 1
            self._spare -= 1
            if not self._spare:
                self._refresh(range(len(self._kinds)))
        self._refresh(self._related[kind])

    def give_back(self, kind: int) -> None:
        """Undo the last ``take`` of the kind."""
        if self._taken_spare[kind]:
            self._taken_spare[kind] -= 1
            self._spare += 1
            self.ready[:] = [True] * len(self._kinds)
        elif self._taken_loose[kind]:
            self._taken_loose[kind] -= 1
            self._loose.update(self._kinds[kind])
        else:
            self._counts[kind] += 1
        self._refresh(self._related[kind])

    def taken_spare(self, kind: int) -> int:
        """The number of dominoes of the kind in use beyond those available."""
        return self._taken_spare[kind]

    def _refresh(self, kinds: Iterable[int]) -> None:
        for kind in kinds:
            self.ready[kind] = self._can_take(kind)

    def needs_spare(self, kind: int) -> bool:
        """Whether the next domino of the kind would be beyond those available."""
        return not self._counts[kind] and not self._has_loose(kind)

    def missing(self, squares: Iterable[Square]) -> int:
        """A lower bound, by counting, of the dominoes that the full supply lacks."""
        needed = Counter(square.printed for square in squares)
        owned = self._loose.copy()
        for (one, other), count in self._all_counts.items():
            owned[one] += count
            owned[other] += count
        return -(-sum((needed - owned).values()) // 2)


def find_cut(
    graph: BoxGraph, supply: Supply, *, deadline: float, in_order: bool = True
) -> tuple[Edge, ...] | None:
    """A cut of all squares into dominoes of the supply, or None if there is none.

    ``deadline`` is a time of ``time.monotonic``, after which GaveUp is raised. With ``in_order``
    the cut can be laid in a legal order.
    """
    if supply.missing(graph.squares) > supply.spare:
        return None
    search = _Search(graph, supply, deadline, in_order)
    return tuple(search.cut) if search.run() else None


class _Search:
    """Depth-first search that continues with the square with the fewest possible partners.

    Territories joined by dominoes are kept as a union-find forest without path compression, so that
    joins can be undone."""

    CLOCK_EVERY = 256

    def __init__(self, graph: BoxGraph, supply: Supply, deadline: float, in_order: bool) -> None:
        self.neighbours = graph.neighbours
        self.supply = supply
        self.deadline = deadline
        self.in_order = in_order
        self.free = [True] * len(graph.squares)
        self.territory = graph.territory
        territories = max(graph.territory, default=-1) + 1
        self.leader = list(range(territories))
        self.rooted = [number in graph.at_castle for number in range(territories)]
        self.open = [0] * territories
        for number in graph.territory:
            self.open[number] += 1
        self.cut: list[Edge] = []
        self.nodes = 0

    def run(self) -> bool:
        self.nodes += 1
        if self.nodes % self.CLOCK_EVERY == 0 and time.monotonic() > self.deadline:
            raise GaveUp
        square = self.tightest()
        if square is None:
            return True
        free, ready = self.free, self.supply.ready
        options = [(u, k) for u, k in self.neighbours[square] if free[u] and ready[k]]
        if self.supply.spare:
            options.sort(key=lambda option: self.supply.needs_spare(option[1]))
        for other, kind in options:
            free[square] = free[other] = False
            self.supply.take(kind)
            self.cut.append((square, other, kind))
            joined = self.join(square, other)
            if not self.closed_off(square) and self.run():
                return True
            self.undo_join(joined, square)
            self.cut.pop()
            self.supply.give_back(kind)
            free[square] = free[other] = True
        return False

    def tightest(self) -> int | None:
        free, ready, neighbours = self.free, self.supply.ready, self.neighbours
        best, fewest = None, 99
        for square, is_free in enumerate(free):
            if is_free:
                options = 0
                for other, kind in neighbours[square]:
                    if free[other] and ready[kind]:
                        options += 1
                if options < fewest:
                    best, fewest = square, options
                    if options < 2:
                        break
        return best

    def find(self, territory: int) -> int:
        leader = self.leader
        while leader[territory] != territory:
            territory = leader[territory]
        return territory

    def join(self, square: int, other: int) -> tuple[int, bool] | None:
        one, two = self.find(self.territory[square]), self.find(self.territory[other])
        if one == two:
            self.open[one] -= 2
            return None
        undo = (two, self.rooted[one])
        self.leader[two] = one
        self.rooted[one] = self.rooted[one] or self.rooted[two]
        self.open[one] += self.open[two] - 2
        return undo

    def undo_join(self, undo: tuple[int, bool] | None, square: int) -> None:
        if undo is None:
            self.open[self.find(self.territory[square])] += 2
            return
        two, rooted = undo
        one = self.leader[two]
        self.open[one] += 2 - self.open[two]
        self.rooted[one] = rooted
        self.leader[two] = two

    def closed_off(self, square: int) -> bool:
        if not self.in_order:
            return False
        leader = self.find(self.territory[square])
        return not self.open[leader] and not self.rooted[leader]
