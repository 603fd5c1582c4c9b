"""The lattice of a kingdom: a homography fitted through the squares that were found on it, and how
these lie on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.grids import pairs_of
from vision.common.rectify import fit_homography, project

Floats = NDArray[np.float64]
# How often a lattice is fitted at most, each time without the worst square.
REFITS = 4
# From the edges (u, v) of a square to (v, -u), its edges after a quarter turn.
_QUARTER = np.array([(0.0, 1.0), (-1.0, 0.0)])
# Of the corners of a quadrilateral, in turn, the shares (16, 4) in points spread evenly over it.
_SHARES = (np.arange(4) + 0.5) / 4
_SPREAD = np.array(
    [((1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y) for x in _SHARES for y in _SHARES]
)


@dataclass(frozen=True)
class LatticeSettings:
    """Bounds of what counts as a neighbour; lengths are shares of a square.

    A lattice grows over squares with at least ``strong_score`` of the best score; weaker ones
    join only where the lattice then has a free cell for them. Squares that nothing with a gap of
    ``max_gap`` or less holds to the rest make a lattice of their own, and so do outer dominoes
    turned by more than ``max_turn_deg``.
    """

    max_offset: float = 0.36
    max_frame_change: float = 0.5
    max_misfit: float = 0.33
    strong_score: float = 0.6
    max_gap: float = 0.06
    max_turn_deg: float = 10.0


@dataclass(frozen=True, eq=False)
class GroundMap:
    """Where the table lies bare, and where something lies on it that hides what is below.

    Probabilities (2, h, w) of both, one for each ``step`` (x, y) pixels. The first value stands
    for the square of pixels whose corner is ``origin`` (x, y).
    """

    probabilities: NDArray[np.float32]
    step: Floats
    origin: Floats

    def within(self, corners: Floats) -> tuple[float, float]:
        """The means of both over a quadrilateral (4, 2) in pixels; see ``within_each``."""
        bare, things = self.within_each(corners[None])[0]
        return float(bare), float(things)

    def within_each(self, quadrilaterals: Floats) -> Floats:
        """The means (n, 2) of both over quadrilaterals (n, 4, 2) in pixels.

        Where nothing is known, it is bare as likely as not.
        """
        places = (_SPREAD @ quadrilaterals + (0.5 - self.origin)) / self.step
        x, y = np.floor(places).astype(int).transpose(2, 0, 1)
        height, width = self.probabilities.shape[1:]
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        seen = self.probabilities[:, y.clip(0, height - 1), x.clip(0, width - 1)]
        known = inside.sum(1)
        means = (seen * inside).sum(2, dtype=np.float64) / known.clip(1)
        return np.where(known[:, None] > 0, means.T, (0.5, 0.0))


@dataclass(frozen=True)
class Detections:
    """Squares found one by one, all arrays of n rows.

    ``centres`` (n, 2) and ``edges`` (n, 2, 2) are pixels (x, y) of the photograph, ``scores``
    (n,) how sure the locator is in 0..1, ``grounds`` (n, g) the probabilities of the grounds.
    ``ground`` tells where the table lies bare or is hidden.
    """

    centres: Floats
    edges: Floats
    scores: Floats
    grounds: Floats
    ground: GroundMap | None = None

    def __len__(self) -> int:
        return len(self.centres)

    def chosen(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Detections:
        """Some of the detections."""
        centres, edges = self.centres[rows], self.edges[rows]
        return Detections(centres, edges, self.scores[rows], self.grounds[rows], self.ground)


@dataclass(frozen=True)
class Lattice:
    """A grid and the found squares that lie on it.

    ``homography`` (3, 3) maps (column, row) to pixels (x, y); ``members`` gives for a cell
    (row, column) the index of the found square; ``misfit`` is the root mean square distance of
    detected centres from those of their cells, as a share of a square.
    """

    homography: Floats
    members: dict[Position, int] = field(compare=False)
    misfit: float

    def points(self, lattice_points: object) -> Floats:
        """Pixels (n, 2) of lattice points (column, row)."""
        return project(np.asarray(lattice_points, np.float64).reshape(-1, 2), self.homography)

    def places(self, pixels: object) -> Floats:
        """Lattice points (column, row), shape (n, 2), of pixels (x, y)."""
        inverse = np.asarray(np.linalg.inv(self.homography), np.float64)
        return project(np.asarray(pixels, np.float64).reshape(-1, 2), inverse)

    def moved(self, rows: int, columns: int) -> Lattice:
        """The same grid counted from another corner: old (rows, columns) becomes (0, 0)."""
        shift = np.array([[1, 0, columns], [0, 1, rows], [0, 0, 1.0]])
        members = {(r - rows, c - columns): k for (r, c), k in self.members.items()}
        return Lattice(self.homography @ shift, members, self.misfit)


def align(edges: Floats, like: Floats) -> Floats:
    """The edges with sign and order chosen to be as close to ``like`` as they can be."""
    turned = _QUARTER @ edges
    variants = np.array([edges, turned, -edges, -turned])
    return np.asarray(variants[np.argmin(((variants - like) ** 2).sum((1, 2)))])


def align_all(edges: Floats, like: Floats) -> Floats:
    """Each of the edges (n, 2, 2) with sign and order as close to ``like`` as they can be.

    ``like`` is one frame (2, 2) or one for each (n, 2, 2).
    """
    u, v = edges[:, 0], edges[:, 1]
    variants = np.stack([edges, np.stack([v, -u], 1), -edges, np.stack([-v, u], 1)], 1)
    best = np.argmin(((variants - like[..., None, :, :]) ** 2).sum((2, 3)), axis=1)
    return np.asarray(variants[np.arange(len(edges)), best])


def fit_lattice(
    detections: Detections, placed: dict[Position, int], settings: LatticeSettings
) -> Lattice:
    """A homography through the centres and corners of the placed detections."""
    members = dict(placed)
    homography = np.eye(3)
    misfits = np.zeros(len(members))
    for _ in range(REFITS):
        keys = list(members)
        index = np.array([members[k] for k in keys], np.intp)
        middles = np.array([(c + 0.5, r + 0.5) for r, c in keys])
        homography = _homography(detections.chosen(index), middles)
        seen = project(middles, homography)
        across = project(middles + (0.5, 0), homography) - project(middles - (0.5, 0), homography)
        down = project(middles + (0, 0.5), homography) - project(middles - (0, 0.5), homography)
        sides = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])) + 1e-9
        misfits = np.linalg.norm(seen - detections.centres[index], axis=1) / sides
        bad = misfits > settings.max_misfit
        if not bad.any() or len(keys) - bad.sum() < 1:
            break
        worst = int(np.argmax(misfits))
        del members[keys[worst]]
    return Lattice(homography, members, float(np.sqrt(np.mean(misfits**2))))


def _homography(detections: Detections, middles: Floats) -> Floats:
    """Least squares over centres and corners; affine where too few squares were found."""
    first = detections.edges[0]
    if len(detections) > 1:
        # The edges' own order and sign say nothing: the lattice neighbours do.
        design = np.c_[middles - middles.mean(0)]
        moves, _, rank, _ = np.linalg.lstsq(design, detections.centres - detections.centres.mean(0))
        if rank == 2:
            first = moves
        else:
            along = middles[-1] - middles[0]
            first = np.mean(align_all(detections.edges, first), axis=0)
            actual = detections.centres[-1] - detections.centres[0]
            best = min(
                (
                    np.array(v)
                    for v in (
                        (first[0], first[1]),
                        (first[1], -first[0]),
                        (-first[0], -first[1]),
                        (-first[1], first[0]),
                    )
                ),
                key=lambda v: float(np.linalg.norm(along @ v - actual)),
            )
            first = best
    spots = np.array([(0, 0), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    turned = align_all(detections.edges, np.asarray(first))
    u, v = turned[:, None, 0], turned[:, None, 1]
    ends = detections.centres[:, None] + spots[:, :1] * u + spots[:, 1:] * v
    source_, target_ = (middles[:, None] + spots).reshape(-1, 2), ends.reshape(-1, 2)
    if len(detections) < 3:
        solved, *_ = np.linalg.lstsq(np.c_[source_, np.ones(len(source_))], target_)
        return np.vstack([solved.T, [0, 0, 1]])
    return fit_homography(source_, target_)


def turn_upright(lattice: Lattice) -> Lattice:
    """The same lattice turned so that rows run to the right and columns down in the picture."""
    keys = np.array(list(lattice.members))
    middle = keys.mean(0)[::-1] + 0.5
    across, down = lattice.points([middle + (1, 0), middle + (0, 1)]) - lattice.points([middle])
    # After a quarter turn what ran down runs to the right, what ran to the right runs up.
    rights = (across[0], down[0], -across[0], -down[0])
    downs = (down[1], -across[1], -down[1], across[1])
    turns = int(np.argmax(np.add(rights, downs)))
    if turns == 0:
        return lattice
    quarter = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.0]])
    turn = np.linalg.matrix_power(quarter, turns)
    inverse = np.linalg.inv(turn)
    members: dict[Position, int] = {}
    for (row, column), k in lattice.members.items():
        x, y, _ = turn @ (column + 0.5, row + 0.5, 1.0)
        members[(int(np.floor(y)), int(np.floor(x)))] = k
    return Lattice(lattice.homography @ inverse, members, lattice.misfit)


Pair = tuple[Position, Position]


def measure_gaps(detections: Detections, lattice: Lattice) -> dict[Pair, float]:
    """The gap between each pair of neighbours as a share of a square, negative where they overlap.

    Pairs are in reading order. Measured along the line from one to the other, by the lattice.
    """
    cells = list(lattice.members)
    places = lattice.places(detections.centres[[lattice.members[cell] for cell in cells]])
    at = dict(zip(cells, places, strict=True))
    found = {}
    for one, other in pairs_of(cells, at):
        apart = at[other] - at[one]
        found[one, other] = float(apart[0 if other[0] == one[0] else 1] - 1)
    return found


def measure_rotations(detections: Detections, lattice: Lattice) -> dict[Position, float]:
    """How far the square found on each cell is turned against the lattice, in degrees."""
    cells = list(lattice.members)
    middles = np.array([(column + 0.5, row + 0.5) for row, column in cells])
    ends = lattice.points(middles[:, None] + np.array([(1, 0), (0, 1), (0, 0)])).reshape(-1, 3, 2)
    frames = ends[:, :2] - ends[:, 2:]
    edges = align_all(detections.edges[list(lattice.members.values())], frames)
    flat = edges @ np.linalg.inv(frames)
    turns = np.arctan2(flat[:, 0, 1] - flat[:, 1, 0], flat[:, 0, 0] + flat[:, 1, 1])
    return dict(zip(cells, np.degrees(turns).tolist(), strict=True))
