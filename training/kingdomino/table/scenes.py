"""A table with kingdoms cut out of photographs, seen by a phone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from scorer.kingdomino import Position
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, moved
from training.kingdomino.corpus import Corpus, LabelledKingdom, read_rgb
from vision.common.geometry import project

SQUARE_PX = 100
BOARD_PX = (5 * SQUARE_PX, 5 * SQUARE_PX)
# Photographed kingdoms with fewer squares say little about a table.
MIN_SQUARES = 9


@dataclass(frozen=True, eq=False)
class Sheet:
    """A kingdom or a domino as a flat picture, ``SQUARE_PX`` pixels a square.

    ``rgb`` (h, w, 3), ``alpha`` (h, w) 0..1 where tiles lie, ``labels`` by (row, column).
    ``source`` names pictures of one camera and light, ``session`` those that are held out together.
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


def _sheet(picture: LabelledKingdom, source: str, rgb: Image) -> Sheet:
    alpha = np.zeros(rgb.shape[:2], np.float32)
    for r, c in picture.labels:
        alpha[r * SQUARE_PX : (r + 1) * SQUARE_PX, c * SQUARE_PX : (c + 1) * SQUARE_PX] = 1
    return Sheet(picture.path.name, source, picture.session, rgb, alpha, picture.labels)


def load_kingdoms(folder: Path) -> list[Sheet]:
    """One picture of each kingdom of the boards, and the larger kingdoms of the photographs."""
    corpus = Corpus(folder)
    groups: dict[str, LabelledKingdom] = {}
    for board in corpus.boards():
        groups.setdefault(board.group, board)
    boards = [
        _sheet(board, "boards", np.asarray(cv2.resize(read_rgb(board.path), BOARD_PX), np.uint8))
        for board in groups.values()
    ]
    photos = []
    for photo in corpus.photos():
        if len(photo.labels) < MIN_SQUARES:
            continue
        width, height = (n * SQUARE_PX for n in photo.size)
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        view = cv2.getPerspectiveTransform(corpus.grid(photo).astype(np.float32), flat)
        rgb = cv2.warpPerspective(read_rgb(photo.path), view, (width, height), flags=cv2.INTER_AREA)
        photos.append(_sheet(photo, photo.group, np.asarray(rgb, np.uint8)))
    growing = Counter(sheet.source for sheet in photos)
    # Of a kingdom photographed at every turn, every other picture is enough.
    photos = [s for k, s in enumerate(photos) if growing[s.source] < 6 or k % 2]
    return _mixed(boards, photos)


def _mixed(boards: list[Sheet], photos: list[Sheet]) -> list[Sheet]:
    """Both kinds in turn, so that any first part of the list holds both."""
    order = sorted(
        [((k + 0.5) / len(boards), sheet) for k, sheet in enumerate(boards)]
        + [((k + 0.5) / len(photos), sheet) for k, sheet in enumerate(photos)],
        key=lambda pair: pair[0],
    )
    return [sheet for _, sheet in order]


def cut_domino(sheet: Sheet, rng: Rng) -> Sheet:
    """Two neighbouring squares of a kingdom, none of them the castle, as a domino lying across."""
    pairs = [
        ((r, c), (r + dr, c + dc))
        for r, c in sheet.labels
        for dr, dc in ((0, 1), (1, 0))
        if (r + dr, c + dc) in sheet.labels
        and "c" not in (sheet.labels[r, c], sheet.labels[r + dr, c + dc])
    ]
    one, other = pairs[int(rng.integers(len(pairs)))]
    top, left = one[0] * SQUARE_PX, one[1] * SQUARE_PX
    rgb = sheet.rgb[top : (other[0] + 1) * SQUARE_PX, left : (other[1] + 1) * SQUARE_PX]
    if one[1] == other[1]:
        rgb = np.rot90(rgb)
    labels = {(0, 0): sheet.labels[one], (0, 1): sheet.labels[other]}
    alpha = np.ones(rgb.shape[:2], np.float32)
    return Sheet("domino", sheet.source, sheet.session, np.ascontiguousarray(rgb), alpha, labels)


PICTURE_PX = (1600, 1200)
MARGIN_PX = 70


