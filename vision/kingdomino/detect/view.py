"""The table seen from straight above, to be read there at one scale.

All squares of a photograph lie in one plane and have one size. So the frames of those that were
found tell the plane, near and far, steep and flat become one case, and what is of another size is
a picture of a kingdom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network
from vision.common.rectify import (
    PATCH_PX,
    Plane,
    fit_homography,
    fit_plane,
    project,
    rectify_plane,
)
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.detect.search import SURE_SCORE, Located, LocateSettings, locate
from vision.kingdomino.labels import MIN_SQUARES

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# By how much of its size the frame of a square is off, as a rule.
TOLERANCE = 0.15
# The squared misfit of what lies beyond the horizon.
FAR = 1e6
# Lattices whose own planes are tried, and the least squares on one.
MOST_LATTICES, MIN_TO_SPAN = 3, 7
MOST_LOOKS = 3
_SIGNS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True)
class ViewSettings:
    """When and how a table is seen from above.

    The plane is that of the sure squares, where there are ``min_squares`` of them. Where it is seen
    at a slant of ``min_slant``, as of ``measure_slant``, or ``min_slant_of_plain`` where nothing is
    in doubt, the table is drawn flat, with ``look_px`` pixels a square to find all of them, then
    with as many as the classifier takes, and ``margin`` squares around them, at most
    ``max_side_px`` wide and high; looked at again until the slant is below ``flat_enough``. A group
    as large as the smallest kingdom is off the scale where its squares are smaller than
    ``least_size`` of the others, or larger by it.
    """

    min_squares: int = 4
    min_slant: float = 1.25
    min_slant_of_plain: float = 1.6
    look_px: float = 32.0
    margin: float = 2.5
    max_side_px: int = 1536
    flat_enough: float = 1.15
    least_size: float = 0.7


@dataclass(frozen=True, eq=False)
class FlatView:
    """A ``picture`` (h, w, 3) of the table; ``view`` (3, 3) maps the photograph's pixels to it."""

    view: Floats
    picture: Image


def _quads(detections: Detections) -> Floats:
    """The corners (n, 4, 2) of detected squares in pixels."""
    return np.asarray(detections.centres[:, None] + _SIGNS @ detections.edges)


def _sides(quads: Floats) -> Floats:
    u, v = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    return np.asarray(np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])) + 1e-9)


def _fit(quads: Floats, centres: Floats, lattices: Sequence[Lattice]) -> Plane:
    """The plane in which most and the largest squares are of one size.

    That of one of the ``lattices``, by the ``centres`` on it, which say more than the frames do
    where a camera leans far; where there is none, it is fitted to all quads.
    """
    sides = _sides(quads)
    weights = (sides / sides.max()) ** 2
    found = [_plane_of(each, centres, quads) for each in lattices]
    found = found or [fit_plane(quads, weights=weights)]
    return min(found, key=lambda plane: float((weights * np.log1p(_misfits(plane, quads))).sum()))


def _plane_of(lattice: Lattice, centres: Floats, quads: Floats) -> Plane:
    """The plane of a lattice, in front of most of the quads."""
    middles = np.array(list(lattice.members), np.float64)[:, ::-1] + 0.5
    view = fit_homography(centres[list(lattice.members.values())], middles)
    depths = np.c_[quads.mean(1), np.ones(len(quads))] @ view[2]
    return Plane(view * np.sign(np.median(depths)), np.zeros(0))


def _spans_a_plane(lattice: Lattice, least: int) -> bool:
    """Whether a lattice has ``least`` members, on three rows and columns or more."""
    cells = np.array(list(lattice.members))
    return len(cells) >= least and all(len(set(axis)) > 2 for axis in cells.T)


def _misfits(plane: Plane, quads: Floats) -> Floats:
    """How far (n,) quads are from squares of one size in a plane, in squared tolerances."""
    a, b, c, d = project(quads.reshape(-1, 2), plane.homography).reshape(-1, 4, 2).swapaxes(0, 1)
    u, v = b - a + c - d, d - a + c - b
    long, short = np.linalg.norm(u, axis=1) + 1e-9, np.linalg.norm(v, axis=1) + 1e-9
    sizes = np.log(plane.sizes(quads))
    off = [np.log(long / short), (u * v).sum(1) / (long * short), sizes - np.nanmedian(sizes)]
    squares = (np.array(off) ** 2).sum(0) / TOLERANCE**2
    return np.asarray(np.nan_to_num(squares, nan=FAR), np.float64)


