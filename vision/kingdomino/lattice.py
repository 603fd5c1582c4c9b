"""Lattices: single squares grouped by what touches, a homography through each group.

How its squares lie on it tells where a lattice is parted, since no square fits between.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.geometry import (
    Extent,
    around,
    beside,
    connect,
    fit_homography,
    pairs_of,
    project,
)

Floats = NDArray[np.float64]
# A domino turned by more against a lattice lies loose.
MAX_TURN_DEG = 10.0
# How often a lattice is fitted at most, each time without the worst square.
REFITS = 4
# The corners of a square from its middle, in its edges, clockwise from the first; and the middle.
CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
SPOTS = np.vstack([(0, 0), CORNERS])
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
    turned by more than ``MAX_TURN_DEG``.
    """

    max_offset: float = 0.36
    max_frame_change: float = 0.5
    max_misfit: float = 0.33
    strong_score: float = 0.6
    max_gap: float = 0.06


@dataclass(frozen=True, eq=False)
class GroundMap:
    """Where the table lies bare, and where something lies on it that hides what is below.

    Probabilities (2, h, w) of both, one for each ``step`` (x, y) pixels. The first value stands
    for the square of pixels whose corner is ``origin`` (x, y).
    """

    probabilities: NDArray[np.float32]
    step: Floats
    origin: Floats

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


# A map of a picture that lies far away.
_UNKNOWN = GroundMap(np.zeros((2, 1, 1), np.float32), np.ones(2), np.full(2, 1e12))


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
    ground: GroundMap = _UNKNOWN

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
        return project(np.asarray(pixels, np.float64).reshape(-1, 2), self._inverse)

    def cells_at(self, pixels: object) -> tuple[list[Position], Floats]:
        """The cells in which pixels (x, y) lie, and where from their middles, (x, y) in squares."""
        places = self.places(pixels)
        wholes = np.floor(places)
        return [(int(row), int(column)) for column, row in wholes], places - wholes - 0.5

    def reaches(self, pixels: Floats) -> NDArray[np.bool_]:
        """Which pixels (n, 2) lie on this side of its horizon."""
        return np.asarray(np.c_[pixels, np.ones(len(pixels))] @ self._inverse[2] > 0)

    def frames(self, cells: Sequence[Position]) -> Floats:
        """The edges (n, 2, 2) in pixels, across and down, of squares about the middles of cells."""
        middles = np.array(cells).reshape(-1, 2)[:, ::-1] + 0.5
        steps = np.array([(1, 0), (0, 1), (0, 0)])
        ends = self.points(middles[:, None] + steps).reshape(-1, 3, 2)
        return np.asarray(ends[:, :2] - ends[:, 2:])

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.homography), np.float64)

    def moved(self, rows: int, columns: int) -> Lattice:
        """The same grid counted from another corner: old (rows, columns) becomes (0, 0)."""
        shift = np.array([[1, 0, columns], [0, 1, rows], [0, 0, 1.0]])
        members = {(r - rows, c - columns): k for (r, c), k in self.members.items()}
        return Lattice(self.homography @ shift, members, self.misfit)


def align(edges: Floats, like: Floats) -> Floats:
    """Each of the edges (n, 2, 2) with sign and order as close to ``like`` as they can be.

    ``like`` is one frame (2, 2) or one for each (n, 2, 2).
    """
    return _turn_frames(edges, like)[0]


def _quarter_turns(frames: Floats) -> Floats:
    """Frames (n, 2, 2) turned by none to three quarters (n, 4, 2, 2)."""
    u, v = frames[:, 0], frames[:, 1]
    return np.stack([frames, np.stack([v, -u], 1), -frames, np.stack([-v, u], 1)], 1)


