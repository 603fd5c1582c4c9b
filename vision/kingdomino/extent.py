"""Which rows and columns of its lattice a reading shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scorer.kingdomino import Position
from vision.kingdomino.locate.contact import STEPS

__all__ = ["Extent", "smallest_extent", "with_hidden_edges"]

Extent = tuple[int, int, int, int]
"""The first row and column, height and width."""


def smallest_extent(positions: Sequence[Position]) -> Extent | None:
    """The extent that holds all positions, None where there are none."""
    if not positions:
        return None
    rows, columns = zip(*positions, strict=True)
    top, left = min(rows), min(columns)
    return top, left, max(rows) - top + 1, max(columns) - left + 1


def with_hidden_edges(
    extent: Extent,
    occupied: Collection[Position],
    hidden: Collection[Position],
    usual_side: int,
    max_side: int,
) -> Extent:
    """The extent with rows and columns beside it whose squares, if any, can't be seen.

    Only up to ``usual_side`` squares, or ``max_side`` where the ``occupied`` ones are wider or
    higher than that; and those first in which most is ``hidden`` beside squares.
    """
    top, left, height, width = extent
    most = usual_side if max(height, width) <= usual_side else max_side
    beside = [(r, c) for r, c in hidden if any((r + dr, c + dc) in occupied for dr, dc in STEPS)]
    edges = {
        (-1, 0): sum(r == top - 1 for r, _ in beside),
        (1, 0): sum(r == top + height for r, _ in beside),
        (0, -1): sum(c == left - 1 for _, c in beside),
        (0, 1): sum(c == left + width for _, c in beside),
    }
    for (down, right), count in sorted(edges.items(), key=lambda edge: -edge[1]):
        if not count:
            break
        if down and height < most:
            top, height = min(top, top + down), height + 1
        elif right and width < most:
            left, width = min(left, left + right), width + 1
    return top, left, height, width
