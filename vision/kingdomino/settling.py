"""The most probable labels that the dominoes of the box allow, and what is said of each square."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import Extent, beside, pairs_of, smallest_extent
from vision.kingdomino.result import (
    BARE,
    EMPTY,
    FOREIGN_AT,
    LABELS,
    LIKELY,
    MIN_SQUARES,
    ONE_CROWN,
    SURE,
    TWO_CROWNS_AT,
    SquareReading,
    merge_foreign,
    merge_two_crowns,
    most_probable,
    size_limit,
)

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

    A label below ``min_probability`` is not considered for its cell. ``odd_price`` is the price of
    a square without a partner, and of a kingdom without a castle, ``second_castle_price`` of each
    castle beyond the first. That a partner lies in a cell that something hides is as likely as not.
    With ``giants`` the dominoes of Age of Giants are in the box.
    """

    min_probability: float = 2e-4
    odd_price: float = 6.0
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
def box_of(with_giants: bool) -> Counter[tuple[str, str]]:
    """The number of times that the box has each pair of labels, sorted alphabetically."""
    dominoes = (*BASE_DOMINOES, *GIANT_DOMINOES) if with_giants else BASE_DOMINOES
    return Counter(
        (min(pair), max(pair)) for pair in ((str(d.left), str(d.right)) for d in dominoes)
    )


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
    box = box_of(with_giants=settings.giants or bool(given_labels & ONE_CROWN.keys()))
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
        program.choice(settings.odd_price, [castle_row])
        for cell, prices in places.items():
            for label, price in prices.items():
                rows, cost, unpaired = [covers[cell]], price, False
                if label == "c":
                    choices.append((number, ((cell, label),), False))
                    program.choice(price, [*rows, castle_row])
                    # A second castle is odd, not impossible.
                    cost += settings.second_castle_price
                elif label != EMPTY:
                    cost += settings.odd_price
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
                    # The row of a cell that is seen is there already.
                    below = program.row((number, out_of_sight), 0, 1)
                    behind[len(choices)] = out_of_sight
                    rest = ((out_of_sight, EMPTY),) if out_of_sight in places else ()
                    choices.append((number, ((cell, label), *rest), False))
                    program.choice(price + empty - math.log(LIKELY), [covers[cell], below])
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


# From this probability on that a square is of another game or of an expansion, a person looks.
MOST_FOREIGN = 0.2


@dataclass(frozen=True)
class Observation:
    """What was seen of one kingdom, by position on its lattice.

    ``probabilities`` are those of ``LABELS``; ``considered`` the positions that may hold a square
    of this kingdom. On ``hidden`` positions squares may lie unseen under something, on those
    ``cut_off`` beyond the edge of the picture, of which the share 0..1 is seen; ``corrections`` are
    labels that a person has given, any notation of a square. ``extent`` (top, left, height, width)
    fixes the rows and columns of the outcome, by default the smallest that hold all squares;
    ``apart`` are the labels of squares that lie apart from the kingdom and may belong to it.
    """

    probabilities: Mapping[Position, Floats]
    considered: Collection[Position]
    hidden: Collection[Position] = ()
    cut_off: Mapping[Position, float] = field(default_factory=dict)
    corrections: Mapping[Position, str] = field(default_factory=dict)
    extent: Extent | None = None
    apart: Mapping[Position, str] = field(default_factory=dict)


@dataclass(frozen=True)
class JudgeSettings:
    """When a person should look.

    What was considered is flagged unless it is ``SURE``, and what is likely enough of another game,
    or of Age of Giants where that is not played.
    Without ``use_box`` each square keeps its most probable label. A kingdom may go on into cells
    beside it that are hidden, or cut off but for ``min_seen`` of their area at least, up to the
    usual size, or up to the large one where it is wider or higher than usual.

    A grid is certain with exactly one castle, no fewer squares than a castle and a domino, and no
    more of them in a row than a large kingdom has.
    """

    use_box: bool = True
    min_seen: float = 0.3
    settle: SettleSettings = field(default_factory=SettleSettings)

    def with_giants(self) -> JudgeSettings:
        """These settings with the dominoes of Age of Giants in the box."""
        return replace(self, settle=replace(self.settle, giants=True))


