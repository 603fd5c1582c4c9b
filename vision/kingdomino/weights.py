"""All that was learned: the networks, the fitted models, and a last layer of one's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.network import (
    HeadError,
    Network,
    StoredHead,
    as_planes,
    fitted_file,
    head_named_by,
    read_tensor,
    shipped_weights,
    softmax,
    with_tensors,
)
from vision.kingdomino.result import (
    CASTLE_AT,
    CASTLE_COLOURS,
    LABELS,
    OUTPUTS,
    SURE,
    SquareReading,
    merge_foreign,
    merge_two_crowns,
)

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
BATCH = 64
_CASTLES = slice(len(OUTPUTS) - len(CASTLE_COLOURS), len(OUTPUTS))


class SquareClassifier:
    """The network of squares with its calibration.

    ``temperature`` divides the logits; fitted on squares of sessions that no training saw.
    """

    def __init__(self, network: Network, temperature: float) -> None:
        self._network = network
        self._temperature = temperature

    def probabilities(self, patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """What squares are, for patches (n, 64, 64, 3).

        Probabilities (n, labels) in the order of ``LABELS``, and of each castle's colour, if it
        is one, (n, colours) in the order of ``CASTLE_COLOURS``.
        """
        if not len(patches):
            return np.zeros((0, len(LABELS))), np.zeros((0, len(CASTLE_COLOURS)))
        logits = raw_outputs(self._network, patches)
        found = softmax(logits / self._temperature)
        # What is not sure is classified in all orientations.
        unsure = np.flatnonzero(found.max(1) < SURE)
        if len(unsure):
            turned = [np.rot90(patches[unsure], k, (1, 2)) for k in (1, 2, 3)]
            turns = raw_outputs(self._network, np.concatenate(turned)).reshape(3, len(unsure), -1)
            found[unsure] = softmax((logits[unsure] + turns.sum(0)) / 4 / self._temperature)
        castles = found[:, _CASTLES]
        whole = castles.sum(1, keepdims=True)
        labels = np.insert(found[:, : _CASTLES.start], CASTLE_AT, whole[:, 0], axis=1)
        return labels, castles / np.maximum(whole, 1e-12)


def raw_outputs(network: Network, patches: NDArray[np.uint8]) -> Floats:
    """What the network says of patches (n, 64, 64, 3): logits (n, outputs) in order of OUTPUTS."""
    batches = (patches[at : at + BATCH] for at in range(0, len(patches), BATCH))
    parts = [network(as_planes(batch)) for batch in batches]
    return np.concatenate(parts).astype(np.float64)


def plain_reading(probabilities: Floats, *, giants: bool = False) -> SquareReading:
    """The most probable label of a square; a square of another game is no square of this one.

    Without ``giants`` those that only Age of Giants has are taken for the same with one crown.
    """
    merged = merge_foreign(probabilities)
    if not giants:
        merged = merge_two_crowns(merged)
    first, second = np.argsort(-merged, kind="stable")[:2]
    return SquareReading(LABELS[first], float(min(merged[first], 1.0)), runner_up=LABELS[second])


class BorderCell(NamedTuple):
    """A cell beside a kingdom of which the picture shows too little to classify it.

    It lies a ``step`` (rows, columns) from a square. ``inside`` is the share of it that the picture
    shows. ``distance`` is how far the colour of
    that part is from that of the third nearest free cell of the table, in CIE L*a*b*, ``usual``
    the same of free cells; NaN where too little is seen. ``bare`` is the probability of bare table
    by the locator.
    """

    cell: Position
    step: Position
    inside: float
    distance: float
    usual: float
    bare: float


@dataclass(frozen=True)
class BorderModel:
    """Logistic regressions that tell whether a square of the kingdom lies on a cell.

    The first takes what ``border_features`` gives; the second, where the table around is not seen,
    the log-odds of bare table alone. Fitted by ``python -m training.kingdomino.border``. From the
    probability ``bound`` on it may be one.
    """

    coefficients: tuple[float, ...]
    intercept: float
    bare_coefficient: float
    bare_intercept: float
    bound: float

    def probabilities(self, border: Sequence[BorderCell]) -> dict[Position, float]:
        """That the kingdom goes on on each cell, 0..1; NaN where too little is seen of it.

        As the light is the same along a side, half of what tells are the other cells there.
        """
        odds = {each.cell: self._log_odds(each) for each in border}
        sides: dict[Position, list[float]] = {}
        for each in border:
            sides.setdefault(each.step, []).append(odds[each.cell])
        means = {step: np.mean([odd for odd in side if odd == odd] or [np.nan])
                 for step, side in sides.items()}  # fmt: skip
        joint = {each.cell: (odds[each.cell] + means[each.step]) / 2 for each in border}
        return {cell: float(1 / (1 + np.exp(-odd))) for cell, odd in joint.items()}

    def _log_odds(self, cell: BorderCell) -> float:
        features = border_features(cell)
        found = self.intercept + float(np.dot(self.coefficients, features))
        if np.isnan(found):
            found = self.bare_intercept + self.bare_coefficient * float(features[-1])
        return found


def border_features(cell: BorderCell) -> Floats:
    """Of a cell log(1 + distance), log(1 + usual) and the log-odds of bare table, (3,)."""
    bare = min(max(cell.bare, 0.01), 0.99)
    return np.array([np.log1p(cell.distance), np.log1p(cell.usual), np.log(bare / (1 - bare))])


@dataclass(frozen=True, eq=False)
class DoubtModel:
    """Boosted trees (Friedman, Greedy function approximation, 2001), fitted with scikit-learn.

    As arrays over all their nodes, (nodes,), and the first node of each, (trees,).

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


