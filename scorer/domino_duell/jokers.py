"""The variant with jokers: which stones of the board may be taken for one."""

from __future__ import annotations

from scorer.domino_duell.board import NOTHING, Board
from scorer.domino_duell.errors import Reason

__all__ = ["joker_hollows", "why_joker_illegal"]

SURROUNDED = 18
"""Hollows within two steps of a hollow in the open board."""


def why_joker_illegal(position: Board, hollow: str) -> Reason | None:
    """Why a joker must not take the place of what lies on a hollow, None where it may.

    ``off_board``, ``no_stone_to_take`` (nothing lies there, or a joker) or ``too_near_border``:
    every hollow within two steps must exist and be occupied. Source: Domino-Duell, "Variante",
    "mindestens zwei Reihen".
    """
    index = position.shape.index.get(hollow)
    if index is None:
        return Reason.OFF_BOARD
    numbers = position.numbers
    if numbers[index] < 0:
        return Reason.NO_STONE_TO_TAKE
    near = position.shape.surroundings[index]
    if len(near) < SURROUNDED or any(numbers[each] == NOTHING for each in near):
        return Reason.TOO_NEAR_BORDER
    return None


def joker_hollows(position: Board) -> tuple[str, ...]:
    """The hollows whose stone may be taken for a joker."""
    return tuple(
        hollow for hollow in position.shape.hollows if why_joker_illegal(position, hollow) is None
    )
