"""A last layer refitted to labelled pictures, and what decides whether it may be used.

A layer is fitted by ridge regression to what is missing to a clear answer, so that what is read
well already holds it where it is, and so does the penalty. It is used only if pictures that were
held back, whole sessions of them, are read better by it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.common.network import StoredHead

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
_Layer = TypeVar("_Layer", bound=StoredHead)


@dataclass(frozen=True, eq=False)
class LabelledSquares:
    """Patches (n, side, side, 3), the label of each in notation, and the session it is from.

    ``left_out`` counts the lines that could not be used: pictures that are none, and labels that
    the network has no output for.
    """

    patches: Image
    labels: tuple[str, ...]
    sessions: tuple[str, ...]
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class RefitSettings:
    """At least ``min_squares`` of ``min_sessions`` are needed; ``folds`` shares are held back.

    ``margin`` is how far the true logit should be above all others, ``penalties`` of the ridge
    regression are tried, for a mean square of the features of 1, and ``sure`` is the probability
    from which a wrong square goes unflagged. ``max_loss`` is how much worse, in nats a square, the
    squares that are known may become. More than ``max_wrong_share`` of the squares held back must
    not be wrong still: labels that say nothing can be guessed better too.
    """

    min_squares: int = 30
    min_sessions: int = 2
    folds: int = 5
    margin: float = 3.0
    penalties: tuple[float, ...] = (10.0, 100.0, 1000.0, 10000.0)
    sure: float = 0.9
    max_loss: float = 0.01
    max_wrong_share: float = 0.5


@dataclass(frozen=True)
class Figures:
    """How squares were read that were not fitted to.

    ``wrong`` of them, ``surely_wrong`` without a doubt that would flag them, and the mean negative
    logarithm of the probability of what is true, the ``loss``.
    """

    wrong: int
    surely_wrong: int
    loss: float


@dataclass(frozen=True, eq=False)
class Refit(Generic[_Layer]):
    """A refitted last layer with the figures that decide.

    ``before`` and ``after`` are of the squares held back, ``known_before`` and ``known_after`` of
    squares that must not become worse. ``refused`` is why it must not be used, "" where it may:
    too_few, not_better, mostly_wrong, surely_wrong, known_worse.
    """

    head: _Layer
    squares: int
    sessions: int
    seconds: float
    refused: str
    before: Figures | None = None
    after: Figures | None = None
    known_before: Figures | None = None
    known_after: Figures | None = None


@dataclass(frozen=True, eq=False)
class RefitData(Generic[_Layer]):
    """Squares to fit to, the session of each, and how a layer is fitted to some of them.

    ``true`` (n,) is the column of each in the probabilities (m, columns) that ``read`` gives for
    the rows (m,) named; ``fit`` takes rows and a penalty. ``read_known`` says how squares that
    must not become worse are read.
    """

    true: NDArray[np.intp]
    sessions: NDArray[np.str_]
    fit: Callable[[Rows, float], _Layer]
    read: Callable[[Rows, _Layer], Floats]
    read_known: Callable[[_Layer], Figures]

    @property
    def rows(self) -> Rows:
        """The numbers of all examples."""
        return np.arange(len(self.true))


def refit_layer(
    squares: LabelledSquares,
    shipped: _Layer,
    prepare: Callable[[], RefitData[_Layer]],
    settings: RefitSettings,
) -> Refit[_Layer]:
    """Fit a layer to squares, and say whether it may be used instead of the ``shipped`` one.

    ``prepare`` gives the data once there are squares enough. The same squares always give the
    same layer.
    """
    started, sessions = time.perf_counter(), len(set(squares.sessions))

    def ended(head: _Layer, refused: str, *figures: Figures) -> Refit[_Layer]:
        spent = time.perf_counter() - started
        return Refit(head, len(squares), sessions, spent, refused, *figures)

    if len(squares) < settings.min_squares or sessions < settings.min_sessions:
        return ended(shipped, "too_few")
    data = prepare()
    after = held_back(data, settings)
    before = judged(data.read(data.rows, shipped), data.true, settings)
    head = data.fit(data.rows, best_penalty(data, data.rows, settings))
    figures = before, after, data.read_known(shipped), data.read_known(head)
    return ended(head, why_refused(len(squares), *figures, settings), *figures)


def held_back(data: RefitData[_Layer], settings: RefitSettings) -> Figures:
    """Every square read by a layer that saw nothing of its session, its penalty included."""

    def fit(rows: Rows) -> _Layer:
        return data.fit(rows, best_penalty(data, rows, settings))

    return _read_held_back(data, data.rows, fit, settings)


def best_penalty(data: RefitData[_Layer], rows: Rows, settings: RefitSettings) -> float:
    """The penalty with the least loss on sessions held back; the largest for a single one."""
    if len(set(data.sessions[rows])) < 2:
        return max(settings.penalties)

    def loss(penalty: float) -> float:
        return _read_held_back(data, rows, lambda some: data.fit(some, penalty), settings).loss

    return min(settings.penalties, key=loss)


def _read_held_back(
    data: RefitData[_Layer], rows: Rows, fit: Callable[[Rows], _Layer], settings: RefitSettings
) -> Figures:
    """The squares of these rows, a share of the sessions at a time by a layer of the others."""
    from sklearn.model_selection import GroupKFold

    sessions = data.sessions[rows]
    shares = GroupKFold(min(settings.folds, len(set(sessions))))
    found, true = [], []
    for fitted, held in shares.split(rows, groups=sessions):
        found.append(data.read(rows[held], fit(rows[fitted])))
        true.append(data.true[rows[held]])
    return judged(np.concatenate(found), np.concatenate(true), settings)


def why_refused(
    squares: int,
    before: Figures,
    after: Figures,
    known_before: Figures,
    known_after: Figures,
    settings: RefitSettings,
) -> str:
    """Why a layer must not be used, "" where it may: the codes of ``Refit``.

    ``squares`` is how many were held back, the other figures are those of ``Refit``.
    """
    if after.wrong >= before.wrong or after.loss >= before.loss:
        return "not_better"
    if after.wrong > settings.max_wrong_share * squares:
        return "mostly_wrong"
    if after.surely_wrong > before.surely_wrong:
        return "surely_wrong"
    worse = known_after.loss > known_before.loss + settings.max_loss
    more = known_after.wrong > known_before.wrong
    if more or known_after.surely_wrong > known_before.surely_wrong or worse:
        return "known_worse"
    return ""


def ridge_change(features: Floats, missing: Floats, penalty: float) -> tuple[Floats, Floats]:
    """The change of weight (outputs, m) and bias (outputs,) that adds what is missing.

    ``features`` (n, m) and ``missing`` (n, outputs); the penalty is for features of power 1.
    """
    from sklearn.linear_model import Ridge

    power = float((features**2).mean())
    change = Ridge(alpha=penalty * power).fit(features, missing)
    return np.asarray(change.coef_), np.asarray(change.intercept_)


def missing_to_margin(logits: Floats, true: Sequence[int] | Rows, margin: float) -> Floats:
    """How logits (n, outputs) would have to change for a clear answer; 0 where it is clear."""
    missing, rows = np.zeros_like(logits), np.arange(len(logits))
    others = logits.copy()
    others[rows, true] = -np.inf
    rival = others.argmax(1)
    short = np.maximum(0, margin - (logits[rows, true] - logits[rows, rival]))
    missing[rows, true] = short / 2
    missing[rows, rival] -= short / 2
    return missing


def judged(found: Floats, true: NDArray[np.integer], settings: RefitSettings) -> Figures:
    """How squares are read: probabilities (n, columns), and the column (n,) of what is true."""
    if not len(true):
        return Figures(0, 0, 0.0)
    wrong = found.argmax(1) != true
    surely = wrong & (found.max(1) >= settings.sure)
    loss = float(-np.log(np.maximum(found[np.arange(len(true)), true], 1e-12)).mean())
    return Figures(int(wrong.sum()), int(surely.sum()), loss)
