"""The lattice of hollows: where they lie in the plane, and growing it through points."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scorer.domino_duell import Shape

__all__ = [
    "ROW_HEIGHT",
    "Lattice",
    "LatticeSettings",
    "Node",
    "grow_lattices",
    "place",
    "places_of",
]

Floats = NDArray[np.float64]

Node = tuple[int, int]
"""A point of the lattice: steps along a row, and along the line 60° clockwise of it."""

ROW_HEIGHT = math.sqrt(3) / 2
"""Steps from one row of hollows to the next."""

AROUND: tuple[Node, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours of a node, clockwise as seen on the screen."""


def place(nodes: NDArray[np.integer] | list[Node]) -> Floats:
    """Where nodes (n, 2) lie (n, 2), in steps, x to the right and y down."""
    found = np.asarray(nodes, np.float64).reshape(-1, 2)
    return np.stack([found[:, 0] + 0.5 * found[:, 1], ROW_HEIGHT * found[:, 1]], 1)


@cache
def places_of(shape: Shape) -> Floats:
    """Where the hollows of a board lie (n, 2), in steps, in the order of its hollows."""
    found: Floats = np.array(shape.places, np.float64) * np.array([0.5, ROW_HEIGHT])
    found.setflags(write=False)
    return found


@dataclass(frozen=True)
class LatticeSettings:
    """``near`` is how far off, in steps, a point may lie from where the lattice has it.

    ``seeds`` points are tried; of lattices of at least ``least`` points those ``most`` are kept
    with whose homography most points agree, but for ``off`` steps.
    """

    near: float = 0.26
    off: float = 0.12
    seeds: int = 150
    least: int = 24
    most: int = 3
    neighbours: int = 10


@dataclass(frozen=True, eq=False)
class Lattice:
    """Points (n, 2) by node (n, 2), and the homography (3, 3) from places to pixels.

    ``agreeing`` points lie where it has them.
    """

    nodes: NDArray[np.int64]
    points: Floats
    homography: Floats
    agreeing: int

    def __len__(self) -> int:
        return len(self.nodes)


def grow_lattices(points: Floats, settings: LatticeSettings | None = None) -> list[Lattice]:
    """The truest lattices that grow from the first points, none from within another.

    A cloth's print makes lattices too, but few of their points agree on one plane.

    ``points`` (n, 2) are pixels, the most certain first.
    """
    settings = settings or LatticeSettings()
    if len(points) < len(AROUND) + 1:
        return []
    tree = cKDTree(points)
    found: list[dict[Node, int]] = []
    tried: set[int] = set()
    for seed in range(min(settings.seeds, len(points))):
        start = None if seed in tried else _star(points, tree, seed, settings)
        if start is not None:
            grown = _grown(points, tree, start, settings)
            tried |= set(grown.values())
            if len(grown) >= settings.least:
                found.append(grown)
    lattices = [
        _fitted(np.array(list(grown)), points[list(grown.values())], settings) for grown in found
    ]
    known = [lattice for lattice in lattices if lattice is not None]
    return sorted(known, key=lambda lattice: -lattice.agreeing)[: settings.most]


def _star(
    points: Floats, tree: cKDTree, seed: int, settings: LatticeSettings
) -> dict[Node, int] | None:
    """The seed with all six neighbours round it, if there is such a star of points."""
    middle = points[seed]
    distances, near = tree.query(middle, k=min(settings.neighbours + 1, len(points)))
    for first, step in zip(near[1:], distances[1:], strict=True):
        if step < 1.0:  # Two points in one place.
            continue
        one = points[first] - middle
        for second in near[1:]:
            other = points[second] - middle
            turn = math.atan2(float(one[0] * other[1] - one[1] * other[0]), float(one @ other))
            ratio = float(np.linalg.norm(other)) / step
            if not (math.radians(35) < turn < math.radians(90) and 0.6 < ratio < 1.7):
                continue
            wanted = [a * one + b * other + middle for a, b in AROUND]
            away, found = tree.query(np.array(wanted))
            if (away < settings.near * min(step, step * ratio)).all() and len(set(found)) == 6:
                return {(0, 0): seed, **dict(zip(AROUND, map(int, found), strict=True))}
    return None


def _grown(
    points: Floats, tree: cKDTree, start: dict[Node, int], settings: LatticeSettings
) -> dict[Node, int]:
    """All that can be reached from the star, each point where two others in line foretell it."""
    found = dict(start)
    taken = set(start.values())
    queue = list(start)
    for node in queue:  # grows while it is walked
        for at, foretold, step in _foretold(points, found, node):
            if at in found:
                continue
            away, index = tree.query(foretold)
            if away < settings.near * step and int(index) not in taken:
                found[at] = int(index)
                taken.add(int(index))
                queue.append(at)
    return found


def _foretold(
    points: Floats, found: dict[Node, int], node: Node
) -> Iterator[tuple[Node, Floats, float]]:
    """Free nodes beside a node, where they should lie, and the step there."""
    here = points[found[node]]
    for a, b in AROUND:
        behind = found.get((node[0] - a, node[1] - b))
        if behind is not None:
            step = here - points[behind]
            yield (node[0] + a, node[1] + b), here + step, float(np.linalg.norm(step))


def _fitted(nodes: NDArray[np.int64], points: Floats, settings: LatticeSettings) -> Lattice | None:
    """The lattice under the homography with which most points agree (RANSAC)."""
    places = place(nodes)
    step = float(np.median(cKDTree(points).query(points, 2)[0][:, 1]))
    found, agreeing = cv2.findHomography(
        places, points, cv2.RANSAC, settings.off * step, maxIters=2000, confidence=0.999
    )
    if found is None:
        return None
    return Lattice(nodes, points, np.asarray(found, np.float64), int(agreeing.sum()))
