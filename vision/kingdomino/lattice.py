"""Lattices: single squares grouped by what touches, a homography through each group."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.kingdomino import Position
from vision.common import geometry
from vision.common.geometry import beside, pairs_of, project
from vision.kingdomino.result import Floats

Pair = tuple[Position, Position]
_Step = tuple[float, int, NDArray[np.int_], int]
# A domino turned by more against a lattice lies loose.
MAX_TURN_DEG = 10.0
# How often a lattice is fitted at most, each time without the worst square.
REFITS = 4
# The corners of a square from its middle, in its edges, clockwise from the first; and the middle.
CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
SPOTS = np.vstack([(0, 0), CORNERS])
# The middle of a square, and those of its sides, to the right, below, to the left and above.
_CROSS = np.array([(0, 0), (0.5, 0), (0, 0.5), (-0.5, 0), (0, -0.5)])
# A frame turned by none to three quarters, or (x, y) counted along its edges.
_QUARTERS = np.array([np.linalg.matrix_power([[0, 1], [-1, 0]], turns) for turns in range(4)])
# Of the corners of a quadrilateral, in turn, the shares (16, 4) in points spread evenly over it.
_X, _Y = np.indices((4, 4)).reshape(2, -1) / 4 + 0.125
_SPREAD = np.stack([(1 - _X) * (1 - _Y), _X * (1 - _Y), _X * _Y, (1 - _X) * _Y], 1)


@dataclass(frozen=True)
class LatticeSettings:
    """Bounds of what counts as a neighbour; lengths are shares of a square.

    A lattice grows over squares with at least ``strong_score`` of the best score; weaker ones
    join only where the lattice then has a free cell for them. Squares that nothing with a gap of
    ``max_gap`` or less holds to the rest make a lattice of their own, and so do outer dominoes
    turned by more than ``MAX_TURN_DEG``.
    """

    max_offset: float = 0.36
    max_frame_change: float = 0.5
    max_misfit: float = 0.33
    strong_score: float = 0.6
    max_gap: float = 0.06


@dataclass(frozen=True, eq=False)
class GroundMap:
    """Where the table lies bare, and where something hides it: probabilities (2, h, w) of both.

    There is one for each ``step`` (x, y) pixels, from the corner ``origin`` (x, y) on.
    """

    probabilities: NDArray[np.float32]
    step: Floats
    origin: Floats

    def within_each(self, quadrilaterals: Floats) -> Floats:
        """The means (n, 2) of both over quadrilaterals (n, 4, 2) in pixels; unknown is 0.5, 0."""
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
    """Squares found one by one: ``centres`` (n, 2) and ``edges`` (n, 2, 2) in pixels (x, y).

    ``scores`` (n,) is how sure the locator is in 0..1, ``grounds`` (n, g) the probabilities of the
    grounds. ``ground`` tells where the table lies bare or is hidden, by default nowhere near.
    """

    centres: Floats
    edges: Floats
    scores: Floats
    grounds: Floats
    ground: GroundMap = GroundMap(np.zeros((2, 1, 1), np.float32), np.ones(2), np.full(2, 1e12))

    def __len__(self) -> int:
        return len(self.centres)

    def chosen(self, rows: NDArray[np.integer] | NDArray[np.bool_] | list[int]) -> Detections:
        """Some of the detections."""
        centres, edges = self.centres[rows], self.edges[rows]
        return Detections(centres, edges, self.scores[rows], self.grounds[rows], self.ground)

    def quads(self) -> Floats:
        """Their corners (n, 4, 2) in pixels."""
        return np.asarray(self.centres[:, None] + CORNERS @ self.edges)


@dataclass(frozen=True, eq=False)
class Lattice:
    """A grid and the found squares that lie on it.

    ``homography`` (3, 3) maps (column, row) to pixels (x, y); ``members`` has for a cell (row,
    column) the index of the found square; ``misfit`` is the root mean square distance of centres
    found from those of their cells, in squares.
    """

    homography: Floats
    members: dict[Position, int]
    misfit: float

    def points(self, lattice_points: ArrayLike) -> Floats:
        """Pixels (n, 2) of lattice points (column, row)."""
        return project(np.reshape(lattice_points, (-1, 2)), self.homography)

    def places(self, pixels: ArrayLike) -> Floats:
        """Lattice points (column, row), shape (n, 2), of pixels (x, y)."""
        return project(np.reshape(pixels, (-1, 2)), self._inverse)

    def cells_at(self, pixels: ArrayLike) -> tuple[list[Position], Floats]:
        """The cells in which pixels (x, y) lie, and where from their middles, (x, y) in squares."""
        places = self.places(pixels)
        wholes = np.floor(places)
        return [(int(row), int(column)) for column, row in wholes], places - wholes - 0.5

    def reaches(self, pixels: Floats) -> NDArray[np.bool_]:
        """Which pixels (n, 2) lie on this side of its horizon."""
        return np.asarray(np.c_[pixels, np.ones(len(pixels))] @ self._inverse[2] > 0)

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.homography), np.float64)

    def spots(self, cells: ArrayLike, places: Floats = CORNERS + 0.5) -> Floats:
        """Pixels (n, m, 2) of places (m, 2), (x, y) from its top left, in each of n cells.

        By default of their corners, clockwise from the top left.
        """
        return project(np.reshape(cells, (-1, 1, 2))[..., ::-1] + places, self.homography)

    def frames(self, cells: Iterable[Position]) -> Floats:
        """The edges (n, 2, 2) in pixels, across and down, of squares about the middles of cells."""
        return geometry.project_steps(middles_of(cells), self.homography)

    def moved(self, rows: int, columns: int) -> Lattice:
        """The same grid counted from another corner: old (rows, columns) becomes (0, 0)."""
        shift = np.array([[1, 0, columns], [0, 1, rows], [0, 0, 1.0]])
        members = {(r - rows, c - columns): k for (r, c), k in self.members.items()}
        return Lattice(self.homography @ shift, members, self.misfit)


def middles_of(cells: Iterable[Position]) -> Floats:
    """The middles (n, 2) of cells, as lattice points (column, row)."""
    return np.reshape([*cells], (-1, 2))[:, ::-1] + 0.5


def align(edges: Floats, like: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Edges (n, 2, 2) by quarter turns as close to ``like`` (n, 2, 2) as can be, and the turns."""
    variants = _QUARTERS @ edges[:, None]
    turns = ((variants - like[..., None, :, :]) ** 2).sum((2, 3)).argmin(1)
    return variants[np.arange(len(edges)), turns], turns