_WEIGHT, _BIAS = "head.weight", "head.bias"


@dataclass(frozen=True, eq=False)
class Head(StoredHead):
    """The last layer of the network of squares; ``network`` is the SHA-256 of its file."""

    outputs: ClassVar[int] = len(OUTPUTS)

    @classmethod
    def of(cls, model: bytes) -> Head:
        """The last layer of an ONNX file of the network of squares."""
        return cls(read_tensor(model, _WEIGHT), read_tensor(model, _BIAS), _digest(model))

    def put_into(self, model: bytes) -> bytes:
        """The network with this last layer. HeadError ``other_network`` for another one."""
        if _digest(model) != self.network:
            raise HeadError("other_network")
        return with_tensors(model, {_WEIGHT: self.weight, _BIAS: self.bias})


def _digest(model: bytes) -> str:
    return hashlib.sha256(model).hexdigest()


def features_of(model: bytes, patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What goes into the last layer, (n, features), for patches (n, 64, 64, 3).

    The network has one output only: a last layer that hands some features through shows them, a
    few at a time.
    """
    head = Head.of(model)
    outputs, features = head.weight.shape
    if not len(patches):
        return np.zeros((0, features), np.float32)
    shown = []
    for first in range(0, features, outputs):
        weight = np.zeros_like(head.weight)
        for row in range(min(outputs, features - first)):
            weight[row, first + row] = 1
        window = Head(weight, np.zeros_like(head.bias), head.network)
        found = raw_outputs(Network(window.put_into(model)), patches)
        shown.append(found[:, : features - first])
    return np.asarray(np.concatenate(shown, 1), np.float32)


OWN_HEAD = "KINGDOMINO_OWN_HEAD"
"""The environment variable that names the file of a last layer refitted for this user."""


def named_head() -> Head | None:
    """The last layer that the environment names, None where it names none.

    One that can't be used any more, because the shipped weights are others now, is left out.
    """
    return head_named_by(OWN_HEAD, _load_head)


def _load_head(path: Path) -> Head:
    head = Head.load(path)
    head.put_into((shipped_weights() / "squares.onnx").read_bytes())
    return head


@dataclass(frozen=True)
class Weights:
    """The locator, the classifier of squares, and what tells mirrored ones, where it is there.

    ``quick`` is the locator in 8 bits, where that is there; ``border`` tells whether a kingdom
    goes on beyond the picture, ``doubt`` how likely what is said of a cell is right.
    """

    locator: Network
    classifier: SquareClassifier
    mirror: Network | None = None
    quick: Network | None = None
    border: BorderModel = field(default_factory=lambda: load_border(shipped_weights()))
    doubt: DoubtModel = field(default_factory=lambda: load_doubt(shipped_weights()))

    @classmethod
    def load(cls, folder: Path | None = None, head: Head | None = None) -> Weights:
        """Load the weights of a folder, by default the shipped ones.

        The folder has ``locator.onnx``, ``squares.onnx`` and ``squares.json``, and may have the
        weights in 8 bits, ``locator.int8.onnx`` and ``squares.int8.onnx``, a ``border.json`` and a
        ``doubt.npz`` of its own, and ``mirrored.onnx``, without which no kingdom is called
        mirrored. ``head`` takes the place of the last layer of the squares, which then run in full
        precision. FileNotFoundError if one of the first is missing, HeadError for a head of other
        weights.
        """
        folder = folder or shipped_weights()
        calibration = json.loads((folder / "squares.json").read_text(encoding="utf-8"))
        if head is None:
            squares = _network(folder, "squares", ".int8", shares_batches=True)
        else:
            own = head.put_into((folder / "squares.onnx").read_bytes())
            squares = Network(own, shares_batches=True)
        classifier = SquareClassifier(squares, calibration["temperature"])
        mirror = None
        if (folder / "mirrored.onnx").is_file():
            mirror = _network(folder, "mirrored", shares_batches=True)
        quick = _network(folder, "locator", ".int8")
        return cls(
            _network(folder, "locator"),
            classifier,
            mirror,
            quick,
            load_border(folder),
            load_doubt(folder),
        )

    @property
    def quick_locator(self) -> Network | None:
        """The locator in 8 bits; None where it is not there, or can't be run."""
        return self.quick if self.quick and self.quick.runs_in_8_bits else None


def load_border(folder: Path) -> BorderModel:
    """What tells whether a kingdom goes on beyond the picture, from ``border.json``."""
    plain = json.loads(fitted_file(folder, "border.json").read_text(encoding="utf-8"))
    return BorderModel(**{**plain, "coefficients": tuple(plain["coefficients"])})


def load_doubt(folder: Path) -> DoubtModel:
    """What tells how far a reading is to be doubted, from ``doubt.npz``."""
    return DoubtModel.load(fitted_file(folder, "doubt.npz"))


def _network(
    folder: Path, name: str, smaller: str = "", *, shares_batches: bool = False
) -> Network:
    """A network of a folder, run in its ``smaller`` weights if they are there."""
    other = folder / f"{name}{smaller}.onnx"
    int8 = other.read_bytes() if smaller and other.is_file() else None
    weights = (folder / f"{name}.onnx").read_bytes()
    return Network(weights, int8=int8, shares_batches=shares_batches)
