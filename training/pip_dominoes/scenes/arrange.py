"""How dominoes lie on a table, in short sides of a domino."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from training.common.arrays import Matrix, Rng
from training.common.camera import box, rotation


class Place(NamedTuple):
    """The middle (x, y) of a tile, how it is turned, and how high it lies in tiles."""

    at: Matrix
    angle: float
    level: float = 0.0

    def put(self, points: Matrix) -> Matrix:
        """Points about the tile's middle, x along it, on the table."""
        return np.asarray(points @ rotation(self.angle).T + self.at)

    def box(self, length: float, margin: float = 0.0) -> Matrix:
        """The corners (4, 2) of a tile ``length`` long with a margin."""
        return box(self.at, length + 2 * margin, 1 + 2 * margin, self.angle)


def _lay(place: Place, tile: Matrix, laid: list[tuple[Place, Matrix]]) -> bool:
    """Lay a tile (4, 2) among others, unless it overlaps one of them, by the separating axes."""
    for _, other in laid:
        axes = np.diff([tile[:3], other[:3]], axis=1).reshape(4, 2)
        seen = ((tile @ axis, other @ axis) for axis in axes)
        if not any(a.max() < b.min() or b.max() < a.min() for a, b in seen):
            return False
    laid.append((place, tile))
    return True


def _scatter(count: int, length: float, rng: Rng) -> list[Place]:
    reach = np.sqrt(count * length) * rng.uniform(0.75, 1.3)
    gap = rng.choice([0.01, 0.08, 0.3])
    angle, spread = rng.uniform(0, np.pi), rng.choice([0.05, 0.4, 3.0])
    laid: list[tuple[Place, Matrix]] = []
    for _ in range(count * 12):
        at = rng.uniform(-reach, reach, 2) * (1.0, rng.uniform(0.6, 1.0))
        place = Place(at, angle + rng.normal(0, spread))
        _lay(place, place.box(length, gap / 2), laid)
        if len(laid) == count:
            break
    return [place for place, _ in laid]


def _rows(count: int, length: float, rng: Rng) -> list[Place]:
    upright = rng.random() < 0.6
    columns = int(rng.integers(1, max(2, min(count, 8)) + 1))
    gaps = rng.choice([0.0, 0.03, 0.2, 0.5], 2, p=[0.35, 0.3, 0.2, 0.15]) + rng.uniform(0, 0.05, 2)
    sides = (1.0, length) if upright else (length, 1.0)
    crooked = rng.choice([0.0, 0.015, 0.06])
    row, column = np.divmod(np.arange(count), columns)
    cells = np.column_stack([column - (columns - 1) / 2, row - (count // columns) / 2])
    sway = rng.normal(0, crooked, (count, 3))
    at = cells * (sides + gaps + crooked) + sway[:, :2]
    return [Place(*each) for each in zip(at, upright * np.pi / 2 + sway[:, 2], strict=True)]


def _chain(count: int, length: float, rng: Rng) -> list[Place]:
    """A line of play with corners and crosswise doubles."""
    laid: list[tuple[Place, Matrix]] = []
    gap = rng.choice([0.01, 0.05, 0.12])
    at, heading = np.zeros(2), 0.0
    for _ in range(count * 6):
        if len(laid) == count:
            break
        turn = float(rng.choice([0.0, np.pi / 2, -np.pi / 2], p=[0.7, 0.15, 0.15]))
        ahead, new = rotation(heading)[:, 0], heading + turn
        crosswise = rng.random() < 0.2
        if crosswise:
            new = heading
            middle, end = at + ahead * (0.5 + gap), at + ahead * (1.0 + gap)
        else:
            step, side = rotation(new)[:, 0], 0.5 * ahead if turn else 0.0
            middle = at + ahead * gap + side + step * (length / 2 - (0.5 if turn else 0.0))
            end = middle + step * length / 2
        place = Place(middle, new + (np.pi / 2 if crosswise else 0.0) + rng.normal(0, 0.02))
        if _lay(place, place.box(length, -0.04), laid):
            at, heading = end, new
        else:
            heading += rng.choice([-1, 1]) * np.pi / 2
            last, _ = laid[rng.integers(len(laid))]
            at = last.at + rotation(heading)[:, 0] * length * 0.55
    middle = np.mean([place.at for place, _ in laid], 0)
    return [place._replace(at=place.at - middle) for place, _ in laid]


def _fan(count: int, length: float, rng: Rng) -> list[Place]:
    radius = rng.uniform(2.0, 5.0)
    step = (1.0 + rng.uniform(0.0, 0.15)) / max(radius - length / 2, 0.9)
    count, half = min(count, max(int(2 * np.pi / step) - 1, 1)), count / 2
    angles = (np.arange(count) - half) * step + rng.normal(0, 0.01, count)
    at = radius * np.column_stack([np.sin(angles), 1 - np.cos(angles)])
    return [Place(*each) for each in zip(at, angles + np.pi / 2, strict=True)]


def _pile(count: int, length: float, rng: Rng) -> list[Place]:
    """Tiles thrown together, some lying on others."""
    reach = np.sqrt(count * length) * 0.6
    spots = rng.uniform(-reach, reach, (count, 2))
    return [Place(at, rng.uniform(0, np.pi), 0.6 * k / count) for k, at in enumerate(spots)]


def _rack(count: int, length: float, rng: Rng) -> list[Place]:
    gap = 1.02 + float(rng.choice([0.0, 0.04, 0.3]))
    at = [np.array([(k - count / 2) * gap, 0]) for k in range(count)]
    return [Place(each, np.pi / 2 + 0.01 * rng.normal()) for each in at]


def _cross(count: int, length: float, rng: Rng) -> list[Place]:
    """Four arms from one domino, so that it is touched on all sides; some arms are doubled."""
    gap = float(rng.choice([0.0, 0.01, 0.04]))
    places = [Place(np.zeros(2), np.pi / 2)]
    for k in range(count - 1):
        number, arm = divmod(k, 4)
        turn = arm * np.pi / 2
        start = 0.5 if arm % 2 == 0 else length / 2
        along = start + gap + length / 2 + number * (length + gap)
        # A second domino beside the first of an arm touches on its long side.
        beside = 0.5 + gap / 2 if rng.random() < 0.2 else 0.0
        for across in (beside, -beside) if beside else (0.0,):
            places.append(Place(rotation(turn) @ (along, across), turn + rng.normal(0, 0.006)))
    return places[:count]


_KINDS = {
    "scatter": (_scatter, 0.3), "rows": (_rows, 0.27), "chain": (_chain, 0.2), "fan": (_fan, 0.07),
    "pile": (_pile, 0.08), "rack": (_rack, 0.08), "cross": (_cross, 0.0),
}  # fmt: skip
ARRANGEMENTS = {kind: share for kind, (_, share) in _KINDS.items()}
"""How common each is, 0..1."""


def arrange(kind: str, count: int, length: float, rng: Rng) -> list[Place]:
    """At most ``count`` places of tiles ``length`` long, about the origin."""
    return _KINDS[kind][0](count, length, rng)
