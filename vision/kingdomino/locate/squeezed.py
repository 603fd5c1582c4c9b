"""Places too narrow for a square: between two groups less than a square apart nothing fits.

Where the table between two kingdoms looks like a square, it joins them to one lattice, which then
gives way until neither lies on it well.
"""

from __future__ import annotations

import numpy as np

from scorer.kingdomino import Position
from vision.kingdomino.locate.lattice import (
    Detections,
    Lattice,
    LatticeSettings,
    align_all,
    fit_lattice,
)
from vision.kingdomino.locate.offset import measure_offset

__all__ = ["part_at_squeezed"]

# A line of cells is looked at where those on both sides of it are nearer to each other than this,
# of the two squares that they should be apart.
NEAR = 0.95
# Of the lines of real kingdoms, 872 in 139 photographs, the narrowest is 0.10 of a square too
# narrow by the measure of both sides; gaps of half a square to 0.8 lack 0.15 to 0.33.
MIN_LACK = 0.13
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
    """The axis and number of the row (0) or column (1) that lacks most of a square's width."""
    members = lattice.members
    worst, found = MIN_LACK, None
    for (axis, line), apart in _measure_across(detections, lattice).items():
        if apart > NEAR:
            continue
        kept = {cell: k for cell, k in members.items() if cell[axis] != line}
        beyond = {cell for cell in kept if cell[axis] > line}
        if min(len(beyond), len(kept) - len(beyond)) < MIN_SQUARES:
            continue
        across, down = measure_offset(
            detections, Lattice(lattice.homography, kept, lattice.misfit), beyond
        )
        lack = -float(down if axis == 0 else across)
        if lack > worst:
            worst, found = lack, (axis, line)
    return found


def _measure_across(detections: Detections, lattice: Lattice) -> dict[tuple[int, int], float]:
    """How far apart the squares on both sides of a row (0) or column (1) are, by its number.

    The mean, as a share of the two squares that it should be.
    """
    members = lattice.members
    cells = list(members)
    middles = np.array([(column + 0.5, row + 0.5) for row, column in cells])
    ends = lattice.points(middles[:, None] + np.array([(1, 0), (0, 1), (0, 0)])).reshape(-1, 3, 2)
    edges = align_all(detections.edges[list(members.values())], ends[:, :2] - ends[:, 2:])
    frames = dict(zip(cells, edges, strict=True))
    found: dict[tuple[int, int], list[float]] = {}
    for row, column in cells:
        for axis, (dr, dc) in enumerate(((1, 0), (0, 1))):
            one: Position = (row - dr, column - dc)
            other: Position = (row + dr, column + dc)
            if one in members and other in members:
                way = detections.centres[members[other]] - detections.centres[members[one]]
                # The edges of a square run along columns, then along rows.
                along = np.linalg.solve((frames[one] + frames[other]).T, way)[1 - axis]
                found.setdefault((axis, (row, column)[axis]), []).append(float(along))
    return {line: float(np.mean(shares)) for line, shares in found.items()}
