"""A table with kingdoms on it, seen by a phone: composed here, and by nothing that trains."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.table.sheets import SQUARE_PX, Sheet
from scorer.kingdomino import Position
from vision.common.homography import project

__all__ = ["Place", "Table", "Truth", "beside"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]

PICTURE_PX = (1600, 1200)
MARGIN_PX = 70
# How far the camera is from the table, in squares.
DISTANCE = 17.0


@dataclass(frozen=True, eq=False)
class Place:
    """A sheet on the table: its top left corner in squares, turned about it."""

    sheet: Sheet
    at: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    is_kingdom: bool = True

    def to_table(self) -> Matrix:
        """From the squares of the sheet to those of the table."""
        c, s = np.cos(np.deg2rad(self.turn_deg)), np.sin(np.deg2rad(self.turn_deg))
        return np.array([[c, -s, self.at[0]], [s, c, self.at[1]], [0, 0, 1.0]])

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
    first: Sheet, second: Sheet, gap: float, rng: np.random.Generator, shift: float | None = None
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
    """The picture while it is composed. Lengths on the table are squares."""

    def __init__(
        self,
        surface: Image,
        places: list[Place],
        rng: np.random.Generator,
        *,
        tilt_deg: float | None = None,
        square_px: float | None = None,
    ) -> None:
        self.rng = rng
        self.surface = surface
        tilt = float(abs(rng.normal(0, 9))) if tilt_deg is None else tilt_deg
        self.square_px = float(rng.uniform(62, 100)) if square_px is None else square_px
        self.view = self._camera(places, tilt)
        self.up = self._up(places)
        self.rgb = self._bare()
        self.truths: list[Truth] = []
        for place in places:
            self._lay(place)

    def _camera(self, places: list[Place], tilt_deg: float) -> Matrix:
        rng = self.rng
        points = np.concatenate([place.outline() for place in places])
        target = (points.min(0) + points.max(0)) / 2
        tilt = np.deg2rad(tilt_deg)
        turn = np.deg2rad(90 * rng.integers(4) + rng.normal(0, 14))
        azimuth = rng.normal(0, np.deg2rad(25))
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        # Points of the table, turned, then leaning away from the lower edge of the picture.
        plane = np.eye(3)
        plane[:2, :2] = spin
        plane[:2, 2] = -spin @ target
        lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, -np.sin(tilt) / DISTANCE, 1]])
        roll = np.eye(3)
        roll[:2, :2] = [[np.cos(azimuth), -np.sin(azimuth)], [np.sin(azimuth), np.cos(azimuth)]]
        view = roll @ lean @ roll.T @ plane
        self.lean = np.linalg.norm(points - target, axis=1).max() * np.sin(tilt)
        seen = project(points, view)
        low, high = seen.min(0), seen.max(0)
        inner = np.array(PICTURE_PX) - 2 * MARGIN_PX
        scale = min(self.square_px, *(inner / (high - low)))
        self.square_px = scale
        at = MARGIN_PX + (inner - scale * (high - low)) * rng.uniform(0.2, 0.8, 2)
        move = np.array(
            [[scale, 0, at[0] - scale * low[0]], [0, scale, at[1] - scale * low[1]], [0, 0, 1]]
        )
        self._upwards = (roll @ np.array([0, -np.sin(tilt), 0]))[:2]
        return np.asarray(move @ view)

    def _up(self, places: list[Place]) -> Matrix:
        """Where what stands on the table leans to in the picture, in pixels a square."""
        sideways = self.rng.normal(0, 0.12, 2)
        return np.asarray((self._upwards + sideways) * self.square_px)

    def _bare(self) -> Floats:
        rng = self.rng
        scale = float(np.exp(rng.uniform(np.log(0.012), np.log(0.03))))
        angle = rng.uniform(0, 2 * np.pi)
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
