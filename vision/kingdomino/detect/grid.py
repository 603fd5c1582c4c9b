"""The squares of one lattice as they were classified: found by the locator, or framed by a
person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from scorer.kingdomino import Position
from vision.common.rectify import cut_squares, project
from vision.kingdomino.detect.classifier import GridSettings, SquareClassifier, classify_cells
from vision.kingdomino.detect.contact import STEPS
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.labels import EMPTY, LABELS
from vision.photo import Photo

__all__ = ["Grid", "drop_empty", "find_candidates", "frame_grid", "grow", "read_members"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_EMPTY = LABELS.index(EMPTY)
_CASTLE = LABELS.index("c")


@dataclass(frozen=True)
class Grid:
    """What was classified on a lattice.

    ``probabilities`` gives per (row, column) of ``lattice`` the probabilities of ``LABELS``,
    ``colours`` those of the castle's colour, ``occupied`` the cells of the kingdom, ``scores``
    how sure the locator was of each square that it found, ``things`` the share of each cell that
    something seems to cover. Rows and columns may be negative.
    """

    lattice: Lattice
    probabilities: dict[Position, Floats]
    colours: dict[Position, Floats]
    occupied: frozenset[Position]
    scores: dict[Position, float]
    things: dict[Position, float] = field(default_factory=dict)

    @property
    def has_castle(self) -> bool:
        """Whether one of the squares is a castle."""
        return any(self.probabilities[cell][_CASTLE] > 0.5 for cell in self.occupied)


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


def read_members(
    rgb: Image,
    detections: Detections,
    lattices: Sequence[Lattice],
    classifier: SquareClassifier,
    settings: GridSettings,
) -> list[Grid]:
    """Classify the detections of each lattice, and nothing else."""
    targets = [(lattice, cell) for lattice in lattices for cell in lattice.members]
    seen = iter(classify_cells(rgb, detections, targets, classifier, settings))
    grids = []
    for lattice in lattices:
        classified = {cell: one for cell, one in zip(lattice.members, seen, strict=False) if one}
        probabilities = {cell: one.probabilities for cell, one in classified.items()}
        grids.append(
            Grid(
                lattice,
                probabilities,
                {cell: one.colours for cell, one in classified.items()},
                _find_kingdom(_find_occupied(probabilities, lattice, settings), probabilities),
                {cell: float(detections.scores[k]) for cell, k in lattice.members.items()},
                {cell: one.things for cell, one in classified.items()},
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
    cuts nothing off; nor does what covers a few cells. Loose dominoes whose squares do not lie on
    the lattice never join, nor do the cells ``taken`` by squares of others.
    """
    lattice = grid.lattice
    probabilities, colours = dict(grid.probabilities), dict(grid.colours)
    things = dict(grid.things)
    occupied = _find_occupied(probabilities, lattice, settings)
    # No pattern of the table beside a kingdom of the usual size makes it larger.
    is_usual = not occupied - _keep_within(occupied, occupied, settings.usual_side)
    most = settings.usual_side if is_usual else settings.max_side
    while True:
        bridges = _find_bridges(occupied, things, settings) - set(taken)
        waiting = _keep_within(_neighbours(occupied | bridges), occupied, most)
        waiting -= {*probabilities, *taken}
        targets = [(lattice, cell) for cell in sorted(waiting)]
        fresh = False
        seen = classify_cells(rgb, detections, targets, classifier, settings)
        for (_, cell), one in zip(targets, seen, strict=True):
            if one is not None:
                probabilities[cell], colours[cell] = one.probabilities, one.colours
                things[cell] = one.things
                fresh = True
        if not fresh:
            break
        occupied = _find_occupied(probabilities, lattice, settings)
    bridges = _find_bridges(occupied, things, settings)
    kingdom = _find_kingdom(occupied, probabilities, _keep_within(bridges, occupied, most))
    return Grid(lattice, probabilities, colours, kingdom, grid.scores, things)


def drop_empty(grid: Grid, settings: GridSettings) -> Grid:
    """The grid without those of its squares that its probabilities no longer hold for squares.

    Nor what then no longer hangs together with the rest.
    """
    left = _find_occupied(grid.probabilities, grid.lattice, settings) & grid.occupied
    if left == grid.occupied:
        return grid
    bridges = _find_bridges(left, grid.things, settings)
    return replace(grid, occupied=_find_kingdom(left, grid.probabilities, bridges))


def _find_bridges(
    occupied: Collection[Position], things: Mapping[Position, float], settings: GridSettings
) -> set[Position]:
    """The covered cells within a few steps of squares, beyond which a kingdom may go on."""
    covered = {cell for cell, share in things.items() if share > settings.covered}
    covered -= set(occupied)
    found: set[Position] = set()
    edge = set(occupied)
    for _ in range(settings.bridge):
        edge = {
            cell
            for cell in covered - found
            if any((cell[0] + dr, cell[1] + dc) in edge for dr, dc in STEPS)
        }
        found |= edge
    return found


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
    occupied: set[Position],
    probabilities: dict[Position, Floats],
    bridges: Collection[Position] = (),
) -> frozenset[Position]:
    """The squares that hang together with the castle, or the largest group without one.

    They may hang together by ``bridges``.
    """
    if not occupied:
        return frozenset()
    groups = [group & occupied for group in _group(occupied | set(bridges))]
    groups = [group for group in groups if group]
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


_MIN_AREA_PX = 16.0
_HOLDS_A_SQUARE = 0.5


def frame_grid(
    photo: Photo,
    corners: NDArray[np.float64],
    shape: tuple[int, int],
    classifier: SquareClassifier,
) -> Grid:
    """Classify each of the ``shape`` (rows, columns) cells of a frame that a person has set.

    ``corners`` (4, 2) are pixels (x, y) of the upright photograph, clockwise from the top left of
    the grid. ValueError for corners that span no area.
    """
    rows, columns = shape
    if corners.shape != (4, 2) or cv2.contourArea(corners.astype(np.float32)) < _MIN_AREA_PX:
        raise ValueError("corners: expected four that span an area")
    reduced = (corners + 0.5) * photo.scale - 0.5
    lattice_corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    homography = cv2.getPerspectiveTransform(lattice_corners, reduced.astype(np.float32))
    lattice = Lattice(np.asarray(homography, np.float64), {}, 0.0)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    patches = cut_squares(photo.rgb, [_square(lattice.homography, cell) for cell in cells])
    seen, colours = classifier.probabilities(patches)
    probabilities = dict(zip(cells, seen, strict=True))
    occupied = [cell for cell in cells if 1 - probabilities[cell][_EMPTY] > _HOLDS_A_SQUARE]
    return Grid(
        lattice, probabilities, dict(zip(cells, colours, strict=True)), frozenset(occupied), {}
    )


def _square(homography: NDArray[np.float64], cell: tuple[int, int]) -> NDArray[np.float64]:
    row, column = cell
    around = np.array([[0.0, 0.0], [1, 0], [1, 1], [0, 1]]) + (column, row)
    return project(around, homography)
