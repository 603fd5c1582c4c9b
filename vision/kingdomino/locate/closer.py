"""A closer look at some squares of a lattice, in a larger picture of their surroundings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.network import Network
from vision.kingdomino.locate.lattice import Detections, Lattice
from vision.kingdomino.locate.search import LocateSettings, search_at

__all__ = ["look_closer"]

Image = NDArray[np.uint8]

# Squares across of what is looked at closer, and their side in pixels.
REACH, CLOSE_PX = 2, 72.0
SAME_PLACE = 0.3


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
