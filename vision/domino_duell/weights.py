"""The classifier of hollows, loaded from a folder of weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network, shipped_weights

__all__ = ["Weights", "shipped"]

BATCH = 128


@dataclass(frozen=True)
class Weights:
    """The classifier and the ``temperature`` that divides all its logits.

    With it the probabilities are as often right as they say, on drawn pictures.
    """

    classifier: Network
    temperature: float = 1.0

    @classmethod
    def load(cls, folder: Path | None = None) -> Weights:
        """The weights of a folder, by default the shipped ones.

        The folder holds ``domino_duell.onnx`` and ``domino_duell.json``. FileNotFoundError where
        one of them is missing.
        """
        folder = folder or shipped_weights()
        calibration = json.loads((folder / "domino_duell.json").read_text(encoding="utf-8"))
        network = Network((folder / "domino_duell.onnx").read_bytes())
        return cls(network, float(calibration["temperature"]))

    def logits(self, patches: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The outputs (n, 16) for patches (n, 32, 32, 3), over the temperature."""
        found = []
        for at in range(0, len(patches), BATCH):
            batch = patches[at : at + BATCH].transpose(0, 3, 1, 2).astype(np.float32)
            found.append(self.classifier(np.ascontiguousarray(batch / 255 - 0.5, np.float32)))
        return np.concatenate(found).astype(np.float64) / self.temperature


@cache
def shipped() -> Weights:
    """The shipped weights, loaded once for the process."""
    return Weights.load()