@dataclass(frozen=True, eq=False)
class Cloth:
    """A patterned surface (h, w, 3), so many pixels a square, turned against the table."""

    rgb: Image
    square_px: float
    angle: float


@dataclass(frozen=True, eq=False)
class Place:
    """A sheet on the table: its top left corner in squares, turned about it."""

    sheet: Sheet
    at: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    is_kingdom: bool = True

    def to_table(self) -> Matrix:
        """From the squares of the sheet to those of the table."""
        return moved(self.turn_deg, self.at)

    def outline(self) -> Matrix:
        """Its corners (4, 2) on the table."""
        w, h = self.sheet.size
        flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64)
        return project(flat, self.to_table())


@dataclass(eq=False)
class Truth:
    """A kingdom as it lies in the picture: per square its label, middle and hidden share."""

    labels: dict[Position, str]
    view: Matrix
    hidden: dict[Position, float] = field(default_factory=dict)

    def corners(self, cell: Position) -> Matrix:
        """The corners (4, 2) of a square in pixels."""
        r, c = cell
        flat = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], np.float64)
        return project(flat, self.view)

    def middle(self, cell: Position) -> Matrix:
        """The middle (2,) of a square in pixels."""
        return np.asarray(project(np.array([[cell[1] + 0.5, cell[0] + 0.5]]), self.view)[0])

    def hide(self, mask: Floats, share: float = 1.0) -> None:
        """Count what the mask hides of each square."""
        small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        for cell in self.labels:
            shape = np.zeros(small.shape, np.uint8)
            cv2.fillConvexPoly(shape, np.round(self.corners(cell) / 4).astype(np.int32), 1)
            total = int(shape.sum())
            covered = float((np.minimum(small * share, 1) * shape).sum()) / max(total, 1)
            self.hidden[cell] = max(self.hidden.get(cell, 0.0), covered if total else 1.0)


def beside(
    first: Sheet, second: Sheet, gap: float, rng: Rng, shift: float | None = None
) -> tuple[float, float]:
    """Where ``second`` lies beside ``first``: ``gap`` squares off, ``shift`` squares along."""
    (w, h), (v, k) = first.size, second.size
    along = float(rng.integers(0, max(h, w) - 1)) if shift is None else shift
    side = int(rng.integers(4))
    return (
        (w + gap, min(along, h - 1.0)),
        (-v - gap, min(along, h - 1.0)),
        (min(along, w - 1.0), h + gap),
        (min(along, w - 1.0), -k - gap),
    )[side]


