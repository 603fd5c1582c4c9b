"""One number of doubt: the probability that what is said of a cell is right, from all evidence.

Boosted trees (Friedman, Greedy function approximation, 2001), fitted by ``python -m
training.kingdomino.doubt`` with scikit-learn and evaluated here with NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.judge.evidence import FEATURES
from vision.kingdomino.judge.judgement import Judgement

__all__ = ["DoubtModel", "flag_doubtful", "is_asked"]

Floats = NDArray[np.float64]

_PROBABILITY, _FOREIGN, _UNPLAYED = (
    FEATURES.index(name) for name in ("probability", "foreign", "unplayed")
)
_TOLD = [FEATURES.index(name) for name in ("hidden", "cut_off", "apart", "loose", "changed")]
MOST_FOREIGN = 0.2
LEAST_PROBABILITY = 0.9


@dataclass(frozen=True, eq=False)
class DoubtModel:
    """Trees as arrays over all their nodes, (nodes,), and the first node of each, (trees,).

    A node asks whether ``feature`` is at most ``threshold``, and goes on to ``left`` or ``right``;
    what is not known goes left where ``unknown_left``. A leaf goes on to itself and adds ``value``
    to the log-odds, which begin at ``baseline``. Below the probability ``bound`` a person looks.
    """

    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: Floats
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    unknown_left: NDArray[np.bool_]
    value: Floats
    baseline: float
    bound: float

    @classmethod
    def load(cls, path: Path) -> DoubtModel:
        """The model of an ``.npz`` file. FileNotFoundError, ValueError for another file."""
        with np.load(path, allow_pickle=False) as arrays:
            plain = {name: arrays[name] for name in arrays.files}
        plain |= {name: float(plain[name]) for name in ("baseline", "bound")}
        return cls(**plain)

    def probabilities(self, evidence: Floats) -> Floats:
        """That what is said of each cell is right, for evidence (..., features)."""
        rows = evidence.reshape(-1, evidence.shape[-1])
        at = np.tile(self.roots, (len(rows), 1))
        every = np.arange(len(rows))[:, None]
        while True:
            seen = rows[every, self.feature[at]]
            goes_left = np.where(np.isnan(seen), self.unknown_left[at], seen <= self.threshold[at])
            further = np.where(goes_left, self.left[at], self.right[at])
            if (further == at).all():
                break
            at = further
        odds = self.baseline + self.value[at].sum(1)
        return np.asarray(1 / (1 + np.exp(-odds))).reshape(evidence.shape[:-1])


def is_asked(evidence: Floats) -> NDArray[np.bool_]:
    """Whether cells (...) are asked about whatever the trees say, by evidence (..., features).

    A cell that something hides or the edge of the picture cuts off is, and a square that may not
    belong to the kingdom: what can't be seen is no question of how its label looks, and trees know
    only the hands and cards that they were shown. So is a square that the box changed, against what
    was seen; one that the classifier gives less than ``LEAST_PROBABILITY``; and one that is of
    another game, or of an expansion that is not played, by more than ``MOST_FOREIGN``: no
    photograph was there to learn from.
    """
    strange = np.maximum(evidence[..., _FOREIGN], evidence[..., _UNPLAYED])
    told = (evidence[..., _TOLD] > 0).any(-1)
    unlikely = evidence[..., _PROBABILITY] < LEAST_PROBABILITY
    return np.asarray(told | unlikely | (strange > MOST_FOREIGN))


def flag_doubtful(judgement: Judgement, evidence: Floats, model: DoubtModel) -> Judgement:
    """The judgement with those cells flagged of which the evidence leaves doubt, and no others.

    ``evidence`` (rows, columns, features) is that of its extent. Flagged are cells below the bound
    of the ``model``, those of ``is_asked``, and, where the grid as a whole is in doubt, the least
    sure one. A reason stays where it explains a flag.
    """
    sure = model.probabilities(evidence)
    flagged = (sure < model.bound) | is_asked(evidence)
    if not judgement.certain:
        flagged.flat[sure.argmin()] = True
    squares = {
        cell: replace(
            judgement.squares[cell],
            doubtful=bool(is_flagged),
            reason=judgement.squares[cell].reason if is_flagged else None,
        )
        for cell, is_flagged in zip(judgement.extent.cells(), flagged.flat, strict=True)
    }
    return replace(judgement, squares=squares)