def sides_of(edges: Floats) -> Floats:
    """The root of the area (n,) of squares by their edges (n, 2, 2)."""
    u, v = edges[:, 0], edges[:, 1]
    return np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))


def fit_lattice(
    detections: Detections, placed: Mapping[Position, int], settings: LatticeSettings
) -> Lattice:
    """A homography through the centres and corners of the placed detections."""
    members = dict(placed)
    for _ in range(REFITS):
        found = detections.chosen([*members.values()])
        middles = middles_of(members)
        homography = _homography(found, middles)
        spots = project(middles[:, None] + _CROSS, homography)
        sides = sides_of(spots[:, 1:3] - spots[:, 3:]) + 1e-9
        misfits = np.linalg.norm(spots[:, 0] - found.centres, axis=1) / sides
        bad = misfits > settings.max_misfit
        if bad.all() or not bad.any():
            break
        del members[[*members][int(np.argmax(misfits))]]
    return Lattice(homography, members, float(np.sqrt(np.mean(misfits**2))))


def _homography(found: Detections, middles: Floats) -> Floats:
    """Least squares over centres and corners; affine where too few squares were found."""
    like, centres = found.edges[0], found.centres
    if len(found) > 1:
        # The edges' own order and sign say nothing: the lattice neighbours do.
        moves, _, rank, _ = np.linalg.lstsq(middles - middles.mean(0), centres - centres.mean(0))
        ways = _QUARTERS @ np.mean(align(found.edges, like)[0], axis=0)
        off = (middles[-1] - middles[0]) @ ways - (centres[-1] - centres[0])
        like = moves if rank == 2 else ways[np.linalg.norm(off, axis=1).argmin()]
    source, target = (middles[:, None] + SPOTS).reshape(-1, 2), spots_found(found, like)
    if len(found) < 3:
        solved, *_ = np.linalg.lstsq(np.c_[source, np.ones(len(source))], target)
        return np.vstack([solved.T, [0, 0, 1]])
    return geometry.fit_homography(source, target)


def spots_found(detections: Detections, like: Floats) -> Floats:
    """Where the middles and corners of squares were found, pixels (5 n, 2), see ``align``."""
    u, v = align(detections.edges, like)[0].swapaxes(0, 1)[:, :, None]
    found = detections.centres[:, None] + SPOTS[:, :1] * u + SPOTS[:, 1:] * v
    return np.reshape(found, (-1, 2))


