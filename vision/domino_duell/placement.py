"""Where on the lattice the board lies, by what the classifier sees on and beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import Shape
from vision.common.homography import fit_homography, project
from vision.domino_duell.lattice import Lattice, Node, place, places_of

__all__ = ["PlacementSettings", "Placing", "place_board"]

Floats = NDArray[np.float64]


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
