"""What a doubtful square may be besides what was read on it."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.kingdomino import NotationError, Position, Square
from vision.kingdomino.labels import EMPTY, FOREIGN, LABELS, ONE_CROWN, merge_foreign
from vision.kingdomino.result import KingdomReading, SquareReading


@dataclass(frozen=True)
class AlternativeSettings:
    """A label of ``min_probability`` or more may lie on a doubtful square."""

    min_probability: float = 0.02


def alternatives(
    reading: KingdomReading, settings: AlternativeSettings | None = None
) -> dict[Position, tuple[Square, ...]]:
    """Other squares that may lie on each doubtful one, the most likely first.

    They are the runner-up, what was seen where the box chose otherwise, and every label of some
    probability. What lies under something or beyond the edge of the picture may be any square of
    the base game; what is loose may be none of the kingdom.
    """
    settings = settings or AlternativeSettings()
    return {
        (row, column): _others(reading, (row, column), settings) for row, column in reading.doubtful
    }


ANY_SQUARE = tuple(
    Square.parse(label) for label in LABELS if label not in (FOREIGN, "c", *ONE_CROWN)
)
"""What may lie where nothing is known: any square of the base game, or none."""


def _others(
    reading: KingdomReading, position: Position, settings: AlternativeSettings
) -> tuple[Square, ...]:
    read: SquareReading = reading.squares[position[0]][position[1]]
    labels: list[str | None] = [read.runner_up, read.settled_from]
    if read.reason == "loose":
        labels.append(EMPTY)
    if reading.probabilities is not None:
        seen = merge_foreign(reading.probabilities[position])
        order = sorted(range(len(LABELS)), key=lambda k: -seen[k])
        labels += [LABELS[k] for k in order if seen[k] >= settings.min_probability]
    if read.reason in ("hidden", "cut_off"):
        labels += map(str, ANY_SQUARE)
    return tuple(
        square
        for label in dict.fromkeys(labels)
        if label != read.label and (square := _square(label)) is not None
    )


def _square(label: str | None) -> Square | None:
    """The square of a label; None for a label outside of the notation."""
    try:
        return None if label is None else Square.parse(label)
    except NotationError:
        return None