@dataclass(frozen=True)
class Judgement:
    """What is said of one kingdom: a reading for every position of ``extent``.

    ``certain`` is False where the grid as a whole is in doubt or the box could not be asked in
    time; then at least one square that nobody corrected is flagged. ``unpaired`` are squares that
    are half of no domino.
    """

    squares: dict[Position, SquareReading]
    extent: Extent
    certain: bool
    unpaired: frozenset[Position] = frozenset()


def judge(
    observations: Sequence[Observation], settings: JudgeSettings | None = None
) -> list[Judgement | None]:
    """Judge the kingdoms of one game together: each domino of the box lies in one of them.

    None for an observation without any square and without an extent.
    """
    settings = settings or JudgeSettings()
    if any(label in ONE_CROWN for each in observations for label in each.corrections.values()):
        settings = settings.with_giants()
    found = [
        merge_foreign(np.array([*each.probabilities.values()]).reshape(-1, len(LABELS)))
        for each in observations
    ]
    played = found if settings.settle.giants else [*map(merge_two_crowns, found)]
    # Dominoes of Age of Giants that lie there are settled as what they are, whatever is played.
    lie_there = any((rows[..., TWO_CROWNS_AT] > LIKELY).any() for rows in found)
    box, lying = (settings.with_giants(), found) if lie_there else (settings, played)
    merged, possible = (
        [
            dict(zip(each.probabilities, own, strict=True))
            for each, own in zip(observations, rows, strict=True)
        ]
        for rows in (played, lying)
    )
    outcomes = _settle_all(observations, possible, box)
    if lie_there and not settings.settle.giants:
        outcomes = [
            replace(each, labels={p: ONE_CROWN.get(name, name) for p, name in each.labels.items()})
            for each in outcomes
        ]
    return [
        _judge_one(observation, seen, outcome, settings)
        for observation, seen, outcome in zip(observations, merged, outcomes, strict=True)
    ]


def judge_table(
    observations: Sequence[Observation], settings: JudgeSettings | None = None
) -> list[Judgement | None]:
    """Judge kingdoms that lie on one table, most likely but not surely those of one game.

    Where one box makes more squares doubtful than a box for each kingdom does, they are not of one
    game, and each is judged for itself.
    """
    together = judge(observations, settings)
    if len(observations) < 2:
        return together
    alone = [judge([observation], settings)[0] for observation in observations]
    return alone if _count_flags(alone) < _count_flags(together) else together


def _count_flags(judgements: Sequence[Judgement | None]) -> int:
    """How many squares are flagged."""
    return sum(
        square.doubtful
        for judgement in judgements
        if judgement
        for square in judgement.squares.values()
    )


def add_reason(judgement: Judgement, positions: Collection[Position], reason: str) -> Judgement:
    """The judgement with the squares at ``positions`` flagged for a reason."""
    if not positions:
        return judgement
    squares = {
        position: replace(square, doubtful=True, reason=reason) if position in positions else square
        for position, square in judgement.squares.items()
    }
    return replace(judgement, squares=squares)


def _settle_all(
    observations: Sequence[Observation],
    merged: Sequence[Mapping[Position, Floats]],
    settings: JudgeSettings,
) -> list[Settled]:
    candidates = [
        {cell: seen.get(cell, BARE) for cell in (*each.considered, *each.corrections)}
        for each, seen in zip(observations, merged, strict=True)
    ]
    corrections = [each.corrections for each in observations]
    if settings.use_box:
        hidden = [_unseen(each, settings) - each.corrections.keys() for each in observations]
        return settle(candidates, settings.settle, corrections, hidden)
    return [
        Settled({p: fixed.get(p) or most_probable(seen) for p, seen in kingdom.items()},
                frozenset(), True)
        for kingdom, fixed in zip(candidates, corrections, strict=True)
    ]  # fmt: skip


def _unseen(observation: Observation, settings: JudgeSettings) -> set[Position]:
    """The cells on which squares may lie unseen."""
    partly = {cell for cell, seen in observation.cut_off.items() if seen >= settings.min_seen}
    return {*observation.hidden, *partly}


