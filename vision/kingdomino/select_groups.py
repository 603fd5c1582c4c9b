"""Which groups of squares are worth classifying, and which of them are kingdoms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from scorer.kingdomino import Position
from vision.kingdomino.choose import ChooseSettings
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.locate.lattice import Detections, Lattice
from vision.kingdomino.locate.search import GROUNDS

__all__ = ["choose_kingdoms", "find_cells_under", "lies_on", "select_lattices"]

_CASTLE_GROUND = GROUNDS.index("c")


def select_lattices(
    detections: Detections, lattices: Sequence[Lattice], settings: ChooseSettings
) -> list[Lattice]:
    """The lattices worth classifying: the first, and those that may be kingdoms beside it.

    ``lattices`` come largest first. One that lies on another is the top of a standing castle.
    """
    castle = detections.grounds[:, _CASTLE_GROUND]
    kept: list[Lattice] = []
    for lattice in lattices:
        hinted = castle[list(lattice.members.values())].max() >= settings.castle_hint
        if not kept or (
            (hinted or len(lattice.members) >= settings.min_group)
            and not any(lies_on(lattice, lattice.members, other, other.members) for other in kept)
        ):
            kept.append(lattice)
    return kept


def lies_on(
    upper: Lattice, squares: Iterable[Position], lower: Lattice, occupied: Iterable[Position]
) -> bool:
    """Whether more than half of the ``squares`` of one lattice lie on ``occupied`` ones of another.

    The top of a standing castle may be detected as a square beside its place; a lattice grown
    from there covers the kingdom a second time.
    """
    cells = find_cells_under(upper, squares, lower)
    below = set(occupied)
    return 2 * sum(cell in below for cell in cells) > len(cells)


def find_cells_under(upper: Lattice, squares: Iterable[Position], lower: Lattice) -> list[Position]:
    """For each of the ``squares`` of one lattice the cell of another in which its middle lies."""
    centres = upper.points([(column + 0.5, row + 0.5) for row, column in squares])
    return [(int(row), int(column)) for column, row in np.floor(lower.places(centres))]


def choose_kingdoms(
    grids: Sequence[Grid], settings: ChooseSettings, *, to_grow: bool = False
) -> list[Grid]:
    """The grids that are kingdoms, largest first: with a castle, or large enough without one.

    Smaller ones are good enough ``to_grow``: the castle may be found then. One that covers a larger
    one is dropped.
    """
    occupied = [grid for grid in grids if grid.occupied]
    any_castle = any(grid.has_castle for grid in occupied)
    beside = settings.min_grown if to_grow else settings.min_castleless_beside
    least = beside if any_castle else settings.min_castleless
    kept: list[Grid] = []
    for grid in sorted(occupied, key=lambda grid: -len(grid.occupied)):
        if (grid.has_castle or len(grid.occupied) >= least) and not any(
            lies_on(grid.lattice, grid.occupied, other.lattice, other.occupied) for other in kept
        ):
            kept.append(grid)
    return kept
