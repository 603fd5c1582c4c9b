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

        The folder has ``locator.onnx``, ``squares.onnx`` and ``squares.json``, and may have the
        weights in 8 bits, ``locator.int8.onnx`` and ``squares.int8.onnx``. FileNotFoundError if
        one of the first is missing.
        """
        folder = folder or shipped_weights()
        calibration = json.loads((folder / "squares.json").read_text(encoding="utf-8"))
        classifier = SquareClassifier(_network(folder, "squares"), calibration["temperature"])
        return cls(_network(folder, "locator"), classifier)


def _network(folder: Path, name: str) -> Network:
    smaller = folder / f"{name}.int8.onnx"
    int8 = smaller.read_bytes() if smaller.is_file() else None
    return Network((folder / f"{name}.onnx").read_bytes(), int8=int8)
