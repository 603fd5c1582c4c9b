"""The squares of one lattice as they were classified: found by the locator, or framed by a
person.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import around, beside, hang_together, longest_side, smallest_extent
from vision.common.rectify import cut_squares, project
from vision.kingdomino.detect.classifier import GridSettings, SquareClassifier, classify_cells
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.labels import CASTLE_AT, EMPTY_AT
from vision.photo import Photo

__all__ = ["Grid", "drop_empty", "find_candidates", "frame_grid", "grow", "read_members"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


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
        return any(self.probabilities[cell][CASTLE_AT] > 0.5 for cell in self.occupied)


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
    most = SMALL_GRID if longest_side(occupied) <= SMALL_GRID else LARGE_GRID
    while True:
        bridges = _find_bridges(occupied, things, settings) - set(taken)
        waiting = _keep_within(around(occupied | bridges, corners=True), occupied, most)
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
        edge = {cell for cell in covered - found if any(near in edge for near in beside(cell))}
        found |= edge
    return found


def _find_occupied(
    probabilities: dict[Position, Floats], lattice: Lattice, settings: GridSettings
) -> set[Position]:
    """The cells that hold a square; one without a detection needs a higher probability."""
    return {
        cell
        for cell, found in probabilities.items()
        if 1 - found[EMPTY_AT]
        > (settings.min_seen if cell in lattice.members else settings.min_unseen)
    }


def _keep_within(cells: set[Position], occupied: set[Position], most: int) -> set[Position]:
    """Those cells that would not make the kingdom wider or higher than any may be."""
    extent = smallest_extent(occupied)
    return {cell for cell in cells if extent and extent.with_cell(cell).longest <= most}


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
    together = sorted(hang_together(occupied | set(bridges), corners=True), key=min)
    groups = [frozenset(sorted(group & occupied)) for group in together if group & occupied]
    castle = max(occupied, key=lambda cell: float(probabilities[cell][CASTLE_AT]))
    if probabilities[castle][CASTLE_AT] > 0.5:
        return next(group for group in groups if castle in group)
    return max(groups, key=len)


def find_candidates(grid: Grid, settings: GridSettings) -> tuple[Position, ...]:
    """The cells of a kingdom, and those beside it that may hold a square not detected."""
    near = around(grid.occupied)
    return tuple(
        cell
        for cell, found in grid.probabilities.items()
        if cell in grid.occupied or (cell in near and 1 - found[EMPTY_AT] > settings.min_candidate)
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
    occupied = [cell for cell in cells if 1 - probabilities[cell][EMPTY_AT] > _HOLDS_A_SQUARE]
    return Grid(
        lattice, probabilities, dict(zip(cells, colours, strict=True)), frozenset(occupied), {}
    )


def _square(homography: NDArray[np.float64], cell: tuple[int, int]) -> NDArray[np.float64]:
    row, column = cell
    around = np.array([[0.0, 0.0], [1, 0], [1, 1], [0, 1]]) + (column, row)
    return project(around, homography)
