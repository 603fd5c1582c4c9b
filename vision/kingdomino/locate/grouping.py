"""From single squares to the groups that hang together, each with its lattice."""

from __future__ import annotations

import heapq

import numpy as np

from scorer.kingdomino import Position
from vision.kingdomino.locate.contact import group_by_contact
from vision.kingdomino.locate.lattice import (
    Detections,
    Lattice,
    LatticeSettings,
    align,
    align_all,
    fit_lattice,
    turn_upright,
)

__all__ = ["find_lattices"]


def _grow(
    detections: Detections, seed: int, free: set[int], settings: LatticeSettings
) -> dict[Position, int]:
    """All free detections that hang together with the seed, best matches first."""
    edges = {seed: detections.edges[seed]}
    placed: dict[Position, int] = {(0, 0): seed}
    where = {seed: (0, 0)}
    waiting: list[tuple[float, int, int, Position]] = []

    def offer(index: int) -> None:
        frame = edges[index]
        rest = np.array([k for k in free if k not in where], np.intp)
        if not len(rest):
            return
        delta = detections.centres[rest] - detections.centres[index]
        reach = 1.8 * max(float(np.linalg.norm(frame[0])), float(np.linalg.norm(frame[1])))
        near = np.linalg.norm(delta, axis=1) < reach
        rest, delta = rest[near], delta[near]
        others = align_all(detections.edges[rest], frame)
        changes = np.linalg.norm(others - frame, axis=(1, 2)) / np.linalg.norm(frame)
        alike = changes <= settings.max_frame_change
        middles = (others[alike] + frame) / 2
        steps = np.linalg.solve(middles.transpose(0, 2, 1), delta[alike, :, None])[..., 0]
        wholes = np.round(steps)
        errors = np.abs(steps - wholes).max(1, initial=0.0)
        row, column = where[index]
        for k, whole, error, change in zip(
            rest[alike], wholes, errors, changes[alike], strict=True
        ):
            if abs(whole).sum() == 1 and error <= settings.max_offset:
                cell = (row + int(whole[1]), column + int(whole[0]))
                cost = float(error) + 0.5 * float(change)
                heapq.heappush(waiting, (cost, index, int(k), cell))

    offer(seed)
    while waiting:
        _, parent, k, cell = heapq.heappop(waiting)
        if k in where or cell in placed:
            continue
        edges[k] = align(detections.edges[k], edges[parent])
        placed[cell] = k
        where[k] = cell
        offer(k)
    return placed


def find_lattices(detections: Detections, settings: LatticeSettings) -> list[Lattice]:
    """All groups of squares that hang together, each with its grid, largest first.

    Every cell belongs to one lattice at most; a single square makes a lattice of its own. Rows
    and columns are counted from the smallest, as seen in the picture.
    """
    free = set(range(len(detections)))
    strong = settings.strong_score * float(detections.scores.max(initial=0.0))
    lattices = []
    for seed in np.argsort(-detections.scores, kind="stable"):
        if int(seed) not in free or detections.scores[seed] < settings.min_score:
            continue
        fit_to_join = {
            k for k in free if detections.scores[k] >= min(strong, detections.scores[seed])
        }
        placed = _grow(detections, int(seed), fit_to_join, settings)
        lattice = fit_lattice(detections, placed, settings)
        free -= set(lattice.members.values())
        free.discard(int(seed))
        whole = _absorb(detections, lattice, free, settings)
        for members in group_by_contact(detections, whole, settings):
            part = whole
            if len(members) < len(whole.members):
                part = fit_lattice(detections, members, settings)
            part = turn_upright(part)
            free -= set(part.members.values())
            rows, columns = zip(*part.members, strict=True)
            lattices.append(part.moved(min(rows), min(columns)))
    return sorted(lattices, key=lambda lattice: -len(lattice.members))


def _absorb(
    detections: Detections, lattice: Lattice, free: set[int], settings: LatticeSettings
) -> Lattice:
    """The lattice with the weaker detections beside it that lie where it says."""
    members = dict(lattice.members)
    rest = np.array(sorted(free), np.intp)
    if not len(rest):
        return lattice
    places = lattice.places(detections.centres[rest])
    wholes = np.floor(places)
    off = np.abs(places - wholes - 0.5).max(1)
    inside = np.array(lattice.homography[2] @ np.c_[places, np.ones(len(rest))].T > 0)
    waiting = [
        (float(error), int(k), (int(row), int(column)))
        for error, k, (column, row), ahead in zip(off, rest, wholes, inside, strict=True)
        if error < settings.max_misfit and ahead
    ]
    waiting.sort()
    changed = True
    while changed:
        changed = False
        for _, k, (row, column) in waiting:
            beside = ((row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column))
            if (row, column) in members or not any(cell in members for cell in beside):
                continue
            middle = np.array([column + 0.5, row + 0.5])
            ends = lattice.points([middle + (0.5, 0), middle + (0, 0.5), middle])
            frame = 2 * (ends[:2] - ends[2])
            change = np.linalg.norm(align(detections.edges[k], frame) - frame)
            if change < settings.max_frame_change * np.linalg.norm(frame):
                members[row, column] = k
                changed = True
    return Lattice(lattice.homography, members, lattice.misfit)
