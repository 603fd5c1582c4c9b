"""The labels of squares and their probabilities, and what of them makes a kingdom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

EMPTY = "."
# A foreign square: a tile of another game.
FOREIGN = "x"
LABELS = (
    EMPTY, "c", "w", "w1", "f", "f1", "l", "l1", "g", "g1", "g2",
    "s", "s1", "s2", "m", "m1", "m2", "m3", "w2", "f2", "l2", FOREIGN,
)  # fmt: skip
# What only Age of Giants has, each with the label of one crown less.
ONE_CROWN = {"w2": "w1", "f2": "f1", "l2": "l1"}
CASTLE_COLOURS = ("pink", "yellow", "green", "blue", "brown")
# The outputs of the network: the labels, with one castle for each colour at the end.
OUTPUTS = (
    *(label for label in LABELS if label != "c"),
    *(f"c:{colour}" for colour in CASTLE_COLOURS),
)


Floats = NDArray[np.float64]

EMPTY_AT = LABELS.index(EMPTY)
CASTLE_AT = LABELS.index("c")
FOREIGN_AT = LABELS.index(FOREIGN)
# Of the labels that only Age of Giants has, and of the same terrains with one crown.
TWO_CROWNS_AT = [LABELS.index(label) for label in ONE_CROWN]
_ONE_CROWN_AT = [LABELS.index(label) for label in ONE_CROWN.values()]
# More likely than not.
LIKELY = 0.5
# The squares of a domino, and the least that a kingdom has: its castle and a domino.
DOMINO, MIN_SQUARES = 2, 3
# An empty cell more, and a kingdom of its size is not full.
MAX_HOLES = 4
# Of free cells the distance to the third nearest counts, as one or two may hold something.
NEIGHBOUR = 3
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


def merge_two_crowns(probabilities: Floats) -> Floats:
    """The probabilities (..., labels) where Age of Giants is not played.

    What only the expansion has, a terrain with two crowns, is added to the same with one.
    """
    merged = probabilities.astype(np.float64)
    merged[..., _ONE_CROWN_AT] += merged[..., TWO_CROWNS_AT]
    merged[..., TWO_CROWNS_AT] = 0.0
    return np.asarray(merged)


def most_probable(merged: Floats) -> str:
    """The label with the largest of the probabilities (labels,), foreign squares merged."""
    return LABELS[int(np.argmax(merged))]
