"""What was seen of a kingdom, as the judgement takes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import Extent, beside, smallest_extent
from vision.kingdomino.judge.settling import Settled, SettleSettings, settle
from vision.kingdomino.labels import (
    BARE,
    EMPTY,
    FOREIGN,
    FOREIGN_AT,
    LABELS,
    LIKELY,
    MIN_SQUARES,
    ONE_CROWN,
    TWO_CROWNS_AT,
    merge_foreign,
    merge_two_crowns,
    most_probable,
)
from vision.kingdomino.result import SquareReading

Floats = NDArray[np.float64]
# From this probability on that a square is of another game or of an expansion, a person looks.
MOST_FOREIGN = 0.2


@dataclass(frozen=True)
class Observation:
    """What was seen of one kingdom, by position on its lattice.

    ``probabilities`` are those of ``LABELS``; ``considered`` the positions that may hold a square
    of this kingdom; ``detection_scores`` how sure the locator was of each square that it found,
    0..1; ``misfit`` how far those lie from their cells, as a share of a square. On ``hidden``
    positions squares may lie unseen under something, on those ``cut_off`` beyond the edge of the
    picture, of which the share 0..1 is seen; ``corrections`` are labels that a person has given,
    any notation of a square. ``extent`` (top, left, height, width) fixes the rows and columns of
    the outcome, by default the smallest that hold all squares; ``apart`` are the labels of squares
    that lie apart from the kingdom and may belong to it.
    """

    probabilities: Mapping[Position, Floats]
    considered: Collection[Position]
    detection_scores: Mapping[Position, float]
    misfit: float = 0.0
    hidden: Collection[Position] = ()
    cut_off: Mapping[Position, float] = field(default_factory=dict)
    corrections: Mapping[Position, str] = field(default_factory=dict)
    extent: Extent | None = None
    apart: Mapping[Position, str] = field(default_factory=dict)


@dataclass(frozen=True)
class JudgeSettings:
    """When a person should look; all numbers with a point but the last are probabilities.

    A square is flagged below ``sure``, one that the locator did not find by itself below
    ``sure_unseen``, and one that is likely enough of another game, or of Age of Giants where that
    is not played. A square that the locator found, more likely than not, makes a
    position without square suspicious: it is flagged unless "no square" has ``sure_unseen``.
    Without ``use_box`` each square keeps its most probable label. A kingdom may go on into cells
    beside it that are hidden, or cut off but for ``min_seen`` of their area at least, up to the
    usual size, or up to the large one where it is wider or higher than usual.

    A grid is certain with exactly one castle, no fewer squares than a castle and a domino, no
    more of them in a row than a large kingdom has, and detections that miss their cells by less
    than ``max_certain_misfit`` of a square, root mean square.
    """

    sure: float = 0.93
    sure_unseen: float = 0.97
    use_box: bool = True
    min_seen: float = 0.3
    settle: SettleSettings = field(default_factory=SettleSettings)
    max_certain_misfit: float = 0.15


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
    settings = _with_giants_where_corrected(observations, settings or JudgeSettings())
    merged = [
        {position: _merge(seen, settings) for position, seen in each.probabilities.items()}
        for each in observations
    ]
    outcomes = _settle_all(observations, merged, settings)
    return [
        _judge_one(observation, seen, outcome, settings)
        for observation, seen, outcome in zip(observations, merged, outcomes, strict=True)
    ]


def _with_giants_where_corrected(
    observations: Sequence[Observation], settings: JudgeSettings
) -> JudgeSettings:
    """The settings with Age of Giants where a person has given a square that only it has."""
    given = {label for each in observations for label in each.corrections.values()}
    if not given & ONE_CROWN.keys():
        return settings
    return replace(settings, settle=replace(settings.settle, giants=True))


def _merge(seen: Floats, settings: JudgeSettings) -> Floats:
    """The probabilities of what may lie there in this game."""
    merged = merge_foreign(seen)
    return merged if settings.settle.giants else merge_two_crowns(merged)


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
    bare = merge_foreign(BARE)
    candidates = [
        {
            position: seen.get(position, bare)
            for position in dict.fromkeys((*each.considered, *each.corrections))
        }
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
        and observation.misfit < settings.max_certain_misfit
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
    others = [k for k in range(len(LABELS)) if LABELS[k] not in (label, FOREIGN)]
    runner_up = LABELS[max(others, key=lambda k: shares[k])]
    two_crowns = LABELS[max(TWO_CROWNS_AT, key=lambda k: seen[k])]
    unplayed = 0.0 if settings.settle.giants else float(seen[LABELS.index(two_crowns)])
    if unplayed > MOST_FOREIGN and label == ONE_CROWN[two_crowns]:
        runner_up = two_crowns
    was_considered = position in settled.labels
    changed = was_considered and label != plain
    score = observation.detection_scores.get(position)
    unseen = score is None and label != EMPTY
    detected_bare = score is not None and score > LIKELY and label == EMPTY
    doubtful = (
        changed
        or position in settled.unpaired
        or (was_considered and probability < (settings.sure_unseen if unseen else settings.sure))
        or max(float(seen[FOREIGN_AT]), unplayed) > MOST_FOREIGN
        or (detected_bare and probability < settings.sure_unseen)
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
    most = SMALL_GRID if extent.longest <= SMALL_GRID else LARGE_GRID
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
