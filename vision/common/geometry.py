"""Cells of a square grid, and how a picture shows what lies flat.

Homographies, squares cut out as patches, pictures resized; and the plane of a table, from things of
one known shape and size on it.

Seen straight from above, such things are rectangles of one area. Up to turns, shifts and scale a
homography has four parameters: two for the horizon, two for what is left of shape. They are fitted
so that aspect, right angle and size agree (Liebowitz and Zisserman, Metric rectification for
perspective images of planes, 1998), by Levenberg and Marquardt's method with weights that let
single ones be something else (Huber and Ronchetti, Robust statistics, 2009, section 7.8).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.common.network import map_in_threads

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

Cell = tuple[int, int]
"""Row and column; they may be negative."""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""From a cell to its four neighbours: right, below, left, above."""

DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four neighbours of a cell, in the order of ``STEPS``."""
    row, column = cell
    return (row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)


def around(
    cells: Collection[Cell], *, edges: bool = True, corners: bool = False, reach: int = 1
) -> set[Cell]:
    """The cells beside the given ones, by ``edges``, ``corners`` or both, without themselves.

    Up to ``reach`` cells away, if by both.
    """
    if edges and corners:
        near = range(-reach, reach + 1)
        steps = tuple((dr, dc) for dr in near for dc in near)
    else:
        steps = (*(STEPS if edges else ()), *(DIAGONALS if corners else ()))
    return {(r + dr, c + dc) for r, c in cells for dr, dc in steps}.difference(cells)


def pairs_of(cells: Iterable[Cell], among: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Each of the ``cells`` with its neighbours to the right and below that are ``among`` them."""
    for row, column in cells:
        for other in ((row, column + 1), (row + 1, column)):
            if other in among:
                yield (row, column), other


def connect(cells: Collection[Cell], near: Iterable[tuple[Cell, Cell]]) -> list[set[Cell]]:
    """Groups of cells joined by pairs, largest first."""
    group = {cell: {cell} for cell in cells}
    for one, other in near:
        if group[one] is not group[other]:
            joined = group[one] | group[other]
            for cell in joined:
                group[cell] = joined
    distinct = {id(members): members for members in group.values()}
    return sorted(distinct.values(), key=lambda members: (-len(members), min(members)))


def hang_together(cells: Collection[Cell], *, corners: bool = False) -> list[set[Cell]]:
    """The cells by what hangs together, edge to edge or by ``corners`` too, largest first."""
    near = pairs_of(cells, cells)
    if not corners:
        return connect(cells, near)
    slanting = (((r, c), (r + 1, c + dc)) for r, c in cells for dc in (-1, 1))
    return connect(cells, [*near, *(pair for pair in slanting if pair[1] in cells)])


class Extent(NamedTuple):
    """A rectangle of cells: its first row and column, its height and width."""

    top: int
    left: int
    height: int
    width: int

    @classmethod
    def of(cls, cells: Collection[Cell]) -> Extent:
        """The smallest extent that holds all cells, of which there is one at least."""
        rows, columns = zip(*cells, strict=True)
        top, left = min(rows), min(columns)
        return cls(top, left, max(rows) - top + 1, max(columns) - left + 1)

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.top + self.height

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.left + self.width

    @property
    def longest(self) -> int:
        """The longer of both sides."""
        return max(self.height, self.width)

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies in it."""
        return self.top <= cell[0] < self.bottom and self.left <= cell[1] < self.right

    def corners(self) -> tuple[tuple[int, int], ...]:
        """Its corners (x, y), clockwise from the top left."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def cells(self) -> Iterator[Cell]:
        """All cells, row by row."""
        for row in range(self.top, self.bottom):
            for column in range(self.left, self.right):
                yield row, column

    def widened(self, by: int) -> Extent:
        """The extent and so many cells on each side."""
        return Extent(self.top - by, self.left - by, self.height + 2 * by, self.width + 2 * by)

    def with_cell(self, cell: Cell) -> Extent:
        """The extent that holds this one and a cell."""
        top, left = min(self.top, cell[0]), min(self.left, cell[1])
        bottom, right = max(self.bottom, cell[0] + 1), max(self.right, cell[1] + 1)
        return Extent(top, left, bottom - top, right - left)

    def windows(self, height: int, width: int) -> Iterator[Extent]:
        """The extents of that size within this one; where it is smaller, that from its corner."""
        for top in range(self.top, self.top + max(1, self.height - height + 1)):
            for left in range(self.left, self.left + max(1, self.width - width + 1)):
                yield Extent(top, left, height, width)


