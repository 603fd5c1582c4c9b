"""Small kingdoms as the stages of the reader hand them on, made up for tests.

Squares lie on a lattice of whole numbers. What is found of them, what is classified on them and
what is observed of a kingdom are all built here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.cells import Grid, Seen
from vision.kingdomino.lattice import Detections, Lattice
from vision.kingdomino.result import LABELS
from vision.kingdomino.settling import Observation

Floats = NDArray[np.float64]
SIDE = 50.0
Places = Mapping[Position, tuple[float, float]]
NAMES = {"bare": "."} | {label: label for label in LABELS}


def block(
    rows: int, columns: int, left: int = 0, gap: float = 0.0
) -> dict[Position, tuple[float, float]]:
    """The places of a full rectangle of squares, moved to the right by a gap."""
    return {(r, left + c): (float(r), left + c + gap) for r in range(rows) for c in range(columns)}


def lattice_at(
    cells: Iterable[Position] = (),
    left: float = 0.0,
    top: float = 0.0,
    side: float = SIDE,
    first: int = 0,
) -> Lattice:
    """An upright lattice whose corner lies at (left, top) pixels, detections from ``first`` on."""
    homography = np.array([[side, 0, left], [0, side, top], [0, 0, 1.0]])
    return Lattice(homography, {cell: first + k for k, cell in enumerate(cells)}, 0.0)


def detected(
    places: Iterable[tuple[float, float]],
    turns_deg: Iterable[float] = (),
    left: float = 0.0,
    top: float = 0.0,
    side: float = SIDE,
) -> Detections:
    """Squares found at (row, column) in squares, from (left, top) on, turned if said."""
    given = list(places)
    count = len(given)
    centres = (np.array([(c, r) for r, c in given]).reshape(-1, 2) + 0.5) * side + (left, top)
    angles = np.deg2rad(list(turns_deg) or [0.0] * count)
    u = np.stack([np.cos(angles), np.sin(angles)], 1)
    edges = side * np.stack([u, u[:, ::-1] * (-1, 1)], 1)
    return Detections(centres, edges, np.full(count, 0.9), np.zeros((count, 9)))


def detected_on(*grids: Grid) -> Detections:
    """The squares of grids, each found where its lattice has it."""
    middles = [
        grid.lattice.points([(c + 0.5, r + 0.5) for r, c in grid.lattice.members]) for grid in grids
    ]
    found = detected([cell for grid in grids for cell in grid.lattice.members])
    return replace(found, centres=np.concatenate(middles))


def grid_of(lattice: Lattice, labels: Mapping[Position, str | Floats] | None = None) -> Grid:
    """The grid of found squares that were all seen well, or with given probabilities.

    Wheat where no label is given.
    """
    labels = labels or {}
    probabilities = {}
    for cell in lattice.members:
        label = labels.get(cell, "w")
        if isinstance(label, str):
            shares = np.full(len(LABELS), 1e-4)
            shares[LABELS.index(label)] = 1.0
            label = shares / shares.sum()
        probabilities[cell] = label
    return Grid(
        lattice,
        {cell: Seen(found) for cell, found in probabilities.items()},
        frozenset(cell for cell in lattice.members if probabilities[cell].argmax() != 0),
    )


def laid(
    places: Places, labels: Mapping[Position, str | Floats] | None = None
) -> tuple[Detections, Grid]:
    """Squares found at (row, column) in squares, all on one lattice."""
    return detected(places.values()), grid_of(lattice_at(places), labels)


def laid_apart(
    *groups: tuple[Places, Mapping[Position, str]],
) -> tuple[Detections, list[Grid]]:
    """Several groups, each on a lattice of its own, counted from its own corner."""
    detections = detected([place for places, _ in groups for place in places.values()])
    grids, first = [], 0
    for places, labels in groups:
        top, left = min(r for r, _ in places), min(c for _, c in places)
        lattice = lattice_at(places, first=first).moved(top, left)
        own = {(r - top, c - left): label for (r, c), label in labels.items()}
        grids.append(grid_of(lattice, own))
        first += len(places)
    return detections, grids


def seen(**shares: float) -> Floats:
    """Probabilities of the labels, exactly as given; what is missing to 1 goes to "m3"."""
    found = np.zeros(len(LABELS))
    for name, share in shares.items():
        found[LABELS.index(NAMES[name])] = share
    found[LABELS.index("m3")] += 1 - found.sum()
    return found


def sure_of(label: str, share: float = 0.99) -> Floats:
    """Probabilities with ``share`` for one label; the rest goes to another of no matter."""
    return seen(**{"bare" if label == "." else label: share})


def observed(notation: str, share: float = 0.99, **changes: object) -> Observation:
    """A kingdom in notation, seen as it is; every square was considered."""
    probabilities: Mapping[Position, Floats] = {
        (row, column): sure_of(label, share)
        for row, line in enumerate(notation.split("/"))
        for column, label in enumerate(line.split())
    }
    squares = [p for p, found in probabilities.items() if found[0] < 0.5]
    whole = Observation(probabilities, tuple(squares))
    return replace(whole, **changes)  # type: ignore[arg-type]
