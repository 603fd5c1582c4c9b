"""Squares that Age of Giants has with two crowns where the box has one at most.

The classifier knows no wheat, forest or lake with two crowns: it takes them for one crown, and is
sure of it. With the expansion on the table such squares are flagged where the other half of their
domino lies beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Position
from vision.kingdomino.result import SquareReading

__all__ = ["flag_two_crowns"]

_IN_THE_BOX = {str(half) for d in BASE_DOMINOES for half in (d.left, d.right)}
_PAIRS = [(str(d.left), str(d.right)) for d in GIANT_DOMINOES]
# By what a square is taken for: what it may be, and the other half that it then has.
_MAY_BE = {
    f"{square[0]}{int(square[1]) - 1}": (square, other)
    for pair in _PAIRS
    for square, other in (pair, pair[::-1])
    if square not in _IN_THE_BOX
}


def flag_two_crowns(squares: Mapping[Position, SquareReading]) -> dict[Position, SquareReading]:
    """The squares with those flagged that may have two crowns; that is their other reading."""
    flagged = dict(squares)
    for (r, c), square in squares.items():
        may_be, other = _MAY_BE.get(square.label, ("", ""))
        beside = ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c))
        if may_be and any(cell in squares and squares[cell].label == other for cell in beside):
            flagged[r, c] = replace(square, runner_up=may_be, doubtful=True)
    return flagged
