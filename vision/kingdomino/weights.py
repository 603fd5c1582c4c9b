"""The networks of the Kingdomino reader, loaded from a folder of weights, and a last layer of one's
own.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from vision.common.network import (
    HeadError,
    Network,
    StoredHead,
    fitted_file,
    head_named_by,
    read_tensor,
    shipped_weights,
    with_tensors,
)
from vision.kingdomino.detect.grid import SquareClassifier, raw_outputs
from vision.kingdomino.judge.border import BorderModel
from vision.kingdomino.judge.doubt import DoubtModel
from vision.kingdomino.labels import OUTPUTS

Floats = NDArray[np.float32]
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


def features_of(model: bytes, patches: NDArray[np.uint8]) -> Floats:
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
