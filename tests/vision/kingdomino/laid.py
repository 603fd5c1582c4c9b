"""Squares laid on a lattice of whole numbers, as if they had been found and classified."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scorer.kingdomino import Position
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.labels import LABELS

__all__ = ["SIDE", "Places", "block", "laid", "laid_apart"]

SIDE = 50.0
Places = Mapping[Position, tuple[float, float]]


def block(
    rows: int, columns: int, left: int = 0, gap: float = 0.0
) -> dict[Position, tuple[float, float]]:
    """A full rectangle of squares, moved to the right by a gap."""
    return {(r, left + c): (float(r), left + c + gap) for r in range(rows) for c in range(columns)}


def detected(places: list[tuple[float, float]]) -> Detections:
    """Squares found at (row, column) in squares."""
    count = len(places)
    centres = np.array([(c, r) for r, c in places]) * SIDE + SIDE / 2
    edges = np.tile(np.eye(2) * SIDE, (count, 1, 1))
    return Detections(centres, edges, np.full(count, 0.9), np.zeros((count, 9)))


def grid_of(members: Mapping[Position, int], labels: Mapping[Position, str]) -> Grid:
    """The grid of found squares that were all seen well; wheat where no label is given."""
    probabilities = {}
    for cell in members:
        seen = np.full(len(LABELS), 1e-4)
        seen[LABELS.index(labels.get(cell, "w"))] = 1.0
        probabilities[cell] = seen / seen.sum()
    return Grid(
        Lattice(np.diag([SIDE, SIDE, 1.0]), dict(members), 0.0),
        probabilities,
        dict.fromkeys(members, np.full(5, 0.2)),
        frozenset(cell for cell in members if labels.get(cell) != "."),
        dict.fromkeys(members, 0.9),
    )


def laid(places: Places, labels: Mapping[Position, str]) -> tuple[Detections, Grid]:
    """Squares found at (row, column) in squares, all on one lattice."""
    members = {cell: k for k, cell in enumerate(places)}
    return detected(list(places.values())), grid_of(members, labels)


def laid_apart(
    *groups: tuple[Places, Mapping[Position, str]],
) -> tuple[Detections, list[Grid]]:
    """Several groups, each on a lattice of its own, counted from its own corner."""
    detections = detected([place for places, _ in groups for place in places.values()])
    grids, first = [], 0
    for places, labels in groups:
        members = {cell: first + k for k, cell in enumerate(places)}
        first += len(places)
        top, left = min(r for r, _ in places), min(c for _, c in places)
        grid = grid_of(members, labels)
        lattice = Lattice(grid.lattice.homography, members, 0.0).moved(top, left)
        moved = grid_of(
            lattice.members, {(r - top, c - left): label for (r, c), label in labels.items()}
        )
        grids.append(
            Grid(lattice, moved.probabilities, moved.colours, moved.occupied, moved.scores)
        )
    return detections, grids