def _turn_frames(frames: Floats, like: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Frames (n, 2, 2) by quarter turns as close to ``like`` as they can be, and the turns."""
    variants = _quarter_turns(frames)
    turns = np.argmin(((variants - like[..., None, :, :]) ** 2).sum((2, 3)), axis=1)
    return np.asarray(variants[np.arange(len(frames)), turns]), turns


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
        design = middles - middles.mean(0)
        moves, _, rank, _ = np.linalg.lstsq(design, detections.centres - detections.centres.mean(0))
        if rank == 2:
            first = moves
        else:
            along = middles[-1] - middles[0]
            first = np.mean(align(detections.edges, first), axis=0)
            actual = detections.centres[-1] - detections.centres[0]
            ways = _quarter_turns(first[None])[0]
            first = ways[np.linalg.norm(along @ ways - actual, axis=1).argmin()]
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
    frames = lattice.frames(cells)
    edges = align(detections.edges[list(lattice.members.values())], frames)
    flat = edges @ np.linalg.inv(frames)
    turns = np.arctan2(flat[:, 0, 1] - flat[:, 1, 0], flat[:, 0, 0] + flat[:, 1, 1])
    return dict(zip(cells, np.degrees(turns).tolist(), strict=True))


# Squares in a line, in reading order.
_Run = tuple[Position, ...]
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
    gaps = measure_gaps(detections, lattice)
    squeezed = _find_squeezed_line(detections, lattice, gaps) or _find_overlapping(gaps)
    if not squeezed:
        return [lattice], frozenset()
    members = lattice.members
    lines = sorted(
        (float(detections.scores[[members[cell] for cell in line]].mean()), line)
        for line in zip(*squeezed, strict=True)
    )
    if lines[0][0] > WEAKER * lines[1][0]:
        return [lattice], frozenset()
    dropped = set(lines[0][1])
    (row, column), (next_row, next_column) = squeezed[0][:2]
    dr, dc = next_row - row, next_column - column
    line = {dr * r + dc * c for r, c in dropped}.pop()
    first: set[Position] = set()
    second: set[Position] = set()
    for r, c in members.keys() - dropped:
        beside_second = (r + dr, c + dc) in members
        at = dr * r + dc * c
        (second if at > line or (at == line and beside_second) else first).add((r, c))
    parts, numbers = [], {members[cell] for cell in dropped}
    for side in filter(None, (first, second)):
        fitted = fit_lattice(detections, {cell: members[cell] for cell in side}, settings)
        further, more = part_at_squeezed(detections, fitted, settings)
        parts += further
        numbers |= more
    return parts, frozenset(numbers)


def _find_squeezed_line(
    detections: Detections, lattice: Lattice, gaps: Mapping[Pair, float]
) -> list[_Run]:
    """The squares of the row or column that has the least room, if too little.

    Each between the one before and the one after it.
    """
    triples = [
        ((axis, cell[axis]), gaps[before, cell] + gaps[cell, after], (before, cell, after))
        for cell in lattice.members
        for axis, (dr, dc) in enumerate(((1, 0), (0, 1)))
        if (before := (cell[0] - dr, cell[1] - dc)) in lattice.members
        and (after := (cell[0] + dr, cell[1] + dc)) in lattice.members
    ]
    found = _find_tightest_line(triples, MIN_ROOM, MIN_TOGETHER)
    apart = [_measure_across(detections, lattice, run) for run in found]
    return found if apart and float(np.mean(apart)) < NEAR else []


def _find_overlapping(gaps: Mapping[Pair, float]) -> list[_Run]:
    """The pairs of squares of the two lines that lie on each other most, if they do."""
    pairs = []
    for pair, gap in gaps.items():
        axis = 0 if pair[0][0] != pair[1][0] else 1
        pairs.append(((axis, pair[0][axis]), gap, pair))
    return _find_tightest_line(pairs, -MAX_OVERLAP, MIN_OVERLAPPING)


def _find_tightest_line(
    runs: Iterable[tuple[tuple[int, int], float, _Run]], most: float, least: int
) -> list[_Run]:
    """Of runs of squares, each with its line and its room, those of the line with least room.

    None where that has ``most`` in the mean or more; at ``least`` so many lie on it.
    """
    lines: dict[tuple[int, int], list[tuple[float, _Run]]] = {}
    for line, room, run in runs:
        lines.setdefault(line, []).append((room, run))
    rooms = [
        (float(np.mean([room for room, _ in on_line])), [run for _, run in on_line])
        for on_line in lines.values()
        if len(on_line) >= least
    ]
    room, found = min(rooms, key=lambda each: each[0], default=(most, []))
    return found if room < most else []


def _measure_across(detections: Detections, lattice: Lattice, run: _Run) -> float:
    """How far apart the ends of three squares in a line are, as a share of what they should be."""
    before, cell, after = run
    ends = [lattice.members[before], lattice.members[after]]
    first, last = align(detections.edges[ends], lattice.frames([cell])[0])
    one, other = detections.centres[ends]
    way = np.linalg.solve((first + last).T, other - one)
    return float(way[0 if before[0] == cell[0] else 1])


class _Step(NamedTuple):
    """From one square to a neighbour: how well that fits, and the way in the frame of the first.

    Rows and columns run along the edges (v, u) of the first square as it was found; ``turns`` are
    the quarter turns from its frame to that of the other.
    """

    cost: float
    other: int
    rows: int
    columns: int
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
    wholes = np.round(steps)
    errors = np.abs(steps - wholes).max(1, initial=0.0)
    beside = (np.abs(wholes).sum(1) == 1) & (errors <= settings.max_offset)
    costs = errors + 0.5 * changes
    found: list[list[_Step]] = [[] for _ in range(len(detections))]
    for k in np.flatnonzero(beside):
        columns, rows = (int(whole) for whole in wholes[k])
        step = _Step(float(costs[k]), int(others[k]), rows, columns, int(turns[k]))
        found[ones[k]].append(step)
    return found


def _turn_step(rows: int, columns: int, turns: int) -> tuple[int, int]:
    """A step (rows, columns) along one frame as a step along the frame after quarter turns."""
    for _ in range(turns):
        rows, columns = -columns, rows
    return rows, columns


def _grow(steps: list[list[_Step]], seed: int, free: set[int]) -> dict[Position, int]:
    """All free detections that hang together with the seed, best matches first."""
    placed: dict[Position, int] = {(0, 0): seed}
    where = {seed: (0, 0)}
    # Quarter turns from the frame of each square as it was found to that of the seed.
    turned = {seed: 0}
    waiting: list[tuple[float, int, int, Position, int]] = []

    def offer(index: int) -> None:
        row, column = where[index]
        for step in steps[index]:
            if step.other in free and step.other not in where:
                rows, columns = _turn_step(step.rows, step.columns, turned[index])
                cell = (row + rows, column + columns)
                turns = (step.turns + turned[index]) % 4
                heapq.heappush(waiting, (step.cost, index, step.other, cell, turns))

    offer(seed)
    while waiting:
        _, _, k, cell, turns = heapq.heappop(waiting)
        if k in where or cell in placed:
            continue
        placed[cell], where[k], turned[k] = k, cell, turns
        offer(k)
    return placed


def find_lattices(detections: Detections, settings: LatticeSettings) -> list[Lattice]:
    """All groups of squares that hang together, each with its grid, largest first.

    Every cell belongs to one lattice at most; a single square makes a lattice of its own. Rows
    and columns are counted from the smallest, as seen in the picture.
    """
    free = set(range(len(detections)))
    steps = _find_steps(detections, settings)
    strong = settings.strong_score * float(detections.scores.max(initial=0.0))
    lattices = []
    for seed in np.argsort(-detections.scores, kind="stable"):
        if int(seed) not in free:
            continue
        fit_to_join = {
            k for k in free if detections.scores[k] >= min(strong, detections.scores[seed])
        }
        placed = _grow(steps, int(seed), fit_to_join)
        lattice = fit_lattice(detections, placed, settings)
        free -= set(lattice.members.values())
        free.discard(int(seed))
        whole = _absorb(detections, lattice, free, settings)
        sides, squeezed = part_at_squeezed(detections, whole, settings)
        free -= squeezed
        for part in (one for side in sides for one in _part_by_contact(detections, side, settings)):
            upright = turn_upright(part)
            free -= set(upright.members.values())
            extent = Extent.of(upright.members)
            lattices.append(upright.moved(extent.top, extent.left))
    return sorted(lattices, key=lambda lattice: -len(lattice.members))


def _absorb(
    detections: Detections, lattice: Lattice, free: set[int], settings: LatticeSettings
) -> Lattice:
    """The lattice with the weaker detections beside it that lie where it says."""
    rest = np.array(sorted(free), np.intp)
    if not len(rest):
        return lattice
    centres = detections.centres[rest]
    cells, offsets = lattice.cells_at(centres)
    errors, frames = np.abs(offsets).max(1), lattice.frames(cells)
    changes = align(detections.edges[rest], frames) - frames
    alike = np.linalg.norm(changes, axis=(1, 2)) < settings.max_frame_change * np.linalg.norm(
        frames, axis=(1, 2)
    )
    fits = alike & (errors < settings.max_misfit) & lattice.reaches(centres)
    waiting = sorted((float(errors[k]), int(rest[k]), cells[k]) for k in np.flatnonzero(fits))
    members, before = dict(lattice.members), 0
    while len(members) > before:
        before = len(members)
        for _, k, cell in waiting:
            if cell not in members and not members.keys().isdisjoint(beside(cell)):
                members[cell] = k
    return Lattice(lattice.homography, members, lattice.misfit)


def _part_by_contact(
    detections: Detections, whole: Lattice, settings: LatticeSettings
) -> list[Lattice]:
    return [
        whole if len(members) == len(whole.members) else fit_lattice(detections, members, settings)
        for members in group_by_contact(detections, whole, settings)
    ]


def group_by_contact(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> list[dict[Position, int]]:
    """The members of a lattice by what touches, largest group first.

    A single square is half of a domino, so it never makes a group of its own, however crooked.
    """
    apart = measure_gaps(detections, lattice)
    askew = _find_askew_pairs(detections, lattice, settings)
    cells = set(lattice.members)
    near = {
        pair
        for pair, gap in apart.items()
        if gap <= settings.max_gap and not any(len(askew_pair & set(pair)) == 1
                                               for askew_pair in askew)
    }  # fmt: skip
    groups = connect(cells, near)
    while len(groups) > 1 and len(groups[-1]) == 1:
        ways = [(gap, pair) for pair, gap in apart.items() if len(groups[-1] & set(pair)) == 1]
        if not ways:
            break
        near.add(min(ways)[1])
        groups = connect(cells, near)
    return [{cell: lattice.members[cell] for cell in sorted(group)} for group in groups]


def _find_askew_pairs(
    detections: Detections, lattice: Lattice, settings: LatticeSettings
) -> list[set[Position]]:
    """Outer pairs of squares that both lie turned against the lattice, as loose dominoes do."""
    turns = measure_rotations(detections, lattice)
    places = lattice.places(detections.centres[list(lattice.members.values())])
    at = dict(zip(lattice.members, places, strict=True))
    found = []
    for cell, other in pairs_of(at, at):
        if turns[cell] * turns[other] <= 0 or abs(turns[cell] + turns[other]) < 2 * MAX_TURN_DEG:
            continue
        along, across = (at[other] - at[cell])[:: 1 if other[0] == cell[0] else -1]
        is_turned = abs(np.degrees(np.arctan2(across, along))) >= 0.7 * MAX_TURN_DEG
        if is_turned and len(around({cell, other}) & at.keys()) <= 2:
            found.append({cell, other})
    return found
