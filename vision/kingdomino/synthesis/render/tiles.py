"""Drawn squares, dominoes and flat kingdoms from directly above."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Square, Terrain
from vision.kingdomino.synthesis.render.buildings import draw_building
from vision.kingdomino.synthesis.render.canvas import Canvas, Style
from vision.kingdomino.synthesis.render.crowns import draw_crowns, draw_giants
from vision.kingdomino.synthesis.render.pairing import pair_squares
from vision.kingdomino.synthesis.render.start_tile import CASTLE_RGB, draw_start_tile
from vision.kingdomino.synthesis.render.terrain import draw_divider, draw_ornaments, ground

__all__ = [
    "FlatKingdom",
    "Laying",
    "render_domino",
    "render_kingdom",
    "render_square",
]

# Everything is drawn at twice its size and reduced, for antialiasing.
_OVERSAMPLING = 2


@dataclass(frozen=True)
class Laying:
    """How accurately tiles are laid: lengths in squares, angles in degrees."""

    gap: float = 0.02
    crooked_deg: float = 1.0
    shift: float = 0.01


@dataclass(frozen=True, eq=False)
class FlatKingdom:
    """A kingdom from above: ``rgba`` (h, w, 4) uint8 with a transparent ``margin`` in squares.

    Alpha is premultiplied, so that no black bleeds in at the edges when it is warped.
    """

    rgba: NDArray[np.uint8]
    square_px: int
    margin: float


def render_square(
    square: Square,
    size: int,
    rng: np.random.Generator,
    *,
    castle_colour: str | None = None,
    style: Style | None = None,
) -> NDArray[np.uint8]:
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
    _furnish(canvas, 0, terrain, square, rng, style, mirrored=bool(rng.integers(2)))
    return style.apply(_reduce(canvas.rgb, size, size))


def render_domino(
    left: Square,
    right: Square,
    size: int,
    rng: np.random.Generator,
    *,
    style: Style | None = None,
) -> NDArray[np.uint8]:
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
        _furnish(canvas, x, terrain, square, rng, style, mirrored=x == 1)
    return style.apply(_reduce(canvas.rgb, 2 * size, size))


def render_kingdom(
    kingdom: Kingdom,
    square_px: int,
    rng: np.random.Generator,
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
    laying = laying or Laying()
    height, width = (round((n + 2 * margin) * square_px) for n in (kingdom.height, kingdom.width))
    rgba = np.zeros((height, width, 4), np.uint8)
    for cells in pair_squares(kingdom, rng):
        squares = [kingdom[cell] for cell in cells]
        if len(squares) == 2:
            picture = render_domino(squares[0], squares[1], square_px, rng, style=style)
        else:
            picture = render_square(
                squares[0], square_px, rng, castle_colour=castle_colour, style=style
            )
        middle = np.mean(cells, axis=0) + 0.5 + margin
        right_of_left = np.subtract(cells[-1], cells[0])
        turn_deg = float(np.rad2deg(np.arctan2(right_of_left[0], right_of_left[1])))
        if len(squares) == 1:
            turn_deg = 90.0 * float(rng.integers(4))
        turn_deg += float(np.clip(rng.normal(0, laying.crooked_deg / 2), -8, 8))
        shift = np.clip(rng.normal(0, laying.shift, 2), -3 * laying.shift, 3 * laying.shift)
        centre = (middle + shift)[::-1] * square_px
        lit = np.clip(picture * np.exp(rng.normal(0, 0.02)), 0, 255).astype(np.uint8)
        _lay(rgba, lit, (float(centre[0]), float(centre[1])), turn_deg, 1 - laying.gap)
    return FlatKingdom(rgba, square_px, margin)


def _terrain(square: Square) -> Terrain:
    if square.terrain is None:
        raise ValueError(f"square: expected a terrain, got {str(square)!r}")
    return square.terrain


def _furnish(
    canvas: Canvas,
    x: float,
    terrain: Terrain,
    square: Square,
    rng: np.random.Generator,
    style: Style,
    *,
    mirrored: bool,
) -> None:
    """Draw everything that stands on the ground of one half."""
    draw_ornaments(canvas, x, terrain, rng, style, beside_building=square.crowns > 0)
    if square.crowns:
        draw_building(canvas, x, terrain, square.crowns, rng)
        draw_crowns(canvas, x, square.crowns, rng, mirrored=mirrored)
        draw_giants(canvas, x, square.giants, rng, mirrored=mirrored)


def _reduce(rgb: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _lay(
    rgba: NDArray[np.uint8],
    picture: NDArray[np.uint8],
    centre: tuple[float, float],
    turn_deg: float,
    scale: float,
) -> None:
    """Lay a tile on the flat kingdom with its middle at ``centre`` (x, y), rotated clockwise."""
    height, width = picture.shape[:2]
    tile = np.dstack([picture, np.full((height, width), 255, np.uint8)])
    matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), -turn_deg, scale)
    matrix[:, 2] += np.array(centre) - (width / 2, height / 2)
    reach = np.hypot(width, height) / 2 + 2
    left, top = (max(0, int(place - reach)) for place in centre)
    area = rgba[top : int(centre[1] + reach), left : int(centre[0] + reach)]
    matrix[:, 2] -= (left, top)
    laid = cv2.warpAffine(tile, matrix, area.shape[1::-1], flags=cv2.INTER_AREA)
    under = area * (1 - laid[..., 3:].astype(np.float32) / 255)
    area[:] = np.clip(laid + under, 0, 255).astype(np.uint8)
