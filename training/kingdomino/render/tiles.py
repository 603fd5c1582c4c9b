"""Drawn squares, start tiles, dominoes and flat kingdoms from directly above."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from scipy.optimize import linear_sum_assignment

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Kingdom, Position, Square, Terrain
from training.common.arrays import Image, Matrix, Rng
from training.common.camera import box, rotation
from training.common.synthetic import any_of, smooth_noise
from training.kingdomino.render.canvas import Canvas, Colour, Point, Style, shaded, vary_colour
from training.kingdomino.render.terrain import GROUND, draw_building, draw_divider, ground
from vision.common.geometry import beside

# The outline of a crown of five points about its middle, 1 wide.
CROWN = np.array([
    (-0.5, -0.22), (-0.36, 0.04), (-0.26, -0.33), (-0.13, 0.02), (0.0, -0.4), (0.13, 0.02),
    (0.26, -0.33), (0.36, 0.04), (0.5, -0.22), (0.4, 0.36), (0.0, 0.4), (-0.4, 0.36),
])  # fmt: skip
_GIANT_COLOURS = ((120, 90, 66), (86, 92, 100), (150, 60, 44), (214, 196, 160), (60, 76, 56))


def _crown_centres(crowns: int, *, mirrored: bool) -> list[Point]:
    """The centres of the crowns: a row from the upper outer corner of the square inwards."""
    places = [0.17 + 0.275 * number for number in range(crowns)]
    return [(1 - place if mirrored else place, 0.155) for place in places]


# The band of a crown, and the outline of a giant: one side from its foot up, and between the legs.
_BAND = (
    (-0.086, 0.04), (0, 0.05), (0.086, 0.04), (0.084, 0.075), (0, 0.085), (-0.084, 0.075),
)  # fmt: skip
_JEWELS = ((-0.045, (196, 40, 40)), (0.0, (40, 90, 190)), (0.045, (196, 40, 40)))
_GIANT_SIDE = np.array([
    (-0.07, 0.2), (-0.085, 0.02), (-0.145, 0.07), (-0.15, -0.01), (-0.08, -0.07),
])  # fmt: skip
_GIANT = np.r_[_GIANT_SIDE, _GIANT_SIDE[::-1] * (-1, 1), [(0.015, 0.2), (0.0, 0.11), (-0.015, 0.2)]]


def draw_crowns(canvas: Canvas, crowns: int, rng: Rng, *, mirrored: bool) -> None:
    """Draw the crowns of the square at the origin."""
    gold, outline = vary_colour((246, 208, 52), 0.05, rng), 0.21 * CROWN
    for centre in _crown_centres(crowns, mirrored=mirrored):
        crown = canvas.at(centre)
        crown.line(outline, (40, 36, 34), 0.085, closed=True)
        crown.line(outline, (250, 250, 248), 0.06, closed=True)
        crown.polygon(outline, gold)
        crown.line(outline, (120, 82, 20), 0.009, closed=True)
        crown.polygon(_BAND, (246, 244, 236))
        crown.line(_BAND, (120, 96, 60), 0.006, closed=True)
        crown.polygon([(-0.09, -0.03), (-0.06, 0.03), (-0.075, 0.035)], (255, 240, 150))
        for place, jewel in _JEWELS:
            crown.ellipse((place, 0.015), (0.011, 0.013), jewel)


def draw_giants(canvas: Canvas, giants: int, rng: Rng, *, mirrored: bool) -> None:
    """Draw giants, wooden figures with a shadow, on the outermost crowns of the square."""
    for a, b in _crown_centres(giants, mirrored=mirrored):
        wood = vary_colour(any_of(_GIANT_COLOURS, rng), 0.1, rng)
        edge = shaded(wood, 0.5)
        giant, tall = canvas.at((a + rng.normal(0, 0.012), b + 0.06)), rng.uniform(0.95, 1.15)
        giant.shadow((0.07, 0.12 * tall), (0.13, 0.08), 0.6)
        body = _GIANT * (1, tall)
        giant.polygon(body + (0.012, 0.016), edge)
        giant.polygon(body, wood)
        giant.ellipse((0.008, -0.115 * tall), (0.066, 0.07), edge)
        giant.ellipse((0.0, -0.125 * tall), (0.06, 0.064), wood)
        giant.ellipse((-0.02, -0.145 * tall), (0.02, 0.02), vary_colour(wood, 0.25, rng))


# Brown is the fifth player. Source: Age of Giants, set-up for five players.
CASTLE_RGB: dict[str, Colour] = {
    "pink": (216, 66, 104),
    "yellow": (236, 214, 30),
    "green": (24, 158, 40),
    "blue": (46, 148, 208),
    "brown": (122, 78, 44),
}


def draw_start_tile(px: int, colour: str, rng: Rng) -> Image:
    """Draw a start tile in one of ``CASTLE_RGB``, shape (px, px, 3)."""
    across = int(rng.integers(15, 20))
    # The middles of the stones: a grid with jitter of up to half a stone.
    grid = np.stack(np.meshgrid(np.arange(across), np.arange(across)), axis=-1).reshape(-1, 2)
    places = (grid + 0.5 + rng.uniform(-0.42, 0.42, grid.shape)) * px / across
    columns, rows = np.unique(np.clip(places.astype(np.int64), 0, px - 1), axis=0).T
    board = np.full((px, px), 255, np.uint8)
    board[rows, columns] = 0
    away, nearest = cv2.distanceTransformWithLabels(
        board, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    labels = np.asarray(nearest, np.int32)
    joints = np.zeros((px, px), np.uint8)
    joints[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    joints[1:] |= labels[1:] != labels[:-1]
    reach = max(1, round(rng.uniform(0.008, 0.016) * px))
    grout = cv2.dilate(joints, np.ones((reach, reach), np.uint8)) > 0
    canvas = Canvas(1, 1, px)
    canvas.polygon((0.5, 0.5) + 0.68 * CROWN, (255, 255, 255))
    crown = np.asarray(canvas.rgb[..., 0] > 127, np.uint8)
    # The brightness of the coloured stones along the edges, but for the middles; 0 elsewhere.
    frame = np.zeros((px, px), np.float32)
    wide, step = max(2, round(0.045 * px)), max(3, round(0.085 * px))
    for start in range(0, px, step):
        end = min(start + step - max(1, px // 90), px)
        if not 0.42 * px < (start + end) / 2 < 0.58 * px:
            for side in range(4):
                np.rot90(frame, side)[:wide, start:end] = rng.uniform(0.4, 1.3)
    paint = np.zeros((int(labels.max()) + 1, 3), np.float32)
    player = np.array(CASTLE_RGB[colour], np.float32)
    stone = np.array((150, 138, 104), np.float32) * np.exp(rng.normal(0, 0.1))
    light = np.exp(rng.normal(0, 0.16, (len(rows), 1))).astype(np.float32)
    paint[labels[rows, columns]] = np.where(crown[rows, columns, None] > 0, player, stone) * light
    rgb = paint[labels]
    rgb[crown > 0] = rgb[crown > 0] * 0.6 + player * 0.4
    rgb += (away / px * -180)[..., None]
    joint = np.array((196, 186, 150), np.float32)
    inner_joint = player * 0.25 + np.array((240, 240, 232), np.float32) * 0.75
    rgb = np.where(grout[..., None], np.where(crown[..., None] > 0, inner_joint, joint), rgb)
    rgb[cv2.morphologyEx(crown, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0] = inner_joint
    rgb = np.where(frame[..., None] > 0, player * (0.7 + 0.3 * frame[..., None]), rgb)
    rgb += 4 * smooth_noise((px, px), (px // 3, px // 3), rng)[..., None]
    return np.clip(rgb, 0, 255).astype(np.uint8)


_BOX = {frozenset((str(d.left), str(d.right))) for d in BASE_DOMINOES + GIANT_DOMINOES}
_NOT_IN_BOX, _NOT_ADJACENT = 10.0, 1000.0


def pair_squares(kingdom: Kingdom, rng: Rng) -> list[tuple[Position, ...]]:
    """All squares that are not empty, as pairs (dominoes) and singles (the castle, the rest).

    A minimum-cost matching between the two colours of a chequerboard, since a domino covers one
    square of each: as many pairs as possible, preferably pairs of the box, otherwise at random.
    """
    cells = [cell for cell, square in kingdom.items() if square.terrain is not None]
    dark, light = ([cell for cell in cells if sum(cell) % 2 == odd] for odd in (0, 1))
    cost = np.full((len(dark), len(light)), _NOT_ADJACENT)
    for (i, cell), (j, other) in product(enumerate(dark), enumerate(light)):
        if other in beside(cell):
            pair = frozenset(str(kingdom[each].printed) for each in (cell, other))
            cost[i, j] = rng.random() + (0 if pair in _BOX else _NOT_IN_BOX)
    pairs: list[tuple[Position, ...]] = [
        (dark[i], light[j])[:: 1 if rng.random() < 0.5 else -1]
        for i, j in zip(*linear_sum_assignment(cost), strict=True)
        if cost[i, j] < _NOT_ADJACENT
    ]
    taken = {cell for pair in pairs for cell in pair}
    squares = [cell for cell, square in kingdom.items() if not square.is_empty]
    return pairs + [(cell,) for cell in squares if cell not in taken]


# Everything is drawn at twice its size and reduced, for antialiasing.
_OVERSAMPLING = 2
# A tile that strays is turned by up to this.
MAX_CROOKED_DEG = 8.0


@dataclass(frozen=True)
class Laying:
    """How accurately tiles are laid: lengths in squares, angles in degrees.

    Besides, ``stray_share`` of them, 0..1, are turned by up to ``MAX_CROOKED_DEG``.
    """

    gap: float = 0.02
    crooked_deg: float = 1.0
    shift: float = 0.01
    stray_share: float = 0.0


# By the cells that each covers, from left to right as it is printed, its picture (h, w, 3), as many
# times wider than high.
Tiles = Iterable[tuple[tuple[Position, ...], Image]]


@dataclass(frozen=True, eq=False)
class FlatKingdom:
    """A kingdom from above: ``rgba`` (h, w, 4) uint8 with a transparent ``margin`` in squares.

    Alpha is premultiplied, so that no black bleeds in at the edges when it is warped. ``corners``
    (4, 2) are those of each square as it lies, (x, y) in squares, by (row, column).
    """

    rgba: Image
    square_px: int
    margin: float
    corners: dict[Position, Matrix]


def render_square(
    square: Square, size: int, rng: Rng, castle_colour: str = "", style: Style | None = None
) -> Image:
    """Draw one square, shape (size, size, 3), with its crowns upright at the top.

    The castle is the start tile in ``castle_colour``, or of any colour. Without ``style`` each call
    has a random print run. ValueError for an empty square.
    """
    style = style or Style.random(rng)
    if square.is_castle:
        colour = castle_colour or str(rng.choice(list(CASTLE_RGB)))
        return style.apply(_reduced(draw_start_tile(_OVERSAMPLING * size, colour, rng), size))
    canvas = Canvas(1, 1, _OVERSAMPLING * size)
    canvas.rgb[:] = ground(_terrain(square), canvas.rgb.shape[:2], rng)
    _furnish(canvas, square, rng, style, mirrored=bool(rng.integers(2)))
    return style.apply(_reduced(canvas.rgb, size))


def render_domino(
    left: Square, right: Square, size: int, rng: Rng, *, style: Style | None = None
) -> Image:
    """Draw a domino, shape (size, 2 * size, 3)."""
    style, one, other = style or Style.random(rng), _terrain(left), _terrain(right)
    canvas, px = Canvas(2, 1, _OVERSAMPLING * size), _OVERSAMPLING * size
    canvas.rgb[:] = ground(one, (px, 2 * px), rng)
    if one is not other:
        canvas.rgb[:, px:] = ground(other, (px, px), rng)
    draw_divider(canvas, one, other, rng)
    _furnish(canvas, left, rng, style, mirrored=False)
    _furnish(canvas.at((1, 0)), right, rng, style, mirrored=True)
    return style.apply(_reduced(canvas.rgb, size))


def render_kingdom(
    kingdom: Kingdom, square_px: int, rng: Rng, castle_colour: str, laying: Laying, style: Style
) -> FlatKingdom:
    """Draw a kingdom as dominoes, each with its own rotation, gap and brightness.

    Each domino is rotated as it was laid, its crowns with it. Empty squares are transparent.
    """

    def tiles() -> Tiles:
        for cells in pair_squares(kingdom, rng):
            first, last = kingdom[cells[0]], kingdom[cells[-1]]
            if len(cells) == 2:
                yield cells, render_domino(first, last, square_px, rng, style=style)
            else:
                yield cells, render_square(first, square_px, rng, castle_colour, style)

    return lay_tiles((kingdom.height, kingdom.width), square_px, tiles(), laying, rng, 0.5)


def lay_tiles(
    size: tuple[int, int], square_px: int, tiles: Tiles, laying: Laying, rng: Rng, margin: float
) -> FlatKingdom:
    """Lay tiles on a sheet of ``size`` (rows, columns); a single square is turned at random."""
    height, width = (round((n + 2 * margin) * square_px) for n in size)
    rgba, corners, most = np.zeros((height, width, 4), np.uint8), {}, MAX_CROOKED_DEG
    for cells, picture in tiles:
        middle = np.mean(cells, axis=0) + 0.5 + margin
        turn_deg = float(np.rad2deg(np.arctan2(*np.subtract(cells[-1], cells[0]))))
        if len(cells) == 1:
            turn_deg = 90.0 * float(rng.integers(4))
        turn_deg += float(np.clip(rng.normal(0, laying.crooked_deg / 2), -most, most))
        if laying.stray_share and rng.random() < laying.stray_share:
            turn_deg += rng.uniform(-most, most)
        shift = np.clip(rng.normal(0, laying.shift, 2), -3 * laying.shift, 3 * laying.shift)
        at, scale, turn = (middle + shift)[::-1], 1 - laying.gap, rotation(np.deg2rad(turn_deg))
        for k, cell in enumerate(cells):
            along = scale * (k - (len(cells) - 1) / 2) * turn[:, 0]
            corners[cell] = box(at - margin + along, scale, scale, np.deg2rad(turn_deg))
        lit = np.clip(np.arange(256) * np.exp(rng.normal(0, 0.02)), 0, 255).astype(np.uint8)
        picture = np.asarray(cv2.LUT(picture, lit), np.uint8)
        if picture.shape[0] > 1.05 * square_px:
            picture = _reduced(picture, square_px)
        tile, sides = cv2.cvtColor(picture, cv2.COLOR_RGB2RGBA), np.array(picture.shape[1::-1])
        centre, scale = at * square_px, scale * (square_px / picture.shape[0])
        about = cv2.getRotationMatrix2D((sides / 2 - 0.5).tolist(), -turn_deg, scale)
        matrix, reach = np.asarray(about, np.float64), np.hypot(*sides) / 2 + 2
        corner, (right, bottom) = (centre - reach).astype(int).clip(0), (centre + reach).astype(int)
        area = rgba[corner[1] : bottom, corner[0] : right]
        matrix[:, 2] += centre - sides / 2
        matrix[:, 2] -= corner
        laid = cv2.warpAffine(tile, matrix, area.shape[1::-1], flags=cv2.INTER_AREA)
        # Only where it lies, which a tile turned by a right angle is half of.
        half = scale * (np.abs(turn) @ sides) / 2 + 2
        left, top = ((centre - half).astype(int) - corner).clip(0)
        right, bottom = ((centre + half).astype(int) + 1 - corner).clip(0)
        here = np.s_[top:bottom, left:right]
        under = area[here] * (1 - laid[here][..., 3:].astype(np.float32) / 255)
        area[here] = np.clip(laid[here] + under, 0, 255).astype(np.uint8)
    return FlatKingdom(rgba, square_px, margin, corners)


def _terrain(square: Square) -> Terrain:
    if square.terrain is None:
        raise ValueError(f"square: expected a terrain, got {str(square)!r}")
    return square.terrain


def _furnish(canvas: Canvas, square: Square, rng: Rng, style: Style, *, mirrored: bool) -> None:
    """Draw everything that stands on the ground of the half at the origin."""
    terrain = _terrain(square)
    *_, ornaments, _ = GROUND[terrain]
    ornaments(canvas, rng, style, square.crowns > 0)
    if square.crowns:
        draw_building(canvas, terrain, square.crowns, rng)
        draw_crowns(canvas, square.crowns, rng, mirrored=mirrored)
        draw_giants(canvas, square.giants, rng, mirrored=mirrored)


def _reduced(rgb: Image, height: int) -> Image:
    """The picture so many pixels high."""
    width = round(height * rgb.shape[1] / rgb.shape[0])
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
