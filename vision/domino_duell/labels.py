"""What the classifier tells of a hollow: what lies in it, and the three features of a stone."""

from __future__ import annotations

from scorer.domino_duell import JOKER, Piece, Stone

__all__ = ["CONTENTS", "EMPTY", "HEADS", "JOKER_LYING", "NOTHING", "OUTPUTS", "STONE", "truth_of"]

CONTENTS = ("empty", "joker", "stone", "nothing")
"""An empty hollow, a joker, a stone, or no hollow at all."""
EMPTY, JOKER_LYING, STONE, NOTHING = range(4)

HEADS = (slice(0, 4), slice(4, 8), slice(8, 12), slice(12, 16))
"""Where in the outputs: contents, colour, symbol, colour of the symbol."""
OUTPUTS = 16


def truth_of(piece: Piece | None) -> tuple[int, int, int, int]:
    """The right output of each head for what lies in a hollow; -1 where a head has none."""
    if isinstance(piece, Stone):
        colour, symbol, ink = (feature.number for feature in piece.features)
        return STONE, colour, symbol, ink
    return (JOKER_LYING if piece is JOKER else EMPTY), -1, -1, -1
