"""All that was learned: the networks, the fitted models, and a last layer of one's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
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
from vision.kingdomino import result
from vision.kingdomino.result import CASTLE_COLOURS, LABELS, OUTPUTS, Floats

BATCH = 64
# What a network gives less than this is read in all orientations, and by the second one.
LEFT_OPEN = 0.99
# Of the outputs those of castles, one for each colour.
CASTLES = slice(len(OUTPUTS) - len(CASTLE_COLOURS), len(OUTPUTS))


@dataclass(frozen=True, eq=False)
class SquareClassifier:
    """The network of squares; the temperature, fitted on unseen sessions, divides its logits.

    A ``second`` one, trained on other pictures, is asked as well about what the first leaves open.
    """

    network: Network
    temperature: float
    second: Network | None = None

    def probabilities(self, patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """What squares are, for patches (n, 64, 64, 3).

        Probabilities (n, labels) in the order of ``LABELS``, and of each castle's colour, if it
        is one, (n, colours) in the order of ``CASTLE_COLOURS``.
        """
        found = softmax(raw_outputs(self.network, patches) / self.temperature)
        is_open = found.max(1) < LEFT_OPEN
        asked = [each for each in (self.network, self.second) if each]
        logits = np.mean([mean_outputs(each, patches[is_open]) for each in asked], axis=0)
        found[is_open] = softmax(logits / self.temperature)
        castles = found[:, CASTLES]
        whole = castles.sum(1, keepdims=True)
        labels = np.insert(found[:, : CASTLES.start], result.CASTLE_AT, whole[:, 0], axis=1)
        return labels, castles / np.maximum(whole, 1e-12)


def raw_outputs(network: Network, patches: NDArray[np.uint8]) -> Floats:
    """What the network says of patches (n, 64, 64, 3): logits (n, outputs) in order of OUTPUTS."""
    parts = (network(as_planes(patches[at : at + BATCH])) for at in range(0, len(patches), BATCH))
    return np.concatenate([np.zeros((0, len(OUTPUTS))), *parts])


def in_all_turns(patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Patches (n, 64, 64, 3) in the four orientations, one after another: (4 n, 64, 64, 3)."""
    return np.concatenate([np.rot90(patches, turns, (1, 2)) for turns in range(4)])


def mean_outputs(network: Network, patches: NDArray[np.uint8]) -> Floats:
    """The mean logits (n, outputs) of patches (n, 64, 64, 3) in all orientations."""
    found = raw_outputs(network, in_all_turns(patches))
    return np.asarray(found.reshape(4, -1, len(OUTPUTS)).mean(0))


class BorderCell(NamedTuple):
    """A cell a ``step`` (rows, columns) from a kingdom that the picture shows too little of.

    ``distance`` is how far the colour of what it shows is from that of the third nearest free cell
    of the table, in CIE L*a*b*, ``usual`` the same of free cells, NaN where too little is seen.
    ``bare`` is the probability of bare table by the locator.
    """

    cell: Position
    step: Position
    distance: float
    usual: float
    bare: float


