"""Calibrate: ``python -m training.domino_duell.calibrate FOLDER``.

One temperature divides all logits (Guo et al., On Calibration of Modern Neural Networks, 2017). It
is fitted on drawn boards of a seed that the training has not seen, in harsher light than it has
seen, to what lies in the hollows as a whole: all heads together.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from scorer.domino_duell import STONES
from training.domino_duell.boards import HARSH, board_patches
from vision.common.network import Network
from vision.domino_duell.classify import combine
from vision.domino_duell.weights import NOTHING, STONE, Weights

__all__ = ["columns_of", "fitted_temperature"]

REST = (len(STONES), len(STONES) + 1, -1, len(STONES) + 2)
"""The column of ``classify.Contents`` for each of ``labels.CONTENTS`` but a stone."""
LEAST = 1e-12


def columns_of(truth: NDArray[np.int64]) -> NDArray[np.int64]:
    """The true column (n,) of the contents for truths (n, 4) of the heads."""
    stones = 16 * truth[:, 1] + 4 * truth[:, 2] + truth[:, 3]
    return np.where(truth[:, 0] == STONE, stones, np.array(REST)[truth[:, 0]])


def fitted_temperature(logits: NDArray[np.float64], columns: NDArray[np.int64]) -> float:
    """The temperature with which the true contents are most probable."""

    def loss(temperature: float) -> float:
        found = combine(logits / temperature)[np.arange(len(columns)), columns]
        return float(-np.log(np.maximum(found, LEAST)).mean())

    return float(minimize_scalar(loss, bounds=(0.2, 3.0), method="bounded").x)


def main() -> None:
    """Fit the temperature and write it as JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path, help="with both networks; domino_duell.json is made")
    options.add_argument("--boards", type=int, default=60)
    options.add_argument("--seed", type=int, default=77)
    chosen = options.parse_args()
    patch = Network((chosen.folder / "domino_duell.onnx").read_bytes())
    board = Network((chosen.folder / "domino_duell_board.onnx").read_bytes())
    weights = Weights(patch, board)
    found, truths = [], []
    for index in range(chosen.boards):
        patches, truth, places = board_patches(chosen.seed, index, HARSH)
        hollows = truth[:, 0] != NOTHING
        found.append(weights.board_views(patches[hollows], places[hollows]).mean(0))
        truths.append(columns_of(truth[hollows]))
    columns = np.concatenate(truths)
    temperature = fitted_temperature(np.concatenate(found), columns)
    out = chosen.folder / "domino_duell.json"
    out.write_text(json.dumps({"temperature": round(temperature, 4)}) + "\n", "utf-8")
    print(f"{len(columns)} hollows, temperature {temperature:.4f}, written to {out.name}")


if __name__ == "__main__":
    main()
