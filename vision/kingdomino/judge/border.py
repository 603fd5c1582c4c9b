"""Whether a kingdom goes on beyond the edge of the picture, told by what the cells there show.

What lies beyond the edge is unknown, not bare. Of a cell that the edge cuts, the part that is seen
is compared with the table around.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from scorer.kingdomino.rules import LARGE_GRID, SMALL_GRID
from vision.common.grids import STEPS, Extent, around, beside
from vision.kingdomino.detect.grid import MOSTLY, cell_corners
from vision.kingdomino.detect.lattice import GroundMap, Lattice
from vision.kingdomino.labels import MAX_HOLES, NEIGHBOUR

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# Points across a cell and down it.
POINTS = 12
_SPOTS = (np.indices((POINTS, POINTS)).reshape(2, -1).T[:, ::-1] + 0.5) / POINTS
# Dominoes shade the table so far from their sides, in squares.
SHADE = 0.06


class BorderCell(NamedTuple):
    """A cell beside a kingdom of which the picture shows too little to classify it.

    It lies a ``step`` (rows, columns) from a square. ``inside`` is the share of it that the picture
    shows. ``distance`` is how far the colour of
    that part is from that of the third nearest free cell of the table, in CIE L*a*b*, ``usual``
    the same of free cells; NaN where too little is seen. ``bare`` is the probability of bare table
    by the locator.
    """

    cell: Position
    step: Position
    inside: float
    distance: float
    usual: float
    bare: float


def shares_inside(lattice: Lattice, cells: Sequence[Position], size: tuple[int, int]) -> Floats:
    """The share (n,) of each cell that lies in the picture of ``size`` (width, height)."""
    return np.asarray(_in_picture(_points(lattice, cells), size).mean(1), np.float64)


def cell_colours(rgb: Image, lattice: Lattice, cells: Sequence[Position]) -> tuple[Floats, Floats]:
    """The colours (n, points, 3) spread over cells in CIE L*a*b*, and their shares inside (n,)."""
    if not cells:
        return np.zeros((0, len(_SPOTS), 3)), np.zeros(0)
    points = _points(lattice, cells)
    return _colours(rgb, points), _in_picture(points, (rgb.shape[1], rgb.shape[0])).mean(1)


def _points(lattice: Lattice, cells: Sequence[Position]) -> Floats:
    """Pixels (n, points, 2) spread over each cell."""
    at = np.array(cells, np.float64).reshape(-1, 1, 2)[..., ::-1] + _SPOTS
    return lattice.points(at).reshape(-1, len(_SPOTS), 2)


def _in_picture(points: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    return np.asarray(((points >= -0.5) & (points <= np.array(size) - 0.5)).all(-1))


def measure_border(
    rgb: Image,
    lattice: Lattice,
    occupied: Collection[Position],
    free: Sequence[Position],
    ground: GroundMap | None,
    searched: Lattice,
) -> list[BorderCell]:
    """The cells beside the squares of a kingdom of which the picture (h, w, 3) shows a part.

    ``free`` are cells around it on which nothing lies; ``searched`` is the lattice in pixels of
    ``ground``.
    """
    size = rgb.shape[1], rgb.shape[0]
    extent = Extent.of(occupied).widened(1)
    if _in_picture(lattice.points(extent.corners()), size).all():
        return []
    steps = {
        (r + dr, c + dc): (dr, dc)
        for r, c in sorted(occupied)
        for dr, dc in STEPS
        if (r + dr, c + dc) not in occupied
    }
    if not steps:
        return []
    points = _points(lattice, list(steps))
    visible = _in_picture(points, size)
    inside = visible.mean(1)
    cut = np.flatnonzero((inside > 0) & (inside < MOSTLY))
    if not len(cut):
        return []
    around = _points(lattice, free) if free else points[:0]
    table = _colours(rgb, around[_in_picture(around, size).all(1)])
    looks = _colours(rgb, points[cut])
    cells = [list(steps)[k] for k in cut]
    grounds = (
        ground.within_each(cell_corners(searched, cells))[:, 0]
        if ground
        else np.full(len(cells), np.nan)
    )
    found = []
    for k, cell, look, bare in zip(cut, cells, looks, grounds, strict=True):
        seen = visible[k] & _lit(steps[cell])
        distance = usual = np.nan
        if seen.sum() < POINTS // 2:
            bare = np.nan
        elif len(table) > NEIGHBOUR:
            among = table[:, seen].mean(1)
            distance = _third_nearest(look[seen].mean(0)[None], among)[0]
            usual = np.median(_third_nearest(among, among))
        found.append(
            BorderCell(
                cell, steps[cell], float(inside[k]), float(distance), float(usual), float(bare)
            )
        )
    return found


@dataclass(frozen=True)
class BorderModel:
    """Logistic regressions that tell whether a square of the kingdom lies on a cell.

    The first takes what ``features_of`` gives; the second, where the table around is not seen,
    the log-odds of bare table alone. Fitted by ``python -m training.kingdomino.border``. From the
    probability ``bound`` on it may be one.
    """

    coefficients: tuple[float, ...]
    intercept: float
    bare_coefficient: float
    bare_intercept: float
    bound: float

    def probabilities(self, border: Sequence[BorderCell]) -> dict[Position, float]:
        """That the kingdom goes on on each cell, 0..1; NaN where too little is seen of it.

        As the light is the same along a side, half of what tells are the other cells there.
        """
        odds = {each.cell: self._log_odds(each) for each in border}
        sides: dict[Position, list[float]] = {}
        for each in border:
            sides.setdefault(each.step, []).append(odds[each.cell])
        means = {step: np.mean([odd for odd in side if odd == odd] or [np.nan])
                 for step, side in sides.items()}  # fmt: skip
        joint = {each.cell: (odds[each.cell] + means[each.step]) / 2 for each in border}
        return {cell: float(1 / (1 + np.exp(-odd))) for cell, odd in joint.items()}

    def _log_odds(self, cell: BorderCell) -> float:
        features = features_of(cell)
        found = self.intercept + float(np.dot(self.coefficients, features))
        if np.isnan(found):
            found = self.bare_intercept + self.bare_coefficient * float(features[-1])
        return found


def features_of(cell: BorderCell) -> Floats:
    """Of a cell log(1 + distance), log(1 + usual) and the log-odds of bare table, (3,)."""
    bare = min(max(cell.bare, 0.01), 0.99)
    return np.array([np.log1p(cell.distance), np.log1p(cell.usual), np.log(bare / (1 - bare))])


def find_cut_off(
    border: Sequence[BorderCell],
    lattice: Lattice,
    occupied: Collection[Position],
    size: tuple[int, int],
    model: BorderModel,
) -> dict[Position, float]:
    """The cells on which a kingdom may go on beyond the picture of ``size`` (width, height).

    With the share of each that lies in the picture. A kingdom that is as wide or high as usual,
    but has more than a few empty cells, is one of the large ones if that can be seen.
    """
    extent = Extent.of(occupied)
    most = SMALL_GRID if extent.longest <= SMALL_GRID else LARGE_GRID
    is_full = len(set(occupied)) >= most * most - MAX_HOLES
    known = model.probabilities(border)
    cells = sorted(around(occupied, corners=True))
    shares = dict(zip(cells, shares_inside(lattice, cells, size), strict=True))
    found = {}
    for cell in around(occupied):
        side = extent.with_cell(cell).longest
        likely = known.get(cell, np.nan)
        if side > most and (is_full or side > LARGE_GRID or np.isnan(likely)):
            continue
        if likely >= model.bound or (np.isnan(likely) and shares[cell] < MOSTLY):
            found[cell] = float(shares[cell])
    corners = {
        cell: float(shares[cell])
        for cell in shares.keys() - around(occupied)
        if shares[cell] < MOSTLY and any(near in found for near in beside(cell))
    }
    return found | corners


def _third_nearest(looks: Floats, table: Floats) -> Floats:
    """How far (n,) the third nearest of a table (m, 3) is from each look (n, 3), itself aside."""
    apart = np.linalg.norm(looks[:, None] - table[None], axis=2)
    apart[apart == 0] = np.inf
    return np.asarray(np.sort(apart, axis=1)[:, NEIGHBOUR - 1])


def _lit(step: Position) -> NDArray[np.bool_]:
    """The points of a cell a ``step`` from a square that lie out of its shade."""
    across = (_SPOTS - 0.5) @ np.array(step[::-1], np.float64) + 0.5
    return np.asarray(across > SHADE)


def _colours(rgb: Image, points: Floats) -> Floats:
    """The colours (n, points, 3) in CIE L*a*b* at pixels (n, points, 2)."""
    if not len(points):
        return np.zeros((0, len(_SPOTS), 3))
    at = points.astype(np.float32)
    seen = cv2.remap(rgb, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    lab = cv2.cvtColor(np.asarray(seen, np.float32) / 255, cv2.COLOR_RGB2LAB)
    return np.asarray(lab, np.float64)