def smallest_extent(cells: Collection[Cell]) -> Extent | None:
    """The extent that holds all cells, None where there are none."""
    return Extent.of(cells) if cells else None


def longest_side(cells: Collection[Cell]) -> int:
    """How many cells wide or high these are, whichever is more; 0 for none."""
    extent = smallest_extent(cells)
    return extent.longest if extent else 0


def project(points: NDArray[np.floating], homography: Floats) -> Floats:
    """The points (..., 2) mapped by a homography (3, 3); those on its horizon become (0, 0)."""
    columns = np.asarray(points, np.float64).reshape(-1, 1, 2)
    # OpenCV has no answer for no points.
    seen = cv2.perspectiveTransform(columns, homography) if len(columns) else columns
    return np.asarray(seen, np.float64).reshape(points.shape)


def fit_homography(source: Floats, target: Floats) -> Floats:
    """The homography (3, 3) that maps ``source`` (n, 2) to ``target`` (n, 2) by least squares.

    Needs at least four points; ValueError if they determine no homography.
    """
    found, _ = cv2.findHomography(source, target, 0)
    if found is None:
        raise ValueError("the points determine no homography")
    return np.asarray(found, np.float64)


def project_steps(points: Floats, homography: Floats) -> Floats:
    """Where steps of 1 to the right and down from points (n, 2) lead: (n, 2, 2)."""
    seen = project(points[:, None] + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), homography)
    return np.asarray(seen[:, 1:] - seen[:, :1])


def measure_stretch(homography: Floats, place: tuple[float, float]) -> float:
    """How many times longer than wide a circle about a ``place`` (x, y) looks, 1 at least.

    ``homography`` (3, 3) maps it to the picture. Seen by a camera that leans by an angle, it is the
    inverse of its cosine.
    """
    x, y = place
    spots = np.array([(x + 0.5, y), (x, y + 0.5), (x - 0.5, y), (x, y - 0.5)])
    seen = project(spots, homography)
    long, short = np.linalg.svd((seen[:2] - seen[2:]).T, compute_uv=False)
    return float(long / max(short, 1e-12))


PATCH_PX = 64
# Larger squares are sampled at a multiple of the size and averaged, to avoid aliasing.
MAX_OVERSAMPLING = 4
# How far apart samples may lie, in pixels of the picture.
MAX_STEP_PX = 1.5
# From this side on a square has twice the pixels that its samples need, and so many of them are
# worth a smaller picture.
LARGE_PX = 2 * MAX_STEP_PX * PATCH_PX
MIN_TO_HALVE = 4
# Of the picture around squares, for what lies between its pixels.
MARGIN_PX = 4


