"""A table with kingdoms cut out of photographs, printed pages and cloths, as a phone sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from scorer.kingdomino import Position
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, moved
from training.common.synthetic import any_of, between
from training.kingdomino.corpus import Corpus, LabelledKingdom, read_rgb, resized
from vision.common.geometry import Extent, pairs_of, project, project_steps

SQUARE_PX = 100
# Photographed kingdoms with fewer squares say little about a table.
MIN_SQUARES = 9
# A square counts as hidden where this share of it can't be seen.
HIDDEN = 0.4


@dataclass(frozen=True, eq=False)
class Sheet:
    """A kingdom as a flat picture, or something else flat, ``SQUARE_PX`` pixels a square.

    ``rgb`` (h, w, 3), ``alpha`` (h, w) 0..1 where tiles lie, ``labels`` by (row, column), none if
    it is no kingdom. ``source`` names pictures of one camera and light, ``session`` those that are
    held out together.
    """

    name: str
    source: str
    session: str
    rgb: Image
    alpha: Floats
    labels: dict[Position, str]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in squares."""
        height, width = self.alpha.shape
        return width // SQUARE_PX, height // SQUARE_PX


def area_of(cell: Position, last: Position | None = None) -> tuple[slice, slice]:
    """The rows and columns of the pixels of a square of a sheet, or of all up to the ``last``."""
    starts, ends = np.multiply(cell, SQUARE_PX), np.multiply(last or cell, SQUARE_PX) + SQUARE_PX
    return slice(starts[0], ends[0]), slice(starts[1], ends[1])


def _sheet(picture: LabelledKingdom, source: str, rgb: Image) -> Sheet:
    alpha = np.zeros(rgb.shape[:2], np.float32)
    for cell in picture.labels:
        alpha[area_of(cell)] = 1
    return Sheet(picture.path.name, source, picture.session, rgb, alpha, picture.labels)


def load_kingdoms(folder: Path) -> list[Sheet]:
    """One picture of each kingdom of the boards, and the larger kingdoms of the photographs."""
    corpus, groups, photos = Corpus(folder), dict[str, Sheet](), []
    for board in corpus.boards():
        if board.group not in groups:
            rgb = cv2.resize(read_rgb(board.path), (5 * SQUARE_PX, 5 * SQUARE_PX))
            groups[board.group] = _sheet(board, "boards", np.asarray(rgb, np.uint8))
    for photo in corpus.photos():
        if len(photo.labels) >= MIN_SQUARES:
            size = width, height = np.multiply(photo.size, SQUARE_PX).tolist()
            flat = np.array(Extent(0, 0, height, width).corners(), np.float32) - 0.5
            view = cv2.getPerspectiveTransform(corpus.grid(photo).astype(np.float32), flat)
            rgb = cv2.warpPerspective(read_rgb(photo.path), view, size, flags=cv2.INTER_AREA)
            photos.append(_sheet(photo, photo.group, np.asarray(rgb, np.uint8)))
    growing = Counter(sheet.source for sheet in photos)
    # Of a kingdom photographed at every turn, every other picture is enough.
    photos = [s for k, s in enumerate(photos) if growing[s.source] < 6 or k % 2]
    # Both kinds in turn, so that any first part of the list holds both.
    boards = [*groups.values()]
    places = [(k + 0.5) / len(kind) for kind in (boards, photos) for k in range(len(kind))]
    return [(boards + photos)[k] for k in np.argsort(places, kind="stable")]


def cut_domino(sheet: Sheet, rng: Rng) -> Sheet:
    """Two neighbouring squares of a kingdom, none of them the castle, as a domino lying across."""
    plain = [cell for cell, label in sheet.labels.items() if label != "c"]
    one, other = any_of([*pairs_of(plain, plain)], rng)
    rgb = sheet.rgb[area_of(one, other)]
    return _flat("domino", np.rot90(rgb) if one[1] == other[1] else rgb)


