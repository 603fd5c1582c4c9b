"""Find the board: round things, the lattice through them, and where on it the board lies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import Shape
from vision.common.geometry import fit_homography, project

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CircleSettings:
    """``long_side_px`` is that of the picture searched, the radii are pixels in it.

    Edges are measured against the mean of those within ``around_px``, to which ``floor`` of the
    whole picture's mean is added. ``edge_share`` of the pixels, those with the steepest colours,
    vote; ``apart_px`` is the least distance between two middles, of which ``most`` are kept.
    """

    long_side_px: int = 640
    radii_px: tuple[float, ...] = (7.0, 8.5, 10.0, 12.0, 14.0, 16.5, 19.5, 23.0)
    around_px: float = 14.0
    floor: float = 0.15
    edge_share: float = 0.22
    apart_px: int = 9
    most: int = 320


def find_middles(rgb: Image, settings: CircleSettings | None = None) -> tuple[Floats, Floats]:
    """Points (n, 2), pixels (x, y) of ``rgb``, and how round each is, the roundest first.

    Every steep pixel votes for the points at each radius along its gradient, both ways. Source:
    Loy and Zelinsky, Fast Radial Symmetry for Detecting Points of Interest, 2003.
    """
    settings = settings or CircleSettings()
    scale = min(1.0, settings.long_side_px / max(rgb.shape[:2]))
    small = cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    votes = _votes(np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8), settings)
    size = 2 * settings.apart_px + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    peaks = (votes >= cv2.dilate(votes, kernel)) & (votes > 0)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-votes[rows, columns], kind="stable")[: settings.most]
    rows, columns = rows[order], columns[order]
    points = np.stack([columns, rows], 1) + _subpixel(votes, rows, columns)
    return (points + 0.5) / scale - 0.5, votes[rows, columns].astype(np.float64)


def _votes(picture: Image, settings: CircleSettings) -> NDArray[np.float32]:
    height, width = picture.shape[:2]
    across = cv2.Scharr(picture, cv2.CV_32F, 1, 0)
    down = cv2.Scharr(picture, cv2.CV_32F, 0, 1)
    steep = across**2 + down**2
    channel = steep.argmax(2)[..., None]
    across = np.take_along_axis(across, channel, 2)[..., 0]
    down = np.take_along_axis(down, channel, 2)[..., 0]
    steep = np.sqrt(np.take_along_axis(steep, channel, 2)[..., 0])
    # Faint hollows on plain wood count beside a loud cloth: each edge against those around it.
    around = cv2.GaussianBlur(steep, (0, 0), settings.around_px)
    loud = steep / (around + max(settings.floor * float(around.mean()), 1e-3))
    least = max(float(np.quantile(loud[::2, ::2], 1 - settings.edge_share)), 1e-3)
    rows, columns = np.nonzero(loud > least)
    length = steep[rows, columns]
    x_way, y_way = across[rows, columns] / length, down[rows, columns] / length
    weight = np.minimum(loud[rows, columns] / least, 4.0)
    votes = np.zeros((height, width), np.float32)
    for radius in settings.radii_px:
        mine = np.zeros(height * width, np.float64)
        for way in (radius, -radius):
            x = np.rint(columns + way * x_way).astype(np.int64)
            y = np.rint(rows + way * y_way).astype(np.int64)
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            places = y[inside] * width + x[inside]
            mine += np.bincount(places, weight[inside], minlength=height * width)
        soft = cv2.GaussianBlur(mine.reshape(height, width), (0, 0), 0.18 * radius)
        votes += (soft / radius).astype(np.float32)
    return votes


def _subpixel(
    votes: NDArray[np.float32], rows: NDArray[np.integer], columns: NDArray[np.integer]
) -> Floats:
    """Where between the pixels each peak lies (n, 2), from a parabola along each axis."""
    padded = np.pad(votes, 1, mode="edge").astype(np.float64)
    here = padded[rows + 1, columns + 1]
    shifts = []
    for before, after in (
        (padded[rows + 1, columns], padded[rows + 1, columns + 2]),
        (padded[rows, columns + 1], padded[rows + 2, columns + 1]),
    ):
        curve = 2 * here - before - after
        shifts.append(np.clip((after - before) / np.maximum(2 * curve, 1e-9), -0.5, 0.5))
    return np.stack(shifts, 1)


Node = tuple[int, int]
"""A point of the lattice: steps along a row, and along the line 60° clockwise of it."""

ROW_HEIGHT = math.sqrt(3) / 2
"""Steps from one row of hollows to the next."""

AROUND: tuple[Node, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours of a node, clockwise as seen on the screen."""


