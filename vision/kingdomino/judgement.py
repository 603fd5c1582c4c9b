"""From probabilities to a reading: settle by the box, and say which squares are in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.labels import EMPTY, FOREIGN, LABELS
from vision.kingdomino.result import SquareReading
from vision.kingdomino.settle.program import Settled, SettleSettings, settle

__all__ = ["DoubtSettings", "decided", "settled_grids"]

Floats = NDArray[np.float64]
Cell = tuple[int, int]

_EMPTY = LABELS.index(EMPTY)
_FOREIGN = LABELS.index(FOREIGN)


@dataclass(frozen=True)
class DoubtSettings:
    """When a person should look.

    ``sure`` is the probability below which a square is flagged, ``sure_unseen`` the same for a
    square that the locator did not find by itself, ``foreign`` the probability of another game's
    square from which on one is flagged. ``candidate`` is the probability of a tile from which
    on a bare place is offered to the settling.
    """

    sure: float = 0.93
    sure_unseen: float = 0.97
    foreign: float = 0.2
    candidate: float = 0.03
    use_box: bool = True
    settle: SettleSettings = field(default_factory=SettleSettings)


def settled_grids(grids: Sequence[Grid], settings: DoubtSettings) -> list[Settled]:
    """The kingdoms of one game settled jointly, or as they were read without the box."""
    candidates = [_candidates(grid, settings) for grid in grids]
    if not settings.use_box:
        return [Settled({c: plain_label(p) for c, p in k.items()}, frozenset(), False)
                for k in candidates]  # fmt: skip
    return settle(candidates, settings.settle)


def _candidates(grid: Grid, settings: DoubtSettings) -> dict[Cell, Floats]:
    """The places of a kingdom and those beside it that may hold a square unseen."""
    beside = {
        (r + dr, c + dc) for r, c in grid.occupied for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
    }
    return {
        cell: found
        for cell, found in grid.probabilities.items()
        if cell in grid.occupied or (cell in beside and 1 - found[_EMPTY] > settings.candidate)
    }


def plain_label(found: Floats) -> str:
    """The most probable label; a square of another game is no square of this one."""
    joined = found.copy()
    joined[_EMPTY] += joined[_FOREIGN]
    joined[_FOREIGN] = 0
    return LABELS[int(np.argmax(joined))]


def decided(
    found: Mapping[Cell, Floats],
    settled: Settled,
    unseen: frozenset[Cell],
    seen_bare: frozenset[Cell],
    settings: DoubtSettings,
) -> dict[Cell, SquareReading]:
    """The reading of each place, with its doubts.

    ``unseen`` are places that the locator found nothing on, ``seen_bare`` bare places on which
    it found a square.
    """
    readings = {}
    for cell, probabilities in found.items():
        plain = plain_label(probabilities)
        label = settled.labels.get(cell, EMPTY if cell not in settled.labels else plain)
        joined = probabilities.copy()
        joined[_EMPTY] += joined[_FOREIGN]
        joined[_FOREIGN] = 0
        probability = float(min(joined[LABELS.index(label)], 1.0))
        others = sorted(
            (k for k in range(len(LABELS)) if LABELS[k] not in (label, FOREIGN)),
            key=lambda k: -joined[k],
        )
        runner_up = LABELS[others[0]]
        changed = label != plain and cell in settled.labels
        least = settings.sure_unseen if cell in unseen and label != EMPTY else settings.sure
        doubtful = (
            changed
            or cell in settled.unpaired
            or (cell in settled.labels and probability < least)
            or probabilities[_FOREIGN] > settings.foreign
            or (cell in seen_bare and label == EMPTY and joined[_EMPTY] < settings.sure_unseen)
        )
        readings[cell] = SquareReading(
            label,
            probability,
            plain if changed else runner_up,
            bool(doubtful),
            settled_from=plain if changed else None,
        )
    return readings