def _flat(name: str, rgb: Image) -> Sheet:
    alpha = np.ones(rgb.shape[:2], np.float32)
    return Sheet(name, name, name, np.ascontiguousarray(rgb), alpha, {})


PICTURE_PX = (1600, 1200)
MARGIN_PX = 70
# A patterned surface (h, w, 3), the size of its pixels in squares, and its turn against the table.
Cloth = tuple[Image, float, float]


@dataclass(frozen=True, eq=False)
class Place:
    """A sheet on the table: its top left corner in squares, turned about it."""

    sheet: Sheet
    at: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0

    def outline(self) -> Matrix:
        """Its corners (4, 2) on the table."""
        corners = np.array(Extent(0, 0, *self.sheet.size[::-1]).corners())
        return project(corners, moved(self.turn_deg, self.at))


@dataclass(eq=False)
class Truth:
    """A kingdom as it lies in the picture: per square its label, middle and hidden share.

    Where the picture is no plane, its pixels (..., 2) are ``bent`` from those of the plane.
    """

    labels: dict[Position, str]
    view: Matrix
    hidden: dict[Position, float] = field(default_factory=dict)
    bent: Callable[[Matrix], Matrix] = np.asarray

    def corners(self, cell: Position) -> Matrix:
        """The corners (4, 2) of a square in pixels."""
        return self.bent(project(np.array(Extent(*cell, 1, 1).corners()), self.view))

    def middle(self, cell: Position) -> Matrix:
        """The middle (2,) of a square in pixels."""
        return self.bent(project(np.array([cell[1] + 0.5, cell[0] + 0.5]), self.view))

    @property
    def unseen(self) -> set[Position]:
        """The squares that count as hidden."""
        return {cell for cell, share in self.hidden.items() if share >= HIDDEN}

    def hide(self, mask: Floats) -> None:
        """Count what the mask hides of each square."""
        small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        for cell in self.labels:
            shape = np.zeros(small.shape, np.uint8)
            cv2.fillConvexPoly(shape, np.round(self.corners(cell) / 4).astype(np.int32), 1)
            total = int(shape.sum())
            share = float((np.minimum(small, 1) * shape).sum()) / total if total else 1.0
            self.hidden[cell] = max(self.hidden.get(cell, 0.0), share)


def beside(
    first: Sheet, second: Sheet, gap: float, rng: Rng, shift: float | None = None
) -> tuple[float, float]:
    """Where ``second`` lies beside ``first``: ``gap`` squares off, ``shift`` squares along."""
    (w, h), (v, k) = first.size, second.size
    along = float(rng.integers(0, max(h, w) - 1)) if shift is None else shift
    x, y = min(along, w - 1.0), min(along, h - 1.0)
    return any_of(((w + gap, y), (-v - gap, y), (x, h + gap), (x, -k - gap)), rng)


