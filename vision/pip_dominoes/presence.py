"""How likely a domino's face is where one may be: a logistic model of what was seen there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.candidates import Candidates

__all__ = ["FEATURES", "Presence", "features_of"]

Floats = NDArray[np.float64]

FEATURES = (
    "better_score",
    "worse_score",
    "face",
    "named",
    "same_named",
    "pips",
)
"""What the model knows of a candidate.

The log odds of the locator at the look that shows it ``better`` and at the one that shows it
``worse``, and of a face by the reader of faces; the logarithms of how sure the halves are of their
numbers and of how well the pips agree with them, if it bears pips; and how surely it bears
something: many a white spot looks like two blanks.
"""

# What is surer than this is all the same.
_MOST_LOG_ODDS = 5.0
_LEAST_LOG = -4.0


def _log_odds(shares: Floats) -> Floats:
    limit = 1 / (1 + np.exp(_MOST_LOG_ODDS))
    shares = np.clip(shares, limit, 1 - limit)
    return np.asarray(np.log(shares / (1 - shares)))


def features_of(candidates: Candidates) -> Floats:
    """The ``FEATURES`` (n, 6) of candidates."""
    named = candidates.recognised.max(-1).prod(-1)
    same = (candidates.counted * candidates.recognised).sum(-1).prod(-1)
    scores = np.stack([candidates.scores, candidates.rescored])
    return np.stack(
        [
            _log_odds(scores.max(0)),
            _log_odds(scores.min(0)),
            _log_odds(candidates.face),
            np.maximum(np.log(np.maximum(named, 1e-9)), _LEAST_LOG),
            np.maximum(np.log(np.maximum(same, 1e-9)), _LEAST_LOG) * (1 - candidates.figures),
            1 - candidates.recognised[:, :, 0].prod(-1),
        ],
        axis=1,
    )


@dataclass(frozen=True)
class Presence:
    """A logistic model: log odds are ``bias`` and the ``weights`` times the features by name."""

    bias: float
    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        if unknown := self.weights.keys() - {*FEATURES}:
            raise ValueError(f"weights: expected names of FEATURES, got {sorted(unknown)}")

    @classmethod
    def load(cls, path: Path) -> Presence:
        """The model of a JSON file. FileNotFoundError where there is none."""
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls(float(data["bias"]), {str(n): float(w) for n, w in data["weights"].items()})

    def judged(self, candidates: Candidates) -> Candidates:
        """The candidates, each as likely as the model says."""
        weights = np.array([self.weights.get(name, 0.0) for name in FEATURES])
        odds = features_of(candidates) @ weights + self.bias
        return replace(candidates, exists=1 / (1 + np.exp(-odds)))
