"""How far a part of a kingdom lies off its place, measured together with the lattice.

A lattice that is fitted through loose squares as well gives way to them and hides most of the gap.
So lattice and offset are fitted at once, by the method of Gauss and Newton.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.network import Network
from vision.kingdomino.locate.lattice import Detections, Lattice, align_all
from vision.kingdomino.locate.search import LocateSettings, search_at

__all__ = ["look_closer", "measure_offset"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

ITERATIONS = 4
# The middle of a square and its corners, in squares from the middle.
_SPOTS = np.array([(0, 0), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
# Squares around a part that are looked at closer with it, and their side in pixels.
REACH, CLOSE_PX = 1, 72.0
SAME_PLACE = 0.3
# Of the depth in the middle of a kingdom; nearer to the horizon no square is found.
MIN_DEPTH = 0.05


def measure_offset(detections: Detections, lattice: Lattice, part: Collection[Position]) -> Floats:
    """How far the squares of ``part`` lie from where the others say, (x, y) in squares.

    (0, 0) where the lattice reaches its horizon, so that nothing can be measured.
    """
    cells = list(lattice.members)
    middles = np.array([(column + 0.5, row + 0.5) for row, column in cells])
    ends = lattice.points(middles[:, None] + np.array([(1, 0), (0, 1), (0, 0)])).reshape(-1, 3, 2)
    index = list(lattice.members.values())
    edges = align_all(detections.edges[index], ends[:, :2] - ends[:, 2:])
    found = (
        detections.centres[index][:, None]
        + _SPOTS[:, :1] * edges[:, None, 0]
        + _SPOTS[:, 1:] * edges[:, None, 1]
    ).reshape(-1, 2)
    middle = middles.mean(0)
    flat = (middles[:, None] + _SPOTS - middle).reshape(-1, 2)
    moves = np.repeat([float(cell in part) for cell in cells], len(_SPOTS))[:, None]
    start = lattice.homography @ np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1.0]])
    view = (start / start[2, 2]).ravel()[:8]
    offset = np.zeros(2)
    for _ in range(ITERATIONS):
        places = flat + moves * offset
        depth = places @ view[6:] + 1
        if depth.min() < MIN_DEPTH:
            return np.zeros(2)
        seen = (places @ view[:6].reshape(2, 3)[:, :2].T + view[[2, 5]]) / depth[:, None]
        slopes = np.zeros((len(places), 2, 10))
        along = np.c_[places, np.ones(len(places))] / depth[:, None]
        slopes[:, 0, 0:3] = slopes[:, 1, 3:6] = along
        slopes[:, :, 6:8] = -seen[:, :, None] * along[:, None, :2]
        to_pixels = view[:6].reshape(2, 3)[:, :2] - seen[:, :, None] * view[6:]
        slopes[:, :, 8:] = to_pixels * (moves / depth[:, None])[:, :, None]
        flat_slopes = slopes.reshape(-1, 10)
        scale = np.linalg.norm(flat_slopes, axis=0) + 1e-12
        step, *_ = np.linalg.lstsq(flat_slopes / scale, (found - seen).ravel())
        view, offset = view + (step / scale)[:8], offset + (step / scale)[8:]
    return offset


def look_closer(
    rgb: Image,
    network: Network,
    lattice: Lattice,
    part: Collection[Position],
    settings: LocateSettings,
) -> tuple[Detections, Lattice] | None:
    """The squares of a lattice around a part of it, found anew in a larger picture.

    None where that shows none of the part, or of the rest, on its place.
    """
    rows, columns = zip(*part, strict=True)
    xs = (min(columns) - REACH, max(columns) + 1 + REACH)
    ys = (min(rows) - REACH, max(rows) + 1 + REACH)
    corners = lattice.points([(x, y) for x in xs for y in ys])
    low = np.maximum(np.floor(corners.min(0)), 0).astype(int)
    high = np.minimum(np.ceil(corners.max(0)), rgb.shape[1::-1]).astype(int)
    if (high - low < CLOSE_PX / 4).any():
        return None
    # Even sides are halved exactly, which is much faster.
    high -= (high - low) % 2
    ends = lattice.points([(xs[0], ys[0]), (xs[1], ys[0]), (xs[0], ys[1])])
    sides = np.linalg.norm(ends[1:] - ends[0], axis=1) / (xs[1] - xs[0], ys[1] - ys[0])
    if sides.min() < 1:
        return None
    size = np.minimum((high - low) * CLOSE_PX / sides.mean(), settings.max_zoomed_side_px)
    cut = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
    closer = search_at(cut, network, (int(size[0]), int(size[1])), settings)
    closer = replace(closer, centres=closer.centres + low, ground=None)
    members: dict[Position, int] = {}
    for k, (x, y) in enumerate(lattice.places(closer.centres)):
        cell = int(np.floor(y)), int(np.floor(x))
        off = max(abs(x - cell[1] - 0.5), abs(y - cell[0] - 0.5))
        if cell in lattice.members and cell not in members and off < SAME_PLACE:
            members[cell] = k
    if not members.keys() & set(part) or not members.keys() - set(part):
        return None
    return closer, Lattice(lattice.homography, members, lattice.misfit)