def place(nodes: NDArray[np.integer] | list[Node]) -> Floats:
    """Where nodes (n, 2) lie (n, 2), in steps, x to the right and y down."""
    found = np.asarray(nodes, np.float64).reshape(-1, 2)
    return np.stack([found[:, 0] + 0.5 * found[:, 1], ROW_HEIGHT * found[:, 1]], 1)


@cache
def places_of(shape: Shape) -> Floats:
    """Where the hollows of a board lie (n, 2), in steps, in the order of its hollows."""
    found: Floats = np.array(shape.places, np.float64) * np.array([0.5, ROW_HEIGHT])
    found.setflags(write=False)
    return found


@dataclass(frozen=True)
class LatticeSettings:
    """``near`` is how far off, in steps, a point may lie from where the lattice has it.

    ``seeds`` points are tried; of lattices of at least ``least`` points those ``most`` are kept
    with whose homography most points agree, but for ``off`` steps.
    """

    near: float = 0.26
    off: float = 0.12
    seeds: int = 150
    least: int = 24
    most: int = 3
    neighbours: int = 10


@dataclass(frozen=True, eq=False)
class Lattice:
    """Points (n, 2) by node (n, 2), and the homography (3, 3) from places to pixels.

    ``agreeing`` points lie where it has them.
    """

    nodes: NDArray[np.int64]
    points: Floats
    homography: Floats
    agreeing: int

    def __len__(self) -> int:
        return len(self.nodes)


def grow_lattices(points: Floats, settings: LatticeSettings | None = None) -> list[Lattice]:
    """The truest lattices that grow from the first points, none from within another.

    A cloth's print makes lattices too, but few of their points agree on one plane.

    ``points`` (n, 2) are pixels, the most certain first.
    """
    from scipy.spatial import cKDTree  # Takes long to load.

    settings = settings or LatticeSettings()
    if len(points) < len(AROUND) + 1:
        return []
    tree = cKDTree(points)
    found: list[dict[Node, int]] = []
    tried: set[int] = set()
    for seed in range(min(settings.seeds, len(points))):
        start = None if seed in tried else _star(points, tree, seed, settings)
        if start is not None:
            grown = _grown(points, tree, start, settings)
            tried |= set(grown.values())
            if len(grown) >= settings.least:
                found.append(grown)
    lattices = [
        _fitted(np.array(list(grown)), points[list(grown.values())], settings) for grown in found
    ]
    known = [lattice for lattice in lattices if lattice is not None]
    return sorted(known, key=lambda lattice: -lattice.agreeing)[: settings.most]


def _star(
    points: Floats, tree: cKDTree, seed: int, settings: LatticeSettings
) -> dict[Node, int] | None:
    """The seed with all six neighbours round it, if there is such a star of points."""
    middle = points[seed]
    distances, near = tree.query(middle, k=min(settings.neighbours + 1, len(points)))
    for first, step in zip(near[1:], distances[1:], strict=True):
        if step < 1.0:  # Two points in one place.
            continue
        one = points[first] - middle
        for second in near[1:]:
            other = points[second] - middle
            turn = math.atan2(float(one[0] * other[1] - one[1] * other[0]), float(one @ other))
            ratio = float(np.linalg.norm(other)) / step
            if not (math.radians(35) < turn < math.radians(90) and 0.6 < ratio < 1.7):
                continue
            wanted = [a * one + b * other + middle for a, b in AROUND]
            away, found = tree.query(np.array(wanted))
            if (away < settings.near * min(step, step * ratio)).all() and len(set(found)) == 6:
                return {(0, 0): seed, **dict(zip(AROUND, map(int, found), strict=True))}
    return None


