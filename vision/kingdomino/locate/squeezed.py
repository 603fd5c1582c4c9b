"""Places too narrow for a square: between two groups less than a square apart nothing fits.

Where the table between two kingdoms looks like a square, it joins them to one lattice, which then
gives way until neither lies on it well.
"""

from __future__ import annotations

import numpy as np

from scorer.kingdomino import Position
from vision.kingdomino.locate.contact import measure_gaps
from vision.kingdomino.locate.lattice import (
    Detections,
    Lattice,
    LatticeSettings,
    align,
    fit_lattice,
)

__all__ = ["part_at_squeezed"]

# What both gaps of the squares on a line sum up to: by 872 lines of squares in 139 photographs of
# real kingdoms -0.065 of a square at least, by gaps of half a square to 0.8 taken for squares
# -0.15 at most, since the lattice gives way.
MIN_ROOM = -0.12
# So that a lattice that was fitted badly shows none, the squares on both sides are also nearer to
# each other than this share of two squares, by the edges that were found of them.
NEAR = 0.95
# Half a domino beside something else is no group.
MIN_SQUARES = 2

_Triple = tuple[Position, Position, Position]


def part_at_squeezed(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> tuple[list[Lattice], frozenset[int]]:
    """The lattice parted where a line of its cells is too narrow for squares.

    Also the numbers of the detections that are no squares, since nothing of a kingdom fits in
    there: those on that line with squares on both sides, or on a line beside it if the locator is
    less sure of these. What else lies on their line stays with the side that it lies beside.
    """
    squeezed = _find_squeezed_line(detections, lattice)
    if not squeezed:
        return [lattice], frozenset()
    members = lattice.members
    dropped = set(
        min(
            zip(*squeezed, strict=True),
            key=lambda line: float(detections.scores[[members[cell] for cell in line]].mean()),
        )
    )
    (row, column), (next_row, next_column), _ = squeezed[0]
    dr, dc = next_row - row, next_column - column
    line = {dr * r + dc * c for r, c in dropped}.pop()
    first, second = set(), set()
    for r, c in members.keys() - dropped:
        beside_second = (r + dr, c + dc) in members
        at = dr * r + dc * c
        (second if at > line or (at == line and beside_second) else first).add((r, c))
    parts, numbers = [], {members[cell] for cell in dropped}
    for side in filter(None, (first, second)):
        fitted = fit_lattice(detections, {cell: members[cell] for cell in side}, settings)
        further, more = part_at_squeezed(detections, fitted, settings)
        parts += further
        numbers |= more
    return parts, frozenset(numbers)


def _find_squeezed_line(detections: Detections, lattice: Lattice) -> list[_Triple]:
    """The squares of the row or column that has the least room, if too little.

    Each between the one before and the one after it.
    """
    members = lattice.members
    gaps = measure_gaps(detections, lattice)
    lines: dict[tuple[int, int], list[_Triple]] = {}
    for row, column in members:
        for axis, (dr, dc) in enumerate(((1, 0), (0, 1))):
            before, after = (row - dr, column - dc), (row + dr, column + dc)
            if before in members and after in members:
                triples = lines.setdefault((axis, (row, column)[axis]), [])
                triples.append((before, (row, column), after))
    worst, found = MIN_ROOM, list[_Triple]()
    for (axis, line), triples in lines.items():
        room = float(np.mean([gaps[a, b] + gaps[b, c] for a, b, c in triples]))
        sides = [
            sum(cell[axis] < line for cell in members),
            sum(cell[axis] > line for cell in members),
        ]
        if room < worst and min(sides) >= MIN_SQUARES:
            worst, found = room, triples
    apart = [_measure_across(detections, lattice, triple) for triple in found]
    return found if apart and float(np.mean(apart)) < NEAR else []


def _measure_across(detections: Detections, lattice: Lattice, triple: _Triple) -> float:
    """How far apart the ends of three squares in a line are, as a share of what they should be."""
    before, (row, column), after = triple
    one, other = lattice.members[before], lattice.members[after]
    middle = np.array([column + 0.5, row + 0.5])
    ends = lattice.points([middle + (0.5, 0), middle + (0, 0.5), middle])
    frame = 2 * (ends[:2] - ends[2])
    edges = align(detections.edges[one], frame) + align(detections.edges[other], frame)
    way = np.linalg.solve(edges.T, detections.centres[other] - detections.centres[one])
    return float(way[0 if before[0] == row else 1])
