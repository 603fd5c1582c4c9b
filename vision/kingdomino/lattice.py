"""Lattices: single squares grouped by what touches, a homography through each group.

How its squares lie on it tells where a lattice is parted, since no square fits between.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.kingdomino import Position
from vision.common.geometry import (
    Extent,
    around,
    beside,
    connect,
    fit_homography,
    pairs_of,
    project,
    project_steps,
)

Floats = NDArray[np.float64]
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
_SHARES = (0.125, 0.375, 0.625, 0.875)
_SPREAD = np.array(
    [((1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y) for x in _SHARES for y in _SHARES]
)


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


# A map of a picture that lies far away.
_UNKNOWN = GroundMap(np.zeros((2, 1, 1), np.float32), np.ones(2), np.full(2, 1e12))


@dataclass(frozen=True)
class Detections:
    """Squares found one by one: ``centres`` (n, 2) and ``edges`` (n, 2, 2) in pixels (x, y).

    ``scores`` (n,) is how sure the locator is in 0..1, ``grounds`` (n, g) the probabilities of the
    grounds. ``ground`` tells where the table lies bare or is hidden.
    """

    centres: Floats
    edges: Floats
    scores: Floats
    grounds: Floats
    ground: GroundMap = _UNKNOWN

    def __len__(self) -> int:
        return len(self.centres)

    def chosen(self, rows: NDArray[np.intp] | NDArray[np.bool_] | list[int]) -> Detections:
        """Some of the detections."""
        centres, edges = self.centres[rows], self.edges[rows]
        return Detections(centres, edges, self.scores[rows], self.grounds[rows], self.ground)


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

    def points(self, lattice_points: object) -> Floats:
        """Pixels (n, 2) of lattice points (column, row)."""
        return project(np.asarray(lattice_points, np.float64).reshape(-1, 2), self.homography)

    def places(self, pixels: object) -> Floats:
        """Lattice points (column, row), shape (n, 2), of pixels (x, y)."""
        return project(np.asarray(pixels, np.float64).reshape(-1, 2), self._inverse)

    def cells_at(self, pixels: object) -> tuple[list[Position], Floats]:
        """The cells in which pixels (x, y) lie, and where from their middles, (x, y) in squares."""
        places = self.places(pixels)
        wholes = np.floor(places)
        return [(int(row), int(column)) for column, row in wholes], places - wholes - 0.5

    def reaches(self, pixels: Floats) -> NDArray[np.bool_]:
        """Which pixels (n, 2) lie on this side of its horizon."""
        return np.asarray(np.c_[pixels, np.ones(len(pixels))] @ self._inverse[2] > 0)

    def spots(self, cells: ArrayLike, places: ArrayLike) -> Floats:
        """Pixels (n, m, 2) of places (m, 2), (x, y) from its top left, in each of n cells."""
        at = np.asarray(cells, np.float64).reshape(-1, 1, 2)[..., ::-1] + np.asarray(places)
        return project(at, self.homography)

    def frames(self, cells: ArrayLike) -> Floats:
        """The edges (n, 2, 2) in pixels, across and down, of squares about the middles of cells."""
        return project_steps(np.reshape(cells, (-1, 2))[:, ::-1] + 0.5, self.homography)

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.homography), np.float64)

    def moved(self, rows: int, columns: int) -> Lattice:
        """The same grid counted from another corner: old (rows, columns) becomes (0, 0)."""
        shift = np.array([[1, 0, columns], [0, 1, rows], [0, 0, 1.0]])
        members = {(r - rows, c - columns): k for (r, c), k in self.members.items()}
        return Lattice(self.homography @ shift, members, self.misfit)


def align(edges: Floats, like: Floats) -> Floats:
    """Edges (n, 2, 2) with sign and order as close to ``like``, (2, 2) or (n, 2, 2), as can be."""
    return _turn_frames(edges, like)[0]


def _turn_frames(frames: Floats, like: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Frames (n, 2, 2) by quarter turns as close to ``like`` as they can be, and the turns."""
    variants = _QUARTERS @ frames[:, None]
    turns = np.argmin(((variants - like[..., None, :, :]) ** 2).sum((2, 3)), axis=1)
    return np.asarray(variants[np.arange(len(frames)), turns]), turns


