"""The labels that the classifier of squares tells apart."""

from __future__ import annotations

__all__ = ["EMPTY", "FOREIGN", "LABELS"]

EMPTY = "."
# A square of another game: a tile where a tile may lie, but none of the box.
FOREIGN = "x"
LABELS = (
    EMPTY, "c", "w", "w1", "f", "f1", "l", "l1", "g", "g1", "g2",
    "s", "s1", "s2", "m", "m1", "m2", "m3", FOREIGN,
)  # fmt: skip
