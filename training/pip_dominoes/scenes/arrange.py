"""How dominoes lie on a table, and how they are painted into a picture: shadows, sides, faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from training.common.arrays import Floats, Matrix, Rng
from training.common.camera import Camera, rotation
from training.common.light import fill
from training.pip_dominoes.scenes.face import rounded_outline
from training.pip_dominoes.scenes.style import Style


@dataclass(frozen=True)
class Place:
    """The middle of a tile in short sides, how it is turned, and how high it lies in tiles."""

    x: float
    y: float
    angle: float
    level: float = 0.0

    def put(self, points: Matrix) -> Matrix:
        """Points about the tile's middle, x along it, on the table."""
        return np.asarray(points @ rotation(self.angle).T + (self.x, self.y))


def _box(place: Place, length: float, margin: float = 0.0) -> Matrix:
    a, b = length / 2 + margin, 0.5 + margin
    return place.put(np.array([(-a, -b), (a, -b), (a, b), (-a, b)]))


def _disjoint(first: Matrix, second: Matrix) -> bool:
    """Whether two rectangles (4, 2) don't overlap, by the separating axes."""
    for axis in np.diff([first[:3], second[:3]], axis=1).reshape(4, 2):
        one, other = first @ axis, second @ axis
        if one.max() < other.min() or other.max() < one.min():
            return True
    return False


def _scatter(count: int, length: float, rng: Rng) -> list[Place]:
    reach = np.sqrt(count * length) * rng.uniform(0.75, 1.3)
    gap = rng.choice([0.01, 0.08, 0.3])
    angle, spread = rng.uniform(0, np.pi), rng.choice([0.05, 0.4, 3.0])
    laid: dict[Place, Matrix] = {}
    for _ in range(count * 12):
        x, y = rng.uniform(-reach, reach, 2) * (1.0, rng.uniform(0.6, 1.0))
        place = Place(x, y, angle + rng.normal(0, spread))
        box = _box(place, length, gap / 2)
        if all(_disjoint(box, other) for other in laid.values()):
            laid[place] = box
        if len(laid) == count:
            break
    return list(laid)


def _rows(count: int, length: float, rng: Rng) -> list[Place]:
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


def _chain(count: int, length: float, rng: Rng) -> list[Place]:
    """A line of play with corners and crosswise doubles."""
    laid: dict[Place, Matrix] = {}
    gap = rng.choice([0.01, 0.05, 0.12])
    at, heading = np.zeros(2), 0.0
    for _ in range(count * 6):
        if len(laid) == count:
            break
        turn = float(rng.choice([0.0, np.pi / 2, -np.pi / 2], p=[0.7, 0.15, 0.15]))
        ahead, new = _ahead(heading), heading + turn
        crosswise = rng.random() < 0.2
        if crosswise:
            new = heading
            middle, end = at + ahead * (0.5 + gap), at + ahead * (1.0 + gap)
        else:
            step, side = _ahead(new), 0.5 * ahead if turn else 0.0
            middle = at + ahead * gap + side + step * (length / 2 - (0.5 if turn else 0.0))
            end = middle + step * length / 2
        angle = new + (np.pi / 2 if crosswise else 0.0) + rng.normal(0, 0.02)
        place = Place(middle[0], middle[1], angle)
        box = _box(place, length, -0.04)
        if all(_disjoint(box, other) for other in laid.values()):
            laid[place] = box
            at, heading = end, new
        else:
            heading += rng.choice([-1, 1]) * np.pi / 2
            last = list(laid)[rng.integers(len(laid))]
            at = np.array([last.x, last.y]) + _ahead(heading) * length * 0.55
    middle = np.mean([(p.x, p.y) for p in laid], 0)
    return [Place(p.x - middle[0], p.y - middle[1], p.angle) for p in laid]


def _ahead(heading: float) -> Matrix:
    return np.array([np.cos(heading), np.sin(heading)])


def _fan(count: int, length: float, rng: Rng) -> list[Place]:
    radius = rng.uniform(2.0, 5.0)
    step = (1.0 + rng.uniform(0.0, 0.15)) / max(radius - length / 2, 0.9)
    places = []
    for k in range(min(count, max(int(2 * np.pi / step) - 1, 1))):
        angle = (k - count / 2) * step + rng.normal(0, 0.01)
        x, y = radius * np.sin(angle), radius * (1 - np.cos(angle))
        places.append(Place(x, y, angle + np.pi / 2))
    return places


def _pile(count: int, length: float, rng: Rng) -> list[Place]:
    """Tiles thrown together, some lying on others."""
    reach = np.sqrt(count * length) * 0.6
    spots = rng.uniform(-reach, reach, (count, 2))
    return [
        Place(x, y, rng.uniform(0, np.pi), 0.6 * k / count)
        for k, (x, y) in enumerate(spots.tolist())
    ]


