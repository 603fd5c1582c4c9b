"""A table top that a camera sees: how dominoes lie on it, and what of them is there to be found.

Lengths are short sides of a domino, unless they are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, box, rotation
from training.common.synthetic import fill
from training.pip_dominoes.scenes.domino import Style, draw_back, draw_face, pip_places


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


ARRANGEMENTS = {
    "scatter": (_scatter, 0.3), "rows": (_rows, 0.27), "chain": (_chain, 0.2), "fan": (_fan, 0.07),
    "pile": (_pile, 0.08), "rack": (_rack, 0.08), "cross": (_cross, 0.0),
}  # fmt: skip
"""At most so many places of tiles so long, about the origin; how common each kind is, 0..1."""

# A face of which more is hidden cannot be read for sure.
_UNREAD, _UNREAD_NUMERAL = 0.2, 0.06


@dataclass(frozen=True, eq=False)
class Drawn:
    """A face that can be seen: corners (4, 2) from the first half's side on, clockwise as printed.

    ``pips`` (n, 3) are x, y and the half (0 or 1) of every pip; ``hidden`` is the share of the
    face that something covers or the picture cuts off, ``readable`` whether every pip is seen,
    ``numerals`` that figures stand for the pips.
    """

    halves: tuple[int, int]
    corners: Matrix
    pips: Matrix
    hidden: float
    readable: bool
    numerals: bool


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture (h, w, 3) RGB and its dominoes; corners (n, 4, 2) of those that show a back."""

    rgb: Image
    drawn: tuple[Drawn, ...]
    backs: Matrix


@dataclass(eq=False)
class Table:
    """A picture (size, size, 3) of a table top that things are put into, the camera that sees it,
    the set that lies there, and by which chance.

    ``owner`` (size, size) is which of the ``faces`` each pixel shows, counted from 1; 0 elsewhere.
    ``backs`` are corners (4, 2).
    """

    picture: Floats
    camera: Camera
    style: Style
    tile_px: float
    rng: Rng

    def __post_init__(self) -> None:
        self.owner = np.zeros(self.picture.shape[:2], np.int32)
        self.texture_px = int(np.clip(1.2 * self.tile_px, 24, 120))
        self.faces: list[Drawn] = []
        self.backs: list[Matrix] = []

    def down(self, place: Place) -> float:
        """How far down in the picture a place is."""
        return float(self.camera.on_plane(place.at[None])[0, 1])

    def cover(self, pixels: Matrix, colour: ArrayLike) -> None:
        """Paint an outline (n, 2) over what lies there."""
        fill(self.picture, pixels, colour)
        cv2.fillPoly(self.owner, [np.round(pixels).astype(np.int32)], 0)

    def cast_shadows(self, places: Sequence[Place], strength: tuple[float, float]) -> None:
        """Darken the table beside tiles, by a share of its light between those of ``strength``."""
        rng, seen = self.rng, self.camera.on_plane
        shade = np.zeros(self.owner.shape, np.float32)
        ahead = rotation(rng.uniform(0, 2 * np.pi))[:, 0]
        throw = self.style.thickness * rng.uniform(0.1, 1.2) * ahead
        outline = self.style.outline() * 1.02
        for place in places:
            for share in (0.0, 0.5, 1.0):
                fill(shade, seen(place.put(outline) + share * throw), (1.0,))
        tile_px = float(np.linalg.norm(np.subtract(*seen(np.array([(0.0, 0.0), (1.0, 0.0)])))))
        soft = cv2.GaussianBlur(shade, (0, 0), max(tile_px * rng.uniform(0.02, 0.12), 0.5))
        self.picture *= 1 - np.float32(rng.uniform(*strength)) * soft[..., None]

    def put(self, place: Place, halves: tuple[int, int], *, back: bool) -> None:
        """Put a domino with its face or its back up."""
        style, rng, seen = self.style, self.rng, self.camera.on_plane
        # Drawn larger and averaged, so that small pips keep their size.
        large = round(self.texture_px / 0.6)
        flat = draw_back(style, large, rng) if back else draw_face(style, halves, large, rng)
        size = (round(0.6 * flat.shape[1]), round(0.6 * flat.shape[0]))
        texture = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.float32)
        light, rim = rng.uniform(0.9, 1.06), place.put(style.outline())
        bottom, top = place.level * style.thickness, (place.level + 1) * style.thickness
        for share in np.linspace(0, 1, 5)[:-1]:
            colour = style.side if style.side and share < 0.5 else style.body
            pixels = seen(rim, bottom + share * (top - bottom))
            self.cover(pixels, np.array(colour) * light * (0.5 + 0.35 * share))
        corners = seen(place.box(style.length), top)
        self.paste(texture * light, corners, seen(rim, top), 0 if back else len(self.faces) + 1)
        if back:
            self.backs.append(corners)
            return
        spots = [np.zeros((0, 3))]
        for half, points in enumerate([] if style.numerals else pip_places(style, halves)):
            pixels = seen(place.put(points), top)
            spots.append(np.column_stack([pixels, np.full(len(points), half)]))
        pips = np.concatenate(spots)
        self.faces.append(Drawn(halves, corners, pips, 0.0, True, style.numerals))

    def paste(self, flat: Floats, corners: Matrix, rim: Matrix, number: int = 0) -> None:
        """Put a flat picture (h, w, 3) where its ``corners`` (4, 2) are seen, as far as the outline
        ``rim`` (n, 2) reaches; its pixels are then owned by ``number``.
        """
        low = np.maximum(np.floor(rim.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(rim.max(0)).astype(int) + 2, len(self.owner))
        if (high <= low).any():
            return
        area = np.s_[low[1] : high[1], low[0] : high[0]]
        height, width = flat.shape[:2]
        source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
        view = cv2.getPerspectiveTransform(source, (corners - low).astype(np.float32))
        size = (high - low).tolist()
        seen = cv2.warpPerspective(flat, view, size, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros(size[::-1], np.uint8)
        fill(mask, rim - low, (255,))
        part = self.picture[area]
        part += (seen - part) * (mask[..., None].astype(np.float32) / 255)
        self.owner[area][mask > 127] = number

    def scene(self) -> Scene:
        """What the picture shows."""
        style, drawn = self.style, []
        seen = np.bincount(self.owner.ravel(), minlength=len(self.faces) + 1).tolist()
        for number, face in enumerate(self.faces, 1):
            area = cv2.contourArea(face.corners.astype(np.float32)) * (1 - 0.6 * style.rounding**2)
            hidden = float(np.clip(1 - seen[number] / max(area, 1), 0, 1))
            at = np.round(face.pips[:, :2]).astype(int)
            inside = ((at >= 0) & (at < len(self.owner))).all()
            whole = bool(inside and (self.owner[at[:, 1], at[:, 0]] == number).all())
            readable = whole and hidden < (_UNREAD_NUMERAL if style.numerals else _UNREAD)
            drawn.append(replace(face, hidden=hidden, readable=readable))
        rgb = np.clip(self.picture, 0, 255).astype(np.uint8)
        return Scene(rgb, tuple(drawn), np.array(self.backs).reshape(-1, 4, 2))