@dataclass(frozen=True)
class BorderModel:
    """Logistic regressions that tell whether a square of the kingdom lies on a cell.

    The first is of ``border_features``; the second, where the table around is not seen, of the
    log-odds of bare table alone. Fitted by ``python -m training.kingdomino.border``. From the
    probability ``bound`` on there may be a square.
    """

    coefficients: Sequence[float]
    intercept: float
    bare_coefficient: float
    bare_intercept: float
    bound: float

    @classmethod
    def load(cls, path: Path) -> BorderModel:
        """The model of a ``.json`` file."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def probabilities(self, border: Sequence[BorderCell]) -> dict[Position, float]:
        """That the kingdom goes on on each cell of which enough is seen, 0..1."""
        odds, found = {}, {}
        for each in border:
            *_, bare = features = border_features(each)
            odds[each] = self.intercept + float(np.dot(self.coefficients, features))
            if np.isnan(odds[each]):
                odds[each] = self.bare_intercept + self.bare_coefficient * float(bare)
        odds = {each: own for each, own in odds.items() if own == own}
        for each, own in odds.items():
            side = [odd for other, odd in odds.items() if other.step == each.step]
            # As the light is the same along a side, half of what tells are the other cells there.
            found[each.cell] = float(1 / (1 + np.exp(-(own + np.mean(side)) / 2)))
        return found


def border_features(cell: BorderCell) -> Floats:
    """Of a cell log(1 + distance), log(1 + usual) and the log-odds of bare table, (3,)."""
    bare = min(max(cell.bare, 0.01), 0.99)
    return np.array([np.log1p(cell.distance), np.log1p(cell.usual), np.log(bare / (1 - bare))])


TERRAINS = "wflgsm"
"""The letters of the terrains in the notation of labels."""
# Which labels are of which terrain, (labels, terrains).
_OF_TERRAIN = np.array([[float(label[0] == each) for each in TERRAINS] for label in LABELS])


@dataclass(frozen=True, eq=False)
class LightModel:
    """What the squares of a kingdom, which lie in the same light, tell of each other's terrains.

    Colours, a* and b* in CIE L*a*b*, of squares of one terrain are normally distributed about a
    mean of their own with the covariance ``within`` (terrains, 2, 2), in the order of ``TERRAINS``;
    these means about that of all squares with ``between`` (2, 2). As the network has seen the
    colours too, what they say counts by the exponent ``weight``, 0..1, and the less the more labels
    the network wavers between: what it does not recognise is covered, as a rule, and has the colour
    of what covers it. Fitted by ``python -m training.kingdomino.light``.
    """

    within: Floats
    between: Floats
    weight: float

    @classmethod
    def load(cls, path: Path) -> LightModel:
        """The model of a ``.json`` file."""
        plain = json.loads(path.read_text(encoding="utf-8"))
        return cls(np.array(plain["within"]), np.array(plain["between"]), plain["weight"])

    def probabilities(self, found: Floats, colours: Floats) -> Floats:
        """Those of ``LABELS`` (n, labels) for squares with these ``colours`` (n, 2).

        Each is compared with all others, which are of each terrain as probably as was ``found``.
        Terrains share what they had together; what is no terrain keeps its own. A normal
        distribution with a mean that is known by some examples (Gelman et al., Bayesian Data
        Analysis, 2013, section 3.5).
        """
        shares = found @ _OF_TERRAIN
        # Of the others so many are of each terrain, and their colours sum up to so much.
        count = shares.sum(0) - shares
        sums = shares.T @ colours - shares[..., None] * colours[:, None]
        usual, precision = np.linalg.inv(self.between), np.linalg.inv(self.within)
        spread = np.linalg.inv(usual + count[..., None, None] * precision)
        known = (precision @ sums[..., None])[..., 0] + usual @ colours.mean(0)
        off = colours[:, None] - (spread @ known[..., None])[..., 0]
        spread += self.within
        misfits = (off * np.linalg.solve(spread, off[..., None])[..., 0]).sum(-1)
        # As likely two draws by what was found agree (Simpson, Measurement of diversity, 1949).
        recognised = (found**2).sum(1)[:, None]
        logs = -self.weight * recognised / 2 * (misfits + np.linalg.slogdet(spread)[1])
        # However strange a colour is, terrains keep what they had together.
        factors = np.exp(np.maximum(logs - logs.max(1, keepdims=True), -50))
        whole, weighed = shares.sum(1), (shares * factors).sum(1)
        factors *= (whole / np.maximum(weighed, 1e-300))[:, None]
        return np.asarray(found * (factors @ _OF_TERRAIN.T + (1 - _OF_TERRAIN.sum(1))))


@dataclass(frozen=True, eq=False)
class DoubtModel:
    """Boosted trees (Friedman, Greedy function approximation, 2001), fitted with scikit-learn.

    The first node of each are the ``roots`` (trees,). A node (nodes,) asks whether ``feature`` is
    at most ``threshold``, and goes on to ``left`` or ``right``; what is not known goes left where
    ``unknown_left``. A leaf goes on to itself and adds ``value`` to the log-odds, which begin at
    ``baseline``. Below the probability ``bound`` a person looks.
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
            # A number comes as an array without axes.
            return cls(**{name: array[()] for name, array in arrays.items()})

    def probabilities(self, evidence: Floats) -> Floats:
        """That what is said of each cell is right, for evidence (..., features)."""
        rows = evidence.reshape(-1, evidence.shape[-1])
        at, before = np.tile(self.roots, (len(rows), 1)), np.array(-1)
        while (at != before).any():
            before, seen = at, np.take_along_axis(rows, self.feature[at], 1)
            goes_left = np.where(np.isnan(seen), self.unknown_left[at], seen <= self.threshold[at])
            at = np.where(goes_left, self.left[at], self.right[at])
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
        weight, bias = read_tensor(model, _WEIGHT), read_tensor(model, _BIAS)
        return cls(weight, bias, hashlib.sha256(model).hexdigest())

    def put_into(self, model: bytes) -> bytes:
        """The network with this last layer. HeadError ``other_network`` for another one."""
        if hashlib.sha256(model).hexdigest() != self.network:
            raise HeadError("other_network")
        return with_tensors(model, {_WEIGHT: self.weight, _BIAS: self.bias})