def cut_square(
    rgb: Image,
    corners: NDArray[np.floating],
    side_px: int = PATCH_PX,
    max_step_px: float = MAX_STEP_PX,
    unit_px: int | None = None,
) -> Image:
    """The square with these corners, rectified to a patch (side_px, side_px, 3).

    ``rgb`` is (h, w, 3); ``corners`` (4, 2) are pixels (x, y), clockwise from the top left of the
    patch. Outside the picture its edge pixels are repeated. Samples lie ``max_step_px`` apart at
    most, as long as there are four ``unit_px`` or fewer to a side, by default four to each pixel.
    """
    unit_px = unit_px or side_px
    units = math.ceil(_side(corners) / (max_step_px * unit_px))
    size = min(max(units, side_px // unit_px), MAX_OVERSAMPLING) * unit_px
    flat = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - 0.5
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    patch = cv2.warpPerspective(rgb, view, (size, size), borderMode=cv2.BORDER_REPLICATE)
    if size > side_px:
        patch = cv2.resize(patch, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return np.asarray(patch, np.uint8)


def cut_squares(rgb: Image, squares: Sequence[NDArray[np.floating]]) -> Image:
    """The patches (n, 64, 64, 3) of squares given by their corners; see ``cut_square``.

    The surroundings of large squares are halved once, which takes less time than to average many
    samples in each of them.
    """
    large = [k for k, corners in enumerate(squares) if _side(corners) >= LARGE_PX]
    if len(large) < MIN_TO_HALVE or min(rgb.shape[:2]) < LARGE_PX:
        large = []
    rest = sorted({*range(len(squares))} - {*large})
    patches = np.empty((len(squares), PATCH_PX, PATCH_PX, 3), np.uint8)
    if large:
        patches[large] = cut_squares(*_halve_around(rgb, [squares[k] for k in large]))
    cut = map_in_threads(lambda k: cut_square(rgb, squares[k]), rest)
    for k, patch in zip(rest, cut, strict=True):
        patches[k] = patch
    return patches


def _halve_around(
    rgb: Image, squares: Sequence[NDArray[np.floating]]
) -> tuple[Image, list[NDArray[np.floating]]]:
    """What of the picture lies around the squares at half the size, and their corners there."""
    corners = np.stack(squares)
    size = np.array(rgb.shape[1::-1])
    low = np.clip(np.floor(corners.min((0, 1))) - MARGIN_PX, 0, size - 2).astype(int)
    high = np.clip(np.ceil(corners.max((0, 1))) + MARGIN_PX, low + 2, size).astype(int)
    half = (high - low) // 2
    high = low + 2 * half
    around = rgb[low[1] : high[1], low[0] : high[0]]
    small = cv2.resize(around, (int(half[0]), int(half[1])), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), list((corners + 0.5 - low) / 2 - 0.5)


def _side(corners: NDArray[np.floating]) -> float:
    return math.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1.0))


def rectify_quadrangle(rgb: Image, corners: NDArray[np.floating], side_px: int) -> Image:
    """The quadrangle ``corners`` rectified to a picture (side_px, side_px, 3) to look at.

    ``corners`` (4, 2) are pixels (x, y), clockwise from the top left; unlike ``cut_square`` it
    neither averages nor extends the picture, which is black outside.
    """
    side = side_px
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    picture = cv2.warpPerspective(rgb, view, (side, side), flags=cv2.INTER_LINEAR)
    return np.asarray(picture, np.uint8)


# To nearly half the size linear interpolation takes the mean of four pixels, and a tenth of the
# time of area averaging.
_NEARLY_TWO = 1.8


def resized_patches(images: Sequence[Image], side_px: int = PATCH_PX) -> Image:
    """Pictures as patches (n, side_px, side_px, 3).

    ``images`` are RGB, uint8, of shape (h, w, 3). ValueError for an array of another kind.
    """
    patches = np.zeros((len(images), side_px, side_px, 3), np.uint8)
    for at, image in enumerate(images):
        picture = np.asarray(image)
        if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
            raise ValueError(
                f"image {at}: expected RGB uint8 of shape (h, w, 3), "
                f"got {picture.dtype} of shape {picture.shape}"
            )
        if not picture.size:
            raise ValueError(f"image {at}: expected pixels, got shape {picture.shape}")
        shrinks = min(picture.shape[:2]) > side_px
        way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        patches[at] = cv2.resize(picture, (side_px, side_px), interpolation=way)
    return patches


def halved(rgb: Image, width: int, height: int) -> Image:
    """The picture (h, w, 3) halved as often as it stays as large as this."""
    while rgb.shape[1] >= 2 * width and rgb.shape[0] >= 2 * height:
        half = (rgb.shape[1] // 2, rgb.shape[0] // 2)
        rgb = np.asarray(cv2.resize(rgb, half, interpolation=cv2.INTER_AREA), np.uint8)
    return rgb


def resize_by_halves(rgb: Image, width: int, height: int) -> Image:
    """The picture (h, w, 3) at another size; halved first where it can be, which is much faster."""
    rgb = halved(rgb, width, height)
    nearly_half = rgb.shape[1] >= _NEARLY_TWO * width and rgb.shape[0] >= _NEARLY_TWO * height
    way = cv2.INTER_LINEAR if nearly_half else cv2.INTER_AREA
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=way), np.uint8)


