"""How likely a domino's face is where one may be: a logistic model of what was seen there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.candidates import Candidates

__all__ = ["COMPANY", "FEATURES", "Logistic", "Presence", "company_of", "features_of"]

Floats = NDArray[np.float64]

FEATURES = (
    "better_score",
    "worse_score",
    "face",
    "named",
    "same_named",
    "pips",
)
"""What a candidate shows by itself.

The log odds of the locator at the look that shows it ``better`` and at the one that shows it
``worse``, and of a face by the reader of faces; the logarithms of how sure the halves are of their
numbers and of how well the pips agree with them, if it bears pips; and how surely it bears
something: many a white spot looks like two blanks.
"""

COMPANY = "company"
"""The feature of a candidate that the others tell: see ``company_of``."""

# What is surer than this is all the same.
_MOST_LOG_ODDS = 5.0
_LEAST_LOG = -4.0
# What is less likely than this is no company.
_MAYBE = 0.05


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


def company_of(shares: Floats) -> Floats:
    """How likely the others of a picture are on average that may be dominoes.

    ``shares`` (n,) is how likely each one is by itself. Where dominoes lie there are more of them,
    and where letters or spots look like one, so do others; one alone has one half.
    """
    maybe = shares >= _MAYBE
    likely = np.where(maybe, shares, 0.0)
    return np.asarray((likely.sum() - likely + 0.5) / (maybe.sum() - maybe + 1.0))


@dataclass(frozen=True)
class Logistic:
    """Log odds are ``bias`` and the ``weights`` times the features by name."""

    bias: float
    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        if unknown := self.weights.keys() - {*FEATURES, COMPANY}:
            raise ValueError(f"weights: expected names of features, got {sorted(unknown)}")

    def shares(self, features: Floats, company: Floats | None = None) -> Floats:
        """The probability (n,) of each row of ``FEATURES`` (n, 6) in its ``company`` (n,)."""
        odds = features @ [self.weights.get(name, 0.0) for name in FEATURES] + self.bias
        if company is not None:
            odds = odds + self.weights.get(COMPANY, 0.0) * company
        return np.asarray(1 / (1 + np.exp(-odds)))


@dataclass(frozen=True)
class Presence:
    """What a candidate is worth ``alone``, and ``beside`` others that are worth so much alone."""

    alone: Logistic
    beside: Logistic

    @classmethod
    def load(cls, path: Path) -> Presence:
        """The model of a JSON file. FileNotFoundError where there is none."""
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls(*(_logistic(data[name]) for name in ("alone", "beside")))

    def shares(self, features: Floats) -> Floats:
        """How likely each candidate of one picture is a domino, by their ``FEATURES`` (n, 6)."""
        return self.beside.shares(features, company_of(self.alone.shares(features)))

    def judged(self, candidates: Candidates) -> Candidates:
        """The candidates of one picture, each as likely as the model says."""
        return replace(candidates, exists=self.shares(features_of(candidates)))


def _logistic(data: Mapping[str, Any]) -> Logistic:
    return Logistic(float(data["bias"]), {str(n): float(w) for n, w in data["weights"].items()})