def _grown(
    points: Floats, tree: cKDTree, start: dict[Node, int], settings: LatticeSettings
) -> dict[Node, int]:
    """All that can be reached from the star, each point where two others in line foretell it."""
    found = dict(start)
    taken = set(start.values())
    queue = list(start)
    for node in queue:  # grows while it is walked
        for at, foretold, step in _foretold(points, found, node):
            if at in found:
                continue
            away, index = tree.query(foretold)
            if away < settings.near * step and int(index) not in taken:
                found[at] = int(index)
                taken.add(int(index))
                queue.append(at)
    return found


def _foretold(
    points: Floats, found: dict[Node, int], node: Node
) -> Iterator[tuple[Node, Floats, float]]:
    """Free nodes beside a node, where they should lie, and the step there."""
    here = points[found[node]]
    for a, b in AROUND:
        behind = found.get((node[0] - a, node[1] - b))
        if behind is not None:
            step = here - points[behind]
            yield (node[0] + a, node[1] + b), here + step, float(np.linalg.norm(step))


def _fitted(nodes: NDArray[np.int64], points: Floats, settings: LatticeSettings) -> Lattice | None:
    """The lattice under the homography with which most points agree (RANSAC)."""
    places = place(nodes)
    from scipy.spatial import cKDTree

    step = float(np.median(cKDTree(points).query(points, 2)[0][:, 1]))
    found, agreeing = cv2.findHomography(
        places, points, cv2.RANSAC, settings.off * step, maxIters=2000, confidence=0.999
    )
    if found is None:
        return None
    return Lattice(nodes, points, np.asarray(found, np.float64), int(agreeing.sum()))


@dataclass(frozen=True)
class PlacementSettings:
    """``most_lattice`` bounds the nodes looked at; ``near`` is how far off, in steps, a point
    may lie to mend the homography, round by round; ``least_seen`` keeps probabilities from 0 and 1.
    """

    most_lattice: int = 700
    near: tuple[float, ...] = (0.25, 0.18, 0.12)
    least_seen: float = 0.01


@dataclass(frozen=True, eq=False)
class Placing:
    """The board in the picture: ``homography`` (3, 3) maps places of its hollows to pixels.

    ``worth`` is how well it explains the picture, in nats over no board at all, ``margin`` by how
    many nats better than the next best placing; ``seen`` is the share of its hollows that look
    like hollows.
    """

    homography: Floats
    worth: float
    margin: float
    seen: float


def place_board(
    lattice: Lattice,
    points: Floats,
    shape: Shape,
    size: tuple[int, int],
    nothing_of: Callable[[Floats], Floats],
    settings: PlacementSettings | None = None,
) -> Placing | None:
    """The placing of the board that explains best where hollows are and where none are.

    ``size`` is (width, height) of the picture in pixels; ``nothing_of`` gives for places (n, 2)
    of the lattice the probability that no hollow is there. Of two placings that differ by half
    a turn, which the board does not tell apart, the one with row a further up is taken. None
    where the board fits nowhere within the picture.
    """
    settings = settings or PlacementSettings()
    nodes = _nodes_in_picture(lattice, size, settings)
    if len(nodes) < len(shape.hollows):
        return None
    nothing = np.clip(nothing_of(place(nodes)), settings.least_seen, 1 - settings.least_seen)
    nats = np.log(1 - nothing) - np.log(nothing)
    ranked = _ranked(shape, nodes, nats)
    if not ranked:
        return None
    total, chosen = ranked[0]
    margin = total - ranked[1][0] if len(ranked) > 1 else total
    worth = {(int(q), int(r)): float(each) for (q, r), each in zip(nodes, nats, strict=True)}
    seen = sum(worth[int(q), int(r)] > 0 for q, r in chosen) / len(chosen)
    homography = _mended(lattice.homography, chosen, points, shape, settings)
    return Placing(_row_a_up(homography, shape), float(total), float(margin), seen)


