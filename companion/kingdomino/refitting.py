"""The last layer of the network of squares fitted anew to squares that people have corrected.

What is fitted is a change of the shipped layer: a ridge regression of what is missing to a clear
answer, so that squares that are read well already hold it where it is, and so does the penalty.
It is used only if squares that were held back, whole sessions of them, are read better by it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.kingdomino.labelled_folder import LabelledSquares
from vision.kingdomino.classify.head import Head, features_of
from vision.kingdomino.labels import CASTLE_COLOURS, EMPTY, FOREIGN, OUTPUTS

__all__ = ["Held", "Refit", "RefitSettings", "refit"]

Floats = NDArray[np.float64]
_CASTLES = slice(len(OUTPUTS) - len(CASTLE_COLOURS), len(OUTPUTS))


@dataclass(frozen=True)
class RefitSettings:
    """At least ``min_squares`` of ``min_sessions`` are needed; ``folds`` shares are held back.

    ``margin`` is how far the true logit should be above all others, ``penalties`` of the ridge
    regression are tried, for a mean square of the features of 1, and ``sure`` is the probability
    from which a wrong square goes unflagged. ``max_loss`` is how much worse, in nats a square, the
    squares ``known`` may become.
    """

    min_squares: int = 30
    min_sessions: int = 2
    folds: int = 5
    margin: float = 3.0
    penalties: tuple[float, ...] = (10.0, 100.0, 1000.0, 10000.0)
    sure: float = 0.9
    max_loss: float = 0.01


@dataclass(frozen=True)
class Held:
    """How squares were read that were not fitted to.

    ``wrong`` of them, ``surely_wrong`` without a doubt that would flag them, and the mean negative
    logarithm of the probability of what is true, the ``loss``.
    """

    wrong: int
    surely_wrong: int
    loss: float


@dataclass(frozen=True, eq=False)
class Refit:
    """A refitted last layer with the figures that decide.

    ``before`` and ``after`` are of the squares held back, ``known_before`` and ``known_after`` of
    squares that must not become worse. ``refused`` is why it must not be used, "" where it may:
    too_few, not_better, surely_wrong, known_worse.
    """

    head: Head
    squares: int
    sessions: int
    seconds: float
    refused: str
    before: Held | None = None
    after: Held | None = None
    known_before: Held | None = None
    known_after: Held | None = None


@dataclass(frozen=True, eq=False)
class _Data:
    """Features (n, 4 turns, features) with the label and the session of each square."""

    features: Floats
    labels: NDArray[np.str_]
    sessions: NDArray[np.str_]

    def part(self, chosen: NDArray[np.intp]) -> _Data:
        return _Data(self.features[chosen], self.labels[chosen], self.sessions[chosen])


def refit(
    model: bytes,
    temperature: float,
    squares: LabelledSquares,
    known: LabelledSquares | None = None,
    settings: RefitSettings | None = None,
) -> Refit:
    """Fit the last layer of the network ``model`` to squares, and say whether it may be used.

    ``known`` are other squares of which none may become worse; they are fitted to as well. The
    same squares always give the same layer.
    """
    settings = settings or RefitSettings()
    started, shipped = time.perf_counter(), Head.of(model)
    sessions = len(set(squares.sessions))

    def ended(head: Head, refused: str, *held: Held) -> Refit:
        spent = time.perf_counter() - started
        return Refit(head, len(squares), sessions, spent, refused, *held)

    if len(squares) < settings.min_squares or sessions < settings.min_sessions:
        return ended(shipped, "too_few")
    data = _seen(model, squares)
    anchors = _seen(model, known) if known is not None else data.part(np.zeros(0, np.intp))
    after = _held_back(data, anchors, shipped, temperature, settings)
    before = _judged(_probabilities(data, shipped, temperature), data.labels, settings)
    penalty = _best_penalty(data, anchors, shipped, temperature, settings)
    head = _fitted(data, anchors, shipped, penalty, settings)
    figures = (
        before,
        after,
        _judged(_probabilities(anchors, shipped, temperature), anchors.labels, settings),
        _judged(_probabilities(anchors, head, temperature), anchors.labels, settings),
    )
    return ended(head, _refused(*figures, settings), *figures)


def _refused(
    before: Held, after: Held, known_before: Held, known_after: Held, settings: RefitSettings
) -> str:
    if after.wrong >= before.wrong or after.loss >= before.loss:
        return "not_better"
    if after.surely_wrong > before.surely_wrong:
        return "surely_wrong"
    worse = known_after.loss > known_before.loss + settings.max_loss
    if known_after.wrong > known_before.wrong or worse:
        return "known_worse"
    return ""


def _seen(model: bytes, squares: LabelledSquares) -> _Data:
    turned = [np.rot90(squares.patches, turns, (1, 2)) for turns in range(4)]
    found = features_of(model, np.concatenate(turned)).astype(np.float64)
    features = found.reshape(4, len(squares), -1).transpose(1, 0, 2)
    return _Data(features, np.array(squares.labels), np.array(squares.sessions))


def _held_back(
    data: _Data, anchors: _Data, shipped: Head, temperature: float, settings: RefitSettings
) -> Held:
    """Every square read by a layer that saw nothing of its session, its penalty included."""
    found = np.zeros((len(data.labels), len(OUTPUTS)))
    for fitted, held in _folds(data, settings):
        part = data.part(fitted)
        penalty = _best_penalty(part, anchors, shipped, temperature, settings)
        head = _fitted(part, anchors, shipped, penalty, settings)
        found[held] = _probabilities(data.part(held), head, temperature)
    return _judged(found, data.labels, settings)


def _best_penalty(
    data: _Data, anchors: _Data, shipped: Head, temperature: float, settings: RefitSettings
) -> float:
    """The penalty with the least loss on sessions held back; the largest for a single one."""
    if len(set(data.sessions)) < 2:
        return max(settings.penalties)
    losses = []
    for penalty in settings.penalties:
        found = np.zeros((len(data.labels), len(OUTPUTS)))
        for fitted, held in _folds(data, settings):
            head = _fitted(data.part(fitted), anchors, shipped, penalty, settings)
            found[held] = _probabilities(data.part(held), head, temperature)
        losses.append(_judged(found, data.labels, settings).loss)
    return settings.penalties[int(np.argmin(losses))]


def _folds(data: _Data, settings: RefitSettings) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    from sklearn.model_selection import GroupKFold

    shares = min(settings.folds, len(set(data.sessions)))
    return list(GroupKFold(shares).split(data.labels, groups=data.sessions))


def _fitted(
    data: _Data, anchors: _Data, shipped: Head, penalty: float, settings: RefitSettings
) -> Head:
    from sklearn.linear_model import Ridge

    seen = np.concatenate([data.features, anchors.features]).reshape(-1, data.features.shape[2])
    labels = np.repeat(np.concatenate([data.labels, anchors.labels]), 4)
    missing = _missing(_logits(seen, shipped), labels, settings.margin)
    power = float((seen**2).mean())
    change = Ridge(alpha=penalty * power).fit(seen, missing)
    return Head(
        np.asarray(shipped.weight + change.coef_, np.float32),
        np.asarray(shipped.bias + change.intercept_, np.float32),
        shipped.network,
    )


def _missing(logits: Floats, labels: NDArray[np.str_], margin: float) -> Floats:
    """How the logits (n, outputs) would have to change for a clear answer; 0 where it is clear."""
    missing, rows = np.zeros_like(logits), np.arange(len(labels))
    true = _true_outputs(logits, labels)
    others = logits.copy()
    others[rows, true] = -np.inf
    rival = others.argmax(1)
    short = np.maximum(0, margin - (logits[rows, true] - logits[rows, rival]))
    missing[rows, true] = short / 2
    missing[rows, rival] -= short / 2
    return missing


def _true_outputs(logits: Floats, labels: NDArray[np.str_]) -> NDArray[np.intp]:
    """The output of each label; of a castle that of the colour that is seen most."""
    places = {output: at for at, output in enumerate(OUTPUTS)}
    castles = _CASTLES.start + logits[:, _CASTLES].argmax(1)
    return np.array(
        [castles[n] if label == "c" else places[label] for n, label in enumerate(labels)], np.intp
    )


def _logits(features: Floats, head: Head) -> Floats:
    return np.asarray(features @ head.weight.T.astype(np.float64) + head.bias)


def _probabilities(data: _Data, head: Head, temperature: float) -> Floats:
    """Of each output, by the mean of the four turns, as squares in doubt are read."""
    logits = _logits(data.features.mean(1), head) / temperature
    powers = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def _judged(found: Floats, labels: NDArray[np.str_], settings: RefitSettings) -> Held:
    """Squares of another game count as no square of this one, castles alike in every colour."""
    if not len(labels):
        return Held(0, 0, 0.0)
    names = [_plain(output) for output in OUTPUTS]
    kinds = sorted(set(names))
    whole = np.zeros((len(found), len(kinds)))
    for at, name in enumerate(names):
        whole[:, kinds.index(name)] += found[:, at]
    true = np.array([kinds.index(_plain(label)) for label in labels])
    rows = np.arange(len(labels))
    wrong = whole.argmax(1) != true
    surely = wrong & (whole.max(1) >= settings.sure)
    loss = float(-np.log(np.maximum(whole[rows, true], 1e-12)).mean())
    return Held(int(wrong.sum()), int(surely.sum()), loss)


def _plain(output: str) -> str:
    return {FOREIGN: EMPTY}.get(output, output.partition(":")[0])
