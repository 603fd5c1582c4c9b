"""Photographs that nobody took: kingdoms of real domino pictures on any table, with the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import FOREIGN
from vision.training.layout import Laid, Layout, random_layout
from vision.training.light import develop, glare, jpeg, shadow_edge, soften
from vision.training.tables import clutter, random_table

__all__ = ["Scene", "SceneSettings", "Seen", "TileSet", "compose"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

SHEET_SIZES = (96, 48, 24)
# What of a cardboard castle has its player's colour, RGB.
ACCENTS = {
    "pink": (214, 80, 120), "yellow": (235, 200, 30), "green": (40, 140, 60),
    "blue": (30, 100, 190), "brown": (120, 80, 50),
}  # fmt: skip


@dataclass(frozen=True)
class TileSet:
    """Pictures to lay scenes with.

    ``dominoes`` holds per number its pictures (96, 192, 3), ``starts`` the start tiles
    (96, 96, 3) by colour, ``squares`` per label single squares (96, 96, 3) that may stand in for
    a half, ``surfaces`` the tables, ``foreign`` squares of other games. ``drawn`` and
    ``drawn_starts`` are the same in the project's own art. Castles have labels like "c:blue".
    """

    labels: dict[str, tuple[str, str]]
    dominoes: dict[str, list[Image]]
    starts: dict[str, list[Image]]
    squares: dict[str, list[Image]]
    surfaces: list[Image]
    foreign: list[Image] = field(default_factory=list)
    drawn: dict[str, list[Image]] = field(default_factory=dict)
    drawn_starts: dict[str, list[Image]] = field(default_factory=dict)


@dataclass(frozen=True)
class SceneSettings:
    """How wild a scene may be; lengths are shares of a square unless a unit is named."""

    size_px: int = 384
    square_px: tuple[float, float] = (11.0, 120.0)
    max_tilt_deg: float = 48.0
    max_gap: float = 0.13
    max_crooked_deg: float = 8.0
    castle_share: float = 0.35
    empty_share: float = 0.06
    drawn_share: float = 0.1
    foreign_share: float = 0.04
    photo_squares_share: float = 0.25


@dataclass(frozen=True)
class Seen:
    """A square in the picture: its corners (4, 2) in pixels and its label.

    ``cell`` is its (row, column) in the lattice of kingdom ``kingdom``, -1 for loose dominoes.
    """

    corners: Floats
    label: str
    kingdom: int
    cell: tuple[int, int]


@dataclass(frozen=True)
class Scene:
    """A picture (h, w, 3) uint8 RGB, its squares, and per kingdom its lattice homography."""

    rgb: Image
    seen: tuple[Seen, ...]
    homographies: tuple[NDArray[np.float64], ...]
    layouts: tuple[Layout, ...]


def _camera(
    rng: np.random.Generator, settings: SceneSettings, square_px: float
) -> NDArray[np.float64]:
    """A homography from the table plane (unit: squares, about the origin) to centred pixels."""
    tilt = np.deg2rad(abs(rng.normal(0, 0.42)) * settings.max_tilt_deg)
    tilt = min(tilt, np.deg2rad(settings.max_tilt_deg))
    direction, turn = rng.uniform(0, 2 * np.pi, 2)
    if rng.random() < 0.5:
        turn = rng.normal(0, 0.12) + rng.integers(4) * np.pi / 2

    def about_z(angle: float) -> NDArray[np.float64]:
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    rotation = about_z(direction) @ lean @ about_z(turn - direction)
    distance = rng.uniform(7, 22)
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    focal = square_px * distance
    return np.asarray(np.diag([focal, focal, 1.0]) @ plane)


def _halves(
    tiles: TileSet, number: str, style: str, rng: np.random.Generator
) -> tuple[Image, tuple[str, str]]:
    """A picture (96, 192, 3) of a domino and the labels of its halves."""
    labels = tiles.labels[number]
    pictures = tiles.drawn[number] if style == "drawn" else tiles.dominoes[number]
    picture = pictures[rng.integers(len(pictures))]
    if style == "squares" and tiles.squares:
        chosen = []
        for half, label in enumerate(labels):
            bank = tiles.squares.get(label)
            if bank:
                square = np.rot90(bank[rng.integers(len(bank))], int(rng.integers(4)))
            else:
                square = picture[:, 96 * half : 96 * half + 96]
            chosen.append(square)
        picture = np.concatenate(chosen, axis=1)
    if style == "foreign" and tiles.foreign and rng.random() < 0.6:
        half = int(rng.integers(2))
        town = tiles.foreign[rng.integers(len(tiles.foreign))]
        picture = picture.copy()
        picture[:, 96 * half : 96 * half + 96] = np.rot90(town, int(rng.integers(4)))
        labels = (FOREIGN, labels[1]) if half == 0 else (labels[0], FOREIGN)
    return picture, labels


class _Sheet:
    """A flat picture of a kingdom, seen from straight above, with its mask."""

    def __init__(self, height: int, width: int, square_px: int, margin: float) -> None:
        self.square_px = square_px
        self.margin = margin
        shape = (
            int((height + 2 * margin) * square_px),
            int((width + 2 * margin) * square_px),
        )
        self.rgb = np.zeros((*shape, 3), np.float32)
        self.alpha = np.zeros(shape, np.float32)

    def lay(
        self, picture: Image, centre: tuple[float, float], turn_deg: float, scale: float, lit: float
    ) -> Floats:
        """Lay a tile with its middle at ``centre`` (x, y) in squares; its corners in squares."""
        tile_height = self.square_px
        factor = tile_height / picture.shape[0]
        if factor < 0.95:
            picture = np.asarray(
                cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA),
                np.uint8,
            )
        h, w = picture.shape[:2]
        x, y = ((v + self.margin) * self.square_px for v in centre)
        matrix = cv2.getRotationMatrix2D(
            (w / 2 - 0.5, h / 2 - 0.5), -turn_deg, scale * tile_height / h
        )
        matrix[:, 2] += (x - w / 2, y - h / 2)
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        seen = corners @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
        low = np.maximum(np.floor(seen.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(seen.max(0)).astype(int) + 2, self.alpha.shape[::-1])
        if (high <= low).any():
            return np.asarray((seen + 0.5) / self.square_px - self.margin, np.float32)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        matrix[:, 2] -= low
        warped = cv2.warpAffine(
            picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(
            mask, np.round((seen - low) * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4
        )
        weight = mask.astype(np.float32) / 255
        area = (slice(low[1], high[1]), slice(low[0], high[0]))
        blend = weight[..., None]
        self.rgb[area] = self.rgb[area] * (1 - blend) + warped * (blend * np.float32(lit))
        self.alpha[area] = np.maximum(self.alpha[area], weight)
        return np.asarray((seen + 0.5) / self.square_px - self.margin, np.float32)


def _squares_of(corners: Floats) -> tuple[Floats, Floats]:
    """Corners of the left and of the right half of a domino from its own."""
    top, bottom = (corners[0] + corners[1]) / 2, (corners[3] + corners[2]) / 2
    left = np.array([corners[0], top, bottom, corners[3]], np.float32)
    right = np.array([top, corners[1], corners[2], bottom], np.float32)
    return left, right


def _draw_kingdom(
    layout: Layout,
    tiles: TileSet,
    settings: SceneSettings,
    rng: np.random.Generator,
    sheet_px: int,
    style: str,
    castle: bool,
) -> tuple[_Sheet, list[tuple[Floats, str, tuple[int, int]]]]:
    """The flat sheet of a kingdom and per square its corners (in squares), label and cell."""
    sheet = _Sheet(layout.height, layout.width, sheet_px, margin=0.6)
    gap = abs(rng.normal(0, 0.4)) * settings.max_gap if rng.random() < 0.8 else 0.0
    crooked = abs(rng.normal(0, 0.35)) * settings.max_crooked_deg
    tile_scale = 1.0 - min(gap, settings.max_gap) * rng.uniform(0.3, 1.0)
    found: list[tuple[Floats, str, tuple[int, int]]] = []
    edge = rng.uniform(0.0, 0.5) if rng.random() < 0.5 else 0.0

    def jittered(x: float, y: float) -> tuple[float, float]:
        shift = np.clip(rng.normal(0, 0.35, 2), -1, 1) * gap / 2
        return x + float(shift[0]), y + float(shift[1])

    def turned(turn: int) -> float:
        extreme = settings.max_crooked_deg
        if rng.random() < 0.03:
            return 90.0 * turn + float(rng.uniform(-extreme, extreme))
        return 90.0 * turn + float(np.clip(rng.normal(0, crooked / 2), -extreme, extreme))

    if castle:
        starts = tiles.drawn_starts if style == "drawn" else tiles.starts
        colour = str(rng.choice(list(starts)))
        bank = tiles.squares.get(f"c:{colour}", []) if style == "squares" else []
        bank = bank or starts[colour]
        start = bank[rng.integers(len(bank))]
        row, column = layout.castle
        corners = sheet.lay(
            start, jittered(column + 0.5, row + 0.5), turned(int(rng.integers(4))), tile_scale, 1.0
        )
        found.append((corners, f"c:{colour}", layout.castle))
    for laid in layout.laid:
        picture, labels = _halves(tiles, laid.number, style, rng)
        if edge:
            picture = picture.copy()
            cv2.rectangle(
                picture,
                (0, 0),
                (191, 95),
                (20, 20, 15) if rng.random() < 0.7 else (235, 235, 225),
                max(1, int(edge * 4)),
            )
        (r0, c0), (r1, c1) = laid.squares
        middle = jittered((c0 + c1 + 1) / 2, (r0 + r1 + 1) / 2)
        lit = float(np.exp(rng.normal(0, 0.04)))
        corners = sheet.lay(picture, middle, turned(laid.turn), tile_scale, lit)
        for half, label, cell in zip(_squares_of(corners), labels, laid.squares, strict=True):
            found.append((half, label, cell))
    return sheet, found


def _standing_castle(
    rgb: Floats, base: Floats, rise: Floats, colour: str, rng: np.random.Generator
) -> Floats:
    """A cardboard castle on the square with corners ``base`` (4, 2): four walls, open above.

    ``rise`` (2,) is where its top is displaced to, in pixels. ``rgb`` is painted on; the mask
    (h, w) of what the walls hide is returned.
    """
    mask = np.zeros(rgb.shape[:2], np.float32)
    inset = rng.uniform(0.0, 0.16)
    centre = base.mean(0)
    foot = centre + (base - centre) * (1 - inset)
    top = centre + rise + (base - centre) * (1 - inset) * rng.uniform(1.0, 1.18)
    both = np.r_[foot, top]
    low = np.maximum(np.floor(both.min(0)).astype(int) - 3, 0)
    high = np.minimum(np.ceil(both.max(0)).astype(int) + 4, rgb.shape[1::-1])
    if (high - low < 2).any():
        return mask
    area = (slice(low[1], high[1]), slice(low[0], high[0]))
    out = rgb[area]
    foot, top, centre = foot - low, top - low, centre - low
    grey = rng.uniform(35, 190)
    tint = np.array([1, rng.uniform(0.92, 1.05), rng.uniform(0.85, 1.15)], np.float32)
    accent = ACCENTS[colour]
    wall = rng.uniform(0.03, 0.12)
    order = np.argsort([float((foot[i] + foot[(i + 1) % 4]) @ rise) for i in range(4)])
    for side in order:
        a, b = foot[side], foot[(side + 1) % 4]
        c, d = top[(side + 1) % 4], top[side]
        inner = (centre - (a + b) / 2) * wall
        quad = np.array([a, b, c, d, d + inner, c + inner], np.float32)
        hull = cv2.convexHull(quad).reshape(-1, 2)
        shape = np.zeros(out.shape[:2], np.uint8)
        cv2.fillConvexPoly(shape, np.round(hull * 8).astype(np.int32), 255, cv2.LINE_AA, shift=3)
        if rng.random() < 0.7:
            # Battlements and windows are cut out of the wall.
            for at in (0.12, 0.5, 0.88):
                p = d + (c - d) * at
                q = p + (a - d) * 0.22
                wide = max(1, int(np.linalg.norm(c - d) * 0.09))
                cv2.line(shape, _pixel(p), _pixel(q), 0, wide)
        paint = np.zeros_like(out) + tint * np.float32(grey * rng.uniform(0.6, 1.25))
        if rng.random() < 0.45:
            spot = ((a + b) / 2 + (c + d) / 2) / 2
            radius = max(1, int(np.linalg.norm(a - b) * rng.uniform(0.1, 0.3)))
            cv2.circle(paint, _pixel(spot), radius, accent, -1)
        paint += rng.standard_normal((*out.shape[:2], 1)).astype(np.float32) * 9
        weight = (shape.astype(np.float32) / 255)[..., None]
        out[:] = out * (1 - weight) + paint * weight
        mask[area] = np.maximum(mask[area], shape.astype(np.float32) / 255)
    return mask


def _pixel(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _project(points: Floats, homography: NDArray[np.float64]) -> Floats:
    seen = np.c_[points, np.ones(len(points))] @ homography.T
    return np.asarray(seen[:, :2] / seen[:, 2:], np.float32)


def _kingdom_sizes(rng: np.random.Generator) -> tuple[int, int]:
    """Grid size and number of dominoes of one kingdom."""
    size = 7 if rng.random() < 0.3 else 5
    most = (size * size - 1) // 2
    count = most if rng.random() < 0.55 else int(rng.integers(0, most + 1))
    return size, count


def compose(tiles: TileSet, settings: SceneSettings, rng: np.random.Generator) -> Scene:
    """One scene: a table, one or more kingdoms, loose dominoes, clutter, camera and light."""
    size_px = settings.size_px
    shape = (size_px, size_px)
    cards = tiles.surfaces[:40] + tiles.foreign[:5]
    picture = random_table(tiles.surfaces, shape, rng)
    if rng.random() < 0.5:
        picture = clutter(picture, cards, rng, int(rng.integers(1, 9)))
    rgb = picture.astype(np.float32)
    low, high = settings.square_px
    square_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    view = _camera(rng, settings, square_px)
    centre = rng.uniform(0.3, 0.7, 2) * size_px
    pan = np.array([[1, 0, centre[0]], [0, 1, centre[1]], [0, 0, 1.0]])
    rise = rng.normal(0, 0.45, 2).astype(np.float32)
    seen: list[Seen] = []
    homographies: list[NDArray[np.float64]] = []
    layouts: list[Layout] = []
    draw = rng.random()
    style = (
        "drawn"
        if draw < settings.drawn_share and tiles.drawn
        else "foreign"
        if draw < settings.drawn_share + settings.foreign_share and tiles.foreign
        else "squares"
        if draw < settings.drawn_share + settings.foreign_share + settings.photo_squares_share
        and tiles.squares
        else "pictures"
    )
    sheet_px = next((s for s in SHEET_SIZES[::-1] if s >= 0.85 * square_px), SHEET_SIZES[0])
    kingdoms = 0 if rng.random() < settings.empty_share else 1
    if kingdoms and rng.random() < 0.15:
        kingdoms += int(rng.integers(1, 3))
    loose = int(rng.integers(1, 6)) if rng.random() < 0.3 else 0
    shadow = rng.normal(0, 0.06, 2)
    for group in range(kingdoms + loose):
        is_kingdom = group < kingdoms
        if is_kingdom:
            size, count = _kingdom_sizes(rng)
            layout = random_layout(tiles.labels, rng, size=size, count=count)
            middle = np.mean([(c + 0.5, r + 0.5) for r, c in layout.labels], axis=0)
            offset = np.zeros(2) if group == 0 else rng.choice([-1, 1], 2) * rng.uniform(0, 8, 2)
            if group and abs(offset).max() < 6.5:
                offset[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(6, 8)
            turn = 0.0 if group == 0 else float(rng.uniform(0, 360))
        else:
            number = str(rng.choice(list(tiles.labels)))
            laid = Laid(number, 0, 0, 0)
            halves = dict(zip(laid.squares, tiles.labels[number], strict=True))
            layout = Layout(1, 2, (-1, -1), (laid,), halves)
            middle = np.array([1.0, 0.5])
            offset = rng.uniform(-9, 9, 2)
            turn = float(rng.uniform(0, 360))
        spin = np.deg2rad(turn)
        place = np.array(
            [
                [np.cos(spin), -np.sin(spin), offset[0]],
                [np.sin(spin), np.cos(spin), offset[1]],
                [0, 0, 1],
            ]
        ) @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
        lattice = pan @ view @ place
        corners = _project(
            np.array(
                [[0, 0], [layout.width, 0], [layout.width, layout.height], [0, layout.height]],
                np.float32,
            ),
            lattice,
        )
        if corners.max() < 0 or corners.min() > size_px or not np.isfinite(corners).all():
            continue
        if not is_kingdom:
            taken = [s.corners.mean(0) for s in seen]
            here = corners.mean(0)
            if taken and np.linalg.norm(np.array(taken) - here, axis=1).min() < 1.9 * square_px:
                continue
        sheet, found = _draw_kingdom(
            layout, tiles, settings, rng, sheet_px, style, castle=is_kingdom
        )
        to_sheet = np.array(
            [
                [1 / sheet.square_px, 0, -sheet.margin],
                [0, 1 / sheet.square_px, -sheet.margin],
                [0, 0, 1.0],
            ]
        )
        warp = lattice @ to_sheet
        mask = cv2.warpPerspective(sheet.alpha, warp, shape, flags=cv2.INTER_LINEAR)
        lifted = warp.copy()
        drop = np.array([[1, 0, shadow[0] * square_px], [0, 1, shadow[1] * square_px], [0, 0, 1]])
        dark = cv2.warpPerspective(sheet.alpha, drop @ lifted, shape, flags=cv2.INTER_LINEAR)
        dark = cv2.GaussianBlur(dark, (0, 0), max(0.05 * square_px, 0.6))
        rgb = rgb * (1 - dark * np.float32(rng.uniform(0.2, 0.8)))[..., None]
        warped = cv2.warpPerspective(sheet.rgb, warp, shape, flags=cv2.INTER_LINEAR)
        rgb = rgb * (1 - mask[..., None]) + warped
        index = len(homographies)
        if is_kingdom:
            homographies.append(lattice)
            layouts.append(layout)
        fresh = [
            Seen(_project(c, lattice), label, index if is_kingdom else -1, cell)
            for c, label, cell in found
        ]
        if is_kingdom and rng.random() < settings.castle_share:
            base = fresh[0].corners
            side = float(np.sqrt(abs(cv2.contourArea(base))))
            lean = rise * side * np.float32(rng.uniform(0.5, 1.2))
            colour = fresh[0].label.partition(":")[2]
            hidden = _standing_castle(rgb, base, lean, colour, rng)
            fresh = [
                s for s in fresh if s.label[0] == "c" or _hidden_share(s.corners, hidden) < 0.55
            ]
        seen.extend(fresh)
    light = rgb
    if rng.random() < 0.45:
        for _ in range(int(rng.integers(1, 4))):
            light = glare(light, rng, square_px * float(rng.uniform(0.3, 1.8)))
    if rng.random() < 0.3:
        light = shadow_edge(light, rng)
    out = soften(np.clip(light, 0, 255).astype(np.uint8), rng, min(1.6, 0.032 * square_px))
    out = develop(out.astype(np.float32), rng)
    if rng.random() < 0.5:
        out = jpeg(out, int(rng.integers(35, 96)))
    inside = tuple(
        s for s in seen if (s.corners.mean(0) >= 0).all() and (s.corners.mean(0) < size_px).all()
    )
    return Scene(out, inside, tuple(homographies), tuple(layouts))


def _hidden_share(corners: Floats, hidden: Floats) -> float:
    """The share of a square that lies under the mask ``hidden``."""
    mask = np.zeros(hidden.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    total = int(mask.sum())
    return float((hidden * mask).sum()) / total if total else 0.0
