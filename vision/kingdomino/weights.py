"""The networks of the Kingdomino reader, loaded from a folder of weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from vision.common.network import Network, shipped_weights
from vision.kingdomino.classify.squares import SquareClassifier

__all__ = ["Weights"]


@dataclass(frozen=True)
class Weights:
    """The locator and the classifier of squares."""

    locator: Network
    classifier: SquareClassifier

    @classmethod
    def load(cls, folder: Path | None = None) -> Weights:
        """Load the weights of a folder, by default the shipped ones.

        The folder has ``locator.onnx``, ``squares.onnx`` and ``squares.json``, and may have
        weights in 8 bits, named ``squares.int8.onnx``. FileNotFoundError if
        one of the first is missing.
        """
        folder = folder or shipped_weights()
        calibration = json.loads((folder / "squares.json").read_text(encoding="utf-8"))
        smaller = folder / "squares.int8.onnx"
        int8 = smaller.read_bytes() if smaller.is_file() else None
        network = Network((folder / "squares.onnx").read_bytes(), int8=int8)
        classifier = SquareClassifier(network, calibration["temperature"])
        return cls(Network((folder / "locator.onnx").read_bytes()), classifier)
