"""What lies on a square: terrain and crowns, a castle, no square, or one of another game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network
from vision.common.rectify import PATCH_PX
from vision.common.resized import resized_patches
from vision.kingdomino.labels import CASTLE_COLOURS, LABELS, OUTPUTS
from vision.kingdomino.probabilities import merge_foreign, merge_two_crowns
from vision.kingdomino.result import SquareReading

__all__ = ["SquareClassifier", "patches_of", "plain_reading", "raw_outputs", "read_squares"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# A square below this probability is classified again in all four orientations.
SURE = 0.95
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
        found = self._softmax(logits)
        unsure = np.flatnonzero(found.max(1) < SURE)
        if len(unsure):
            turned = [np.rot90(patches[unsure], k, (1, 2)) for k in (1, 2, 3)]
            turns = raw_outputs(self._network, np.concatenate(turned)).reshape(3, len(unsure), -1)
            found[unsure] = self._softmax((logits[unsure] + turns.sum(0)) / 4)
        castles = found[:, _CASTLES]
        whole = castles.sum(1, keepdims=True)
        labels = np.insert(found[:, : _CASTLES.start], LABELS.index("c"), whole[:, 0], axis=1)
        return labels, castles / np.maximum(whole, 1e-12)

    def _softmax(self, logits: Floats) -> Floats:
        scaled = logits / self._temperature
        powers = np.exp(scaled - scaled.max(1, keepdims=True))
        return np.asarray(powers / powers.sum(1, keepdims=True))


def raw_outputs(network: Network, patches: NDArray[np.uint8]) -> Floats:
    """What the network says of patches (n, 64, 64, 3): logits (n, outputs) in order of OUTPUTS."""
    parts = []
    for at in range(0, len(patches), BATCH):
        batch = patches[at : at + BATCH].transpose(0, 3, 1, 2).astype(np.float32) / 255 - 0.5
        parts.append(network(np.ascontiguousarray(batch)))
    return np.concatenate(parts).astype(np.float64)


def read_squares(
    classifier: SquareClassifier, images: Sequence[Image], *, giants: bool = False
) -> list[SquareReading]:
    """Read single squares, those that only Age of Giants has with ``giants`` alone.

    ``images`` are RGB, uint8, shape (h, w, 3), of any size, each filled by one square. Each
    gets its ``label`` in notation ("." for no square of the game), its probability and the
    runner-up. ValueError for an array of another kind.
    """
    probabilities, _ = classifier.probabilities(patches_of(images))
    return [plain_reading(row, giants=giants) for row in probabilities]


def patches_of(images: Sequence[Image]) -> NDArray[np.uint8]:
    """Pictures of single squares as patches (n, 64, 64, 3). ValueError as of ``read_squares``."""
    return resized_patches(images, PATCH_PX)


def plain_reading(probabilities: Floats, *, giants: bool = False) -> SquareReading:
    """The most probable label of a square; a square of another game is no square of this one.

    Without ``giants`` those that only Age of Giants has are taken for the same with one crown.
    """
    merged = merge_foreign(probabilities)
    if not giants:
        merged = merge_two_crowns(merged)
    first, second = np.argsort(-merged, kind="stable")[:2]
    return SquareReading(LABELS[first], float(min(merged[first], 1.0)), runner_up=LABELS[second])
