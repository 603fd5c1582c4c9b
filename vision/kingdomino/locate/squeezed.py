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
# How far, in squares, those of one line lie on the next: 0.05 at most in those photographs.
MAX_OVERLAP = 0.12
# Nothing is dropped of which the locator is about as sure as of the squares beside it: the lattice
# may lie badly. The most by which it was as sure of gaps is 0.71.
WEAKER = 0.8
# A single square may be the top of a standing castle, which leans over what lies behind it.
MIN_TOGETHER, MIN_OVERLAPPING = 2, 3

# Squares in a line, in reading order.
_Run = tuple[Position, ...]


def part_at_squeezed(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> tuple[list[Lattice], frozenset[int]]:
    """The lattice parted where a line of its cells is too narrow for squares.

    Also the numbers of the detections that are no squares, since nothing of a kingdom fits in
    there: those on that line with squares on both sides, or on a line beside it, whichever the
    locator is least sure of. What else lies on their line stays with the side that it lies beside.
    """
    squeezed = _find_squeezed_line(detections, lattice) or _find_overlapping(detections, lattice)
    if not squeezed:
        return [lattice], frozenset()
    members = lattice.members
    lines = sorted(
        (float(detections.scores[[members[cell] for cell in line]].mean()), line)
        for line in zip(*squeezed, strict=True)
    )
    if lines[0][0] > WEAKER * lines[1][0]:
        return [lattice], frozenset()
    dropped = set(lines[0][1])
    (row, column), (next_row, next_column) = squeezed[0][:2]
    dr, dc = next_row - row, next_column - column
    line = {dr * r + dc * c for r, c in dropped}.pop()
    first: set[Position] = set()
    second: set[Position] = set()
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


def _find_squeezed_line(detections: Detections, lattice: Lattice) -> list[_Run]:
    """The squares of the row or column that has the least room, if too little.

    Each between the one before and the one after it.
    """
    members = lattice.members
    gaps = measure_gaps(detections, lattice)
    lines: dict[tuple[int, int], list[_Run]] = {}
    for row, column in members:
        for axis, (dr, dc) in enumerate(((1, 0), (0, 1))):
            before, after = (row - dr, column - dc), (row + dr, column + dc)
            if before in members and after in members:
                triples = lines.setdefault((axis, (row, column)[axis]), [])
                triples.append((before, (row, column), after))
    worst, found = MIN_ROOM, list[_Run]()
    for triples in lines.values():
        room = float(np.mean([gaps[a, b] + gaps[b, c] for a, b, c in triples]))
        if room < worst and len(triples) >= MIN_TOGETHER:
            worst, found = room, triples
    apart = [_measure_across(detections, lattice, run) for run in found]
    return found if apart and float(np.mean(apart)) < NEAR else []


def _find_overlapping(detections: Detections, lattice: Lattice) -> list[_Run]:
    """The pairs of squares of the two lines that lie on each other most, if they do."""
    lines: dict[tuple[int, int], list[tuple[_Run, float]]] = {}
    for pair, gap in measure_gaps(detections, lattice).items():
        axis = 0 if pair[0][0] != pair[1][0] else 1
        lines.setdefault((axis, pair[0][axis]), []).append((pair, gap))
    worst, found = -MAX_OVERLAP, list[_Run]()
    for pairs in lines.values():
        gap = float(np.mean([gap for _, gap in pairs]))
        if gap < worst and len(pairs) >= MIN_OVERLAPPING:
            worst, found = gap, [pair for pair, _ in pairs]
    return found


def _measure_across(detections: Detections, lattice: Lattice, run: _Run) -> float:
    """How far apart the ends of three squares in a line are, as a share of what they should be."""
    before, (row, column), after = run
    one, other = lattice.members[before], lattice.members[after]
    middle = np.array([column + 0.5, row + 0.5])
    ends = lattice.points([middle + (0.5, 0), middle + (0, 0.5), middle])
    frame = 2 * (ends[:2] - ends[2])
    edges = align(detections.edges[one], frame) + align(detections.edges[other], frame)
    way = np.linalg.solve(edges.T, detections.centres[other] - detections.centres[one])
    return float(way[0 if before[0] == row else 1])