def sides_of(edges: Floats) -> Floats:
    """The root of the area (n,) of squares by their edges (n, 2, 2)."""
    u, v = edges[:, 0], edges[:, 1]
    return np.asarray(np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])))


def fit_lattice(
    detections: Detections, placed: Mapping[Position, int], settings: LatticeSettings
) -> Lattice:
    """A homography through the centres and corners of the placed detections."""
    members = dict(placed)
    for _ in range(REFITS):
        found = detections.chosen([*members.values()])
        middles = np.array([*members])[:, ::-1] + 0.5
        homography = _homography(found, middles)
        spots = project(middles[:, None] + _CROSS, homography)
        sides = sides_of(spots[:, 1:3] - spots[:, 3:]) + 1e-9
        misfits = np.linalg.norm(spots[:, 0] - found.centres, axis=1) / sides
        bad = misfits > settings.max_misfit
        if bad.all() or not bad.any():
            break
        del members[[*members][int(np.argmax(misfits))]]
    return Lattice(homography, members, float(np.sqrt(np.mean(misfits**2))))


def _homography(detections: Detections, middles: Floats) -> Floats:
    """Least squares over centres and corners; affine where too few squares were found."""
    first, centres = detections.edges[0], detections.centres
    if len(detections) > 1:
        # The edges' own order and sign say nothing: the lattice neighbours do.
        moves, _, rank, _ = np.linalg.lstsq(middles - middles.mean(0), centres - centres.mean(0))
        ways = _QUARTERS @ np.mean(align(detections.edges, first), axis=0)
        off = (middles[-1] - middles[0]) @ ways - (centres[-1] - centres[0])
        first = moves if rank == 2 else ways[np.linalg.norm(off, axis=1).argmin()]
    source, target = (middles[:, None] + SPOTS).reshape(-1, 2), spots_found(detections, first)
    if len(detections) < 3:
        solved, *_ = np.linalg.lstsq(np.c_[source, np.ones(len(source))], target)
        return np.vstack([solved.T, [0, 0, 1]])
    return fit_homography(source, target)


def spots_found(detections: Detections, like: Floats) -> Floats:
    """Where the middles and corners of squares were found, pixels (5 n, 2), see ``align``."""
    turned = align(detections.edges, like)
    u, v = turned[:, None, 0], turned[:, None, 1]
    found = detections.centres[:, None] + SPOTS[:, :1] * u + SPOTS[:, 1:] * v
    return np.asarray(found.reshape(-1, 2))


def _turn_upright(lattice: Lattice) -> Lattice:
    """The same lattice with rows to the right and columns down in the picture, from (0, 0) on."""
    cells = np.array([*lattice.members])
    turned = _QUARTERS @ lattice.frames(cells.mean(0))
    turns = int(np.argmax(np.trace(turned, axis1=1, axis2=2)))
    places = np.floor((cells[:, ::-1] + 0.5) @ _QUARTERS[turns].T).astype(int).tolist()
    members = {(r, c): k for (c, r), k in zip(places, lattice.members.values(), strict=True)}
    back = np.eye(3)
    back[:2, :2] = _QUARTERS[-turns]
    extent = Extent.of(members)
    return Lattice(lattice.homography @ back, members, lattice.misfit).moved(*extent[:2])


Pair = tuple[Position, Position]


def _places_found(detections: Detections, lattice: Lattice) -> dict[Position, Floats]:
    """Where on the lattice (x, y) the centre of the square found on each cell lies."""
    places = lattice.places(detections.centres[[*lattice.members.values()]])
    return dict(zip(lattice.members, places, strict=True))


def _axis(one: Position, other: Position) -> int:
    """Which of (row, column) differs between neighbours."""
    return int(one[0] == other[0])


def measure_gaps(detections: Detections, lattice: Lattice) -> dict[Pair, float]:
    """The gap between neighbours, in reading order, in squares; negative where they overlap."""
    at = _places_found(detections, lattice)
    return {
        (one, other): float((at[other] - at[one])[1 - _axis(one, other)] - 1)
        for one, other in pairs_of(at, at)
    }


def measure_rotations(detections: Detections, lattice: Lattice) -> dict[Position, float]:
    """How far the square found on each cell is turned against the lattice, in degrees."""
    frames = lattice.frames([*lattice.members])
    edges = align(detections.edges[[*lattice.members.values()]], frames)
    flat = edges @ np.linalg.inv(frames)
    turns = np.arctan2(flat[:, 0, 1] - flat[:, 1, 0], flat[:, 0, 0] + flat[:, 1, 1])
    return dict(zip(lattice.members, np.degrees(turns).tolist(), strict=True))


