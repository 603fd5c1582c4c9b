"""The most probable kingdoms that the dominoes of the box allow, by a 0-1 integer program."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Domino, Position
from vision.common.grids import beside, pairs_of
from vision.kingdomino.labels import EMPTY, LABELS, most_probable

Cell = tuple[int, Position]
Floats = NDArray[np.float64]
INTEGRALITY_TOLERANCE = 1e-6
OPTIMALITY_GAP = 1e-6
# Labels below this probability are left out at first; with them it is settled again where they
# might improve the result.
QUICK_PROBABILITY = 0.01
# Status of scipy.optimize.milp for a proven optimum; 1 is a time limit reached.
_OPTIMAL = 0


class IntegerProgram:
    """Choices with prices, and rows with bounds on how many of their choices are taken."""

    def __init__(self) -> None:
        self.prices: list[float] = []
        self._entries: list[tuple[int, int]] = []
        self._rows: dict[Hashable, int] = {}
        self._bounds: list[tuple[float, float]] = []

    def row(self, key: Hashable, low: float, high: float) -> int:
        """The number of the row ``key``, added with these bounds at its first use."""
        if key not in self._rows:
            self._rows[key] = len(self._rows)
            self._bounds.append((low, high))
        return self._rows[key]

    def choice(self, price: float, rows: Sequence[int]) -> None:
        """Add a choice that counts in these rows."""
        column = len(self.prices)
        self.prices.append(price)
        self._entries.extend((row, column) for row in rows)

    def solve(self, time_limit_s: float) -> Floats | None:
        """For each choice 1 if the cheapest solution takes it, else 0; None if time ran out.

        The linear relaxation is solved first; often it is integral within the integrality
        tolerance already.
        """
        until = time.monotonic() + time_limit_s
        relaxed = self._solve(False, time_limit_s)
        if relaxed is None:
            return None
        taken = np.round(relaxed)
        if np.abs(relaxed - taken).max() <= INTEGRALITY_TOLERANCE:
            return taken
        whole = self._solve(True, max(until - time.monotonic(), 0.0))
        return None if whole is None else np.round(whole)

    def _solve(self, integral: bool, time_limit_s: float) -> Floats | None:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csc_array

        rows, columns = np.array(self._entries).T
        low, high = np.array(self._bounds).T
        matrix = csc_array((np.ones(len(rows)), (rows, columns)))
        found = milp(
            np.array(self.prices),
            constraints=LinearConstraint(matrix, low, high),
            integrality=int(integral),
            bounds=Bounds(0, 1),
            options={"time_limit": time_limit_s, "mip_rel_gap": OPTIMALITY_GAP},
        )
        return np.asarray(found.x) if found.status == _OPTIMAL else None


@dataclass(frozen=True)
class SettleSettings:
    """The settings of settling; prices are negative natural logarithms of probabilities.

    A label below ``min_probability`` is not considered for its cell. ``unpaired_price`` is the
    price of a square without a partner, ``hidden_price`` of one whose partner is in a cell that
    something hides, ``no_castle_price`` of a kingdom without a castle, ``second_castle_price`` of
    each castle beyond the first. With ``giants`` the dominoes of Age of Giants are in the box.
    """

    min_probability: float = 2e-4
    unpaired_price: float = 6.0
    hidden_price: float = 0.7
    no_castle_price: float = 5.0
    second_castle_price: float = 8.0
    time_limit_s: float = 2.0
    giants: bool = False


@dataclass(frozen=True)
class Settled:
    """A settled kingdom: labels by (row, column), and the squares without a partner.

    ``hidden`` are the cells without a label that must hold the partners of some. ``solved`` is
    False if time ran out; the labels are then the best found so far, or the most probable ones.
    """

    labels: dict[Position, str]
    unpaired: frozenset[Position]
    solved: bool
    hidden: frozenset[Position] = frozenset()


@cache
def _box(with_giants: bool) -> Counter[tuple[str, str]]:
    """The number of times that the box has each pair of labels, sorted alphabetically."""
    dominoes = (*BASE_DOMINOES, *GIANT_DOMINOES) if with_giants else BASE_DOMINOES
    return Counter(
        (min(pair), max(pair)) for pair in ((str(d.left), str(d.right)) for d in dominoes)
    )


def _squares_of(dominoes: Sequence[Domino]) -> frozenset[str]:
    return frozenset(str(square) for each in dominoes for square in (each.left, each.right))


_ONLY_IN_GIANTS = _squares_of(GIANT_DOMINOES) - _squares_of(BASE_DOMINOES)


def settle(
    kingdoms: Sequence[Mapping[Position, Floats]],
    settings: SettleSettings | None = None,
    fixed: Sequence[Mapping[Position, str]] = (),
    hidden: Sequence[Collection[Position]] = (),
) -> list[Settled]:
    """Find the most probable kingdoms of one game jointly, with each domino used at most once.

    ``kingdoms`` has for each cell (row, column) to consider the probabilities of ``LABELS``, with
    foreign squares merged into "no square". ``fixed`` are the labels of squares corrected by a
    person, which are certain, even if the box has no such square. One that only Age of Giants has
    adds the dominoes of the expansion. ``hidden`` are the cells in which squares may lie that
    cannot be seen.
    """
    settings = settings or SettleSettings()
    fixed = [fixed[k] if k < len(fixed) else {} for k in range(len(kingdoms))]
    hidden = [hidden[k] if k < len(hidden) else () for k in range(len(kingdoms))]
    best = [
        Settled(
            {cell: given.get(cell) or most_probable(found) for cell, found in kingdom.items()},
            frozenset(),
            solved=not kingdom,
        )
        for kingdom, given in zip(kingdoms, fixed, strict=True)
    ]
    if not any(kingdoms):
        return best
    given_labels = frozenset(label for given in fixed for label in given.values())
    box = _box(with_giants=settings.giants or bool(given_labels & _ONLY_IN_GIANTS))
    if _is_of_the_box(best, box):
        # Nothing is cheaper than the most probable label of each cell.
        return [replace(kingdom, solved=True) for kingdom in best]
    # Loaded here, since most kingdoms need no solver, and before the clock starts.
    import scipy.optimize
    import scipy.sparse  # noqa: F401

    until = time.monotonic() + settings.time_limit_s
    for least in (QUICK_PROBABILITY, settings.min_probability):
        options = [
            {cell: _options(found, given.get(cell), least) for cell, found in kingdom.items()}
            for kingdom, given in zip(kingdoms, fixed, strict=True)
        ]
        solved = _solve(options, hidden, box, settings, max(until - time.monotonic(), 0.0))
        if solved is None:
            return [replace(kingdom, solved=False) for kingdom in best]
        best, cost = solved
        cheapest = [min(prices.values()) for cells in options for prices in cells.values()]
        # A label that was left out would cost its cell at least this much more.
        if cost <= sum(cheapest) - math.log(least) - max(cheapest):
            break
    return best


def _is_of_the_box(kingdoms: Sequence[Settled], box: Mapping[tuple[str, str], int]) -> bool:
    """Whether the box has just the squares seen, each kingdom with one castle or without a cell."""
    castles = [list(kingdom.labels.values()).count("c") for kingdom in kingdoms]
    if any(n != bool(kingdom.labels) for n, kingdom in zip(castles, kingdoms, strict=True)):
        return False
    halves = [
        {cell: label for cell, label in kingdom.labels.items() if label not in (EMPTY, "c")}
        for kingdom in kingdoms
    ]
    return can_be_paired(halves, box)


def _solve(
    options: Sequence[Mapping[Position, Mapping[str, float]]],
    hidden: Sequence[Collection[Position]],
    box: Mapping[tuple[str, str], int],
    settings: SettleSettings,
    time_limit_s: float,
) -> tuple[list[Settled], float] | None:
    """The cheapest kingdoms by the prices of the possible labels of each cell, and their cost.

    None if time ran out before they were found.
    """
    program = IntegerProgram()
    choices: list[tuple[int, tuple[tuple[Position, str], ...], bool]] = []
    behind: dict[int, Position] = {}
    for number, places in enumerate(options):
        covers = {cell: program.row((number, cell), 1, 1) for cell in places}
        castle_row = program.row((number, "castle"), 1, 1)
        choices.append((number, (), False))
        program.choice(settings.no_castle_price, [castle_row])
        for cell, prices in places.items():
            for label, price in prices.items():
                rows, cost, unpaired = [covers[cell]], price, False
                if label == "c":
                    choices.append((number, ((cell, label),), False))
                    program.choice(price, [*rows, castle_row])
                    # A second castle is odd, not impossible.
                    cost += settings.second_castle_price
                elif label != EMPTY:
                    cost += settings.unpaired_price
                    unpaired = True
                choices.append((number, ((cell, label),), unpaired))
                program.choice(cost, rows)
            for out_of_sight in beside(cell):
                # Nothing else may lie there that can be seen, and no other square's partner.
                empty = places.get(out_of_sight, {EMPTY: 0.0}).get(EMPTY)
                if out_of_sight not in hidden[number] or empty is None:
                    continue
                for label, price in prices.items():
                    if label in (EMPTY, "c"):
                        continue
                    below = covers.get(out_of_sight)
                    if below is None:
                        below = program.row((number, out_of_sight), 0, 1)
                    behind[len(choices)] = out_of_sight
                    rest = ((out_of_sight, EMPTY),) if out_of_sight in places else ()
                    choices.append((number, ((cell, label), *rest), False))
                    program.choice(price + empty + settings.hidden_price, [covers[cell], below])
            for near in beside(cell)[:2]:
                for other, other_price in places.get(near, {}).items():
                    for label, price in prices.items():
                        pair = (min(label, other), max(label, other))
                        if pair not in box:
                            continue
                        supply = program.row(pair, 0, box[pair])
                        choices.append((number, ((cell, label), (near, other)), False))
                        rows = [covers[cell], covers[near], supply]
                        program.choice(price + other_price, rows)
    taken = program.solve(time_limit_s)
    if taken is None:
        return None
    labels: list[dict[Position, str]] = [{} for _ in options]
    alone: list[set[Position]] = [set() for _ in options]
    covered: list[set[Position]] = [set() for _ in options]
    for chosen in np.flatnonzero(taken):
        number, squares, unpaired = choices[int(chosen)]
        labels[number].update(squares)
        if unpaired:
            alone[number].add(squares[0][0])
        if int(chosen) in behind:
            covered[number].add(behind[int(chosen)])
    settled = [
        Settled(a, frozenset(b), True, frozenset(c))
        for a, b, c in zip(labels, alone, covered, strict=True)
    ]
    return settled, float(np.dot(program.prices, taken))


def _options(found: Floats, corrected: str | None, least: float) -> dict[str, float]:
    """The possible labels of a cell, of probability ``least`` or more, with their prices."""
    if corrected is not None:
        return {corrected: 0.0}
    best = float(found.max())
    return {
        label: -float(np.log(max(p, 1e-12)))
        for label, p in zip(LABELS, found.astype(float), strict=True)
        if p >= least or p == best
    }


def can_be_paired(
    kingdoms: Sequence[Mapping[Position, str]],
    box: Mapping[tuple[str, str], int],
    max_steps: int = 300,
) -> bool:
    """Whether each square of the kingdoms is half of a domino, with each domino used at most once.

    ``kingdoms`` has the labels of halves by (row, column), castles and empty cells left out;
    ``box`` the supply of each sorted pair of labels. False also where ``max_steps`` of the search
    did not tell.
    """
    partners: dict[Cell, list[tuple[Cell, tuple[str, str]]]] = {
        (number, cell): [] for number, kingdom in enumerate(kingdoms) for cell in kingdom
    }
    for number, kingdom in enumerate(kingdoms):
        for one, other in pairs_of(kingdom, kingdom):
            first, second = sorted((kingdom[one], kingdom[other]))
            if (first, second) in box:
                partners[number, one].append(((number, other), (first, second)))
                partners[number, other].append(((number, one), (first, second)))
    return _pair(partners, dict(box), [max_steps])


def _pair(
    beside: dict[Cell, list[tuple[Cell, tuple[str, str]]]],
    supply: dict[tuple[str, str], int],
    steps: list[int],
) -> bool:
    """Pair the square with the fewest partners first; what is paired leaves ``beside``."""
    if not beside:
        return True
    steps[0] -= 1
    if steps[0] < 0:
        return False
    partners: list[tuple[Cell, tuple[str, str]]] = []
    tightest = None
    for cell, around in beside.items():
        possible = [(near, pair) for near, pair in around if near in beside and supply[pair]]
        if tightest is None or len(possible) < len(partners):
            tightest, partners = cell, possible
            if len(possible) < 2:
                break
    assert tightest is not None
    for near, pair in partners:
        supply[pair] -= 1
        rest = {cell: around for cell, around in beside.items() if cell not in (tightest, near)}
        if _pair(rest, supply, steps):
            return True
        supply[pair] += 1
    return False
