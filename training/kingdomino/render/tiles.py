"""Drawn squares, start tiles, dominoes and flat kingdoms from directly above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Kingdom, Position, Square, Terrain
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import box
from training.common.synthetic import smooth_noise
from training.kingdomino.render.canvas import (
    Canvas,
    Colour,
    Point,
    Style,
    shaded,
    vary_colour,
)
from training.kingdomino.render.terrain import draw_building, draw_divider, draw_ornaments, ground

_TIPS = ((-0.5, -0.22), (-0.26, -0.33), (0.0, -0.4), (0.26, -0.33), (0.5, -0.22))
_VALLEYS = ((-0.36, 0.04), (-0.13, 0.02), (0.13, 0.02), (0.36, 0.04))
_GIANT_COLOURS: tuple[Colour, ...] = (
    (120, 90, 66),
    (86, 92, 100),
    (150, 60, 44),
    (214, 196, 160),
    (60, 76, 56),
)


def crown_outline(centre: Point, width: float) -> list[Point]:
    """The outline of a crown of five points; its height is 0.8 of ``width``."""
    upper = [_TIPS[0]]
    for valley, tip in zip(_VALLEYS, _TIPS[1:], strict=True):
        upper += [valley, tip]
    outline = [*upper, (0.4, 0.36), (0.0, 0.4), (-0.4, 0.36)]
    return [(centre[0] + width * p, centre[1] + width * q) for p, q in outline]


def crown_centres(crowns: int, *, mirrored: bool) -> list[Point]:
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
_GIANT_LEGS = np.array([(0.015, 0.2), (0.0, 0.11), (-0.015, 0.2)])


def draw_crowns(canvas: Canvas, crowns: int, rng: Rng, *, mirrored: bool) -> None:
    """Draw the crowns of the square at the origin."""
    gold = vary_colour((246, 208, 52), 0.05, rng)
    outline = crown_outline((0, 0), 0.21)
    for centre in crown_centres(crowns, mirrored=mirrored):
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
    other_side = _GIANT_SIDE[::-1] * (-1, 1)
    for a, b in crown_centres(giants, mirrored=mirrored):
        wood = vary_colour(_GIANT_COLOURS[int(rng.integers(len(_GIANT_COLOURS)))], 0.1, rng)
        edge = shaded(wood, 0.5)
        giant = canvas.at((a + float(rng.normal(0, 0.012)), b + 0.06))
        tall = float(rng.uniform(0.95, 1.15))
        giant.shadow((0.07, 0.12 * tall), (0.13, 0.08), 0.6)
        body = np.concatenate([_GIANT_SIDE, other_side, _GIANT_LEGS]) * (1, tall)
        giant.polygon(body + (0.012, 0.016), edge)
        giant.polygon(body, wood)
        giant.ellipse((0.008, -0.115 * tall), (0.066, 0.07), edge)
        giant.ellipse((0.0, -0.125 * tall), (0.06, 0.064), wood)
        light = vary_colour(wood, 0.25, rng)
        giant.ellipse((-0.02, -0.145 * tall), (0.02, 0.02), light)


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
    stones = int(rng.integers(15, 20))
    seeds = _seeds(stones, px, rng)
    board = np.full((px, px), 255, np.uint8)
    board[seeds[:, 1], seeds[:, 0]] = 0
    away, nearest = cv2.distanceTransformWithLabels(
        board, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    labels = np.asarray(nearest, np.int32)
    grout = _grout(labels, px, rng.uniform(0.008, 0.016))
    crown = _crown_mask(px)
    frame = _frame_mask(px, rng)
    order = labels[seeds[:, 1], seeds[:, 0]]
    in_crown = crown[seeds[:, 1], seeds[:, 0]] > 0
    paint = np.zeros((int(labels.max()) + 1, 3), np.float32)
    player = np.array(CASTLE_RGB[colour], np.float32)
    stone = np.array((150, 138, 104), np.float32) * np.exp(rng.normal(0, 0.1))
    light = np.exp(rng.normal(0, 0.16, (len(seeds), 1))).astype(np.float32)
    paint[order] = np.where(in_crown[:, None], player, stone) * light
    rgb = paint[labels]
    rgb[crown > 0] = rgb[crown > 0] * 0.6 + player * 0.4
    rgb += (away / px * -180)[..., None]
    joint = np.array((196, 186, 150), np.float32)
    inner_joint = player * 0.25 + np.array((240, 240, 232), np.float32) * 0.75
    rgb = np.where(grout[..., None], np.where(crown[..., None] > 0, inner_joint, joint), rgb)
    rim = cv2.morphologyEx(crown, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    rgb[rim > 0] = inner_joint
    rgb = np.where(frame[..., None] > 0, player * (0.7 + 0.3 * frame[..., None]), rgb)
    rgb += 4 * smooth_noise((px, px), (px // 3, px // 3), rng)[..., None]
    return np.clip(rgb, 0, 255).astype(np.uint8)


def _seeds(across: int, px: int, rng: Rng) -> NDArray[np.int64]:
    """The middles of the stones, (n, 2) whole pixels: a grid with jitter of up to half a stone."""
    grid = np.stack(np.meshgrid(np.arange(across), np.arange(across)), axis=-1).reshape(-1, 2)
    places = (grid + 0.5 + rng.uniform(-0.42, 0.42, grid.shape)) * px / across
    return np.unique(np.clip(places.astype(np.int64), 0, px - 1), axis=0)


def _grout(labels: NDArray[np.int32], px: int, width: float) -> NDArray[np.bool_]:
    """The mask (px, px) of the joints between stones, ``width`` a share of the tile."""
    edge = np.zeros((px, px), np.uint8)
    edge[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    edge[1:] |= labels[1:] != labels[:-1]
    reach = max(1, round(width * px))
    return np.asarray(cv2.dilate(edge, np.ones((reach, reach), np.uint8)) > 0)


def _crown_mask(px: int) -> Image:
    canvas = Canvas(1, 1, px)
    canvas.polygon(crown_outline((0.5, 0.5), 0.68), (255, 255, 255))
    return np.asarray(canvas.rgb[..., 0] > 127, np.uint8)


def _frame_mask(px: int, rng: Rng) -> Floats:
    """Brightness of the coloured stones along the edges, but for the middles; 0 elsewhere."""
    mask = np.zeros((px, px), np.float32)
    wide = max(2, round(0.045 * px))
    step = max(3, round(0.085 * px))
    opening = (0.42 * px, 0.58 * px)
    for start in range(0, px, step):
        end = min(start + step - max(1, px // 90), px)
        if opening[0] < (start + end) / 2 < opening[1]:
            continue
        for side in range(4):
            turned = np.rot90(mask, side)
            turned[:wide, start:end] = rng.uniform(0.4, 1.3)
    return mask


_BOX = {
    frozenset((str(domino.left), str(domino.right))) for domino in BASE_DOMINOES + GIANT_DOMINOES
}
_NOT_IN_BOX, _NOT_ADJACENT = 10.0, 1000.0


def pair_squares(kingdom: Kingdom, rng: Rng) -> list[tuple[Position, ...]]:
    """All squares that are not empty, as pairs (dominoes) and singles (the castle, the rest).

    A minimum-cost matching between the two colours of a chequerboard, since a domino covers one
    square of each: as many pairs as possible, preferably pairs of the box, otherwise at random.
    """
    cells = [
        (row, column)
        for row in range(kingdom.height)
        for column in range(kingdom.width)
        if kingdom[row, column].terrain is not None
    ]
    dark = [cell for cell in cells if sum(cell) % 2 == 0]
    light = [cell for cell in cells if sum(cell) % 2 == 1]
    cost = np.full((len(dark), len(light)), _NOT_ADJACENT)
    for i, (row, column) in enumerate(dark):
        for j, (other_row, other_column) in enumerate(light):
            if abs(row - other_row) + abs(column - other_column) == 1:
                pair = kingdom[row, column], kingdom[other_row, other_column]
                in_box = frozenset(str(square.printed) for square in pair) in _BOX
                cost[i, j] = rng.random() + (0 if in_box else _NOT_IN_BOX)
    pairs: list[tuple[Position, ...]] = []
    for i, j in zip(*linear_sum_assignment(cost), strict=True):
        if cost[i, j] < _NOT_ADJACENT:
            first, second = dark[i], light[j]
            pairs.append((first, second) if rng.random() < 0.5 else (second, first))
    taken = {cell for pair in pairs for cell in pair}
    alone = [
        (row, column)
        for row in range(kingdom.height)
        for column in range(kingdom.width)
        if not kingdom[row, column].is_empty and (row, column) not in taken
    ]
    return pairs + [(cell,) for cell in alone]


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
    square: Square,
    size: int,
    rng: Rng,
    *,
    castle_colour: str | None = None,
    style: Style | None = None,
) -> Image:
    """Draw one square, shape (size, size, 3), with its crowns upright at the top.

    The castle is the start tile in ``castle_colour``, a random one if that is None. Without
    ``style`` each call has a random print run. ValueError for an empty square.
    """
    style = style or Style.random(rng)
    if square.is_castle:
        colour = castle_colour or str(rng.choice(list(CASTLE_RGB)))
        tile = draw_start_tile(_OVERSAMPLING * size, colour, rng)
        return style.apply(_reduce(tile, size, size))
    terrain = _terrain(square)
    canvas = Canvas(1, 1, _OVERSAMPLING * size)
    canvas.rgb[:] = ground(terrain, canvas.rgb.shape[:2], rng)
    _furnish(canvas, terrain, square, rng, style, mirrored=bool(rng.integers(2)))
    return style.apply(_reduce(canvas.rgb, size, size))


def render_domino(
    left: Square,
    right: Square,
    size: int,
    rng: Rng,
    *,
    style: Style | None = None,
) -> Image:
    """Draw a domino, shape (size, 2 * size, 3)."""
    style = style or Style.random(rng)
    terrains = _terrain(left), _terrain(right)
    canvas = Canvas(2, 1, _OVERSAMPLING * size)
    height, width = canvas.rgb.shape[:2]
    canvas.rgb[:] = ground(terrains[0], (height, width), rng)
    if terrains[0] is not terrains[1]:
        canvas.rgb[:, width // 2 :] = ground(terrains[1], (height, width // 2), rng)
    draw_divider(canvas, *terrains, rng)
    for x, terrain, square in zip((0, 1), terrains, (left, right), strict=True):
        _furnish(canvas.at((x, 0)), terrain, square, rng, style, mirrored=x == 1)
    return style.apply(_reduce(canvas.rgb, 2 * size, size))


def render_kingdom(
    kingdom: Kingdom,
    square_px: int,
    rng: Rng,
    *,
    castle_colour: str = "blue",
    laying: Laying | None = None,
    style: Style | None = None,
    margin: float = 0.5,
) -> FlatKingdom:
    """Draw a kingdom as dominoes, each with its own rotation, gap and brightness.

    Each domino is rotated as it was laid, its crowns with it. Empty squares are transparent.
    """
    style = style or Style.random(rng)

    def tiles() -> Iterator[tuple[tuple[Position, ...], Image]]:
        for cells in pair_squares(kingdom, rng):
            squares = [kingdom[cell] for cell in cells]
            if len(squares) == 2:
                yield cells, render_domino(squares[0], squares[1], square_px, rng, style=style)
            else:
                colour = castle_colour
                yield (
                    cells,
                    render_square(squares[0], square_px, rng, castle_colour=colour, style=style),
                )

    size = kingdom.height, kingdom.width
    return lay_tiles(size, square_px, tiles(), laying or Laying(), rng, margin)


def lay_tiles(
    size: tuple[int, int],
    square_px: int,
    tiles: Iterable[tuple[tuple[Position, ...], Image]],
    laying: Laying,
    rng: Rng,
    margin: float,
) -> FlatKingdom:
    """Lay tiles on a sheet of ``size`` (rows, columns), ``square_px`` pixels a square.

    Each is given by the cells that it covers, from left to right as it is printed, and its picture
    (h, w, 3), as many times wider than high. A single square is turned at random.
    """
    height, width = (round((n + 2 * margin) * square_px) for n in size)
    rgba = np.zeros((height, width, 4), np.uint8)
    corners = {}
    for cells, picture in tiles:
        middle = np.mean(cells, axis=0) + 0.5 + margin
        right_of_left = np.subtract(cells[-1], cells[0])
        turn_deg = float(np.rad2deg(np.arctan2(right_of_left[0], right_of_left[1])))
        if len(cells) == 1:
            turn_deg = 90.0 * float(rng.integers(4))
        extreme = MAX_CROOKED_DEG
        turn_deg += float(np.clip(rng.normal(0, laying.crooked_deg / 2), -extreme, extreme))
        if laying.stray_share and rng.random() < laying.stray_share:
            turn_deg += float(rng.uniform(-extreme, extreme))
        shift = np.clip(rng.normal(0, laying.shift, 2), -3 * laying.shift, 3 * laying.shift)
        at = (middle + shift)[::-1]
        lit = np.clip(np.arange(256) * np.exp(rng.normal(0, 0.02)), 0, 255).astype(np.uint8)
        scale = 1 - laying.gap
        _lay(rgba, np.asarray(cv2.LUT(picture, lit), np.uint8), at * square_px, turn_deg,
             scale, square_px)  # fmt: skip
        turn = np.deg2rad(turn_deg)
        for k, cell in enumerate(cells):
            along = scale * (k - (len(cells) - 1) / 2) * np.array([np.cos(turn), np.sin(turn)])
            corners[cell] = box(at - margin + along, scale, scale, turn)
    return FlatKingdom(rgba, square_px, margin, corners)


def _terrain(square: Square) -> Terrain:
    if square.terrain is None:
        raise ValueError(f"square: expected a terrain, got {str(square)!r}")
    return square.terrain


def _furnish(
    canvas: Canvas, terrain: Terrain, square: Square, rng: Rng, style: Style, *, mirrored: bool
) -> None:
    """Draw everything that stands on the ground of the half at the origin."""
    draw_ornaments(canvas, terrain, rng, style, beside_building=square.crowns > 0)
    if square.crowns:
        draw_building(canvas, terrain, square.crowns, rng)
        draw_crowns(canvas, square.crowns, rng, mirrored=mirrored)
        draw_giants(canvas, square.giants, rng, mirrored=mirrored)


def _reduce(rgb: Image, width: int, height: int) -> Image:
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _lay(
    rgba: Image,
    picture: Image,
    centre: Matrix,
    turn_deg: float,
    scale: float,
    square_px: int,
) -> None:
    """Lay a tile on the flat kingdom with its middle at ``centre`` (x, y), rotated clockwise."""
    if picture.shape[0] > 1.05 * square_px:
        length = round(square_px * picture.shape[1] / picture.shape[0])
        picture = _reduce(picture, length, square_px)
    height, width = picture.shape[:2]
    tile = cv2.cvtColor(picture, cv2.COLOR_RGB2RGBA)
    scale *= square_px / height
    matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), -turn_deg, scale)
    matrix[:, 2] += centre - (width / 2, height / 2)
    reach = np.hypot(width, height) / 2 + 2
    left, top = (max(0, int(place - reach)) for place in centre)
    area = rgba[top : int(centre[1] + reach), left : int(centre[0] + reach)]
    matrix[:, 2] -= (left, top)
    laid = cv2.warpAffine(tile, matrix, area.shape[1::-1], flags=cv2.INTER_AREA)
    # Only where it lies, which a tile turned by a right angle is half of.
    turn = np.deg2rad(turn_deg)
    c, s = abs(np.cos(turn)), abs(np.sin(turn))
    half = scale * np.array([c * width + s * height, s * width + c * height]) / 2 + 2
    low = np.maximum((centre - half).astype(int) - (left, top), 0)
    high = np.maximum((centre + half).astype(int) + 1 - (left, top), 0)
    here = np.s_[low[1] : high[1], low[0] : high[0]]
    under = area[here] * (1 - laid[here][..., 3:].astype(np.float32) / 255)
    area[here] = np.clip(laid[here] + under, 0, 255).astype(np.uint8)