class Table:
    """The picture while it is composed. Lengths on the table are squares.

    The camera is ``distance`` away; ``tilt_deg`` and ``turn_deg`` are drawn where they are None, a
    turn as one of four, give or take ``turn_sd_deg``.
    """

    def __init__(
        self,
        surface: Image,
        places: list[Place],
        rng: Rng,
        *,
        cloth: Cloth | None = None,
        tilt_deg: float | None = None,
        turn_deg: float | None = None,
        turn_sd_deg: float = 14.0,
        distance: float = 17.0,
    ) -> None:
        self.rng = rng
        self.surface = surface if cloth is None else cloth.rgb
        self.cloth = cloth
        tilt_deg = abs(rng.normal(0, 9)) if tilt_deg is None else tilt_deg
        self.square_px = float(rng.uniform(62, 100))
        drawn_deg = 90 * rng.integers(4) + rng.normal(0, turn_sd_deg)
        turn_deg = drawn_deg if turn_deg is None else turn_deg
        points = np.concatenate([place.outline() for place in places])
        x, y = (points.min(0) + points.max(0)) / 2
        camera = Camera.above(
            (x, y), (0, 0), 1, tilt_deg=tilt_deg, turn_deg=turn_deg,
            azimuth_deg=rng.normal(0, 25), distance=distance,
        )  # fmt: skip
        self.view = self._view(camera, points)
        # Where what stands on the table leans to in the picture, in pixels a square.
        upwards = camera.projection[:2, 2] / distance
        self.up = np.asarray((upwards + rng.normal(0, 0.12, 2)) * self.square_px)
        self.rgb = self._bare()
        self.truths: list[Truth] = []
        for place in places:
            self._lay(place)

    def _view(self, camera: Camera, points: Matrix) -> Matrix:
        """What the camera sees, with all ``points`` (n, 2) of the table in the picture."""
        seen = camera.on_plane(points)
        low, high = seen.min(0), seen.max(0)
        inner = np.array(PICTURE_PX) - 2 * MARGIN_PX
        scale = min(self.square_px, *(inner / (high - low)))
        self.square_px = scale
        at = MARGIN_PX + (inner - scale * (high - low)) * self.rng.uniform(0.2, 0.8, 2)
        move = np.array(
            [[scale, 0, at[0] - scale * low[0]], [0, scale, at[1] - scale * low[1]], [0, 0, 1]]
        )
        return np.asarray(move @ camera.homography())

    def _bare(self) -> Floats:
        rng = self.rng
        scale = float(np.exp(rng.uniform(np.log(0.012), np.log(0.03))))
        angle = float(rng.uniform(0, 2 * np.pi))
        if self.cloth is not None:
            scale, angle = 1 / self.cloth.square_px, self.cloth.angle
        c, s = scale * np.cos(angle), scale * np.sin(angle)
        shift = rng.uniform(-8, 8, 2)
        texture = np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1.0]])
        pair = np.concatenate([self.surface, self.surface[:, ::-1]], 1)
        mirrored = np.tile(np.concatenate([pair, pair[::-1]], 0), (4, 4, 1))
        half = np.array(mirrored.shape[1::-1]) / 2
        about_middle = np.array([[1, 0, -half[0]], [0, 1, -half[1]], [0, 0, 1.0]])
        out = cv2.warpPerspective(
            mirrored,
            self.view @ texture @ about_middle,
            PICTURE_PX,
            flags=cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REFLECT,
        )
        return np.asarray(out, np.float32)

    def _lay(self, place: Place) -> None:
        lattice = self.view @ place.to_table()
        sheet = place.sheet
        inch = 1 / SQUARE_PX
        warp = lattice @ np.array([[inch, 0, inch / 2], [0, inch, inch / 2], [0, 0, 1.0]])
        corners = project(place.outline(), self.view)
        low = np.maximum(np.floor(corners.min(0)).astype(int) - 12, 0)
        high = np.minimum(np.ceil(corners.max(0)).astype(int) + 13, PICTURE_PX)
        if (high <= low).any():
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        warp = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ warp
        factor = max(1, round(SQUARE_PX / max(self.square_px, 20)))
        rgb, alpha = sheet.rgb, sheet.alpha
        if factor > 1:
            small = rgb.shape[1] // factor, rgb.shape[0] // factor
            rgb = np.asarray(cv2.resize(rgb, small, interpolation=cv2.INTER_AREA), np.uint8)
            alpha = np.asarray(cv2.resize(alpha, small, interpolation=cv2.INTER_AREA), np.float32)
            grow = np.diag([sheet.rgb.shape[1] / rgb.shape[1]] * 2 + [1.0])
            warp = warp @ grow
        mask = cv2.warpPerspective(alpha, warp, size, flags=cv2.INTER_LINEAR)
        tiles = cv2.warpPerspective(
            rgb, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        area = (slice(low[1], high[1]), slice(low[0], high[0]))
        dark = cv2.GaussianBlur(mask, (0, 0), max(0.05 * self.square_px, 0.8))
        floor = self.rgb[area] * (1 - 0.45 * dark)[..., None]
        self.rgb[area] = floor * (1 - mask[..., None]) + tiles * mask[..., None]
        if place.is_kingdom:
            self.truths.append(Truth(dict(sheet.labels), lattice))

    def scale_at(self, point: Matrix) -> float:
        """The side of a square at a pixel, in pixels."""
        table = np.asarray(np.linalg.inv(self.view), np.float64)
        spot = project(np.asarray(point, np.float64).reshape(1, 2), table)
        near = project(spot + np.array([[0, 0], [1, 0], [0, 1]]), self.view)
        u, v = near[1] - near[0], near[2] - near[0]
        return float(np.sqrt(abs(u[0] * v[1] - u[1] * v[0])))

    def hide(self, mask: Floats, share: float = 1.0) -> None:
        """Count what a painted mask hides of the kingdoms."""
        for truth in self.truths:
            truth.hide(mask, share)