class Table:
    """The picture while it is composed. Lengths on the table are squares.

    The camera is ``distance`` away; ``tilt_deg`` and ``turn_deg`` are drawn where they are None, a
    turn as one of four, give or take ``turn_sd_deg``.
    """

    def __init__(
        self,
        surface: Image,
        places: Sequence[Place],
        rng: Rng,
        *,
        cloth: Callable[[Rng], Cloth] | None = None,
        tilt_deg: float | None = None,
        turn_deg: float | None = None,
        turn_sd_deg: float = 14.0,
        distance: float = 17.0,
    ) -> None:
        self.rng, woven = rng, cloth(rng) if cloth else None
        tilt_deg = abs(rng.normal(0, 9)) if tilt_deg is None else tilt_deg
        most_px = rng.uniform(62, 100)
        drawn_deg = 90 * rng.integers(4) + rng.normal(0, turn_sd_deg)
        turn_deg = drawn_deg if turn_deg is None else turn_deg
        points = np.concatenate([place.outline() for place in places])
        x, y = (points.min(0) + points.max(0)) / 2
        camera = Camera.above(
            (x, y), (0, 0), 1, tilt_deg=tilt_deg, turn_deg=turn_deg,
            azimuth_deg=rng.normal(0, 25), distance=distance,
        )  # fmt: skip
        # All that lies there is in the picture.
        seen = camera.on_plane(points)
        low, high = seen.min(0), seen.max(0)
        inner = np.array(PICTURE_PX) - 2 * MARGIN_PX
        self.square_px = scale = min(most_px, *(inner / (high - low)))
        x, y = MARGIN_PX + (inner - scale * (high - low)) * rng.uniform(0.2, 0.8, 2) - scale * low
        self.view = np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]]) @ camera.homography()
        # Where what stands on the table leans to in the picture, in pixels a square.
        upwards = camera.projection[:2, 2] / distance
        self.up = np.asarray((upwards + rng.normal(0, 0.12, 2)) * scale)
        self.rgb = self._bare(surface, woven)
        self.truths: list[Truth] = []
        for place in places:
            self._lay(place)

    def _bare(self, surface: Image, cloth: Cloth | None) -> Floats:
        rng = self.rng
        plain = surface, between(0.012, 0.03, rng), rng.uniform(0, 2 * np.pi)
        surface, scale, angle = cloth or plain
        c, s = scale * np.cos(angle), scale * np.sin(angle)
        x, y = rng.uniform(-8, 8, 2)
        pair = np.concatenate([surface, surface[:, ::-1]], 1)
        mirrored = np.tile(np.concatenate([pair, pair[::-1]], 0), (4, 4, 1))
        about_middle = moved(0, np.multiply(mirrored.shape[1::-1], -0.5))
        view = self.view @ np.array([[c, -s, x], [s, c, y], [0, 0, 1.0]]) @ about_middle
        way, border = cv2.INTER_CUBIC, cv2.BORDER_REFLECT
        out = cv2.warpPerspective(mirrored, view, PICTURE_PX, flags=way, borderMode=border)
        return np.asarray(out, np.float32)

    def _lay(self, place: Place) -> None:
        lattice, sheet = self.view @ moved(place.turn_deg, place.at), place.sheet
        inch = 1 / SQUARE_PX
        warp = lattice @ np.array([[inch, 0, inch / 2], [0, inch, inch / 2], [0, 0, 1.0]])
        corners = project(place.outline(), self.view)
        low = np.floor(corners.min(0)).astype(int) - 12
        high = np.ceil(corners.max(0)).astype(int) + 13
        size = (high - low).tolist()
        factor = max(1, round(SQUARE_PX / max(self.square_px, 20)))
        height, width = np.floor_divide(sheet.alpha.shape, factor).tolist()
        rgb = resized(sheet.rgb, width, height)
        alpha = cv2.resize(sheet.alpha, (width, height), interpolation=cv2.INTER_AREA)
        shrunk = np.diag([sheet.rgb.shape[1] / width] * 2 + [1.0])
        warp = moved(0, -low) @ warp @ shrunk
        mask = cv2.warpPerspective(alpha, warp, size)
        tiles = cv2.warpPerspective(rgb, warp, size, borderMode=cv2.BORDER_REPLICATE)
        area = np.s_[low[1] : high[1], low[0] : high[0]]
        dark = cv2.GaussianBlur(mask, (0, 0), max(0.05 * self.square_px, 0.8))
        floor = self.rgb[area] * (1 - 0.45 * dark)[..., None]
        self.rgb[area] = floor * (1 - mask[..., None]) + tiles * mask[..., None]
        if sheet.labels:
            self.truths.append(Truth(dict(sheet.labels), lattice))

    def scale_at(self, point: Matrix) -> float:
        """The side of a square at a pixel (2,), in pixels."""
        spot = project(point[None], np.asarray(np.linalg.inv(self.view), np.float64))
        ((u, v),) = project_steps(spot, self.view)
        return float(np.sqrt(abs(u[0] * v[1] - u[1] * v[0])))

    def hide(self, mask: Floats) -> None:
        """Count what a painted mask hides of the kingdoms."""
        for truth in self.truths:
            truth.hide(mask)


