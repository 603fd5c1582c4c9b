"""From evidence to the reading: the stones settled together, and what is in doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import JOKER, JOKERS, STONES, Piece, Shape
from vision.domino_duell.classify import Evidence
from vision.domino_duell.result import HollowReading

Floats = NDArray[np.float64]
Columns = NDArray[np.int64]

EMPTY_COLUMN, JOKER_COLUMN = len(STONES), len(STONES) + 1
LEAST = 1e-9
FORBIDDEN = 1e6


def settle(contents: Floats) -> Columns:
    """The most probable contents (n,) as columns of ``contents`` (n, 67), each stone once.

    A linear assignment of hollows to the 64 stones, to four jokers, or to remain empty.
    """
    return _assigned(_costs(contents))[0]


def margins_of(contents: Floats, chosen: Columns, most_nats: float) -> Floats:
    """How many nats the best board with something else in a hollow is worse (n,).

    ``chosen`` (n,) is the settled board. A stone that is doubtful by itself can be certain
    because it can lie nowhere else, and the other way round. Beyond ``most_nats`` nobody asks:
    such margins are at least that.
    """
    costs = _costs(contents)
    rows = np.arange(len(contents))
    best = float(costs[rows, chosen].sum())
    others = costs[:, : EMPTY_COLUMN + 2].copy()
    others[rows, chosen] = FORBIDDEN
    # Nothing else on the board can gain more than this by a stone that becomes free.
    gain = float((costs[rows, chosen] - costs.min(1)).sum())
    margins = others.min(1) - costs[rows, chosen] - gain
    for row in np.flatnonzero(margins < most_nats):
        asked = costs.copy()
        asked[row, chosen[row]] = FORBIDDEN
        margins[row] = _assigned(asked)[1] - best
    return np.asarray(margins, np.float64)


def least_margins(views: Floats, chosen: Columns, most_nats: float) -> Floats:
    """The least of the margins (n,) of several readings (m, n, 67) of one board.

    It is 0 where one of them settles on something else than ``chosen`` (n,).
    """
    least = np.full(len(chosen), np.inf)
    for contents in views:
        mine = settle(contents)
        margins = np.where(mine == chosen, margins_of(contents, mine, most_nats), 0.0)
        least = np.minimum(least, margins)
    return least


def _costs(contents: Floats) -> Floats:
    """Nats (n, 66) of the 64 stones, empty and joker."""
    return np.asarray(-np.log(np.maximum(contents[:, : JOKER_COLUMN + 1], LEAST)))


def _assigned(cost: Floats) -> tuple[Columns, float]:
    from scipy.optimize import linear_sum_assignment  # Takes long to load.

    count = len(cost)
    table = np.c_[
        cost[:, : len(STONES)],
        np.repeat(cost[:, JOKER_COLUMN : JOKER_COLUMN + 1], JOKERS, axis=1),
        np.repeat(cost[:, EMPTY_COLUMN : EMPTY_COLUMN + 1], count, axis=1),
    ]
    rows, columns = linear_sum_assignment(table)
    chosen = np.full(count, EMPTY_COLUMN, np.int64)
    chosen[rows] = np.where(
        columns < len(STONES),
        columns,
        np.where(columns < len(STONES) + JOKERS, JOKER_COLUMN, EMPTY_COLUMN),
    )
    return chosen, float(table[rows, columns].sum())


@dataclass(frozen=True)
class DoubtSettings:
    """When a hollow is flagged.

    The placing of the board is certain from ``sure_seen`` and ``sure_margin_nats`` on. A hollow
    is sure where the best board with something else in it is ``sure_nats`` worse in every view of
    the board. Where more than ``unsteady_share`` of the hollows are not, the light is harsher
    than the probabilities know of, and ``sure_unsteady_nats`` takes its place. ``no_hollow`` is
    how probable it may be that no hollow is there, ``burnt_share`` how much of its middle may be
    at ``burnt_level`` of 255 or more in all channels.
    """

    sure_seen: float = 0.95
    sure_margin_nats: float = 20.0
    sure_nats: float = 5.0
    unsteady_share: float = 0.05
    sure_unsteady_nats: float = 6.5
    no_hollow: float = 0.2
    burnt_level: int = 248
    burnt_share: float = 0.9


@dataclass(frozen=True)
class Case:
    """A hollow to be judged; ``sure_nats`` is what is asked of ``margin_nats`` in this light."""

    certain: bool
    margin_nats: float
    sure_nats: float
    no_hollow: float
    burnt: float


@dataclass(frozen=True)
class Rule:
    """A reason to flag a hollow; ``meaning`` is for the documents, settings in braces."""

    code: str
    meaning: str
    when: Callable[[Case, DoubtSettings], bool]


RULES = (
    Rule(
        "placing",
        "where the board lies is not certain: less than {sure_seen:.0%} of its hollows look like "
        "hollows, or the next best placing is less than {sure_margin_nats:g} nats worse",
        lambda case, _: not case.certain,
    ),
    Rule(
        "margin",
        "the best board with something else in the hollow is less than {sure_nats:g} nats worse "
        "in any view of the board, or less than {sure_unsteady_nats:g} where that holds for more "
        "than {unsteady_share:.0%} of the hollows",
        lambda case, _: case.margin_nats < case.sure_nats,
    ),
    Rule(
        "no_hollow",
        "with more than {no_hollow:.0%} no hollow is there",
        lambda case, settings: case.no_hollow > settings.no_hollow,
    ),
    Rule(
        "burnt",
        "light has burnt out more than {burnt_share:.0%} of its middle",
        lambda case, settings: case.burnt > settings.burnt_share,
    ),
)
"""Why a hollow is flagged."""


def read_hollows(
    evidence: Evidence, shape: Shape, certain: bool, settings: DoubtSettings | None = None
) -> tuple[HollowReading, ...]:
    """The reading of each hollow, settled, with its doubts.

    ``certain`` is whether the placing of the board is.
    """
    settings = settings or DoubtSettings()
    known = _known(evidence.contents)
    chosen = settle(known)
    most_nats = max(settings.sure_nats, settings.sure_unsteady_nats)
    views = _known(np.r_[evidence.views, evidence.contents[None]])
    margins = least_margins(views, chosen, most_nats)
    unsteady = (margins < settings.sure_nats).mean() > settings.unsteady_share
    sure_nats = settings.sure_unsteady_nats if unsteady else settings.sure_nats
    readings = []
    for row, hollow in enumerate(shape.hollows):
        label, mine = int(chosen[row]), known[row]
        plain, second = (int(column) for column in np.argsort(-mine, kind="stable")[:2])
        no_hollow, burnt = float(evidence.contents[row, -1]), float(evidence.burnt[row])
        case = Case(certain, float(margins[row]), sure_nats, no_hollow, burnt)
        readings.append(
            HollowReading(
                hollow,
                _piece(label),
                float(min(mine[label], 1.0)),
                _piece(second if label == plain else plain),
                any(rule.when(case, settings) for rule in RULES),
                None if label == plain else str(_piece(plain) or "."),
            )
        )
    return tuple(readings)


def _known(contents: Floats) -> Floats:
    """The probabilities (…, 66) of what may lie in a hollow, given that one is there."""
    found = contents[..., :-1]
    return np.asarray(found / np.maximum(found.sum(-1, keepdims=True), 1e-9))


def _piece(column: int) -> Piece | None:
    if column == EMPTY_COLUMN:
        return None
    return JOKER if column == JOKER_COLUMN else STONES[column]
