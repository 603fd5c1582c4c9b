"""What lies in each hollow, as probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import STONES
from vision.domino_duell.labels import HEADS, NOTHING, STONE
from vision.domino_duell.patches import cut_patches
from vision.domino_duell.weights import Weights

__all__ = ["Contents", "combine", "nothing_at"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

Contents = Floats
"""Probabilities (n, 67): the 64 stones by number, then empty, joker and no hollow."""


def nothing_at(rgb: Image, homography: Floats, places: Floats, weights: Weights) -> Floats:
    """The probability (n,) that no hollow is at places (n, 2) of the lattice.

    ``homography`` maps them to ``rgb`` (h, w, 3). Each place is judged by its patch alone.
    """
    logits = weights.patch_logits(cut_patches(rgb, homography, places))
    return _softmax(logits[:, HEADS[0]])[:, NOTHING]


def combine(logits: Floats) -> Contents:
    """The probabilities of all contents from the heads, taken as independent."""
    content, colour, symbol, ink = (_softmax(logits[:, head]) for head in HEADS)
    stones: Floats = np.einsum("n,ni,nj,nk->nijk", content[:, STONE], colour, symbol, ink)
    rest = content[:, [0, 1, NOTHING]]
    return np.concatenate([stones.reshape(len(logits), len(STONES)), rest], axis=1)


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))
