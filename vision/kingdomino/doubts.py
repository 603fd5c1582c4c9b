"""Where much of a kingdom is in doubt, the rest of it deserves less trust."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.kingdomino.choose import count_squares
from vision.kingdomino.labels import EMPTY
from vision.kingdomino.result import KingdomReading, SquareReading
from vision.kingdomino.warn import POOR_LIGHT

__all__ = ["DoubtSettings", "doubt_rest"]


@dataclass(frozen=True)
class DoubtSettings:
    """How many doubts make others.

    From ``min_doubts`` flagged squares on, and a share of ``doubtful_share`` of all, a square needs
    the probability ``sure`` to go without a flag. In poor light, where there are
    ``mostly_doubtful`` times as many flags as squares, hidden and empty cells included, nothing
    goes without one. None of 128 pictures of real kingdoms has a flag
    more by this.
    """

    min_doubts: int = 5
    doubtful_share: float = 0.2
    sure: float = 0.995
    mostly_doubtful: float = 0.5


def doubt_rest(reading: KingdomReading, settings: DoubtSettings) -> KingdomReading:
    """The reading with more squares flagged where many are."""
    count = count_squares(reading)
    doubts = sum(s.doubtful and s.label != EMPTY for row in reading.squares for s in row)
    reason = next((code for code in POOR_LIGHT if code in reading.warnings), None)
    least = 0.0
    if doubts >= max(settings.min_doubts, settings.doubtful_share * count):
        least = settings.sure
    is_mostly_doubtful = (
        reason is not None and len(reading.doubtful) >= settings.mostly_doubtful * count
    )
    if not least and not is_mostly_doubtful:
        return reading

    def doubted(square: SquareReading) -> SquareReading:
        is_unsure = square.label != EMPTY and square.probability < least
        if square.doubtful or not (is_mostly_doubtful or is_unsure):
            return square
        return replace(square, doubtful=True, reason=reason or "many_doubts")

    rows = tuple(tuple(doubted(square) for square in row) for row in reading.squares)
    return replace(reading, squares=rows)