def _judge_one(
    observation: Observation,
    merged: Mapping[Position, Floats],
    settled: Settled,
    settings: JudgeSettings,
) -> Judgement | None:
    occupied = {position for position, label in settled.labels.items() if label != EMPTY}
    extent = observation.extent or smallest_extent([*occupied, *settled.hidden, *observation.apart])
    if extent is None:
        return None
    if observation.extent is None:
        extent = with_hidden_edges(extent, occupied, _unseen(observation, settings))
    squares = {
        position: _square(position, observation, merged, settled, settings)
        for position in extent.cells()
    }
    for positions, reason in ((observation.cut_off, "cut_off"), (observation.hidden, "hidden")):
        for position in set(positions) & squares.keys() - observation.corrections.keys():
            squares[position] = replace(squares[position], doubtful=True, reason=reason)
    for position, label in observation.apart.items():
        square = squares.get(position)
        if square and square.label == EMPTY and position not in observation.corrections:
            squares[position] = replace(square, runner_up=label, doubtful=True, reason="loose")
    castles = sum(reading.label == "c" for reading in squares.values())
    certain = (
        settled.solved
        and castles == 1
        and len(occupied) >= MIN_SQUARES
        and extent.longest <= LARGE_GRID
    )
    if not certain:
        squares = _with_a_flag(squares, observation.corrections)
    return Judgement(squares, extent, certain, frozenset(settled.unpaired))


def _square(
    position: Position,
    observation: Observation,
    merged: Mapping[Position, Floats],
    settled: Settled,
    settings: JudgeSettings,
) -> SquareReading:
    """The reading of one position, flagged where a person should look."""
    corrected = observation.corrections.get(position)
    if corrected is not None:
        return SquareReading(corrected, 1.0)
    seen = observation.probabilities.get(position, BARE)
    shares = merged.get(position, BARE)
    plain = most_probable(shares)
    label = settled.labels.get(position, EMPTY)
    probability = float(min(shares[LABELS.index(label)], 1.0))
    others = shares.copy()
    others[[LABELS.index(label), FOREIGN_AT]] = -1
    runner_up = LABELS[int(others.argmax())]
    two_crowns = LABELS[TWO_CROWNS_AT[int(seen[TWO_CROWNS_AT].argmax())]]
    unplayed = 0.0 if settings.settle.giants else float(seen[LABELS.index(two_crowns)])
    if unplayed > MOST_FOREIGN and label == ONE_CROWN[two_crowns]:
        runner_up = two_crowns
    was_considered = position in settled.labels
    changed = was_considered and label != plain
    doubtful = (
        changed
        or position in settled.unpaired
        or (was_considered and probability < SURE)
        or max(float(seen[FOREIGN_AT]), unplayed) > MOST_FOREIGN
    )
    return SquareReading(
        label,
        probability,
        runner_up,
        bool(doubtful),
        settled_from=plain if changed else None,
    )


def _with_a_flag(
    squares: dict[Position, SquareReading], corrected: Collection[Position]
) -> dict[Position, SquareReading]:
    """The squares with at least one flagged: the least probable that nobody corrected.

    Squares go before positions without one; where everything was corrected, nothing is flagged.
    """
    open_positions = [position for position in squares if position not in corrected]
    if not open_positions or any(squares[position].doubtful for position in open_positions):
        return squares
    weakest = min(
        open_positions,
        key=lambda position: (squares[position].label == EMPTY, squares[position].probability),
    )
    return {**squares, weakest: replace(squares[weakest], doubtful=True)}


def with_hidden_edges(
    extent: Extent,
    occupied: Collection[Position],
    hidden: Collection[Position],
) -> Extent:
    """The extent with rows and columns beside it whose squares, if any, can't be seen.

    Only up to the usual size of a kingdom, or the large one where the ``occupied`` cells are wider
    or higher than that; and those first in which most is ``hidden`` beside squares.
    """
    top, left, height, width = extent
    most = size_limit(extent.longest)
    near = [cell for cell in hidden if any(other in occupied for other in beside(cell))]
    edges = {
        (-1, 0): sum(r == top - 1 for r, _ in near),
        (1, 0): sum(r == top + height for r, _ in near),
        (0, -1): sum(c == left - 1 for _, c in near),
        (0, 1): sum(c == left + width for _, c in near),
    }
    for (down, right), count in sorted(edges.items(), key=lambda edge: -edge[1]):
        if not count:
            break
        if down and height < most:
            top, height = min(top, top + down), height + 1
        elif right and width < most:
            left, width = min(left, left + right), width + 1
    return Extent(top, left, height, width)