def _turn_upright(lattice: Lattice) -> Lattice:
    """The same lattice with rows to the right and columns down in the picture, from (0, 0) on."""
    middles = middles_of(lattice.members)
    turned = _QUARTERS @ geometry.project_steps(middles.mean(0)[None], lattice.homography)
    turns = int(np.argmax(np.trace(turned, axis1=1, axis2=2)))
    places = np.floor(middles @ _QUARTERS[turns].T).astype(int).tolist()
    members = {(r, c): k for (c, r), k in zip(places, lattice.members.values(), strict=True)}
    back = np.eye(3)
    back[:2, :2] = _QUARTERS[-turns]
    extent = geometry.Extent.of(members)
    return Lattice(lattice.homography @ back, members, lattice.misfit).moved(*extent[:2])


def _places_found(detections: Detections, lattice: Lattice) -> dict[Position, Floats]:
    """Where on the lattice (x, y) the centre of the square found on each cell lies."""
    places = lattice.places(detections.centres[[*lattice.members.values()]])
    return dict(zip(lattice.members, places, strict=True))


def measure_gaps(detections: Detections, lattice: Lattice) -> dict[Pair, float]:
    """The gap between neighbours, in reading order, in squares; negative where they overlap."""
    at = _places_found(detections, lattice)
    return {(a, b): float((at[b] - at[a])[b[0] - a[0]] - 1) for a, b in pairs_of(at, at)}


def measure_rotations(detections: Detections, lattice: Lattice) -> dict[Position, float]:
    """How far the square found on each cell is turned against the lattice, in degrees."""
    frames = lattice.frames(lattice.members)
    edges, _ = align(detections.edges[[*lattice.members.values()]], frames)
    flat = edges @ np.linalg.inv(frames)
    turns = np.arctan2(flat[:, 0, 1] - flat[:, 1, 0], flat[:, 0, 0] + flat[:, 1, 1])
    return dict(zip(lattice.members, np.degrees(turns).tolist(), strict=True))


# What both gaps of the squares on a line sum up to: by 872 lines of squares in 139 photographs of
# real kingdoms -0.065 of a square at least, by gaps of half a square to 0.8 taken for squares
# -0.15 at most, since the lattice gives way.
MIN_ROOM = -0.12
# So that a lattice that was fitted badly shows none, the squares on both sides are also nearer to
# each other than this share of two squares, by the edges that were found of them.
NEAR = 0.95
# Nothing is dropped of which the locator is about as sure as of the squares beside it: the lattice
# may lie badly. The most by which it was as sure of gaps is 0.71.
WEAKER = 0.8
# A single square may be the top of a standing castle, which leans over what lies behind it.
MIN_TOGETHER = 2