# Squares in a line, in reading order.
_Run = TypeVar("_Run", bound=tuple[Position, ...])
# What both gaps of the squares on a line sum up to: by 872 lines of squares in 139 photographs of
# real kingdoms -0.065 of a square at least, by gaps of half a square to 0.8 taken for squares
# -0.15 at most, since the lattice gives way.
MIN_ROOM = -0.12
# So that a lattice that was fitted badly shows none, the squares on both sides are also nearer to
# each other than this share of two squares, by the edges that were found of them.
NEAR = 0.95
# How far, in squares, those of one line lie on the next: 0.05 at most in those photographs.
MAX_OVERLAP = 0.12
# Nothing is dropped of which the locator is about as sure as of the squares beside it: the lattice
# may lie badly. The most by which it was as sure of gaps is 0.71.
WEAKER = 0.8
# A single square may be the top of a standing castle, which leans over what lies behind it.
MIN_TOGETHER, MIN_OVERLAPPING = 2, 3


def part_at_squeezed(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> tuple[list[Lattice], frozenset[int]]:
    """The lattice parted where a line of its cells is too narrow for squares.

    Also the numbers of the detections that are no squares, since nothing of a kingdom fits in
    there: those on that line with squares on both sides, or on a line beside it, whichever the
    locator is least sure of. What else lies on their line stays with the side that it lies beside.
    """
    gaps, members = measure_gaps(detections, lattice), lattice.members
    overlapping = _find_tightest_line(gaps, -MAX_OVERLAP, MIN_OVERLAPPING)
    squeezed = _find_squeezed_line(detections, lattice, gaps) or overlapping
    lines = sorted(
        (float(detections.scores[[members[cell] for cell in line]].mean()), line)
        for line in zip(*squeezed, strict=True)
    )
    if not lines or lines[0][0] > WEAKER * lines[1][0]:
        return [lattice], frozenset()
    dropped, axis = set(lines[0][1]), _axis(*squeezed[0][:2])
    line = lines[0][1][0][axis]
    sides: tuple[set[Position], set[Position]] = set(), set()
    for r, c in members.keys() - dropped:
        at, beside_second = (r, c)[axis], (r + 1 - axis, c + axis) in members
        sides[at > line or (at == line and beside_second)].add((r, c))
    parts, numbers = list[Lattice](), {members[cell] for cell in dropped}
    for side in filter(None, sides):
        fitted = fit_lattice(detections, {cell: members[cell] for cell in side}, settings)
        further, more = part_at_squeezed(detections, fitted, settings)
        parts += further
        numbers |= more
    return parts, frozenset(numbers)


def _find_squeezed_line(
    detections: Detections, lattice: Lattice, gaps: Mapping[Pair, float]
) -> list[tuple[Position, Position, Position]]:
    """The squares of the row or column with the least room, if too little, between neighbours."""
    rooms = {
        (before, cell, after): gap + gaps[cell, after]
        for (before, cell), gap in gaps.items()
        if (cell, after := (2 * cell[0] - before[0], 2 * cell[1] - before[1])) in gaps
    }
    found, apart = _find_tightest_line(rooms, MIN_ROOM, MIN_TOGETHER), []
    for before, cell, after in found:
        # How far apart both ends are, as a share of what they should be.
        ends = detections.chosen([lattice.members[before], lattice.members[after]])
        frame = align(ends.edges, lattice.frames(cell)).sum(0)
        way = np.linalg.solve(frame.T, ends.centres[1] - ends.centres[0])
        apart.append(way[1 - _axis(before, cell)])
    return found if apart and np.mean(apart) < NEAR else []


def _find_tightest_line(rooms: Mapping[_Run, float], most: float, least: int) -> list[_Run]:
    """Of runs of squares and the room that each has, those of the line with the least room.

    None where that has ``most`` in the mean or more; at ``least`` so many lie on it. Of three
    squares it is the line of the middle one, of two that of the first.
    """
    lines: dict[tuple[int, int], list[_Run]] = {}
    for run in rooms:
        axis = _axis(*run[:2])
        lines.setdefault((axis, run[-2][axis]), []).append(run)
    means = [(float(np.mean([rooms[run] for run in runs])), runs)
             for runs in lines.values() if len(runs) >= least]  # fmt: skip
    room, found = min(means, key=lambda each: each[0], default=(most, []))
    return found if room < most else []


class _Step(NamedTuple):
    """From a square to a neighbour: the way (x, y) in its frame, the turns to that of the other."""

    cost: float
    other: int
    way: NDArray[np.int_]
    turns: int


def _find_steps(detections: Detections, settings: LatticeSettings) -> list[list[_Step]]:
    """For each detection the steps to those that may be its neighbours, all at once."""
    centres, frames = detections.centres, detections.edges
    sizes = np.linalg.norm(frames, axis=2).max(1, initial=0.0)
    apart = np.linalg.norm(centres[None] - centres[:, None], axis=2)
    np.fill_diagonal(apart, np.inf)
    ones, others = np.nonzero(apart < 1.8 * sizes[:, None])
    frame = frames[ones]
    turned, turns = _turn_frames(frames[others], frame)
    changes = np.linalg.norm(turned - frame, axis=(1, 2)) / np.linalg.norm(frame, axis=(1, 2))
    alike = changes <= settings.max_frame_change
    ones, others, turns, changes = ones[alike], others[alike], turns[alike], changes[alike]
    middles = (turned[alike] + frame[alike]) / 2
    ways = (centres[others] - centres[ones])[:, :, None]
    steps = np.linalg.solve(middles.transpose(0, 2, 1), ways)[..., 0]
    wholes = np.round(steps).astype(int)
    errors = np.abs(steps - wholes).max(1, initial=0.0)
    costs = errors + 0.5 * changes
    found: list[list[_Step]] = [[] for _ in range(len(detections))]
    for k in np.flatnonzero((np.abs(wholes).sum(1) == 1) & (errors <= settings.max_offset)):
        step = _Step(float(costs[k]), int(others[k]), wholes[k], int(turns[k]))
        found[ones[k]].append(step)
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
        for step in steps[k]:
            if step.other in left:
                columns, rows = (_QUARTERS[turned] @ step.way).tolist()
                cell, turns = (row + rows, column + columns), (step.turns + turned) % 4
                heapq.heappush(waiting, (step.cost, k, step.other, cell, turns))
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
    numbers = sorted(free)
    rest = detections.chosen(numbers)
    cells, offsets = lattice.cells_at(rest.centres)
    errors, frames = np.abs(offsets).max(1), lattice.frames(cells)
    changes = np.linalg.norm(align(rest.edges, frames) - frames, axis=(1, 2))
    alike = changes < settings.max_frame_change * np.linalg.norm(frames, axis=(1, 2))
    fits = alike & (errors < settings.max_misfit) & lattice.reaches(rest.centres)
    waiting = sorted((float(errors[k]), numbers[k], cells[k]) for k in np.flatnonzero(fits))
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
    apart = measure_gaps(detections, lattice)
    askew = _find_askew_pairs(detections, lattice)
    near = {
        pair
        for pair, gap in apart.items()
        if gap <= settings.max_gap and all(len(loose.intersection(pair)) != 1 for loose in askew)
    }
    while True:
        groups = connect(lattice.members, near)
        ways = [(gap, pair) for pair, gap in apart.items() if len(groups[-1] & set(pair)) == 1]
        # A single square is half of a domino, so it makes no group of its own, however crooked.
        if len(groups[-1]) > 1 or not ways:
            return [{cell: lattice.members[cell] for cell in sorted(group)} for group in groups]
        near.add(min(ways)[1])


def _find_askew_pairs(detections: Detections, lattice: Lattice) -> list[set[Position]]:
    """Outer pairs of squares that both lie turned against the lattice, as loose dominoes do."""
    turns = measure_rotations(detections, lattice)
    at = _places_found(detections, lattice)
    found = []
    for cell, other in pairs_of(at, at):
        if turns[cell] * turns[other] <= 0 or abs(turns[cell] + turns[other]) < 2 * MAX_TURN_DEG:
            continue
        along, across = (at[other] - at[cell])[:: 2 * _axis(cell, other) - 1]
        is_turned = abs(np.degrees(np.arctan2(across, along))) >= 0.7 * MAX_TURN_DEG
        if is_turned and len(around({cell, other}) & at.keys()) <= 2:
            found.append({cell, other})
    return found
