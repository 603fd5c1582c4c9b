"""What lies in each hollow, as probabilities."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import STONES
from vision.common.network import load_network, model_file
from vision.domino_duell.labels import HEADS, NOTHING, STONE
from vision.domino_duell.patches import cut_patches

__all__ = ["Contents", "classify", "combined", "nothing_of", "temperature"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

NETWORK = "domino_duell"
BATCH = 128

Contents = Floats
"""Probabilities (n, 67): the 64 stones by number, then empty, joker and no hollow."""


@cache
def temperature() -> float:
    """What divides all logits, so that the probabilities are as often right as they say."""
    return float(json.loads(model_file(f"{NETWORK}.json"))["temperature"])


def classify(rgb: Image, homography: Floats, places: Floats) -> Contents:
    """What lies at places (n, 2) of the lattice, which ``homography`` maps to ``rgb`` (h, w, 3)."""
    return combined(logits_of(cut_patches(rgb, homography, places)) / temperature())


def nothing_of(rgb: Image, homography: Floats, places: Floats) -> Floats:
    """The probability (n,) that there is no hollow at places (n, 2) of the lattice."""
    return classify(rgb, homography, places)[:, -1]


def logits_of(patches: Image) -> Floats:
    """The outputs (n, 16) for patches (n, 32, 32, 3), see ``labels.HEADS``."""
    network = load_network(NETWORK)
    found = []
    for at in range(0, len(patches), BATCH):
        batch = patches[at : at + BATCH].transpose(0, 3, 1, 2).astype(np.float32)
        found.append(network(np.ascontiguousarray(batch / 255 - 0.5, np.float32)))
    return np.concatenate(found).astype(np.float64)


def combined(logits: Floats) -> Contents:
    """The probabilities of all contents from the heads, taken as independent."""
    content, colour, symbol, ink = (_softmax(logits[:, head]) for head in HEADS)
    stones: Floats = np.einsum("n,ni,nj,nk->nijk", content[:, STONE], colour, symbol, ink)
    rest = content[:, [0, 1, NOTHING]]
    return np.concatenate([stones.reshape(len(logits), len(STONES)), rest], axis=1)


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))