# A share of the size by which frames of one thing differ between looks.
_TOLERANCE = 0.05
# Beyond such a residual there is no telling how wrong it is.
_MOST_RESIDUAL = 3.0
# The horizon may not come closer to what lies in the plane: depth there over that in the middle.
_LEAST_DEPTH = 0.02
_STARTS = np.array(
    [(0.0, 0.0)]
    + [(r * np.cos(t), r * np.sin(t)) for r in (0.35, 0.7) for t in np.arange(8) * np.pi / 4]
)
_BEST_STARTS = 3
_STEPS = 10


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane, as ``homography`` (3, 3) from pixels (x, y) to it, unturned and unmirrored.

    In it the second edge of each quadrilateral that it was fitted to has the length 1, and what
    the picture shows of it has positive depth (the third coordinate). ``residuals`` (n,) say how
    far each of them is from that shape and size, as a share of its size; up to 0.15 is usual.
    """

    homography: Floats
    residuals: Floats

    def sizes(self, quads: Floats) -> Floats:
        """The root of the area (n,) of quadrilaterals (n, 4, 2) in the plane; nan beyond it."""
        seen, depth = _mapped(self.homography[None], np.asarray(quads, np.float64))
        u, v = _edges(seen[0])
        area = np.abs(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])
        return np.where((depth[0] > 0).all(-1), np.sqrt(area), np.nan)


def fit_plane(quads: Floats, aspects: ArrayLike = 1.0, weights: Floats | None = None) -> Plane:
    """The plane in which quadrilaterals are rectangles of one area.

    ``quads`` (n, 4, 2) are pixels (x, y) in order around each, frames of them by a network will
    do; ``aspects`` (n,) or one for all is the length of the first edge over that of the second,
    ``weights`` (n,) how much each counts. One is enough to fit a plane, four are enough to trust
    it. ValueError for none.
    """
    quads = np.asarray(quads, np.float64)
    if quads.ndim != 3 or quads.shape[1:] != (4, 2) or not len(quads):
        raise ValueError(f"quads: expected shape (n, 4, 2) with n > 0, got {quads.shape}")
    logs = np.log(np.broadcast_to(np.asarray(aspects, np.float64), len(quads)))
    shares = np.ones(len(quads)) if weights is None else np.asarray(weights, np.float64)
    middle = np.median(quads.mean(1), axis=0)
    reach = max(float(np.abs(quads - middle).max()), 1e-6)
    unit = (quads - middle) / reach
    # The size at which nothing is rectified, then the starts with that of each.
    starts = np.column_stack([_STARTS, np.zeros((len(_STARTS), 2)), np.zeros(len(_STARTS))])
    off = _residuals(starts, unit, logs)
    starts[:, 4] = np.median(off[..., 2], axis=1)
    costs = _costs(_residuals(starts, unit, logs), starts, shares)
    best = starts[np.argsort(costs, kind="stable")[:_BEST_STARTS]]
    # Far from the answer all of them count, near to it only those that agree.
    for sharply in (False, True):
        best = _descended(best, unit, logs, shares, sharply=sharply)
    costs = _costs(_residuals(best, unit, logs), best, shares, sharply=True)
    found = best[int(np.argmin(costs))]
    residuals = np.sqrt((_residuals(found[None], unit, logs)[0] ** 2).mean(-1))
    to_unit = np.array(
        [(1 / reach, 0, -middle[0] / reach), (0, 1 / reach, -middle[1] / reach), (0, 0, 1)]
    )
    # The root of the area is that of the aspect times the second edge.
    grown = np.exp(0.5 * float(np.median(logs)) - found[4])
    homography = np.diag([grown, grown, 1.0]) @ _homographies(found[None])[0] @ to_unit
    return Plane(homography, residuals)


def _homographies(parameters: Floats) -> Floats:
    """Of parameters (b, 5): the horizon, stretch and shear, the logarithm of a size."""
    a, b, stretch, shear = parameters[:, :4].T
    zero, one = np.zeros_like(a), np.ones_like(a)
    rows = [(np.exp(stretch), shear, zero), (zero, np.exp(-stretch), zero), (a, b, one)]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def _mapped(homographies: Floats, quads: Floats) -> tuple[Floats, Floats]:
    """Corners (b, n, 4, 2) by homographies (b, 3, 3), and their depths (b, n, 4)."""
    flat = quads.reshape(-1, 2)
    seen = np.column_stack([flat, np.ones(len(flat))]) @ homographies.transpose(0, 2, 1)
    seen = seen.reshape(len(homographies), *quads.shape[:2], 3)
    depth = seen[..., 2]
    return seen[..., :2] / np.where(np.abs(depth) < 1e-9, 1e-9, depth)[..., None], depth


def _edges(quads: Floats) -> tuple[Floats, Floats]:
    """The two edges (..., 2) of quadrilaterals (..., 4, 2), each the mean of its two sides."""
    a, b, c, d = np.moveaxis(quads, -2, 0)
    return (b - a + c - d) / 2, (d - a + c - b) / 2


def _residuals(parameters: Floats, quads: Floats, logs: Floats) -> Floats:
    """How far (b, n, 3) aspect, angle and size are off, by parameters (b, 5)."""
    seen, depth = _mapped(_homographies(parameters), quads)
    u, v = _edges(seen)
    long, short = np.linalg.norm(u, axis=-1) + 1e-9, np.linalg.norm(v, axis=-1) + 1e-9
    aspect = np.log(long / short) - logs
    square = (u * v).sum(-1) / (long * short)
    area = np.abs(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]) + 1e-12
    size = 0.5 * np.log(area) - parameters[:, None, 4]
    off = np.stack([aspect, square, size], -1)
    off[(depth < _LEAST_DEPTH).any(-1)] = _MOST_RESIDUAL
    return np.asarray(np.clip(off, -_MOST_RESIDUAL, _MOST_RESIDUAL))


def _squares(off: Floats) -> Floats:
    """Squared residuals (b, n) in tolerances."""
    return np.asarray((off**2).sum(-1) / _TOLERANCE**2)


def _costs(off: Floats, parameters: Floats, shares: Floats, *, sharply: bool = False) -> Floats:
    """Costs (b,): soft L1, or ``sharply`` Cauchy's, and a an upright plane as the guess."""
    squares = _squares(off)
    each = np.log1p(squares) if sharply else 2 * (np.sqrt(1 + squares) - 1)
    return np.asarray((each * shares).sum(-1) + (parameters[:, :4] ** 2).sum(-1))


