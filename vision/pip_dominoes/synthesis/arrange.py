"""How dominoes lie on a table: scattered, in rows, touching, as a chain, in a fan, in a rack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ARRANGEMENTS", "Place", "arrange"]

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """The middle of a tile in short sides, how it is turned, and how high it lies in tiles."""

    x: float
    y: float
    angle: float
    level: float = 0.0

    def put(self, points: Points) -> Points:
        """Points about the tile's middle, x along it, on the table."""
        c, s = np.cos(self.angle), np.sin(self.angle)
        return np.asarray(points @ np.array([[c, s], [-s, c]]) + (self.x, self.y))


def _placed(middle: Points, angle: float) -> Place:
    return Place(float(middle[0]), float(middle[1]), angle)


def _box(place: Place, length: float, margin: float = 0.0) -> Points:
    a, b = length / 2 + margin, 0.5 + margin
    return place.put(np.array([(-a, -b), (a, -b), (a, b), (-a, b)]))


def _apart(first: Points, second: Points) -> bool:
    """Whether two rectangles (4, 2) don't overlap, by the separating axes."""
    for box in (first, second):
        for k in (0, 1):
            axis = box[k + 1] - box[k]
            one, other = first @ axis, second @ axis
            if one.max() < other.min() or other.max() < one.min():
                return True
    return False


def _scatter(count: int, length: float, rng: np.random.Generator) -> list[Place]:
    reach = np.sqrt(count * length) * rng.uniform(0.75, 1.3)
    gap = rng.choice([0.01, 0.08, 0.3])
    angle, spread = rng.uniform(0, np.pi), rng.choice([0.05, 0.4, 3.0])
    places: list[Place] = []
    boxes: list[Points] = []
    for _ in range(count * 12):
        x, y = rng.uniform(-reach, reach, 2) * (1.0, rng.uniform(0.6, 1.0))
        place = Place(x, y, angle + rng.normal(0, spread))
        box = _box(place, length, gap / 2)
        if all(_apart(box, other) for other in boxes):
            places.append(place)
            boxes.append(box)
        if len(places) == count:
            break
    return places


def _rows(count: int, length: float, rng: np.random.Generator) -> list[Place]:
    upright = rng.random() < 0.6
    columns = int(rng.integers(1, max(2, min(count, 8)) + 1))
    gaps = rng.choice([0.0, 0.03, 0.2, 0.5], 2, p=[0.35, 0.3, 0.2, 0.15]) + rng.uniform(0, 0.05, 2)
    wide, high = (1.0, length) if upright else (length, 1.0)
    crooked = rng.choice([0.0, 0.015, 0.06])
    places = []
    for k in range(count):
        row, column = divmod(k, columns)
        sway = rng.normal(0, crooked, 3)
        x = (column - (columns - 1) / 2) * (wide + gaps[0] + crooked) + sway[0]
        y = (row - (count // columns) / 2) * (high + gaps[1] + crooked) + sway[1]
        places.append(Place(x, y, (np.pi / 2 if upright else 0.0) + sway[2]))
    return places


def _chain(count: int, length: float, rng: np.random.Generator) -> list[Place]:
    """A line of play with corners and crosswise doubles."""
    places: list[Place] = []
    boxes: list[Points] = []
    gap = rng.choice([0.01, 0.05, 0.12])
    at, heading = np.zeros(2), 0.0
    for _ in range(count * 6):
        if len(places) == count:
            break
        turn = float(rng.choice([0.0, np.pi / 2, -np.pi / 2], p=[0.7, 0.15, 0.15]))
        ahead = np.array([np.cos(heading), np.sin(heading)])
        crosswise = rng.random() < 0.2
        if crosswise:
            middle = at + ahead * (0.5 + gap)
            place = _placed(middle, heading + np.pi / 2 + rng.normal(0, 0.02))
            end = at + ahead * (1.0 + gap)
        else:
            new = heading + turn
            step = np.array([np.cos(new), np.sin(new)])
            side = 0.5 * ahead if turn else 0.0
            middle = at + ahead * gap + side + step * (length / 2 - (0.5 if turn else 0.0))
            place = _placed(middle, new + rng.normal(0, 0.02))
            end = middle + step * length / 2
        box = _box(place, length, -0.04)
        if all(_apart(box, other) for other in boxes):
            places.append(place)
            boxes.append(box)
            at = end
            heading = heading if crosswise else heading + turn
        else:
            heading += rng.choice([-1, 1]) * np.pi / 2
            last = places[int(rng.integers(len(places)))]
            at = (
                np.array([last.x, last.y])
                + np.array([np.cos(heading), np.sin(heading)]) * length * 0.55
            )
    middle = np.mean([(p.x, p.y) for p in places], 0)
    return [Place(p.x - middle[0], p.y - middle[1], p.angle) for p in places]


def _fan(count: int, length: float, rng: np.random.Generator) -> list[Place]:
    radius = rng.uniform(2.0, 5.0)
    step = (1.0 + rng.uniform(0.0, 0.15)) / max(radius - length / 2, 0.9)
    places = []
    for k in range(min(count, max(int(2 * np.pi / step) - 1, 1))):
        angle = (k - count / 2) * step + rng.normal(0, 0.01)
        places.append(
            Place(radius * np.sin(angle), radius * (1 - np.cos(angle)), angle + np.pi / 2)
        )
    return places


def _pile(count: int, length: float, rng: np.random.Generator) -> list[Place]:
    """Tiles thrown together, some lying on others."""
    reach = np.sqrt(count * length) * 0.6
    spots = rng.uniform(-reach, reach, (count, 2))
    return [
        Place(float(x), float(y), float(rng.uniform(0, np.pi)), 0.6 * k / count)
        for k, (x, y) in enumerate(spots)
    ]


_KINDS = {"scatter": _scatter, "rows": _rows, "chain": _chain, "fan": _fan, "pile": _pile}
ARRANGEMENTS = tuple(_KINDS)


def arrange(kind: str, count: int, length: float, rng: np.random.Generator) -> list[Place]:
    """At most ``count`` places of tiles ``length`` long, about the origin."""
    return _KINDS[kind](count, length, rng)