def features_of(model: bytes, patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What goes into the last layer, (n, features), for patches (n, 64, 64, 3)."""
    outputs, features = read_tensor(model, _WEIGHT).shape
    shown = []
    # A last layer that hands some features through shows them, a few at a time.
    for first in range(0, features, outputs):
        window = np.eye(outputs, features, first, np.float32)
        layer = {_WEIGHT: window, _BIAS: np.zeros(outputs, np.float32)}
        found = raw_outputs(Network(with_tensors(model, layer)), patches)
        shown.append(found[:, : features - first])
    return np.asarray(np.concatenate(shown, 1), np.float32)


OWN_HEAD = "KINGDOMINO_OWN_HEAD"
"""The environment variable that names the file of a last layer refitted for this user."""


def named_head() -> Head | None:
    """The last layer that the environment names; None without, or for one of other weights."""

    def load(path: Path) -> Head:
        head = Head.load(path)
        head.put_into((shipped_weights() / "squares.onnx").read_bytes())
        return head

    return head_named_by(OWN_HEAD, load)


@dataclass(frozen=True)
class Weights:
    """The locator, the classifier of squares, what tells mirrored ones, the locator in 8 bits.

    ``light`` has what squares tell of each other's terrains, ``border`` whether a kingdom goes on
    beyond the picture, ``doubt`` how likely what is said of a cell is right.
    """

    locator: Network
    classifier: SquareClassifier
    mirror: Network | None
    quick: Network | None
    light: LightModel
    border: BorderModel
    doubt: DoubtModel

    @classmethod
    def load(cls, folder: Path | None = None, head: Head | None = None) -> Weights:
        """Load the weights of a folder, by default the shipped ones.

        The folder has ``locator.onnx``, ``squares.onnx`` and ``squares.json``, FileNotFoundError
        without; and may have ``second_opinion.onnx``, without which one network reads all squares,
        each of the three in 8 bits too, as ``locator.int8.onnx``, a ``light.json``, ``border.json``
        and ``doubt.npz`` of its own, and ``mirrored.onnx``, without which no kingdom is called
        mirrored. ``head`` takes the place of the last layer of the squares, which then run in full
        precision and without a second opinion; HeadError for one of other weights.
        """
        at = folder or shipped_weights()
        locator, squares = ((at / f"{name}.onnx").read_bytes() for name in ("locator", "squares"))
        temperature = json.loads((at / "squares.json").read_text(encoding="utf-8"))["temperature"]
        names = "locator.int8", "squares.int8", "mirrored", "second_opinion", "second_opinion.int8"
        quick, small, mirrored, other, small_other = (
            path.read_bytes() if (path := at / f"{name}.onnx").is_file() else None for name in names
        )
        if head:
            squares, small, other = head.put_into(squares), None, None
        second = Network(other, int8=small_other, shares_batches=True) if other else None
        return cls(
            Network(locator),
            SquareClassifier(
                Network(squares, int8=small, shares_batches=True), temperature, second
            ),
            Network(mirrored, shares_batches=True) if mirrored else None,
            Network(locator, int8=quick),
            LightModel.load(fitted_file(at, "light.json")),
            BorderModel.load(fitted_file(at, "border.json")),
            DoubtModel.load(fitted_file(at, "doubt.npz")),
        )

    @property
    def quick_locator(self) -> Network | None:
        """The locator in 8 bits; None where it is not there, or can't be run."""
        return self.quick if self.quick and self.quick.runs_in_8_bits else None