def _descended(
    parameters: Floats, quads: Floats, logs: Floats, shares: Floats, *, sharply: bool
) -> Floats:
    """Parameters (b, 5) of less cost; all starts take their steps together."""
    count = len(parameters)
    damping = np.full(count, 1e-2)
    off = _residuals(parameters, quads, logs)
    costs = _costs(off, parameters, shares, sharply=sharply)
    nudge, prior = 1e-5, np.diag([1.0, 1.0, 1.0, 1.0, 0.0])
    for _ in range(_STEPS):
        nudged = (parameters[:, None] + nudge * np.eye(5)).reshape(-1, 5)
        moved = _residuals(nudged, quads, logs).reshape(count, 5, *off.shape[1:])
        slopes = (moved - off[:, None]) / nudge
        squares = _squares(off)
        counts = (1 / (1 + squares) if sharply else 1 / np.sqrt(1 + squares)) * shares
        counts = counts[:, None, :, None] / _TOLERANCE**2
        bend = np.einsum("bink,bjnk->bij", slopes * counts, slopes) + prior
        slope = (slopes * counts * off[:, None]).sum((2, 3)) + parameters @ prior
        damped = bend + damping[:, None, None] * (np.eye(5) * bend + 1e-9 * np.eye(5))
        tried = parameters - np.linalg.solve(damped, slope[..., None])[..., 0]
        off_tried = _residuals(tried, quads, logs)
        costs_tried = _costs(off_tried, tried, shares, sharply=sharply)
        better = costs_tried < costs
        gain = np.where(better, costs - costs_tried, 0)
        parameters = np.where(better[:, None], tried, parameters)
        off = np.where(better[:, None, None], off_tried, off)
        costs = np.where(better, costs_tried, costs)
        damping = np.where(better, damping / 5, damping * 5)
        if (gain < 1e-4 * (1 + costs)).all() and better.any():
            break
    return parameters


