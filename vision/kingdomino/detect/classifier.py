"""What lies on a square, and on each cell of a lattice: terrain and crowns, a castle or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.network import Network
from vision.common.rectify import PATCH_PX, cut_squares, resized_patches
from vision.kingdomino.detect.lattice import Detections, Lattice, align_all
from vision.kingdomino.labels import (
    CASTLE_AT,
    CASTLE_COLOURS,
    EMPTY,
    EMPTY_AT,
    LABELS,
    OUTPUTS,
    merge_foreign,
    merge_two_crowns,
)
from vision.kingdomino.result import SquareReading

__all__ = [
    "COVERED",
    "GridSettings",
    "Seen",
    "SquareClassifier",
    "cell_corners",
    "classify_cells",
    "find_covered",
    "patches_of",
    "plain_reading",
    "raw_outputs",
    "read_squares",
]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# A square below this probability is classified again in all four orientations.
SURE = 0.95
BATCH = 64
_CASTLES = slice(len(OUTPUTS) - len(CASTLE_COLOURS), len(OUTPUTS))


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


# The share of a cell from which on what a thing covers there cannot be seen.
COVERED = 0.5
# The corners of a square from its middle, in its edges; and both edges as means of its sides.
_SIGNS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
_MIDLINES = _SIGNS.T
# The probabilities of a cell that is plainly empty: any label is as improbable as any other.
_BARE = np.array([0.99 if label == EMPTY else 0.01 / (len(LABELS) - 1) for label in LABELS])
_ANY_COLOUR = np.full(len(CASTLE_COLOURS), 1 / len(CASTLE_COLOURS))


class Seen(NamedTuple):
    """Of one cell the probabilities of the labels and colours, and the share that is covered."""

    probabilities: Floats
    colours: Floats
    things: float


@dataclass(frozen=True)
class GridSettings:
    """``own_place`` is how far a detected square is cut out where it was detected, not where the
    lattice has it: 0 to 1. A cell with a detection is occupied from probability ``min_seen`` on,
    one without from ``min_unseen``. ``min_inside`` is the share of a square that must lie in the
    picture. For ``locator_weight`` and ``locator_floor``,
    the least probability it is believed, see ``_combine``. A cell without a detection that the
    locator takes for bare table with more than ``sure_bare`` is not classified. An empty cell
    beside the kingdom that holds a square with more than ``min_candidate`` is a candidate for
    settling. Where things cover more than ``covered`` of a cell, what lies there cannot be seen,
    and a kingdom may go on beyond ``bridge`` such cells.
    """

    own_place: float = 0.5
    min_seen: float = 0.35
    min_unseen: float = 0.6
    min_inside: float = 0.6
    locator_weight: float = 1.0
    locator_floor: float = 0.01
    sure_bare: float = 0.95
    min_candidate: float = 0.03
    covered: float = COVERED
    bridge: int = 2


def cell_corners(lattice: Lattice, cells: Sequence[Position]) -> Floats:
    """The corners (n, 4, 2) of cells in pixels, clockwise from the top left."""
    top_left = np.array(cells, np.float64).reshape(-1, 1, 2)[..., ::-1]
    return lattice.points(top_left + (_SIGNS + 0.5)).reshape(-1, 4, 2)


def find_covered(
    detections: Detections, lattice: Lattice, cells: Iterable[Position], covered: float
) -> set[Position]:
    """Those of the cells that a thing covers by more than the share ``covered``."""
    ground = detections.ground
    if ground is None:
        return set()
    asked = list(cells)
    shares = ground.within_each(cell_corners(lattice, asked))[:, 1]
    return {cell for cell, share in zip(asked, shares, strict=True) if share > covered}


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
        elif _inside(corners, width, height) >= settings.min_inside:
            at.append(k)
            squares.append(corners)
            grounds.append((bare, things))
    found, colours = classifier.probabilities(cut_squares(rgb, squares))
    for k, row, colour, (bare, things) in zip(at, found, colours, grounds, strict=True):
        # A part of a square beside what covers the rest is no empty cell.
        ground = bare + things if things > settings.covered else bare
        seen[k] = Seen(_combine(row, ground, settings), colour, things)
    return seen


def _combine(found: Floats, bare: float, settings: GridSettings) -> Floats:
    """The probabilities of the classifier with those of the locator for what is no square.

    Both are taken as independent evidence, so the odds are multiplied; those of the locator,
    which sees the surroundings but less detail, are raised to the power ``locator_weight``.
    """
    low = settings.locator_floor
    believed = min(max(bare, low), 1 - low)
    odds = (believed / (1 - believed)) ** settings.locator_weight
    joint = found.copy()
    joint[EMPTY_AT] *= odds
    return np.asarray(joint / joint.sum())