def _cross(count: int, length: float, rng: Rng) -> list[Place]:
    """Four arms from one domino, so that it is touched on all sides; some arms are doubled."""
    gap = float(rng.choice([0.0, 0.01, 0.04]))
    places = [Place(0.0, 0.0, np.pi / 2)]
    for k in range(count - 1):
        arm, number = k % 4, k // 4
        turn = arm * np.pi / 2
        start = 0.5 if arm % 2 == 0 else length / 2
        along = start + gap + length / 2 + number * (length + gap)
        # A second domino beside the first of an arm touches on its long side.
        beside = 0.5 + gap / 2 if rng.random() < 0.2 else 0.0
        for across in (beside, -beside) if beside else (0.0,):
            x, y = (rotation(turn) @ (along, across)).tolist()
            places.append(Place(x, y, turn + rng.normal(0, 0.006)))
    return places[:count]


_KINDS = {
    "scatter": _scatter, "rows": _rows, "chain": _chain, "fan": _fan, "pile": _pile,
    "cross": _cross,
}  # fmt: skip
ARRANGEMENTS = tuple(_KINDS)


def arrange(kind: str, count: int, length: float, rng: Rng) -> list[Place]:
    """At most ``count`` places of tiles ``length`` long, about the origin."""
    return _KINDS[kind](count, length, rng)


@dataclass(eq=False)
class Table:
    """A picture (size, size, 3) of a table top that things are put into, the camera that sees it,
    the set that lies there, and by which chance.

    ``owner`` (size, size) is the face that each pixel shows, counted from 1; 0 elsewhere.
    """

    picture: Floats
    camera: Camera
    style: Style
    tile_px: float
    rng: Rng
    owner: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self.owner = np.zeros(self.picture.shape[:2], np.int32)

    def cast_shadows(self, places: Sequence[Place], strength: tuple[float, float]) -> None:
        """Darken the table beside tiles, by a share of its light between those of ``strength``."""
        style, rng = self.style, self.rng
        shade = np.zeros(self.owner.shape, np.float32)
        angle = rng.uniform(0, 2 * np.pi)
        throw = style.thickness * rng.uniform(0.1, 1.2) * _ahead(angle)
        outline = rounded_outline(style.length, style.rounding) * 1.02
        for place in places:
            for share in (0.0, 0.5, 1.0):
                fill(shade, self.camera.on_plane(place.put(outline) + share * throw), (1.0,))
        ends = self.camera.on_plane(np.array([(0.0, 0.0), (1.0, 0.0)]))
        tile_px = float(np.linalg.norm(np.subtract(*ends)))
        soft = cv2.GaussianBlur(shade, (0, 0), max(tile_px * rng.uniform(0.02, 0.12), 0.5))
        self.picture *= 1 - np.float32(rng.uniform(*strength)) * soft[..., None]

    def put_tile(self, place: Place, face: Floats, number: int) -> Matrix:
        """Paint the sides and the face (h, w, 3), which owns its pixels; its corners in pixels."""
        style, light = self.style, self.rng.uniform(0.9, 1.06)
        outline = place.put(rounded_outline(style.length, style.rounding))
        bottom, top = place.level * style.thickness, (place.level + 1) * style.thickness
        for share in np.linspace(0, 1, 5)[:-1]:
            colour = style.side if style.side and share < 0.5 else style.body
            pixels = self.camera.on_plane(outline, bottom + share * (top - bottom))
            fill(self.picture, pixels, np.array(colour) * light * (0.5 + 0.35 * share))
            cv2.fillPoly(self.owner, [np.round(pixels).astype(np.int32)], 0)
        corners = self.camera.on_plane(_box(place, style.length), top)
        self.paste(face * light, corners, self.camera.on_plane(outline, top), number)
        return corners

    def paste(self, flat: Floats, corners: Matrix, rim: Matrix, number: int = 0) -> None:
        """Put a flat picture (h, w, 3) where its ``corners`` (4, 2) are seen, as far as the outline
        ``rim`` (n, 2) reaches; its pixels are then owned by ``number``.
        """
        low = np.maximum(np.floor(rim.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(rim.max(0)).astype(int) + 2, len(self.owner))
        width, height = np.maximum(high - low, 0).tolist()
        if not width * height:
            return
        area = (slice(low[1], low[1] + height), slice(low[0], low[0] + width))
        source = np.array([(0, 0), (flat.shape[1], 0), flat.shape[1::-1], (0, flat.shape[0])])
        view = cv2.getPerspectiveTransform(
            (source - 0.5).astype(np.float32), (corners - low).astype(np.float32)
        )
        seen = cv2.warpPerspective(flat, view, (width, height), borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round((rim - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        part = self.picture[area]
        part += (seen - part) * (mask[..., None].astype(np.float32) / 255)
        self.owner[area][mask > 127] = number
