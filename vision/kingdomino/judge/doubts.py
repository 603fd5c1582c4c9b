"""Squares flagged once a kingdom is read: where much is in doubt, and where a half has no other
half.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from scorer.kingdomino import Kingdom, Position, Square
from vision.common.grids import beside, hang_together
from vision.kingdomino.judge.warn import POOR_LIGHT, sort_codes
from vision.kingdomino.kingdoms.choose import count_squares
from vision.kingdomino.labels import EMPTY
from vision.kingdomino.result import KingdomReading, SquareReading

__all__ = ["DoubtSettings", "MissingSettings", "doubt_rest", "flag_missing_halves"]


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


Squares = Mapping[Position, SquareReading]


@dataclass(frozen=True)
class MissingSettings:
    """Bounds of probabilities.

    A label below ``unlikely`` that settling chose was not seen at all; a flagged cell that is
    empty with less than ``sure_empty`` is half hidden.
    """

    unlikely: float = 0.1
    sure_empty: float = 0.9


def flag_missing_halves(reading: KingdomReading, settings: MissingSettings) -> KingdomReading:
    """The reading with the empty cells flagged that may hold a hidden square.

    That one is hidden is told by a square without its other half, or by one that settling took
    away or made something else for want of it, against all that was seen. Where nothing was known
    to be hidden, so that settling could not reckon with it, such squares are then taken as they
    were seen, with the probability that the box left to them; but a castle stays one, since each
    kingdom has one. What hides one cell
    may hide the empty cells that hang together with it as well.
    """
    squares = {(r, c): s for r, row in enumerate(reading.squares) for c, s in enumerate(row)}
    changed = {
        cell: square
        for cell, square in squares.items()
        if square.settled_from not in (None, EMPTY, "c")
        and square.label != "c"
        and square.probability < settings.unlikely
    }
    holes = [
        cell
        for cell, square in squares.items()
        if square.label == EMPTY and cell not in changed and _is_beside_a_half(cell, squares)
    ]
    known = any(square.reason == "hidden" for square in squares.values())
    hidden = {
        cell
        for cell, s in squares.items()
        if s.label == EMPTY
        and (s.reason == "hidden" or (s.doubtful and s.probability < settings.sure_empty))
    }
    if reading.unpaired or changed:
        hidden.update(holes)
    if reading.unpaired and not hidden:
        # What is hidden lies beyond the extent.
        return replace(reading, warnings=sort_codes({*reading.warnings, "hidden"}))
    if not hidden:
        return reading
    if holes and not known:
        for cell, square in changed.items():
            squares[cell] = replace(
                square,
                label=str(square.settled_from),
                runner_up=square.label,
                doubtful=True,
                settled_from=None,
                reason="hidden",
            )
    for cell in _spread(hidden, squares) if reading.unpaired or changed else hidden:
        squares[cell] = replace(squares[cell], doubtful=True, reason="hidden")
    rows = tuple(
        tuple(squares[r, c] for c in range(len(row))) for r, row in enumerate(reading.squares)
    )
    kingdom = Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in rows))
    warnings = sort_codes({*reading.warnings, "hidden"})
    return replace(reading, kingdom=kingdom, squares=rows, warnings=warnings)


def _is_beside_a_half(cell: Position, squares: Squares) -> bool:
    return any(near in squares and squares[near].label not in (EMPTY, "c") for near in beside(cell))


def _spread(cells: Collection[Position], squares: Squares) -> set[Position]:
    """The cells with all empty ones that hang together with them, corners included."""
    empty = {cell for cell, square in squares.items() if square.label == EMPTY}
    groups = hang_together(empty.union(cells), corners=True)
    return {cell for group in groups if not group.isdisjoint(cells) for cell in group}