def fit_table(located: Located, settings: ViewSettings) -> Plane | None:
    """The plane of the table in pixels of the picture; None where too few squares were found."""
    sure = located.detections.chosen(located.detections.scores > SURE_SCORE)
    if len(sure) < settings.min_squares:
        return None
    large = [each for each in located.lattices if _spans_a_plane(each, MIN_TO_SPAN)]
    return _fit(_quads(sure), located.detections.centres, large[:MOST_LATTICES])


def measure_slant(located: Located, plane: Plane, settings: ViewSettings) -> float:
    """How many times longer than wide squares look, 1 at least.

    Or the root of how many times longer the nearest ones look than the farthest, if that is more.
    Squares of another size than that of most are none of the table.
    """
    sure = located.detections.chosen(located.detections.scores > SURE_SCORE)
    sizes = plane.sizes(_quads(sure))
    with np.errstate(invalid="ignore"):
        usual = np.abs(np.log(sizes / np.nanmedian(sizes))) < -np.log(settings.least_size)
    middles = sure.centres[usual]
    if not len(middles):
        return 1.0
    spots = middles[:, None] + np.array([(0.0, 0), (1, 0), (0, 1)])
    steps = project(spots.reshape(-1, 2), plane.homography).reshape(-1, 3, 2)
    long, short = np.linalg.svd(steps[:, 1:] - steps[:, :1], compute_uv=False).T
    grown = np.sqrt(long * short)
    return float(max(np.median(long / short), np.sqrt(grown.max() / grown.min())))


def view_from_above(
    rgb: Image,
    plane: Plane,
    located: Located,
    network: Network,
    searching: LocateSettings,
    settings: ViewSettings,
) -> FlatView | None:
    """The picture (h, w, 3) from above, looked at until squares look square there.

    None where they never do. The frames of squares that look more than twice as long as wide lean
    too little, so that one look is not enough for these.
    """
    view = np.eye(3)
    look = replace(searching, other_long_sides_px=(), small_square_px=0.0)
    for _ in range(MOST_LOOKS):
        drawn = _drawn(rgb, plane, located, view, settings.look_px, settings)
        if drawn is None:
            return None
        look = replace(look, long_side_px=max(drawn.picture.shape[:2]))
        located, view = locate(drawn.picture, network, look), drawn.view
        again = fit_table(located, settings)
        if again is None:
            return None
        plane = again
        if measure_slant(located, plane, settings) < settings.flat_enough:
            return _drawn(rgb, plane, located, view, PATCH_PX, settings)
    return None


def _drawn(
    rgb: Image,
    plane: Plane,
    located: Located,
    view: Floats,
    side_px: float,
    settings: ViewSettings,
) -> FlatView | None:
    """The picture of a plane, which was seen with its squares in a ``view`` of the photograph."""
    sure = located.detections.chosen(located.detections.scores > SURE_SCORE)
    quads = _quads(sure)
    sizes = plane.sizes(quads)
    if not np.isfinite(sizes).any():
        return None
    usual = float(np.nanmedian(sizes))
    to_plane = np.diag([1 / usual, 1 / usual, 1]) @ plane.homography @ view
    seen = project(quads[np.isfinite(sizes)].reshape(-1, 2), np.asarray(np.linalg.inv(view)))
    try:
        picture, drawn = rectify_plane(
            rgb, Plane(to_plane, plane.residuals), side_px, seen.reshape(-1, 4, 2),
            margin=settings.margin, max_side_px=settings.max_side_px,
        )  # fmt: skip
    except ValueError:
        return None
    return FlatView(drawn, picture)


def drop_off_scale(located: Located, settings: ViewSettings) -> Located:
    """What was found without the lattices of squares of another size in the plane of the table.

    That is the size of the most and largest squares; those of a picture of a kingdom are smaller.
    """
    detections, lattices = located
    groups = [each for each in lattices if len(each.members) >= MIN_SQUARES]
    plane = fit_table(located, settings) if len(groups) > 1 else None
    if plane is None:
        return located
    quads = [_quads(detections.chosen(np.array([*each.members.values()]))) for each in groups]
    sizes = np.array([float(np.median(np.nan_to_num(plane.sizes(each)))) for each in quads])
    usual = sizes[np.argmax([len(each.members) for each in groups] * sizes**3)]
    least = settings.least_size
    off = [
        each
        for each, size in zip(groups, sizes, strict=True)
        if not least < size / usual < 1 / least
    ]
    return Located(detections, [each for each in lattices if not any(each is one for one in off)])