def part_at_squeezed(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> tuple[list[Lattice], set[int]]:
    """The lattice parted where a line of its cells is too narrow for squares.

    Also the numbers of the detections that are no squares, since nothing of a kingdom fits in
    there: those on that line with squares on both sides, or on a line beside it, whichever the
    locator is least sure of. What else lies on their line stays with the side that it lies beside.
    """
    members, at = lattice.members, _places_found(detections, lattice)
    squeezed, apart = _find_tightest_line(at), []
    for before, cell, after in squeezed:
        # How far apart both ends are, as a share of what they should be.
        ends = detections.chosen([members[before], members[after]])
        frame = align(ends.edges, lattice.frames([cell]))[0].sum(0)
        way = np.linalg.solve(frame.T, ends.centres[1] - ends.centres[0])
        apart.append(way[after[0] - cell[0]])
    scores, across = detections.scores, zip(*squeezed, strict=True)
    lines = sorted((scores[[members[cell] for cell in line]].mean(), line) for line in across)
    if not lines or np.mean(apart) >= NEAR or lines[0][0] > WEAKER * lines[1][0]:
        return [lattice], set()
    dropped, axis = set(lines[0][1]), squeezed[0][1][1] - squeezed[0][0][1]
    line = lines[0][1][0][axis]
    sides: tuple[set[Position], set[Position]] = set(), set()
    for r, c in members.keys() - dropped:
        here, beside_second = (r, c)[axis], (r + 1 - axis, c + axis) in members
        sides[here > line or (here == line and beside_second)].add((r, c))
    placed = [{cell: members[cell] for cell in side} for side in sides if side]
    fitted = [fit_lattice(detections, each, settings) for each in placed]
    parted = [part_at_squeezed(detections, each, settings) for each in fitted]
    numbers = {members[cell] for cell in dropped}.union(*(more for _, more in parted))
    return [part for parts, _ in parted for part in parts], numbers


def _find_tightest_line(places: Mapping[Position, Floats]) -> list[tuple[Position, ...]]:
    """The runs of three squares with the least room, by where they were found, in one direction.

    Those whose middles are on one row or column, ``MIN_TOGETHER`` or more; none where all their
    gaps sum up to ``MIN_ROOM`` in the mean or more.
    """
    lines: dict[tuple[int, int], list[tuple[float, tuple[Position, ...]]]] = {}
    for row, column in places:
        for axis in (1, 0):
            run = tuple((row + k - k * axis, column + k * axis) for k in range(3))
            if run[1] in places and run[2] in places:
                room = (places[run[2]] - places[run[0]])[1 - axis] - 2
                lines.setdefault((axis, run[1][axis]), []).append((float(room), run))
    rooms = [(np.mean([room for room, _ in runs]), [run for _, run in runs])
             for runs in lines.values() if len(runs) >= MIN_TOGETHER]  # fmt: skip
    room, found = min(rooms, key=lambda each: each[0], default=(MIN_ROOM, []))
    return found if room < MIN_ROOM else []


# Steps in which an offset is fitted.
OFFSET_STEPS = 4
# Of the depth in the middle of a kingdom; nearer to the horizon no square is found.
MIN_DEPTH = 0.05


def measure_offset(detections: Detections, lattice: Lattice, part: Collection[Position]) -> Floats:
    """How far the squares of ``part`` lie from where the others say, (x, y) in squares.

    (0, 0) where the lattice reaches its horizon, so that nothing can be measured.
    """
    members, middles = detections.chosen([*lattice.members.values()]), middles_of(lattice.members)
    found, middle = spots_found(members, lattice.frames(lattice.members)), middles.mean(0)
    flat = (middles[:, None] + SPOTS - middle).reshape(-1, 2)
    moves = np.repeat([float(cell in part) for cell in lattice.members], len(SPOTS))[:, None]
    start = lattice.homography @ np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1.0]])

    def seen(numbers: Floats) -> Floats:
        """Pixels by eight numbers of a homography, and two of the offset."""
        view = np.append(numbers[:8], 1.0).reshape(3, 3)
        return np.asarray(project(flat + moves * numbers[8:], view).ravel())

    # By the method of Gauss and Newton.
    fitted = np.r_[(start / start[2, 2]).ravel()[:8], 0, 0]
    for _ in range(OFFSET_STEPS):
        depth = (flat + moves * fitted[8:]) @ fitted[6:8] + 1
        if depth.min() < MIN_DEPTH:
            return np.zeros(2)
        here, small = seen(fitted), 1e-5 * np.maximum(np.abs(fitted), 1e-4)
        slopes = np.array([seen(fitted + step) - here for step in np.diag(small)])
        fitted += small * np.linalg.lstsq(slopes.T, found.ravel() - here)[0]
    return np.asarray(fitted[8:])


def _find_steps(detections: Detections, settings: LatticeSettings) -> list[list[_Step]]:
    """For each detection the steps to those that may be its neighbours.

    Each has a cost, the number of the neighbour, the way (x, y) to it in the frame of the first,
    and the quarter turns to its own frame.
    """
    centres, frames = detections.centres, detections.edges
    sizes = np.linalg.norm(frames, axis=2).max(1, initial=0.0)
    apart = np.linalg.norm(centres[None] - centres[:, None], axis=2)
    np.fill_diagonal(apart, np.inf)
    ones, others = np.nonzero(apart < 1.8 * sizes[:, None])
    frame = frames[ones]
    turned, turns = align(frames[others], frame)
    changes = np.linalg.norm(turned - frame, axis=(1, 2)) / np.linalg.norm(frame, axis=(1, 2))
    alike = changes <= settings.max_frame_change
    # Frames that are unlike may have no mean.
    middles = np.where(alike[:, None, None], (turned + frame) / 2, np.eye(2))
    ways = (centres[others] - centres[ones])[:, :, None]
    steps = np.linalg.solve(middles.transpose(0, 2, 1), ways)[..., 0]
    wholes = np.round(steps).astype(int)
    errors = np.abs(steps - wholes).max(1, initial=0.0)
    costs, near = errors + 0.5 * changes, np.abs(wholes).sum(1) == 1
    found: list[list[_Step]] = [[] for _ in centres]
    for k in np.flatnonzero(alike & near & (errors <= settings.max_offset)):
        found[ones[k]].append((float(costs[k]), int(others[k]), wholes[k], int(turns[k])))
    return found


