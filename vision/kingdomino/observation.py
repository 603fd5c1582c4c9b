"""What was seen of a kingdom, as the judgement takes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.extent import Extent

__all__ = ["Observation"]

Floats = NDArray[np.float64]


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
