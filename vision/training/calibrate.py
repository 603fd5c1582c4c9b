"""Calibrate the classifier: ``python -m vision.training.calibrate DATA models/squares.onnx``.

One temperature divides all logits, so that probabilities are as often right as they say
(Guo et al., On Calibration of Modern Neural Networks, 2017). It is fitted on squares of sessions
that the training left out, and on patches of scenes drawn anew.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator

from vision.labels import OUTPUTS
from vision.network import Network
from vision.rectify import PATCH_PX
from vision.training.corpus import Corpus, held_out_sessions, read_rgb
from vision.training.patches import scene_patches
from vision.training.scenes import compose
from vision.training.tiles import load_tiles
from vision.training.tileset import SceneSettings

__all__ = ["fitted_temperature"]

Floats = NDArray[np.float64]


class _Network(ClassifierMixin, BaseEstimator):
    """The network for scikit-learn: its inputs are the logits themselves."""

    def fit(self, logits: Floats, labels: NDArray[np.int64]) -> _Network:
        self.classes_ = np.unique(labels)
        return self

    def decision_function(self, logits: Floats) -> Floats:
        return logits[:, self.classes_]

    def predict(self, logits: Floats) -> NDArray[np.int64]:
        return np.asarray(self.classes_[self.decision_function(logits).argmax(1)])


def fitted_temperature(logits: Floats, labels: NDArray[np.int64]) -> float:
    """The temperature for logits (n, outputs) and their true outputs (n,)."""
    network = FrozenEstimator(_Network().fit(logits, labels))
    calibrated: Any = CalibratedClassifierCV(network, method="temperature").fit(logits, labels)
    (calibrator,) = calibrated.calibrated_classifiers_[0].calibrators
    return float(1 / calibrator.beta_)


def _logits(network: Network, patches: list[NDArray[np.uint8]]) -> Floats:
    found = []
    for at in range(0, len(patches), 64):
        batch = np.stack(patches[at : at + 64]).transpose(0, 3, 1, 2).astype(np.float32)
        found.append(network(np.ascontiguousarray(batch / 255 - 0.5, np.float32)))
    return np.concatenate(found).astype(np.float64)


def main() -> None:
    """Fit and write ``squares.json`` beside the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("weights", type=Path, help="squares.onnx")
    parser.add_argument("--hold-out", default="0/8", help="the part that the training left out")
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=99)
    chosen = parser.parse_args()
    fold, folds = map(int, chosen.hold_out.split("/"))
    sessions = held_out_sessions(chosen.data, fold, folds)
    network = Network(chosen.weights.read_bytes())
    patches, labels = [], []
    for square in Corpus(chosen.data).squares():
        if square.session in sessions and square.label in OUTPUTS:
            picture = read_rgb(square.path)
            patches.append(np.asarray(cv2.resize(picture, (PATCH_PX, PATCH_PX)), np.uint8))
            labels.append(OUTPUTS.index(square.label))
    rng = np.random.default_rng(chosen.seed)
    tiles = load_tiles(chosen.data, sessions)
    settings = SceneSettings(size_px=448, square_px=(24.0, 110.0), empty_share=0.02)
    for _ in range(chosen.scenes):
        for patch, label in scene_patches(compose(tiles, settings, rng), rng):
            patches.append(patch)
            labels.append(OUTPUTS.index(label))
    temperature = fitted_temperature(_logits(network, patches), np.array(labels))
    out = chosen.weights.with_suffix(".json")
    out.write_text(json.dumps({"temperature": round(temperature, 4)}) + "\n", encoding="utf-8")
    print(f"{len(labels)} squares, temperature {temperature:.4f}, written to {out.name}")


if __name__ == "__main__":
    main()
