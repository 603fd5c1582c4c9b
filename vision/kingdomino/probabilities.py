"""Probabilities of the labels: merge foreign squares, find the most probable label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.labels import EMPTY, FOREIGN, LABELS

__all__ = ["BARE", "EMPTY_AT", "FOREIGN_AT", "merge_foreign", "most_probable"]

Floats = NDArray[np.float64]

EMPTY_AT = LABELS.index(EMPTY)
FOREIGN_AT = LABELS.index(FOREIGN)
BARE: Floats = np.array([float(label == EMPTY) for label in LABELS])
"""The probabilities of a cell without any evidence of a square."""


def merge_foreign(probabilities: Floats) -> Floats:
    """The probabilities (..., labels) with that of foreign squares added to that of "no square".

    A foreign square never scores, so for every later step it is no square.
    """
    merged = probabilities.astype(np.float64)
    merged[..., EMPTY_AT] += merged[..., FOREIGN_AT]
    merged[..., FOREIGN_AT] = 0.0
    return np.asarray(merged)


def most_probable(merged: Floats) -> str:
    """The label with the largest of the probabilities (labels,), foreign squares merged."""
    return LABELS[int(np.argmax(merged))]