def rectify_plane(
    rgb: Image, plane: Plane, side_px: float, quads: Floats, *, margin: float = 2.0,
    max_side_px: int = 2048,
) -> tuple[Image, Floats]:  # fmt: skip
    """What a picture shows of a plane around quadrilaterals, as if seen from straight above.

    The picture (h, w, 3) has ``side_px`` pixels to the unit of the plane, fewer where it would be
    longer than ``max_side_px``; it shows ``quads`` (n, 4, 2) and ``margin`` units around them, as
    far as there is a picture; beyond it is grey. With it comes the homography (3, 3) from pixels
    of the photograph to its own, both counted from the middle of the first. ValueError where a
    quadrilateral lies beyond the horizon.
    """
    points = np.asarray(quads, np.float64).reshape(-1, 2)
    depth = np.column_stack([points, np.ones(len(points))]) @ plane.homography[2]
    if not len(points) or not (depth > 0).all():
        raise ValueError("quads: expected some, all of them on this side of the horizon")
    seen = project(points, plane.homography)
    low, high = seen.min(0) - margin, seen.max(0) + margin
    edge = _outline(rgb.shape[1], rgb.shape[0], plane.homography, float(depth.min()) / 2)
    low, high = np.maximum(low, edge.min(0)), np.minimum(high, edge.max(0))
    scale = min(side_px, max_side_px / float((high - low).max()))
    width, height = (int(side) for side in np.maximum(np.ceil((high - low) * scale), 1))
    shown = np.array(
        [(scale, 0, -low[0] * scale - 0.5), (0, scale, -low[1] * scale - 0.5), (0, 0, 1)]
    )
    view = shown @ plane.homography
    small, shrunk = _shrunk(rgb, view, points)
    picture = cv2.warpPerspective(
        small, view @ shrunk, (width, height),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(114, 114, 114),
    )  # fmt: skip
    return np.asarray(picture, np.uint8), view


def _shrunk(rgb: Image, view: Floats, points: Floats) -> tuple[Image, Floats]:
    """The picture so small that a view shows no pixel of it smaller than half, and the way back.

    The nearest of the points (n, 2) of the picture, where the view enlarges least, decide.
    """
    ways = np.linalg.norm(project_steps(points, view), axis=-1).max(1)
    times = min(int(1.4 / max(float(ways.min()), 1e-6)), *rgb.shape[:2])
    if times < 2:
        return rgb, np.eye(3)
    height, width = (side // times for side in rgb.shape[:2])
    part = rgb[: height * times, : width * times]
    small = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), enlarged(times)


def enlarged(times: float) -> Floats:
    """The homography (3, 3) from the pixels of a picture to those of one so many times as large.

    The middles of pixels have whole coordinates, so that corners have halves.
    """
    off = (times - 1) / 2
    return np.array([[times, 0, off], [0, times, off], [0, 0, 1]], np.float64)


def _outline(width: int, height: int, homography: Floats, least_depth: float) -> Floats:
    """The edge (m, 2) of the picture in the plane, cut before the horizon."""
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) - 0.5
    depths = np.column_stack([corners, np.ones(4)]) @ homography[2]
    kept: list[Floats] = []
    for k in range(4):
        a, b, at, then = corners[k], corners[k - 1], depths[k], depths[k - 1]
        if (at > least_depth) != (then > least_depth):
            kept.append(a + (b - a) * (at - least_depth) / (at - then))
        if at > least_depth:
            kept.append(a)
    return project(np.array(kept), homography)
