"""Places too narrow for a square: between two groups less than a square apart nothing fits.

Where the table between two kingdoms looks like a square, it joins them to one lattice, which then
gives way until neither lies on it well.
"""

from __future__ import annotations

import numpy as np

from vision.kingdomino.locate.contact import measure_gaps
from vision.kingdomino.locate.lattice import (
    Detections,
    Lattice,
    LatticeSettings,
    fit_lattice,
)

__all__ = ["part_at_squeezed"]

# What both gaps of the squares on a line sum up to: by 872 lines of squares in 139 photographs of
# real kingdoms -0.065 of a square at least, by gaps of half a square to 0.8 taken for squares
# -0.15 at most, since the lattice gives way.
MIN_ROOM = -0.12
# Half a domino beside something else is no group.
MIN_SQUARES = 2


def part_at_squeezed(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> tuple[list[Lattice], frozenset[int]]:
    """The lattice parted where a line of its cells is too narrow for squares.

    Also the numbers of the detections on that line with squares on both sides of it: nothing of a
    kingdom fits in there. What else lies on the line stays with the side that it lies beside.
    """
    found = _find_squeezed_line(detections, lattice)
    if found is None:
        return [lattice], frozenset()
    axis, line = found
    step = (1, 0) if axis == 0 else (0, 1)
    members = lattice.members
    on_line = {cell for cell in members if cell[axis] == line}
    before = {cell for cell in on_line if (cell[0] - step[0], cell[1] - step[1]) in members}
    after = {cell for cell in on_line if (cell[0] + step[0], cell[1] + step[1]) in members}
    dropped = before & after
    first = {cell for cell in members if cell[axis] < line} | (on_line - after)
    sides = (first, members.keys() - first - dropped)
    parts, numbers = [], {members[cell] for cell in dropped}
    for side in sides:
        fitted = fit_lattice(detections, {cell: members[cell] for cell in side}, settings)
        further, more = part_at_squeezed(detections, fitted, settings)
        parts += further
        numbers |= more
    return parts, frozenset(numbers)


def _find_squeezed_line(detections: Detections, lattice: Lattice) -> tuple[int, int] | None:
    """The axis and number of the row (0) or column (1) that has the least room, if too little."""
    members = lattice.members
    gaps = measure_gaps(detections, lattice)
    rooms: dict[tuple[int, int], list[float]] = {}
    for row, column in members:
        for axis, (dr, dc) in enumerate(((1, 0), (0, 1))):
            before = ((row - dr, column - dc), (row, column))
            after = ((row, column), (row + dr, column + dc))
            if before in gaps and after in gaps:
                line = axis, (row, column)[axis]
                rooms.setdefault(line, []).append(gaps[before] + gaps[after])
    worst, found = MIN_ROOM, None
    for (axis, line), both in rooms.items():
        beyond = sum(cell[axis] > line for cell in members)
        short = sum(cell[axis] < line for cell in members)
        if min(beyond, short) >= MIN_SQUARES and float(np.mean(both)) < worst:
            worst, found = float(np.mean(both)), (axis, line)
    return found
