"""The labels of the classifier of squares."""

from __future__ import annotations

__all__ = ["CASTLE_COLOURS", "EMPTY", "FOREIGN", "LABELS", "ONE_CROWN", "OUTPUTS"]

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
