"""From classified squares to kingdoms: parted, joined, divided, grown, and freed of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.detect.contact import find_taken_cells
from vision.kingdomino.detect.grid import Grid, grow
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.detect.search import LocateSettings
from vision.kingdomino.kingdoms.choose import choose_kingdoms, find_cells_under, lies_on
from vision.kingdomino.kingdoms.divide import divide_grid, drop_loose_domino
from vision.kingdomino.kingdoms.hanging import part_hanging_domino
from vision.kingdomino.kingdoms.regroup import regroup
from vision.kingdomino.kingdoms.table_likeness import CellLooks, doubt_table_like, empty_table_like
from vision.kingdomino.settings import ReadSettings
from vision.kingdomino.weights import Weights

__all__ = ["Formed", "FormedKingdom", "form_kingdoms"]

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class FormedKingdom:
    """The grid of a kingdom, with what is uncertain about it.

    ``loose`` squares may not belong to it; the ``claimed`` ones among them may belong to the next
    kingdom. ``left_out`` tells whether a domino beside it was left out.
    """

    grid: Grid
    loose: frozenset[Position]
    claimed: frozenset[Position]
    left_out: bool


class Formed(NamedTuple):
    """The kingdoms of a picture, largest first, and all groups of squares that were found in it."""

    kingdoms: list[FormedKingdom]
    groups: list[Grid]


def form_kingdoms(
    rgb: Image,
    looks: CellLooks,
    detections: Detections,
    members: Sequence[Grid],
    weights: Weights,
    searching: LocateSettings,
    settings: ReadSettings,
) -> Formed:
    """The kingdoms of the picture (h, w, 3) on whose lattices the ``members`` were classified.

    ``looks`` are those of its cells.
    """
    emptied = [
        empty_table_like(looks, grid, [g for g in members if g is not grid], settings.table)
        for grid in members
    ]
    divided = [
        divide_grid(detections, grid, settings.divide)
        for grid in regroup(detections, emptied, settings.regroup)
    ]
    groups = [grid for one in divided for grid in one.grids]
    contested = frozenset[int]().union(*(one.contested for one in divided))
    # In 8 bits gaps measure the same but for 0.014 of a square at most.
    closer = weights.quick_locator or weights.locator
    hanging = [
        part_hanging_domino(
            looks,
            closer,
            detections,
            grid,
            [other for other in groups if other is not grid],
            settings.hanging,
            searching,
        )
        for grid in choose_kingdoms(groups, settings.choose, to_grow=True)
    ]
    groups += [domino for _, domino, _ in hanging if domino]
    kingdoms: list[FormedKingdom] = []
    for parted, domino, unsure in hanging:
        full, _, dropped_first = drop_loose_domino(detections, parted, settings.divide)
        taken = find_taken_cells(detections, full.lattice, _other_lattices(full, groups, settings))
        taken = taken.union(
            *(
                find_cells_under(before.grid.lattice, before.grid.occupied, full.lattice)
                for before in kingdoms
            )
        )
        grown = grow(rgb, detections, full, weights.classifier, settings.grid, taken)
        if not grown.occupied:
            continue
        kept, loose, dropped_last = drop_loose_domino(detections, grown, settings.divide)
        claimed = {cell for cell, k in kept.lattice.members.items() if k in contested}
        kingdoms.append(
            FormedKingdom(
                kept,
                loose | unsure,
                frozenset(claimed),
                bool(domino or dropped_first or dropped_last),
            )
        )
    kingdoms = [_doubt_table(looks, kingdom, kingdoms, settings) for kingdom in kingdoms]
    chosen = choose_kingdoms([kingdom.grid for kingdom in kingdoms], settings.choose)
    return Formed([k for grid in chosen for k in kingdoms if k.grid is grid], groups)


def _doubt_table(
    looks: CellLooks,
    kingdom: FormedKingdom,
    all_of_them: Sequence[FormedKingdom],
    settings: ReadSettings,
) -> FormedKingdom:
    """The kingdom without what looks like the table around it."""
    others = [other.grid for other in all_of_them if other is not kingdom]
    grid = doubt_table_like(looks, kingdom.grid, others, settings.table, settings.grid)
    claimed = kingdom.claimed & grid.occupied
    return FormedKingdom(grid, (kingdom.loose & grid.occupied) | claimed, claimed, kingdom.left_out)


def _other_lattices(grid: Grid, groups: Sequence[Grid], settings: ReadSettings) -> list[Lattice]:
    """The lattices of other groups of squares, but of none that lies on this one."""
    return [
        other.lattice
        for other in groups
        if other is not grid
        and len(other.occupied) >= settings.choose.min_group
        and not lies_on(other.lattice, other.occupied, grid.lattice, grid.occupied)
    ]
