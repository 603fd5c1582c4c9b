"""The most probable labels that the dominoes of the box allow, and what is said of each square."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Position
from scorer.kingdomino.rules import LARGE_GRID
from vision.common.geometry import Extent, around, beside, pairs_of, smallest_extent
from vision.kingdomino import result
from vision.kingdomino.result import BARE, EMPTY, LABELS, LIKELY, ONE_CROWN, Floats, SquareReading

Domino = tuple[str, str]
INTEGRALITY_TOLERANCE = 1e-6
# Else it would write to standard output, and start a thread for every second core.
OPTIONS = {"output_flag": False, "threads": 1, "mip_rel_gap": 1e-6}
# Labels below this probability are left out at first; with them it is settled again where they
# might improve the result.
QUICK_PROBABILITY = 0.01


class IntegerProgram:
    """Choices with prices, and rows with bounds on how many of their choices are taken."""

    def __init__(self) -> None:
        self.prices: list[float] = []
        self._entries: list[tuple[int, int]] = []
        self._rows: dict[Hashable, tuple[int, float, float]] = {}

    def row(self, key: Hashable, low: float, high: float) -> int:
        """The number of the row ``key``, added with these bounds at its first use."""
        return self._rows.setdefault(key, (len(self._rows), low, high))[0]

    def choice(self, price: float, rows: Sequence[int]) -> None:
        """Add a choice that counts in these rows."""
        self._entries.extend((row, len(self.prices)) for row in rows)
        self.prices.append(price)

    def solve(self, time_limit_s: float) -> Floats | None:
        """For each choice 1 if the cheapest solution takes it, else 0; None if time ran out.

        The linear relaxation is solved first; often it is integral already.
        """
        import highspy  # Most kingdoms need no solver.

        until = time.monotonic() + time_limit_s
        solver, choices = self._load(), np.arange(len(self.prices))
        continuous, whole = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
        for kind in (continuous, whole):
            solver.changeColsIntegrality(len(choices), choices, [kind] * len(choices))
            solver.setOptionValue("time_limit", max(until - time.monotonic(), 0.0))
            solver.run()
            if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                break
            found = np.array(solver.getSolution().col_value)
            taken = np.round(found)
            if kind == whole or np.abs(found - taken).max() <= INTEGRALITY_TOLERANCE:
                return taken
        return None

    def costs_without(self, groups: Iterable[Collection[int]]) -> list[float]:
        """What the cheapest solution costs at least without each of these groups of choices.

        That is what the linear relaxation costs; infinitely much where there is no solution.
        """
        import highspy

        solver, status, costs = self._load(), highspy.HighsModelStatus, []
        for left_out in groups:
            numbers, count = [*left_out], len(left_out)
            solver.changeColsBounds(count, numbers, np.zeros(count), np.zeros(count))
            solver.run()
            known = {status.kOptimal: solver.getObjectiveValue(), status.kInfeasible: np.inf}
            costs.append(known.get(solver.getModelStatus(), -np.inf))
            solver.changeColsBounds(count, numbers, np.zeros(count), np.ones(count))
        return costs

    def _load(self) -> Any:
        """A solver with the linear relaxation."""
        import highspy

        rows, columns = np.array(self._entries).T
        _, low, high = np.array([*self._rows.values()]).T
        # The entries were added choice by choice.
        count, ones = len(self.prices), np.ones(len(rows))
        begins = np.searchsorted(columns, np.arange(count))
        solver = highspy.Highs()
        for option, value in OPTIONS.items():
            solver.setOptionValue(option, value)
        solver.addRows(len(low), low, high, 0, [], [], [])
        within = np.zeros(count), np.ones(count)
        solver.addCols(count, np.array(self.prices), *within, len(rows), begins, rows, ones)
        return solver


@dataclass(frozen=True)
class SettleSettings:
    """How kingdoms are settled; prices are negative natural logarithms of probabilities.

    A label below ``min_probability`` is not considered. ``odd_price`` is that of a square without a
    partner, and of a kingdom without a castle, ``second_castle_price`` of each castle beyond one,
    ``hole_price`` of a partner that lies unseen in a hole of the kingdom. That one lies in a cell
    that something hides is as likely as not, and that the castle does as likely as such cells are
    among all. With ``giants`` the dominoes of Age of Giants are in the box.
    """

    min_probability: float = 2e-4
    odd_price: float = 6.0
    second_castle_price: float = 8.0
    hole_price: float = 4.6
    time_limit_s: float = 2.0
    giants: bool = False


@dataclass(frozen=True)
class Settled:
    """A settled kingdom: labels by (row, column), and the squares without a partner.

    ``hidden`` are cells without a label that must hold the partners of some. ``solved`` is False if
    time ran out; the labels are then the best found so far, or the most probable ones.
    """

    labels: dict[Position, str]
    unpaired: frozenset[Position] = frozenset()
    hidden: frozenset[Position] = frozenset()
    solved: bool = True

    @classmethod
    def as_seen(cls, kingdom: Mapping[Position, Floats | str]) -> Settled:
        """Each cell with its most probable label, whatever the box has."""
        most = result.most_probable
        return cls({p: s if isinstance(s, str) else most(s) for p, s in kingdom.items()})


@cache
def box_of(with_giants: bool) -> Counter[Domino]:
    """The number of times that the box has each pair of labels, sorted alphabetically."""
    dominoes = (*BASE_DOMINOES, *GIANT_DOMINOES) if with_giants else BASE_DOMINOES
    pairs = ((str(d.left), str(d.right)) for d in dominoes)
    return Counter((min(pair), max(pair)) for pair in pairs)


def settle(
    kingdoms: Sequence[Mapping[Position, Floats | str]],
    settings: SettleSettings | None = None,
    hidden: Sequence[Collection[Position]] = (),
    holes: Sequence[Collection[Position]] = (),
) -> list[Settled]:
    """Find the most probable kingdoms of one game jointly, with each domino used at most once.

    ``kingdoms`` has for each cell (row, column) to consider the probabilities of ``LABELS``, with
    foreign squares merged into "no square"; or the label that a person has given, which is certain
    even if the box has no such square. In ``hidden`` cells squares may lie that cannot be seen,
    and in ``holes``, which look empty, those that are needed as partners.
    """
    settings = settings or SettleSettings()
    hidden, holes = (each or [()] * len(kingdoms) for each in (hidden, holes))
    best = [*map(Settled.as_seen, kingdoms)]
    as_seen = [kingdom.labels for kingdom in best]
    castles = [[*labels.values()].count("c") for labels in as_seen]
    if castles == [*map(bool, kingdoms)] and can_be_paired(as_seen, box_of(settings.giants)):
        # Nothing is cheaper than the most probable label of each cell.
        return best
    until = time.monotonic() + settings.time_limit_s
    for least in (QUICK_PROBABILITY, settings.min_probability):
        options = [{c: _options(p, least) for c, p in each.items()} for each in kingdoms]
        program, choices = _make_program(options, hidden, holes, settings)
        taken = program.solve(max(until - time.monotonic(), 0.0))
        if taken is None:
            return [replace(kingdom, solved=False) for kingdom in best]
        best, cost = [Settled({}) for _ in kingdoms], float(np.dot(program.prices, taken))
        for k, says in (choices[n] for n in np.flatnonzero(taken)):
            seen = best[k]
            unpaired, unseen = seen.unpaired | says.unpaired, seen.hidden | says.hidden
            best[k] = Settled(seen.labels | says.labels, unpaired, unseen)
        cheapest = [min(prices.values()) for cells in options for prices in cells.values()]
        # A label that was left out would cost its cell at least this much more.
        if cost <= sum(cheapest) - math.log(least) - max(cheapest):
            break
    return best


def _options(found: Floats | str, least: float) -> dict[str, float]:
    """The possible labels of a cell, of probability ``least`` or more, with their prices."""
    if isinstance(found, str):
        return {found: 0.0}
    least = min(least, found.max())
    return {
        label: -float(np.log(max(p, 1e-12)))
        for label, p in zip(LABELS, found.astype(float), strict=True)
        if p >= least
    }


def _make_program(
    options: Sequence[Mapping[Position, Mapping[str, float]]],
    hidden: Sequence[Collection[Position]],
    holes: Sequence[Collection[Position]],
    settings: SettleSettings,
) -> tuple[IntegerProgram, list[tuple[int, Settled]]]:
    """The cheapest kingdoms by the prices of the possible labels of each cell, as a program.

    With it comes of each choice the number of a kingdom, and what it says of cells there.
    """
    program, box = IntegerProgram(), box_of(settings.giants)
    choices: list[tuple[int, Settled]] = []

    def add(k: int, price: float, rows: Sequence[int], says: Settled) -> None:
        program.choice(price, rows)
        choices.append((k, says))

    # A second castle is odd, not impossible.
    odd = {EMPTY: 0.0, "c": settings.second_castle_price}
    for k, places in enumerate(options):
        covers = {cell: program.row((k, cell), 1, 1) for cell in places}
        prices_unseen = dict.fromkeys(holes[k], settings.hole_price)
        prices_unseen |= dict.fromkeys(hidden[k], -math.log(LIKELY))
        castle_row = program.row((k, "castle"), 1, 1)
        # It may lie where nothing can be seen.
        out_of_sight = len(hidden[k]) / max(len(hidden[k]) + len(places), 1)
        no_castle = -math.log(max(out_of_sight, math.exp(-settings.odd_price)))
        add(k, no_castle, [castle_row], Settled({}))
        for cell, prices in places.items():
            rows = [covers[cell]]
            halves = {label: p for label, p in prices.items() if label not in (EMPTY, "c")}
            for label, price in prices.items():
                if label == "c":
                    add(k, price, [*rows, castle_row], Settled({cell: label}))
                alone = Settled({cell: label}, frozenset({cell} if label in halves else ()))
                add(k, price + odd.get(label, settings.odd_price), rows, alone)
            for beyond in beside(cell):
                # Nothing else may lie there that can be seen, and no other square's partner.
                empty = places.get(beyond, {EMPTY: 0.0}).get(EMPTY)
                if beyond not in prices_unseen or empty is None:
                    continue
                rest = {beyond: EMPTY} if beyond in places else {}
                for label, price in halves.items():
                    # The row of a cell that is seen is there already.
                    both = [*rows, program.row((k, beyond), 0, 1)]
                    half = Settled({cell: label, **rest}, hidden=frozenset({beyond}))
                    add(k, price + empty + prices_unseen[beyond], both, half)
            for near in beside(cell)[:2]:
                for other, other_price in places.get(near, {}).items():
                    for label, price in prices.items():
                        pair = (min(label, other), max(label, other))
                        if pair in box:
                            both = [*rows, covers[near], program.row(pair, 0, box[pair])]
                            add(k, price + other_price, both, Settled({cell: label, near: other}))
    return program, choices


def _partners_of(
    kingdom: Mapping[Position, str], box: Collection[Domino]
) -> dict[Position, dict[Position, Domino]]:
    """For each half of a domino those beside it of which the box has a domino with it, and that."""
    halves = {cell: label for cell, label in kingdom.items() if label not in (EMPTY, "c")}
    found: dict[Position, dict[Position, Domino]] = {cell: {} for cell in halves}
    for one, other in pairs_of(halves, halves):
        first, second = sorted((halves[one], halves[other]))
        if (first, second) in box:
            found[one][other] = found[other][one] = (first, second)
    return found


def can_be_paired(
    kingdoms: Sequence[Mapping[Position, str]], box: Mapping[Domino, int], max_steps: int = 300
) -> bool:
    """Whether each square is half of a domino, with each domino of the ``box`` used at most once.

    ``kingdoms`` has labels by (row, column). False also where ``max_steps`` did not tell.
    """
    # So far apart all of them lie on one lattice.
    together = {
        (row + 1000 * k, column): label
        for k, kingdom in enumerate(kingdoms)
        for (row, column), label in kingdom.items()
    }
    partners, supply, steps = _partners_of(together, box), dict(box), iter(range(max_steps))

    def pair(left: frozenset[Position]) -> bool:
        """Pair the square with the fewest partners first."""
        if not left or next(steps, None) is None:
            return not left

        def free(one: Position) -> list[Position]:
            near = partners[one].items()
            return [other for other, domino in near if other in left and supply[domino]]

        # Looking at all squares takes most of the time.
        forced = (one for one in left if len(free(one)) < 2)
        tightest = next(forced, None) or min(left, key=lambda one: len(free(one)))
        for other in free(tightest):
            domino = partners[tightest][other]
            supply[domino] -= 1
            if pair(left - {tightest, other}):
                return True
            supply[domino] += 1
        return False

    return pair(frozenset(partners))


# From this probability on that a square is of another game or of an expansion, a person looks.
MOST_FOREIGN = 0.2


@dataclass(frozen=True)
class Observation:
    """What was seen of one kingdom, by position on its lattice.

    ``probabilities`` are those of ``LABELS``; ``considered`` the positions that may hold a square
    of this kingdom. On ``hidden`` positions squares may lie unseen under something, on those
    ``cut_off`` beyond the edge of the picture, of which the share 0..1 is seen; ``holes`` are empty
    ones among its squares, on which something may hide a square that looks like the table.
    ``corrections`` are labels that a person has given, any notation of a square. ``extent`` fixes
    the rows and columns of the outcome, by default the smallest that hold all squares; ``apart``
    are the labels of squares that lie apart from the kingdom and may belong to it.
    """

    probabilities: Mapping[Position, Floats]
    considered: Collection[Position]
    hidden: Collection[Position] = ()
    cut_off: Mapping[Position, float] = field(default_factory=dict)
    corrections: Mapping[Position, str] = field(default_factory=dict)
    extent: Extent | None = None
    apart: Mapping[Position, str] = field(default_factory=dict)
    holes: Collection[Position] = ()

    def unseen(self, min_seen: float) -> set[Position]:
        """The cells on which squares may lie unseen."""
        return {*self.hidden, *(cell for cell, seen in self.cut_off.items() if seen >= min_seen)}

    def shares(self, giants: bool) -> dict[Position, Floats]:
        """The probabilities as they are settled, with Age of Giants or without."""
        seen = np.reshape([*self.probabilities.values()], (-1, len(LABELS)))
        merged = result.merge_foreign(seen, giants=giants)
        return dict(zip(self.probabilities, merged, strict=True))


@dataclass(frozen=True)
class JudgeSettings:
    """When a person should look.

    What was considered is flagged unless it is ``SURE``, and what is likely enough of another game,
    or of Age of Giants where that is not played. Without ``use_box`` each square keeps its most
    probable label. A kingdom may go on into cells beside it that are hidden, or cut off but for
    ``min_seen`` of their area at least, as far as ``size_limit`` has it. A grid is certain with
    exactly one castle, a domino at least, and no more squares in a row than a large kingdom has.
    """

    use_box: bool = True
    min_seen: float = 0.3
    settle: SettleSettings = field(default_factory=SettleSettings)

    def with_giants(self) -> JudgeSettings:
        """These settings with the dominoes of Age of Giants in the box."""
        return replace(self, settle=replace(self.settle, giants=True))

    def for_corrections(self, observations: Iterable[Observation]) -> JudgeSettings:
        """These settings, with Age of Giants in the box where a correction names a square of it."""
        named = {label for each in observations for label in each.corrections.values()}
        return self if named.isdisjoint(ONE_CROWN) else self.with_giants()


@dataclass(frozen=True)
class Judgement:
    """What is said of one kingdom: a reading for every position of ``extent``.

    ``certain`` is False where the grid as a whole is in doubt or the box could not be asked in
    time; then at least one square that nobody corrected is flagged. ``unpaired`` are squares that
    are half of no domino, on ``hidden`` positions squares may lie unseen.
    """

    squares: dict[Position, SquareReading]
    extent: Extent
    certain: bool
    unpaired: frozenset[Position] = frozenset()
    hidden: frozenset[Position] = frozenset()

    def reading(self, seen: Observation, view: Floats, colour: str | None) -> result.KingdomReading:
        """The reading by what was seen, with the castle's colour.

        ``view`` (3, 3) leads from the lattice of the extent, its corner (0, 0), to the photograph.
        """
        top, left, height, width = self.extent
        box = [[(top + r, left + c) for c in range(width)] for r in range(height)]
        squares = tuple(tuple(self.squares[place] for place in row) for row in box)
        found, considered = seen.probabilities, frozenset(seen.considered)
        return result.KingdomReading(
            result.kingdom_of(squares),
            squares,
            view,
            castle_colour=colour,
            lattice_certain=self.certain,
            probabilities=np.array([[found.get(place, BARE) for place in row] for row in box]),
            considered=np.array([[place in considered for place in row] for row in box]),
            unpaired=frozenset((row - top, column - left) for row, column in self.unpaired),
        )


def find_holes(occupied: Collection[Position], unseen: Collection[Position]) -> set[Position]:
    """The cells beside the squares of a kingdom, within its extent, that are seen to hold none."""
    extent = smallest_extent(occupied)
    return {cell for cell in around(occupied).difference(unseen) if extent and extent.holds(cell)}


def judge(
    observations: Sequence[Observation], settings: JudgeSettings | None = None
) -> list[Judgement]:
    """Judge the kingdoms of one game together: each domino of the box lies in one of them.

    Those of Age of Giants are in it where a correction names one. Without any square and without an
    extent it says nothing of any position.
    """
    settings = (settings or JudgeSettings()).for_corrections(observations)
    asked = _ask_box(observations, settings)
    outcomes = settle(*asked) if settings.use_box else [*map(Settled.as_seen, asked.kingdoms)]
    return [_judge_one(*each, settings) for each in zip(observations, outcomes, strict=True)]


class _Asked(NamedTuple):
    """What ``settle`` is asked."""

    kingdoms: list[dict[Position, Floats | str]]
    settings: SettleSettings
    hidden: list[set[Position]]
    holes: list[set[Position]]


def _ask_box(observations: Sequence[Observation], settings: JudgeSettings) -> _Asked:
    """What the box is asked of kingdoms."""
    found = [seen for each in observations for seen in each.probabilities.values()]
    # Dominoes of Age of Giants that lie there are settled as what they are, whatever is played.
    lie_there = any((seen[result.TWO_CROWNS_AT] > LIKELY).any() for seen in found)
    giants = settings.settle.giants or lie_there
    kingdoms = [
        {p: o.corrections.get(p) or shares.get(p, BARE) for p in (*o.considered, *o.corrections)}
        for o, shares in ((each, each.shares(giants)) for each in observations)
    ]
    hidden = [each.unseen(settings.min_seen) - each.corrections.keys() for each in observations]
    holes = [{*each.holes}.difference(each.corrections) for each in observations]
    return _Asked(kingdoms, replace(settings.settle, giants=giants), hidden, holes)


# From this probability on, by the box too, a label is beyond doubt.
CONFIRMED = 0.999


def find_confirmed(
    observation: Observation, labels: Mapping[Position, str], settings: JudgeSettings | None = None
) -> set[Position]:
    """The cells of a kingdom that the box leaves no other labels than these ``labels``.

    The most probable kingdom is compared with the most probable one in which a cell has any other
    label (max-marginals, Koller and Friedman, Probabilistic Graphical Models, 2009, section 13.1).
    Other kingdoms, whose dominoes are not there any more, would only leave less.
    """
    settings = settings or JudgeSettings()
    # Of what is cut off ever so much a half may lie there.
    asked = _ask_box([observation], replace(settings, min_seen=0.0))
    how, (cells,) = asked.settings, asked.kingdoms
    options = {cell: _options(found, how.min_probability) for cell, found in cells.items()}
    program, choices = _make_program([options], asked.hidden, asked.holes, how)
    taken = program.solve(how.time_limit_s) if settings.use_box else None
    if taken is None:
        return set()
    least = float(np.dot(program.prices, taken)) + math.log(CONFIRMED / (1 - CONFIRMED))
    costs = program.costs_without(
        [n for n, (_, says) in enumerate(choices) if says.labels.get(cell) == label]
        for cell, label in labels.items()
    )
    return {cell for cell, cost in zip(labels, costs, strict=True) if cost >= least}


def judge_table(
    observations: Sequence[Observation], settings: JudgeSettings | None = None
) -> list[Judgement]:
    """Judge kingdoms that lie on one table, most likely but not surely those of one game.

    Where one box makes more squares doubtful than a box for each kingdom does, they are not of one
    game, and each is judged for itself.
    """

    def count_flags(judgements: Sequence[Judgement]) -> int:
        return sum(square.doubtful for each in judgements for square in each.squares.values())

    together = judge(observations, settings)
    if len(observations) < 2:
        return together
    alone = [judge([observation], settings)[0] for observation in observations]
    return min(together, alone, key=count_flags)


def _judge_one(observation: Observation, settled: Settled, settings: JudgeSettings) -> Judgement:
    corrections, giants = observation.corrections, settings.settle.giants
    shares_of = observation.shares(giants)
    occupied = {position for position, label in settled.labels.items() if label != EMPTY}
    # Which of the holes has the half that is needed nobody can tell.
    holes = () if settled.hidden.isdisjoint(observation.holes) else observation.holes
    hidden = frozenset((*observation.hidden, *holes))
    extent = observation.extent
    if extent is None:
        shown = smallest_extent([*occupied, *settled.hidden, *observation.apart])
        unseen = observation.unseen(settings.min_seen)
        extent = with_hidden_edges(shown or Extent(0, 0, 0, 0), occupied, unseen)

    def read(position: Position) -> SquareReading:
        """The reading of one position, flagged where a person should look."""
        if position in corrections:
            return SquareReading(corrections[position], 1.0)
        found = observation.probabilities.get(position, BARE), shares_of.get(position, BARE)
        seen, shares = (dict(zip(LABELS, each.tolist(), strict=True)) for each in found)
        label, plain = settled.labels.get(position, EMPTY), max(shares, key=shares.__getitem__)
        if not giants:
            label = ONE_CROWN.get(label, label)
        probability = min(shares.pop(label), 1.0)
        runner_up = max(shares, key=shares.__getitem__)
        two_crowns = max(ONE_CROWN, key=seen.__getitem__)
        unplayed = 0.0 if giants else seen[two_crowns]
        if unplayed > MOST_FOREIGN and label == ONE_CROWN[two_crowns]:
            runner_up = two_crowns
        was_considered = position in settled.labels
        settled_from = plain if was_considered and label != plain else None
        reason = "cut_off" if position in observation.cut_off else None
        if position in hidden:
            reason = "hidden"
        if position in observation.apart and label == EMPTY:
            reason, runner_up = "loose", observation.apart[position]
        is_odd = bool(reason or settled_from) or position in settled.unpaired
        is_unsure = was_considered and probability < result.SURE
        is_strange = max(seen[result.FOREIGN], unplayed) > MOST_FOREIGN
        doubtful = is_odd or is_unsure or is_strange
        return SquareReading(label, probability, runner_up, doubtful, settled_from, reason)

    squares = {position: read(position) for position in extent.cells()}
    castles = sum(square.label == "c" for square in squares.values())
    of_size = len(occupied) >= result.MIN_SQUARES and extent.longest <= LARGE_GRID
    certain = settled.solved and castles == 1 and of_size
    asked = {p: square for p, square in squares.items() if p not in corrections}
    if asked and not certain and not any(square.doubtful for square in asked.values()):
        # Squares go before positions without one.
        weakest = min(asked, key=lambda p: (asked[p].label == EMPTY, asked[p].probability))
        squares[weakest] = replace(squares[weakest], doubtful=True)
    return Judgement(squares, extent, certain, settled.unpaired, hidden)


def with_hidden_edges(
    extent: Extent, occupied: Collection[Position], hidden: Collection[Position]
) -> Extent:
    """The extent with rows and columns beside it whose squares, if any, can't be seen.

    Only up to its ``size_limit``, and those first in which most is ``hidden`` beside squares.
    """
    most = result.size_limit(extent.longest)
    at_squares = [cell for cell in hidden if any(other in occupied for other in beside(cell))]
    sides = Counter(map(extent.with_cell, at_squares))
    # Of sides of which as much is hidden those above and below go first.
    for side in sorted(sides, key=lambda side: (-sides[side], -side.height, side)):
        wider = extent.with_cell(side[:2]).with_cell((side.bottom - 1, side.right - 1))
        if (wider.height if wider.height > extent.height else wider.width) <= most:
            extent = wider
    return extent
