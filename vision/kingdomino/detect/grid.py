"""What lies on the cells of a lattice, terrain and crowns, a castle or nothing: found by the
locator, or framed by a person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import around, beside, hang_together, longest_side, smallest_extent
from vision.common.network import Network
from vision.common.rectify import PATCH_PX, cut_squares, project, resized_patches
from vision.kingdomino.detect.lattice import Detections, Lattice, align_all
from vision.kingdomino.labels import (
    CASTLE_AT,
    CASTLE_COLOURS,
    EMPTY,
    EMPTY_AT,
    LABELS,
    LIKELY,
    OUTPUTS,
    merge_foreign,
    merge_two_crowns,
)
from vision.kingdomino.result import SquareReading
from vision.photo import Photo

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
# A square below this probability is classified again in all four orientations.
SURE = 0.95
BATCH = 64
# The share of a cell from which on what a thing covers there cannot be seen.
COVERED = 0.5
# What lies on a cell is classified from this share of it in the picture on.
MOSTLY = 0.6
_CASTLES = slice(len(OUTPUTS) - len(CASTLE_COLOURS), len(OUTPUTS))
# The corners of a square from its middle, in its edges; and both edges as means of its sides.
_SIGNS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
_MIDLINES = _SIGNS.T
# The probabilities of a cell that is plainly empty: any label is as improbable as any other.
_BARE = np.array([0.99 if label == EMPTY else 0.01 / (len(LABELS) - 1) for label in LABELS])
_ANY_COLOUR = np.full(len(CASTLE_COLOURS), 1 / len(CASTLE_COLOURS))
_MIN_AREA_PX = 16.0


class SquareClassifier:
    """The network of squares with its calibration.

    ``temperature`` divides the logits; fitted on squares of sessions that no training saw.
    """

    def __init__(self, network: Network, temperature: float) -> None:
        self._network = network
        self._temperature = temperature

    def probabilities(self, patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """What squares are, for patches (n, 64, 64, 3).

        Probabilities (n, labels) in the order of ``LABELS``, and of each castle's colour, if it
        is one, (n, colours) in the order of ``CASTLE_COLOURS``.
        """
        if not len(patches):
            return np.zeros((0, len(LABELS))), np.zeros((0, len(CASTLE_COLOURS)))
        logits = raw_outputs(self._network, patches)
        found = self._softmax(logits)
        unsure = np.flatnonzero(found.max(1) < SURE)
        if len(unsure):
            turned = [np.rot90(patches[unsure], k, (1, 2)) for k in (1, 2, 3)]
            turns = raw_outputs(self._network, np.concatenate(turned)).reshape(3, len(unsure), -1)
            found[unsure] = self._softmax((logits[unsure] + turns.sum(0)) / 4)
        castles = found[:, _CASTLES]
        whole = castles.sum(1, keepdims=True)
        labels = np.insert(found[:, : _CASTLES.start], CASTLE_AT, whole[:, 0], axis=1)
        return labels, castles / np.maximum(whole, 1e-12)

    def _softmax(self, logits: Floats) -> Floats:
        scaled = logits / self._temperature
        powers = np.exp(scaled - scaled.max(1, keepdims=True))
        return np.asarray(powers / powers.sum(1, keepdims=True))


def raw_outputs(network: Network, patches: NDArray[np.uint8]) -> Floats:
    """What the network says of patches (n, 64, 64, 3): logits (n, outputs) in order of OUTPUTS."""
    parts = []
    for at in range(0, len(patches), BATCH):
        batch = patches[at : at + BATCH].transpose(0, 3, 1, 2).astype(np.float32) / 255 - 0.5
        parts.append(network(np.ascontiguousarray(batch)))
    return np.concatenate(parts).astype(np.float64)


def read_squares(
    classifier: SquareClassifier, images: Sequence[Image], *, giants: bool = False
) -> list[SquareReading]:
    """Read single squares, those that only Age of Giants has with ``giants`` alone.

    ``images`` are RGB, uint8, shape (h, w, 3), of any size, each filled by one square. Each
    gets its ``label`` in notation ("." for no square of the game), its probability and the
    runner-up. ValueError for an array of another kind.
    """
    probabilities, _ = classifier.probabilities(patches_of(images))
    return [plain_reading(row, giants=giants) for row in probabilities]


def patches_of(images: Sequence[Image]) -> NDArray[np.uint8]:
    """Pictures of single squares as patches (n, 64, 64, 3). ValueError as of ``read_squares``."""
    return resized_patches(images, PATCH_PX)


def plain_reading(probabilities: Floats, *, giants: bool = False) -> SquareReading:
    """The most probable label of a square; a square of another game is no square of this one.

    Without ``giants`` those that only Age of Giants has are taken for the same with one crown.
    """
    merged = merge_foreign(probabilities)
    if not giants:
        merged = merge_two_crowns(merged)
    first, second = np.argsort(-merged, kind="stable")[:2]
    return SquareReading(LABELS[first], float(min(merged[first], 1.0)), runner_up=LABELS[second])


class Seen(NamedTuple):
    """Of one cell the probabilities of the labels and colours, and the share that is covered."""

    probabilities: Floats
    colours: Floats
    things: float


@dataclass(frozen=True)
class GridSettings:
    """``own_place`` is how far a detected square is cut out where it was detected, not where the
    lattice has it: 0 to 1. A cell with a detection is occupied from probability ``min_seen`` on,
    one without from ``min_unseen``. ``locator_floor`` is the least probability that the locator is
    believed. A cell without a detection that the locator takes for bare table with more than
    ``sure_bare`` is not classified. An empty cell beside the kingdom that holds a square with more
    than ``min_candidate`` is a candidate for settling. A kingdom may go on beyond ``bridge`` cells
    that something covers.
    """

    own_place: float = 0.5
    min_seen: float = 0.35
    min_unseen: float = 0.6
    locator_floor: float = 0.01
    sure_bare: float = 0.95
    min_candidate: float = 0.03
    bridge: int = 2


def cell_corners(lattice: Lattice, cells: Sequence[Position]) -> Floats:
    """The corners (n, 4, 2) of cells in pixels, clockwise from the top left."""
    top_left = np.array(cells, np.float64).reshape(-1, 1, 2)[..., ::-1]
    return lattice.points(top_left + (_SIGNS + 0.5)).reshape(-1, 4, 2)


def find_covered(
    detections: Detections, lattice: Lattice, cells: Iterable[Position]
) -> set[Position]:
    """Those of the cells of which a thing covers so much that nothing is seen there."""
    ground = detections.ground
    if ground is None:
        return set()
    asked = list(cells)
    shares = ground.within_each(cell_corners(lattice, asked))[:, 1]
    return {cell for cell, share in zip(asked, shares, strict=True) if share > COVERED}


def _square_corners(
    lattice: Lattice, cells: Sequence[Position], detections: Detections, own_place: float
) -> Floats:
    """The corners (n, 4, 2) of squares in the photograph, drawn towards where they were found."""
    corners = cell_corners(lattice, cells)
    seen = [k for k, cell in enumerate(cells) if cell in lattice.members]
    index = [lattice.members[cells[k]] for k in seen]
    if seen and own_place:
        own = align_all(detections.edges[index], _MIDLINES @ corners[seen])
        found = detections.centres[index][:, None] + _SIGNS @ own
        corners[seen] += own_place * (found - corners[seen])
    return corners


def _places(
    targets: Sequence[tuple[Lattice, Position]], detections: Detections, own_place: float
) -> Floats:
    """The corners (n, 4, 2) of squares of several lattices, one lattice at a time."""
    places = []
    for _, group in groupby(targets, lambda target: id(target[0])):
        lattices, cells = zip(*group, strict=True)
        places.append(_square_corners(lattices[0], cells, detections, own_place))
    return np.concatenate(places)


def _inside(corners: Floats, width: int, height: int) -> float:
    """The share of a square that lies in the picture, by its bounding rectangle."""
    (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
    if right - left > width or bottom - top > height:
        return 0.0
    across = min(max(right, 0.0), width) - min(max(left, 0.0), width)
    down = min(max(bottom, 0.0), height) - min(max(top, 0.0), height)
    return float(across * down / max((right - left) * (bottom - top), 1e-9))


def classify_cells(
    rgb: Image,
    detections: Detections,
    targets: Sequence[tuple[Lattice, Position]],
    classifier: SquareClassifier,
    settings: GridSettings,
) -> list[Seen | None]:
    """What is seen of each cell; None for one that lies outside of the picture."""
    height, width = rgb.shape[:2]
    seen: list[Seen | None] = [None] * len(targets)
    if not targets:
        return seen
    at, squares, grounds = [], [], []
    places = _places(targets, detections, settings.own_place)
    if detections.ground:
        shares = detections.ground.within_each(places).tolist()
    else:
        shares = [[0.5, 0.0]] * len(targets)
    for k, ((lattice, cell), corners, (bare, things)) in enumerate(
        zip(targets, places, shares, strict=True)
    ):
        if bare > settings.sure_bare and cell not in lattice.members:
            seen[k] = Seen(_BARE, _ANY_COLOUR, things)
        elif _inside(corners, width, height) >= MOSTLY:
            at.append(k)
            squares.append(corners)
            grounds.append((bare, things))
    found, colours = classifier.probabilities(cut_squares(rgb, squares))
    for k, row, colour, (bare, things) in zip(at, found, colours, grounds, strict=True):
        # A part of a square beside what covers the rest is no empty cell.
        ground = bare + things if things > COVERED else bare
        seen[k] = Seen(_combine(row, ground, settings), colour, things)
    return seen


def _combine(found: Floats, bare: float, settings: GridSettings) -> Floats:
    """The probabilities of the classifier with those of the locator for what is no square.

    Both are taken as independent evidence, so the odds are multiplied.
    """
    low = settings.locator_floor
    believed = min(max(bare, low), 1 - low)
    joint = found.copy()
    joint[EMPTY_AT] *= believed / (1 - believed)
    return np.asarray(joint / joint.sum())


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
        return any(self.probabilities[cell][CASTLE_AT] > LIKELY for cell in self.occupied)


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
    covered = {cell for cell, share in things.items() if share > COVERED} - set(occupied)
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
    if probabilities[castle][CASTLE_AT] > LIKELY:
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
    occupied = [cell for cell in cells if 1 - probabilities[cell][EMPTY_AT] > LIKELY]
    return Grid(
        lattice, probabilities, dict(zip(cells, colours, strict=True)), frozenset(occupied), {}
    )


def _square(homography: NDArray[np.float64], cell: tuple[int, int]) -> NDArray[np.float64]:
    row, column = cell
    around = np.array([[0.0, 0.0], [1, 0], [1, 1], [0, 1]]) + (column, row)
    return project(around, homography)
