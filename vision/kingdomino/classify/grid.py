"""The squares of one lattice: where they lie in the photograph and what the classifier sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from scorer.kingdomino import Position
from vision.common.rectify import cut_squares
from vision.kingdomino.classify.squares import SquareClassifier
from vision.kingdomino.labels import CASTLE_COLOURS, EMPTY, LABELS
from vision.kingdomino.locate.lattice import Detections, Lattice, align

__all__ = ["Grid", "GridSettings", "find_candidates", "grow", "read_members"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_EMPTY = LABELS.index(EMPTY)
_CASTLE = LABELS.index("c")
# The probabilities of a cell that is plainly empty: any label is as improbable as any other.
_BARE = np.array([0.99 if label == EMPTY else 0.01 / (len(LABELS) - 1) for label in LABELS])
# The corners of a square from its middle, in its edges; and both edges as means of its sides.
_SIGNS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
_MIDLINES = _SIGNS.T
_ANY_COLOUR = np.full(len(CASTLE_COLOURS), 1 / len(CASTLE_COLOURS))


@dataclass(frozen=True)
class GridSettings:
    """``own_place`` is how far a detected square is cut out where it was detected, not where the
    lattice has it: 0 to 1. A cell with a detection is occupied from probability ``min_seen`` on,
    one without from ``min_unseen``. ``min_inside`` is the share of a square that must lie in the
    picture, ``max_side`` the most squares in a row, or ``usual_side`` where those detected are no
    more. For ``locator_weight`` and ``locator_floor``,
    the least probability it is believed, see ``_combine``. A cell without a detection that the
    locator takes for bare table with more than ``sure_bare`` is not classified. An empty cell
    beside the kingdom that holds a square with more than ``min_candidate`` is a candidate for
    settling.
    """

    own_place: float = 0.5
    min_seen: float = 0.35
    min_unseen: float = 0.6
    min_inside: float = 0.6
    locator_weight: float = 1.0
    locator_floor: float = 0.01
    sure_bare: float = 0.95
    min_candidate: float = 0.03
    usual_side: int = 5
    max_side: int = 7


@dataclass(frozen=True)
class Grid:
    """What was classified on a lattice.

    ``probabilities`` gives per (row, column) of ``lattice`` the probabilities of ``LABELS``,
    ``colours`` those of the castle's colour, ``occupied`` the cells of the kingdom, ``scores``
    how sure the locator was of each square that it found. Rows and columns may be negative.
    """

    lattice: Lattice
    probabilities: dict[Position, Floats]
    colours: dict[Position, Floats]
    occupied: frozenset[Position]
    scores: dict[Position, float]

    @property
    def has_castle(self) -> bool:
        """Whether one of the squares is a castle."""
        return any(self.probabilities[cell][_CASTLE] > 0.5 for cell in self.occupied)


def _corners(lattice: Lattice, cell: Position, detections: Detections, own_place: float) -> Floats:
    """The corners (4, 2) of a square in the photograph, drawn towards where it was found."""
    row, column = cell
    corners = lattice.points(
        [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
    )
    index = lattice.members.get(cell)
    if index is None or own_place == 0:
        return corners
    own = align(detections.edges[index], _MIDLINES @ corners)
    found = detections.centres[index] + _SIGNS @ own
    return np.asarray(corners + own_place * (found - corners))


def _inside(corners: Floats, width: int, height: int) -> float:
    """The share of a square that lies in the picture, by its bounding rectangle."""
    (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
    if right - left > width or bottom - top > height:
        return 0.0
    across = min(max(right, 0.0), width) - min(max(left, 0.0), width)
    down = min(max(bottom, 0.0), height) - min(max(top, 0.0), height)
    return float(across * down / max((right - left) * (bottom - top), 1e-9))


def _neighbours(cells: Iterable[Position]) -> set[Position]:
    """The cells beside the given ones, diagonals included."""
    given = set(cells)
    around = {(r + dr, c + dc) for r, c in given for dr in (-1, 0, 1) for dc in (-1, 0, 1)}
    return around - given


def _group(cells: set[Position]) -> list[frozenset[Position]]:
    """The cells by what hangs together, diagonals included, from the top left."""
    at = np.array(sorted(cells))
    occupied = np.zeros(np.ptp(at, axis=0) + 1, np.bool_)
    occupied[tuple((at - at.min(0)).T)] = True
    labels, count = ndimage.label(occupied, np.ones((3, 3)))
    number = labels[tuple((at - at.min(0)).T)]
    return [frozenset(map(tuple, at[number == k].tolist())) for k in range(1, count + 1)]


def _classify_cells(
    rgb: Image,
    detections: Detections,
    targets: Sequence[tuple[Lattice, Position]],
    classifier: SquareClassifier,
    settings: GridSettings,
) -> list[tuple[Floats, Floats] | None]:
    """The probabilities for each cell; None for one that lies outside of the picture."""
    height, width = rgb.shape[:2]
    seen: list[tuple[Floats, Floats] | None] = [None] * len(targets)
    at, squares, bare = [], [], []
    for k, (lattice, cell) in enumerate(targets):
        corners = _corners(lattice, cell, detections, settings.own_place)
        ground = detections.bare.within(corners) if detections.bare else 0.5
        if ground > settings.sure_bare and cell not in lattice.members:
            seen[k] = _BARE, _ANY_COLOUR
        elif _inside(corners, width, height) >= settings.min_inside:
            at.append(k)
            squares.append(corners)
            bare.append(ground)
    found, colours = classifier.probabilities(cut_squares(rgb, squares))
    for k, row, colour, ground in zip(at, found, colours, bare, strict=True):
        seen[k] = (_combine(row, ground, settings), colour)
    return seen


def _combine(found: Floats, bare: float, settings: GridSettings) -> Floats:
    """The probabilities of the classifier with those of the locator for bare table.

    Both are taken as independent evidence, so the odds are multiplied; those of the locator,
    which sees the surroundings but less detail, are raised to the power ``locator_weight``.
    """
    low = settings.locator_floor
    believed = min(max(bare, low), 1 - low)
    odds = (believed / (1 - believed)) ** settings.locator_weight
    joint = found.copy()
    joint[_EMPTY] *= odds
    return np.asarray(joint / joint.sum())


def read_members(
    rgb: Image,
    detections: Detections,
    lattices: Sequence[Lattice],
    classifier: SquareClassifier,
    settings: GridSettings,
) -> list[Grid]:
    """Classify the detections of each lattice, and nothing else."""
    targets = [(lattice, cell) for lattice in lattices for cell in lattice.members]
    seen = iter(_classify_cells(rgb, detections, targets, classifier, settings))
    grids = []
    for lattice in lattices:
        classified = {cell: both for cell, both in zip(lattice.members, seen, strict=False) if both}
        probabilities = {cell: found for cell, (found, _) in classified.items()}
        grids.append(
            Grid(
                lattice,
                probabilities,
                {cell: colour for cell, (_, colour) in classified.items()},
                _find_kingdom(_find_occupied(probabilities, lattice, settings), probabilities),
                {cell: float(detections.scores[k]) for cell, k in lattice.members.items()},
            )
        )
    return grids


def grow(
    rgb: Image,
    detections: Detections,
    grid: Grid,
    classifier: SquareClassifier,
    settings: GridSettings,
    taken: Collection[Position] = (),
) -> Grid:
    """Classify every further cell that may hold a square of the kingdom.

    The neighbours of each occupied cell are classified in turn, so glare or a castle in the way
    cuts nothing off. Loose dominoes whose squares do not lie on the lattice never join, nor do
    the cells ``taken`` by squares of others.
    """
    lattice = grid.lattice
    probabilities, colours = dict(grid.probabilities), dict(grid.colours)
    occupied = _find_occupied(probabilities, lattice, settings)
    # No pattern of the table beside a kingdom of the usual size makes it larger.
    is_usual = not occupied - _keep_within(occupied, occupied, settings.usual_side)
    most = settings.usual_side if is_usual else settings.max_side
    while True:
        waiting = _keep_within(_neighbours(occupied), occupied, most)
        waiting -= {*probabilities, *taken}
        targets = [(lattice, cell) for cell in sorted(waiting)]
        fresh = False
        seen = _classify_cells(rgb, detections, targets, classifier, settings)
        for (_, cell), both in zip(targets, seen, strict=True):
            if both is not None:
                probabilities[cell], colours[cell] = both
                fresh = True
        if not fresh:
            break
        occupied = _find_occupied(probabilities, lattice, settings)
    kingdom = _find_kingdom(occupied, probabilities)
    return Grid(lattice, probabilities, colours, kingdom, grid.scores)


def _find_occupied(
    probabilities: dict[Position, Floats], lattice: Lattice, settings: GridSettings
) -> set[Position]:
    """The cells that hold a square; one without a detection needs a higher probability."""
    return {
        cell
        for cell, found in probabilities.items()
        if 1 - found[_EMPTY]
        > (settings.min_seen if cell in lattice.members else settings.min_unseen)
    }


def _keep_within(cells: set[Position], occupied: set[Position], max_side: int) -> set[Position]:
    """Those cells that would not make the kingdom wider or higher than any may be."""
    if not occupied:
        return set()
    rows, columns = zip(*occupied, strict=True)
    return {
        (r, c)
        for r, c in cells
        if max(*rows, r) - min(*rows, r) < max_side
        and max(*columns, c) - min(*columns, c) < max_side
    }


def _find_kingdom(
    occupied: set[Position], probabilities: dict[Position, Floats]
) -> frozenset[Position]:
    """The squares that hang together with the castle, or the largest group without one."""
    if not occupied:
        return frozenset()
    groups = _group(occupied)
    castle = max(occupied, key=lambda cell: float(probabilities[cell][_CASTLE]))
    if probabilities[castle][_CASTLE] > 0.5:
        return next(group for group in groups if castle in group)
    return max(groups, key=len)


def find_candidates(grid: Grid, settings: GridSettings) -> tuple[Position, ...]:
    """The cells of a kingdom, and those beside it that may hold a square not detected."""
    beside = {
        (r + dr, c + dc) for r, c in grid.occupied for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
    }
    return tuple(
        cell
        for cell, found in grid.probabilities.items()
        if cell in grid.occupied or (cell in beside and 1 - found[_EMPTY] > settings.min_candidate)
    )
