"""Empty cells that may hold a hidden square, told by a half without its other half."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from scorer.kingdomino import Kingdom, Position, Square
from vision.common.grids import beside, hang_together
from vision.kingdomino.judge.warn import sort_codes
from vision.kingdomino.labels import EMPTY
from vision.kingdomino.result import KingdomReading, SquareReading

__all__ = ["MissingSettings", "flag_missing_halves"]

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