def _nodes_in_picture(
    lattice: Lattice, size: tuple[int, int], settings: PlacementSettings
) -> NDArray[np.int64]:
    """Nodes about the grown lattice whose middles lie in the picture."""
    low, high = lattice.nodes.min(0) - 4, lattice.nodes.max(0) + 4
    grid = np.stack(np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(low, high, strict=True))), -1)
    nodes = grid.reshape(-1, 2)
    places = place(nodes)
    # Beyond the horizon of a tilted plane the homography turns over.
    x, y, one = lattice.homography[2]
    depth = places @ (x, y) + one
    sign = np.sign(np.median(place(lattice.nodes) @ (x, y) + one))
    seen = project(places, lattice.homography)
    inside = (depth * sign > 0) & (seen >= 0).all(1) & (seen < np.array(size)).all(1)
    middle = place(lattice.nodes).mean(0)
    order = np.argsort(np.linalg.norm(places - middle, axis=1) + np.where(inside, 0, 1e9))
    return np.asarray(nodes[order[: min(int(inside.sum()), settings.most_lattice)]])


def _ranked(
    shape: Shape, nodes: NDArray[np.int64], nats: Floats
) -> list[tuple[float, NDArray[np.int64]]]:
    """Placings that lie wholly on known nodes, the two of most worth with their nodes (n, 2).

    Each hollow laid on a node is worth what its being a hollow explains there.
    """
    low = nodes.min(0)
    unknown = -1e9
    worth = np.full(tuple(nodes.max(0) - low + 1), unknown)
    worth[tuple((nodes - low).T)] = nats
    outlines: set[frozenset[Node]] = set()
    found = []
    for turn in range(6):
        turned = np.array(_turned(_nodes_of(shape), turn))
        turned = turned - turned.min(0)
        outline = frozenset((int(q), int(r)) for q, r in turned)
        if outline in outlines:  # Half a turn of a symmetric board is the same placing.
            continue
        outlines.add(outline)
        room = np.array(worth.shape) - turned.max(0)
        if (room < 1).any():
            continue
        totals = np.zeros(tuple(room))
        for q, r in turned:
            totals += worth[q : q + room[0], r : r + room[1]]
        for at in np.argsort(-totals, axis=None)[:2]:
            q, r = np.unravel_index(at, totals.shape)
            if totals[q, r] > unknown / 2:
                found.append((float(totals[q, r]), turned + (q, r) + low))
    found.sort(key=lambda each: -each[0])
    return found[:2]


def _nodes_of(shape: Shape) -> list[Node]:
    """The nodes of the hollows: half steps x and row y are q + r / 2 and r."""
    x_first, row_first = shape.places[0]
    return [((x - x_first - (row - row_first)) // 2, row - row_first) for x, row in shape.places]


def _turned(nodes: list[Node], turn: int) -> list[Node]:
    """Turned by ``turn`` times 60° about the first node."""
    for _ in range(turn):
        nodes = [(-r, q + r) for q, r in nodes]
    return nodes


def _mended(
    homography: Floats,
    nodes: NDArray[np.int64],
    points: Floats,
    shape: Shape,
    settings: PlacementSettings,
) -> Floats:
    """The homography from the places of the hollows, through the points that lie near them."""
    places = places_of(shape)
    found = fit_homography(places, project(place(nodes), homography))
    for near in settings.near:
        seen = project(places, found)
        step = np.linalg.norm(seen - project(places + (1.0, 0.0), found), axis=1)
        distances = np.linalg.norm(seen[:, None] - points[None], axis=2)
        nearest = distances.argmin(1)
        mine = distances[np.arange(len(places)), nearest] < near * step
        if mine.sum() < len(places) // 3:
            break
        found = fit_homography(places[mine], points[nearest[mine]])
    return found


def _row_a_up(homography: Floats, shape: Shape) -> Floats:
    """The same placing, or the one half a turn on, so that row a is the upper end."""
    places = places_of(shape)
    ends = project(np.array([places[0], places[-1]]), homography)
    if ends[0, 1] <= ends[1, 1]:
        return homography
    middle = places.min(0) + places.max(0)
    apart = np.linalg.norm((middle - places)[:, None] - places[None], axis=2).min(1)
    if apart.max() > 0.1:  # Another board, which half a turn changes.
        return homography
    half_turn = np.array([[-1, 0, middle[0]], [0, -1, middle[1]], [0, 0, 1]], np.float64)
    return np.asarray(homography @ half_turn)