# Pixels of a pattern a check, and checks of a pattern.
CHECK_PX, CHECKS = 40, 8
INKS = ((178, 34, 44), (40, 70, 150), (46, 110, 60), (60, 60, 66), (210, 150, 40))


def gingham(rng: Rng) -> Cloth:
    """A cloth with stripes of one colour both ways, checks as wide as a square or half of it."""
    half = CHECK_PX // 2
    stripe = np.tile(np.r_[np.zeros(half), np.ones(half)], 2 * CHECKS)
    return _woven((stripe[:, None] + stripe[None]) / 2, CHECK_PX, rng)


def chequered(rng: Rng) -> Cloth:
    """A cloth of squares in two colours, as wide as a square of the game or half of it."""
    cells = np.indices((2 * CHECKS, 2 * CHECKS)).sum(0) % 2
    return _woven(np.kron(cells, np.ones((CHECK_PX // 2,) * 2)), CHECK_PX / 2, rng)


def _woven(ink_share: Matrix, period_px: float, rng: Rng) -> Cloth:
    ink = np.array(any_of(INKS, rng), np.float32)
    white = np.array([238, 235, 228], np.float32) * rng.uniform(0.85, 1.0)
    rgb = white + (ink - white) * ink_share[..., None]
    rgb = rgb + rng.normal(0, 4, rgb.shape[:2])[..., None]
    # Half checks at the edges, since the pattern goes on mirrored.
    seen = np.clip(np.roll(rgb, CHECK_PX // 4, (0, 1)), 0, 255).astype(np.uint8)
    pitch = rng.choice([0.5, 1.0]) * rng.uniform(0.93, 1.07)
    return seen, 1 / (period_px / pitch), float(np.deg2rad(rng.normal(0, 4)))


def rules_sheet(kingdoms: Sequence[Sheet], rng: Rng) -> Sheet:
    """A printed page with lines of text and some small pictures of kingdoms."""
    wide, high = int(5.0 * SQUARE_PX), int(6.6 * SQUARE_PX)
    page = np.full((high, wide, 3), rng.uniform(228, 250), np.uint8)
    for y in range(30, high - 20, 13):
        x = 24.0
        while x < wide - 40:
            word = rng.uniform(8, 42)
            if rng.random() < 0.9:
                cv2.rectangle(page, (int(x), y), (int(x + word), y + 4), (70, 68, 66), -1)
            x += word + 7
    top = 40
    for kingdom in kingdoms:
        shown = _shrunk(kingdom, rng.uniform(0.25, 0.42))
        height, width = shown.shape[:2]
        left = int(rng.integers(20, max(wide - width - 20, 21)))
        if top + height > high - 20:
            break
        page[top : top + height, left : left + width] = shown
        top += height + int(rng.integers(20, 60))
    return _flat("rules sheet", page)


def gallery(kingdoms: Sequence[Sheet], rng: Rng) -> Sheet:
    """A phone that shows up to eight photographs of kingdoms side by side."""
    screen = np.full((int(4.8 * SQUARE_PX), int(2.4 * SQUARE_PX), 3), rng.uniform(8, 30), np.uint8)
    for number, kingdom in enumerate(kingdoms):
        y, x = 18 + number // 2 * 112, 12 + number % 2 * 110
        tile = screen[y : y + 106, x : x + 106]
        tile[:] = rng.integers(60, 190, 3)
        shown = _shrunk(kingdom, rng.uniform(78, 100) / (max(kingdom.size) * SQUARE_PX))
        top, left = (int((106 - side) / 2) for side in shown.shape[:2])
        tile[top : top + shown.shape[0], left : left + shown.shape[1]] = shown
    return _flat("phone", screen)


def _shrunk(sheet: Sheet, scale: float) -> Image:
    white = np.where(sheet.alpha[..., None] > 0, sheet.rgb, np.uint8(215))
    size = round(white.shape[1] * scale), round(white.shape[0] * scale)
    return np.asarray(cv2.resize(white, size, interpolation=cv2.INTER_AREA), np.uint8)
