"""Groups of squares that lie apart from a kingdom, but on its grid: they may be a part of it.

What holds them to the rest may be hidden, blurred or out of sight.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from scorer.kingdomino import Position
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.extent import smallest_extent
from vision.kingdomino.labels import EMPTY
from vision.kingdomino.locate.lattice import Detections
from vision.kingdomino.probabilities import merge_foreign, most_probable

__all__ = ["ApartSettings", "find_squares_apart"]


@dataclass(frozen=True)
class ApartSettings:
    """When a group may be a part of a kingdom; lengths in squares.

    It has ``min_squares``, or ``min_beside_hidden`` where something covers the kingdom; its squares
    lie ``max_offset`` off the grid at most, and ``max_step`` from the kingdom, which with them gets
    no wider or higher than ``max_side``.
    """

    min_squares: int = 3
    min_beside_hidden: int = 2
    max_offset: float = 0.3
    max_step: int = 2
    max_side: int = 7


def find_squares_apart(
    detections: Detections,
    grid: Grid,
    unread: Sequence[Grid],
    hidden: Collection[Position],
    settings: ApartSettings,
) -> dict[Position, str]:
    """The cells of a kingdom's lattice on which squares of ``unread`` groups lie, as they look.

    ``hidden`` are the cells of the kingdom that something covers.
    """
    least = settings.min_beside_hidden if hidden else settings.min_squares
    found: dict[Position, str] = {}
    for other in unread:
        members = {cell: k for cell, k in other.lattice.members.items() if cell in other.occupied}
        if len(members) < least:
            continue
        places = grid.lattice.places(detections.centres[list(members.values())])
        if np.abs(places - np.floor(places) - 0.5).max() > settings.max_offset:
            continue
        cells = [(int(y), int(x)) for x, y in np.floor(places)]
        near = any(
            max(abs(r - a), abs(c - b)) <= settings.max_step
            for r, c in cells
            for a, b in grid.occupied
        )
        extent = smallest_extent([*grid.occupied, *cells])
        fits = extent is not None and max(extent[2:]) <= settings.max_side
        if near and fits and not grid.occupied & set(cells):
            labels = [most_probable(merge_foreign(other.probabilities[cell])) for cell in members]
            found |= {
                cell: label for cell, label in zip(cells, labels, strict=True) if label != EMPTY
            }
    return found