def _grow(steps: list[list[_Step]], seed: int, free: set[int]) -> dict[Position, int]:
    """All free detections that hang together with the seed, best matches first."""
    placed: dict[Position, int] = {}
    # The last are the quarter turns from the frame of a square as it was found to that of the seed.
    waiting: list[tuple[float, int, int, Position, int]] = [(0.0, seed, seed, (0, 0), 0)]
    left = free | {seed}
    while waiting:
        _, _, k, (row, column), turned = heapq.heappop(waiting)
        if k not in left or (row, column) in placed:
            continue
        placed[row, column] = k
        left.remove(k)
        for cost, other, way, turns in steps[k]:
            if other in left:
                columns, rows = (_QUARTERS[turned] @ way).tolist()
                cell = row + rows, column + columns
                heapq.heappush(waiting, (cost, k, other, cell, (turns + turned) % 4))
    return placed


def find_lattices(detections: Detections, settings: LatticeSettings) -> list[Lattice]:
    """All groups of squares that hang together, largest first, each on a grid from (0, 0) on."""
    scores, free = detections.scores, set(range(len(detections)))
    steps = _find_steps(detections, settings)
    strong = settings.strong_score * float(scores.max(initial=0.0))
    lattices = []
    for seed in np.argsort(-scores, kind="stable").tolist():
        if seed not in free:
            continue
        fit_to_join = {k for k in free if scores[k] >= min(strong, scores[seed])}
        lattice = fit_lattice(detections, _grow(steps, seed, fit_to_join), settings)
        free -= {seed, *lattice.members.values()}
        whole = _absorb(detections, lattice, free, settings)
        sides, squeezed = part_at_squeezed(detections, whole, settings)
        free -= squeezed
        for side in sides:
            for members in group_by_contact(detections, side, settings):
                is_all = len(members) == len(side.members)
                part = side if is_all else fit_lattice(detections, members, settings)
                free -= set(part.members.values())
                lattices.append(_turn_upright(part))
    return sorted(lattices, key=lambda lattice: -len(lattice.members))


def _absorb(
    detections: Detections, lattice: Lattice, free: set[int], settings: LatticeSettings
) -> Lattice:
    """The lattice with the weaker detections beside it that lie where it says."""
    cells, offsets = lattice.cells_at(detections.centres)
    errors, frames = np.abs(offsets).max(1), lattice.frames(cells)
    changes = np.linalg.norm(align(detections.edges, frames)[0] - frames, axis=(1, 2))
    alike = changes < settings.max_frame_change * np.linalg.norm(frames, axis=(1, 2))
    fits = alike & (errors < settings.max_misfit) & lattice.reaches(detections.centres)
    waiting = sorted((float(errors[k]), k, cells[k]) for k in free if fits[k])
    members, before = dict(lattice.members), 0
    while len(members) > before:
        before = len(members)
        for _, k, cell in waiting:
            if cell not in members and not members.keys().isdisjoint(beside(cell)):
                members[cell] = k
    return replace(lattice, members=members)


def group_by_contact(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> list[dict[Position, int]]:
    """The members of a lattice by what touches, largest group first."""
    apart, at = measure_gaps(detections, lattice), _places_found(detections, lattice)
    turns, askew = measure_rotations(detections, lattice), list[set[Position]]()
    for one, other in apart:
        # Outer pairs of squares that both lie turned against the lattice, as loose dominoes do.
        is_alike = turns[one] * turns[other] > 0
        is_turned = is_alike and abs(turns[one] + turns[other]) >= 2 * MAX_TURN_DEG
        along, across = (at[other] - at[one])[:: 1 if one[0] == other[0] else -1]
        is_slanting = abs(np.degrees(np.arctan2(across, along))) >= 0.7 * MAX_TURN_DEG
        if is_turned and is_slanting and len(geometry.around({one, other}) & at.keys()) <= 2:
            askew.append({one, other})
    cut = {pair for pair in apart for loose in askew if len(loose.intersection(pair)) == 1}
    near = {pair for pair, gap in apart.items() if gap <= settings.max_gap} - cut
    while True:
        groups = geometry.connect(lattice.members, near)
        ways = [(gap, pair) for pair, gap in apart.items() if len(groups[-1] & set(pair)) == 1]
        # A single square is half of a domino, so it makes no group of its own, however crooked.
        if len(groups[-1]) > 1 or not ways:
            return [{cell: lattice.members[cell] for cell in sorted(group)} for group in groups]
        near.add(min(ways)[1])
