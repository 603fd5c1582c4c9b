"""Calibrate the classifier.

``python -m training.kingdomino.calibrate DATA OUT.json WEIGHTS…``

One temperature divides all logits, so that probabilities match the share of right labels
(Guo et al., On Calibration of Modern Neural Networks, 2017). It is fitted over all parts of a
cross-validation, on squares of the sessions held out and on patches of newly composed scenes. The
shipped weights, trained on all sessions, use the same temperature.
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

from training.kingdomino.corpus import Corpus, held_out_sessions, read_rgb
from training.kingdomino.scenes.compose import compose
from training.kingdomino.scenes.kingdoms import SceneSettings
from training.kingdomino.scenes.patches import cut_patches
from training.kingdomino.tiles import load_tiles
from vision.common.network import Network
from vision.common.rectify import PATCH_PX
from vision.kingdomino.labels import OUTPUTS

__all__ = ["fit_temperature"]

Floats = NDArray[np.float64]


class _Network(ClassifierMixin, BaseEstimator):
    """The network for scikit-learn; its inputs are already the logits."""

    def fit(self, logits: Floats, labels: NDArray[np.int64]) -> _Network:
        self.classes_ = np.unique(labels)
        return self

    def decision_function(self, logits: Floats) -> Floats:
        return logits[:, self.classes_]

    def predict(self, logits: Floats) -> NDArray[np.int64]:
        return np.asarray(self.classes_[self.decision_function(logits).argmax(1)])


def fit_temperature(logits: Floats, labels: NDArray[np.int64]) -> float:
    """Fit the temperature to logits (n, outputs) and their true outputs (n,)."""
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


def _held_out(
    data: Path, weights: Path, sessions: frozenset[str], scenes: int, rng: np.random.Generator
) -> tuple[Floats, NDArray[np.int64]]:
    """Logits and true outputs of squares that the weights were not trained on.

    These are photographed squares of the held-out sessions and patches of newly composed scenes.
    """
    patches, labels = [], []
    for square in Corpus(data).squares():
        if square.session in sessions and square.label in OUTPUTS:
            picture = read_rgb(square.path)
            patches.append(np.asarray(cv2.resize(picture, (PATCH_PX, PATCH_PX)), np.uint8))
            labels.append(OUTPUTS.index(square.label))
    tiles = load_tiles(data, sessions, age_of_giants=True)
    settings = SceneSettings(size_px=448, square_px=(24.0, 110.0), empty_share=0.02)
    for _ in range(scenes):
        for patch, label in cut_patches(compose(tiles, settings, rng), rng):
            patches.append(patch)
            labels.append(OUTPUTS.index(label))
    return _logits(Network(weights.read_bytes()), patches), np.array(labels)


def main() -> None:
    """Fit one temperature over all parts and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path, help="squares.json")
    parser.add_argument(
        "weights",
        type=Path,
        nargs="+",
        help="squares.onnx of each training of a cross-validation: the k-th of n held part k/n out",
    )
    parser.add_argument("--scenes", type=int, default=60, help="scenes for each part")
    parser.add_argument("--seed", type=int, default=99)
    chosen = parser.parse_args()
    if len(chosen.weights) < 2:
        parser.error("give the weights of two trainings at least, each with another part left out")
    rng = np.random.default_rng(chosen.seed)
    parts = []
    for fold, weights in enumerate(chosen.weights):
        sessions = held_out_sessions(chosen.data, fold, len(chosen.weights))
        parts.append(_held_out(chosen.data, weights, sessions, chosen.scenes, rng))
        print(f"{weights}: temperature {fit_temperature(*parts[-1]):.4f} alone")
    logits, labels = (np.concatenate(both) for both in zip(*parts, strict=True))
    temperature = fit_temperature(logits, labels)
    chosen.out.write_text(json.dumps({"temperature": round(temperature, 4)}) + "\n", "utf-8")
    print(f"{len(labels)} squares, temperature {temperature:.4f}, written to {chosen.out.name}")


if __name__ == "__main__":
    main()
