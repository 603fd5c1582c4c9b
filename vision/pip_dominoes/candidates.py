"""What may be a domino: one record of all that was seen there, how likely a face is there by a
logistic model of it, and which of them are dominoes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.result import HIGHEST

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Candidates:
    """What was seen of n places that may hold a domino; every field has n rows.

    ``corners`` (n, 4, 2) are refined; ``scores`` (n,) is how likely the locator saw a domino;
    ``counted`` and ``recognised`` (n, 2, 19) are the probabilities of each number by its pips and
    by the half as a whole; ``face`` (n,) how likely a domino's face is there by the reader of
    faces; ``figures`` (n,) how likely it bears figures in place of pips. ``rescored`` (n,) is the
    locator's score at the second look, 0 where it shows nothing. ``exists`` (n,) is the
    probability that a domino's face is there, by all of these.
    """

    corners: Floats
    scores: Floats
    counted: Floats
    recognised: Floats
    face: Floats
    figures: Floats
    rescored: Floats
    exists: Floats

    @classmethod
    def nothing(cls) -> Candidates:
        """No candidate."""
        numbers = np.zeros((0, 2, HIGHEST + 1))
        none = np.zeros(0)
        return cls(np.zeros((0, 4, 2)), none, numbers, numbers, *[none] * 4)

    def __len__(self) -> int:
        return len(self.corners)

    def chosen(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Candidates:
        """Some of them."""
        return self._with(lambda mine, _: mine[rows], self)

    def joined(self, other: Candidates) -> Candidates:
        """These and then the others."""
        return self._with(lambda mine, others: np.concatenate([mine, others]), other)

    def replaced(self, rows: NDArray[np.intp], other: Candidates) -> Candidates:
        """These with others in place of some rows."""

        def put(mine: Floats, others: Floats) -> Floats:
            mine = mine.copy()
            mine[rows] = others
            return mine

        return self._with(put, other)

    def _with(self, change: Callable[[Floats, Floats], Floats], other: Candidates) -> Candidates:
        names = [each.name for each in fields(self)]
        return Candidates(**{n: change(getattr(self, n), getattr(other, n)) for n in names})


FEATURES = (
    "better_score",
    "worse_score",
    "face",
    "named",
    "same_named",
)
"""What a candidate shows by itself.

The log odds of the locator at the look that shows it ``better`` and at the one that shows it
``worse``, and of a face by the reader of faces; the logarithms of how sure the halves are of their
numbers and of how well the pips agree with them, if it bears pips.
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
    """The ``FEATURES`` (n, 5) of candidates."""
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
        """The probability (n,) of each row of ``FEATURES`` (n, 5) in its ``company`` (n,)."""
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
        """How likely each candidate of one picture is a domino, by their ``FEATURES`` (n, 5)."""
        return self.beside.shares(features, company_of(self.alone.shares(features)))

    def judged(self, candidates: Candidates) -> Candidates:
        """The candidates of one picture, each as likely as the model says."""
        return replace(candidates, exists=self.shares(features_of(candidates)))


def _logistic(data: Mapping[str, Any]) -> Logistic:
    return Logistic(float(data["bias"]), {str(n): float(w) for n, w in data["weights"].items()})


# Beyond so many trials the likeliest are taken one after the other.
_TRIALS = 4000


def overlap(first: Floats, second: Floats) -> float:
    """The share of the smaller of two quadrilaterals (4, 2) that the other covers."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(min(cv2.contourArea(a), cv2.contourArea(b)), 1.0)


def beside(corners: Floats, others: Floats, most: float) -> NDArray[np.bool_]:
    """Which of ``corners`` (n, 4, 2) overlap none of ``others`` (m, 4, 2) by ``most``."""
    return np.array([all(overlap(box, other) < most for other in others) for box in corners], bool)


def best_disjoint(worth: Sequence[float], clashes: Sequence[set[int]]) -> list[int]:
    """The places worth most together of which no two clash.

    ``worth`` are positive, ``clashes`` names for each place the others that it clashes with. Exact
    by branching (a maximum-weight independent set) unless that takes too many trials; then the
    places are taken by their own worth.
    """
    trials = 0

    def solve(left: frozenset[int]) -> tuple[float, tuple[int, ...]]:
        nonlocal trials
        trials += 1
        total, taken = 0.0, list[int]()
        while left:
            group = _group(left, clashes)
            left -= group
            k = max(group, key=lambda each: (len(clashes[each] & group), worth[each]))
            if len(group) == 1:
                total, taken = total + worth[k], [*taken, k]
                continue
            if trials > _TRIALS:
                raise _TooMany
            with_k, others = solve(group - clashes[k] - {k})
            without, instead = solve(group - {k})
            if with_k + worth[k] >= without:
                total, taken = total + with_k + worth[k], [*taken, k, *others]
            else:
                total, taken = total + without, [*taken, *instead]
        return total, tuple(taken)

    try:
        return sorted(solve(frozenset(range(len(worth))))[1])
    except _TooMany:
        kept: set[int] = set()
        for k in sorted(range(len(worth)), key=lambda each: -worth[each]):
            if not clashes[k] & kept:
                kept.add(k)
        return sorted(kept)


class _TooMany(Exception):
    """Too many trials."""


def _group(left: frozenset[int], clashes: Sequence[set[int]]) -> frozenset[int]:
    """One of those left and all that it clashes with, directly or by way of others."""
    open_, seen = [min(left)], {min(left)}
    while open_:
        new = (clashes[open_.pop()] & left) - seen
        seen |= new
        open_ += new
    return frozenset(seen)


def keep_likely(candidates: Candidates, *, least: float, most_overlap: float) -> Candidates:
    """The candidates that are dominoes.

    Those at least as likely as ``least`` that are worth most together, while none overlaps another
    by ``most_overlap``: two likely dominoes are worth more than a likelier one across both. A set
    bears pips or figures: among dominoes with pips, figures are writing.
    """
    corners, exists = candidates.corners, candidates.exists
    likely = np.nonzero(exists >= least)[0]
    clashes: list[set[int]] = [set() for _ in likely]
    for (a, one), (b, other) in combinations(enumerate(corners[likely]), 2):
        if overlap(one, other) >= most_overlap:
            clashes[a].add(b)
            clashes[b].add(a)
    chosen = likely[best_disjoint(exists[likely].tolist(), clashes)]
    figures = candidates.figures[chosen] > 0.5
    if figures.sum() < (~figures).sum():
        chosen = chosen[~figures]
    return candidates.chosen(chosen)
