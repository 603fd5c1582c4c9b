"""The networks of the Kingdomino reader, loaded from a folder of weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from vision.common.network import Network, shipped_weights
from vision.common.stored_head import head_named_by
from vision.kingdomino.classify.head import Head
from vision.kingdomino.classify.squares import SquareClassifier

__all__ = ["OWN_HEAD", "Weights", "named_head"]

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

    ``quick`` is the locator in 8 bits, where that is there.
    """

    locator: Network
    classifier: SquareClassifier
    mirror: Network | None = None
    quick: Network | None = None

    @classmethod
    def load(cls, folder: Path | None = None, head: Head | None = None) -> Weights:
        """Load the weights of a folder, by default the shipped ones.

        The folder has ``locator.onnx``, ``squares.onnx`` and ``squares.json``, and may have the
        weights in 8 bits, ``locator.int8.onnx`` and ``squares.int8.onnx``, and ``mirrored.onnx``,
        without which no kingdom is called mirrored. ``head`` takes the place of the last layer of
        the squares, which then run in full precision. FileNotFoundError if one of the first is
        missing, HeadError for a head of other weights.
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
        return cls(_network(folder, "locator"), classifier, mirror, quick)

    @property
    def quick_locator(self) -> Network | None:
        """The locator in 8 bits; None where it is not there, or can't be run."""
        return self.quick if self.quick and self.quick.runs_in_8_bits else None


def _network(
    folder: Path, name: str, smaller: str = "", *, shares_batches: bool = False
) -> Network:
    """A network of a folder, run in its ``smaller`` weights if they are there."""
    other = folder / f"{name}{smaller}.onnx"
    int8 = other.read_bytes() if smaller and other.is_file() else None
    weights = (folder / f"{name}.onnx").read_bytes()
    return Network(weights, int8=int8, shares_batches=shares_batches)
