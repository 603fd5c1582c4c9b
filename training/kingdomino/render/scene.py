"""Synthetic photographs of a drawn kingdom on a drawn table, with things and a cardboard castle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Position
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, box, disc, rotation_about_z
from training.common.synthetic import any_of, smooth_noise
from training.kingdomino.render import canvas
from training.kingdomino.render.canvas import Colour, Point, Style, shaded, vary_colour
from training.kingdomino.render.tiles import CASTLE_RGB, FlatKingdom, Laying, render_kingdom
from vision.common.geometry import Extent, project


def draw_surface(kind: str, shape: tuple[int, int], square_px: int, rng: Rng) -> Image:
    """Draw one of ``SURFACES``, shape (h, w, 3), at ``square_px`` pixels per square."""
    draw, variation, *tones = SURFACES[kind]
    base = vary_colour(any_of(tones, rng), variation, rng)
    rgb = np.full((*shape, 3), base, np.float32)
    draw(rgb, square_px, rng)
    rgb += 5 * smooth_noise(shape, (5, 6), rng)[..., None]
    return np.clip(rgb, 0, 255).astype(np.uint8)


def _wood(rgb: Floats, square_px: int, rng: Rng) -> None:
    """Planks with grain along x."""
    (height, width), base = rgb.shape[:2], rgb[0, 0].tolist()
    plank = round(square_px * rng.uniform(1.6, 3.2))
    for top in range(0, height, plank):
        rows = min(plank, height - top)
        board = np.array(vary_colour(base, 0.06, rng), np.float32)
        bend = 0.35 * smooth_noise((rows, width), (3, 5), rng)
        level = np.linspace(0, rng.uniform(4, 9), rows, dtype=np.float32)[:, None] + bend
        rings = np.sin(2 * np.pi * level) + 0.5 * np.sin(2 * np.pi * 2.7 * level + 1)
        fibre = smooth_noise((rows, width), (max(2, rows // 2), max(2, width // 60)), rng)
        rgb[top : top + rows] = board * (1 + 0.05 * rings + 0.05 * fibre)[..., None]
        rgb[top : top + max(1, square_px // 40)] *= 0.45


def _cloth(rgb: Floats, square_px: int, rng: Rng) -> None:
    """Woven threads with soft folds, plain or checked."""
    y, x = np.mgrid[0 : rgb.shape[0], 0 : rgb.shape[1]].astype(np.float32)
    if rng.random() < 0.5:
        step = square_px * rng.uniform(0.7, 1.8)
        stripes = ((x % step) < step * 0.35).astype(np.float32)
        stripes += (y % step) < step * 0.35
        rgb += stripes[..., None] * np.float32(rng.choice([-24, 28]))
    thread = 2 * np.pi / max(5.0, square_px / 14)
    weave = np.sin(x * thread) * np.sin(y * thread)
    rgb *= (1 + 0.09 * weave + 0.06 * smooth_noise(weave.shape, (3, 4), rng))[..., None]


def _carpet(rgb: Floats, square_px: int, rng: Rng) -> None:
    """Short threads in several tints."""
    (height, width), fine = rgb.shape[:2], max(2, square_px // 24)
    tufts = smooth_noise((height, width), (height // fine, width // fine), rng)
    specks = smooth_noise((height, width), (height // (2 * fine), width // (2 * fine)), rng)
    rgb += 14 * tufts[..., None] + 10 * (specks[..., None] > 1.2)


def _stone(rgb: Floats, square_px: int, rng: Rng) -> None:
    """A speckled worktop."""
    height, width = rgb.shape[:2]
    for share, amount in ((10, 16), (20, 12), (5, 8)):
        cells = (height * share // square_px + 2, width * share // square_px + 2)
        spots = smooth_noise((height, width), cells, rng)
        rgb += np.where(np.abs(spots) > 1.1, np.sign(spots) * amount, 0)[..., None]


def _mat(rgb: Floats, square_px: int, rng: Rng) -> None:
    """A cutting mat with a fine grid that is not the grid of the kingdom."""
    height, width = rgb.shape[:2]
    step = square_px * rng.uniform(0.22, 0.34)
    for number in range(int(max(height, width) / step) + 1):
        at = round(number * step)
        wide = max(1, square_px // (40 if number % 5 else 22))
        line = (150, 170, 190) if number % 5 else (196, 206, 214)
        cv2.line(rgb, (at, 0), (at, height), line, wide)
        cv2.line(rgb, (0, at), (width, at), line, wide)


# What draws it, how much its colour varies, and its colours.
SURFACES: dict[str, tuple[Any, ...]] = {
    "wood": (_wood, 0.06, (150, 104, 62), (112, 74, 44), (186, 144, 98), (82, 56, 38)),
    "cloth": (_cloth, 0.1, (150, 40, 44), (60, 84, 120), (206, 196, 176), (70, 100, 74)),
    "carpet": (_carpet, 0.1, (176, 164, 146), (110, 108, 112), (126, 96, 78)),
    "stone": (_stone, 0.12, (196, 186, 170)),
    "mat": (_mat, 0.08, (34, 58, 104), (30, 92, 74), (64, 66, 72)),
}
TILE_THICKNESS = 0.05
# The bits of fractions of a pixel.
_SHIFT = 5


def _fixed(pixels: Matrix) -> NDArray[np.int32]:
    return canvas.to_fixed_point(pixels, _SHIFT)


def _fill(rgb: Image, camera: Camera, outline: Matrix, colour: Colour, height: float = 0.0) -> None:
    """Fill an outline (n, 3), or (n, 2) at a height."""
    flat = outline.shape[1] == 2
    pixels = camera.on_plane(outline, height) if flat else camera.pixels(outline)
    cv2.fillPoly(rgb, [_fixed(pixels)], colour, cv2.LINE_AA, shift=_SHIFT)


@dataclass(frozen=True)
class CastleShape:
    """The dimensions of a castle in squares; ``grey`` is the lightness of its walls, 0..255."""

    side: float = 0.74
    wall: float = 0.55
    keep: float = 0.36
    keep_height: float = 0.85
    turn_deg: float = 0.0
    grey: float = 120.0

    @classmethod
    def random(cls, rng: Rng) -> CastleShape:
        """A random castle, sometimes low or without a keep."""
        side, wall = rng.uniform(0.62, 0.9), rng.uniform(0.35, 0.75)
        keep = float(rng.choice([0.0, 1.0], p=[0.3, 0.7]) * rng.uniform(0.28, 0.45))
        return cls(
            side, wall, keep, rng.uniform(0.65, 1.15), rng.normal(0, 6), rng.uniform(70, 170)
        )

    def corners(self, half: float) -> Matrix:
        """The corners (5, 2) of walls ``half`` a side from their middle, the first one twice."""
        angle = np.deg2rad(self.turn_deg + 45 + 90 * np.arange(5))
        return np.asarray(half * np.sqrt(2) * np.column_stack([np.cos(angle), np.sin(angle)]))

    def light(self) -> Matrix:
        """How much light falls on each of four walls, -1..1."""
        return np.asarray(np.cos(np.deg2rad(self.turn_deg + 90 * np.arange(4) + 140)))


# A flat piece of cardboard: its outline (n, 3) with its colour, then those printed on it.
_Face = list[tuple[Matrix, Colour]]
# What is printed on a wall in dark ink: along it and up, in shares of it; and the banner.
_INKED = (
    ((0.06, 0.7), (0.94, 0.7), (0.94, 0.74), (0.06, 0.74)),
    ((0.4, 0.0), (0.4, 0.3), (0.5, 0.4), (0.6, 0.3), (0.6, 0.0)),
    ((0.17, 0.35), (0.17, 0.55), (0.25, 0.55), (0.25, 0.35)),
    ((0.75, 0.35), (0.75, 0.55), (0.83, 0.55), (0.83, 0.35)),
)
_BANNER = ((0.42, 0.68), (0.58, 0.68), (0.58, 0.48), (0.5, 0.42), (0.42, 0.48))


def draw_castle(
    rgb: Image, camera: Camera, square: Position, colour: str, shape: CastleShape
) -> Image:
    """Draw a castle with one of ``CASTLE_RGB`` on ``square`` (row, column) into ``rgb``.

    Returns the mask (h, w), 0 or 1, of what it hides.
    """
    middle, accent = np.array([square[1] + 0.5, square[0] + 0.5]), CASTLE_RGB[colour]
    # A soft shadow on the table, to the right and below.
    foot = middle + shape.corners(shape.side / 2)[:4]
    thrown = np.r_[foot, foot + shape.wall * np.array([0.45, 0.3])].astype(np.float32)
    pixels = camera.on_plane(cv2.convexHull(thrown).reshape(-1, 2))
    mask, hidden = (np.zeros(rgb.shape[:2], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(mask, _fixed(pixels), 255, cv2.LINE_AA, shift=_SHIFT)
    blur = max(1.0, float(np.ptp(pixels[:, 0])) / 18)
    soft = cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) / 255
    rgb[:] = (rgb * (1 - 0.5 * soft[..., None])).astype(np.uint8)
    faces = [*_walls(middle, shape, shape.side / 2, shape.wall, accent, merlons=5)]
    if shape.keep:
        faces += _walls(middle, shape, shape.keep / 2, shape.keep_height, accent, merlons=3)
        # A pyramid over the keep.
        tip, base = np.append(middle, shape.keep_height + 0.3), shape.keep_height * 0.9
        corners = np.c_[middle + shape.corners(shape.keep * 0.44), np.full(5, base)]
        for start, end, light in zip(corners, corners[1:], 0.8 + 0.3 * shape.light(), strict=False):
            faces.append([(np.array([start, end, tip]), shaded(accent, light))])
    # Painter's algorithm: the farthest face first.
    for face in sorted(faces, key=lambda face: -camera.depth(face[0][0].mean(axis=0))):
        for part in face:
            _fill(rgb, camera, *part)
        outline, paper = camera.pixels(face[0][0]), shaded(np.add(face[0][1], 120), 0.5)
        wide = max(1, round(np.linalg.norm(np.ptp(outline, axis=0)) / 70))
        cv2.polylines(rgb, [_fixed(outline)], True, paper, wide, cv2.LINE_AA, shift=_SHIFT)
        cv2.fillPoly(hidden, [np.round(outline).astype(np.int32)], 1)
    return hidden


def _walls(
    middle: Matrix, shape: CastleShape, half: float, height: float, accent: Colour, merlons: int
) -> Iterator[_Face]:
    # The upper edge from (0, 1) to (1, 1), with gaps between the merlons.
    places, levels = np.arange(2 * merlons) / (2 * merlons - 1), np.resize([1.0, 0.84], 2 * merlons)
    top = np.column_stack([np.repeat(places, 2)[1:-1], np.repeat(levels, 2)[:-2]])
    corners = middle + shape.corners(half)
    for start, end, light in zip(corners, corners[1:], 0.75 + 0.35 * shape.light(), strict=False):
        grey = shape.grey * light
        colour, dark = shaded(grey, (0.95, 1, 1.08)), shaded(grey, (0.35, 0.35, 0.4))
        painted = [([(0, 0), *top, (1, 0)], colour), *((each, dark) for each in _INKED[:2]),
                   (_BANNER, accent), *((each, dark) for each in _INKED[2:])]  # fmt: skip
        yield [
            (np.c_[start + (end - start) * places[:, :1], places[:, 1] * height], ink)
            for places, ink in ((np.array(outline), ink) for outline, ink in painted)
        ]


# Distance of the objects from the middle of the kingdom in squares.
_NEAREST, _FARTHEST = 3.6, 6.0


def put_things(rgb: Image, camera: Camera, count: int, rng: Rng) -> None:
    """Draw ``count`` random objects on the table around a 5×5 kingdom into ``rgb``."""
    put = partial(_fill, rgb, camera)
    for _ in range(count):
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(_NEAREST, _FARTHEST)
        middle = 2.5 + away * np.array([np.cos(angle), np.sin(angle)])
        kind = int(rng.integers(4))
        if kind == 0:
            turn = rng.uniform(0, np.pi)
            sheet, down = box(middle, 3.4, 2.4, turn), np.array([-np.sin(turn), np.cos(turn)])
            put(sheet + 0.04, (70, 64, 60))
            put(sheet, vary_colour((232, 230, 222), 0.03, rng))
            for row in np.arange(-0.9, 1.0, 0.22):
                line = box(middle + row * down, rng.uniform(1.5, 2.9), 0.03, turn)
                put(line, (120, 124, 140))
        elif kind == 1:
            pencil = box(middle, 2.2, 0.1, rng.uniform(0, np.pi))
            put(pencil + 0.06, (30, 26, 22))
            put(pencil, vary_colour((200, 70, 40), 0.3, rng))
        elif kind == 2:
            # A mug, slice by slice from its foot up, so that it has the right perspective.
            glaze = vary_colour((190, 194, 200), 0.25, rng)
            put(disc(middle + 0.25, 1.0), (46, 38, 32))
            for height in np.linspace(0, 1.6, 24).tolist():
                put(disc(middle, 0.85), shaded(glaze, 0.6 + 0.3 * height / 1.6), height)
            put(disc(middle, 0.85), glaze, 1.6)
            put(disc(middle, 0.74), (62, 40, 26), 1.5)
        else:
            for _ in range(3):
                coin = disc(middle + rng.uniform(-0.7, 0.7, 2), 0.24)
                put(coin + 0.04, (40, 34, 28))
                put(coin, vary_colour((186, 150, 90), 0.15, rng))


@dataclass(frozen=True)
class Lamp:
    """The light: ``exposure`` is a factor, ``warmth`` shifts to red (positive) or blue (negative).

    ``falloff`` is how much darker the far side of the room is, ``glare`` the strength of a
    reflection on the lacquer, ``shadow`` the darkness of a cast shadow, all in 0..1. ``noise`` is
    the deviation of the sensor noise in grey levels.
    """

    exposure: float = 1.15
    warmth: float = 0.0
    falloff: float = 0.25
    glare: float = 0.0
    shadow: float = 0.0
    noise: float = 2.5


@dataclass(frozen=True)
class SceneView:
    """What a photograph shows and how: sizes in pixels, angles in degrees.

    ``turn_deg`` rotates the kingdom clockwise, ``tilt_deg`` tilts the camera, ``offset_px`` moves
    the kingdom from the middle of the picture. ``things`` is the number of other objects.
    """

    width: int = 1600
    height: int = 1200
    square_px: float = 150.0
    turn_deg: float = 0.0
    tilt_deg: float = 8.0
    azimuth_deg: float = 0.0
    offset_px: tuple[float, float] = (0.0, 0.0)
    surface: str = "wood"
    surface_turn_deg: float = 0.0
    castle_colour: str = "blue"
    castle_stands: bool = False
    things: int = 0
    blur_px: float = 0.7
    lamp: Lamp = field(default_factory=Lamp)
    laying: Laying = field(default_factory=Laying)
    style: Style = field(default_factory=Style)


@dataclass(frozen=True, eq=False)
class RenderedScene:
    """A photograph (h, w, 3) and its ``homography`` (3, 3) from lattice points (column, row) to
    pixels (x, y), None if there is no kingdom.
    """

    rgb: Image
    homography: Matrix | None


def render_scene(kingdom: Kingdom | None, view: SceneView, rng: Rng) -> RenderedScene:
    """Render ``kingdom``, or the empty table if it is None."""
    columns, rows = (kingdom.width, kingdom.height) if kingdom else (5, 5)
    x, y = view.offset_px
    camera = Camera.above(
        (columns / 2, rows / 2), (view.width / 2 + x, view.height / 2 + y), view.square_px,
        tilt_deg=view.tilt_deg, turn_deg=view.turn_deg, azimuth_deg=view.azimuth_deg,
    )  # fmt: skip
    rgb = _draw_table(camera, view, rng)
    put_things(rgb, camera, view.things, rng)
    if not kingdom:
        return RenderedScene(_develop(rgb, view, rng), None)
    colour, px = view.castle_colour, max(48, round(1.2 * view.square_px))
    flat = render_kingdom(kingdom, px, rng, colour, view.laying, view.style)
    rgb, _ = lay_flat(rgb, flat, camera, (0.05, 0.04), 0.55, edges=4)
    for cell, square in kingdom.items():
        if square.is_castle and view.castle_stands:
            draw_castle(rgb, camera, cell, colour, CastleShape.random(rng))
    return RenderedScene(_develop(rgb, view, rng), camera.homography(TILE_THICKNESS))


def _draw_table(camera: Camera, view: SceneView, rng: Rng) -> Image:
    """The table in perspective, filling the picture."""
    frame = np.array(Extent(0, 0, view.height, view.width).corners())
    spin = rotation_about_z(np.deg2rad(view.surface_turn_deg - view.turn_deg))
    along = project(frame, np.asarray(np.linalg.inv(camera.homography()))) @ spin[:2, :2]
    (x, y), reach = along.min(axis=0), np.ptp(along, axis=0)
    px = int(min(view.square_px, 4000 / reach.max()))
    width, height = np.ceil(reach * px).astype(int).tolist()
    surface = draw_surface(view.surface, (height, width), px, rng)
    scale = np.array([[1 / px, 0, x], [0, 1 / px, y], [0, 0, 1]])
    matrix, border = camera.homography() @ spin @ scale, cv2.BORDER_REFLECT
    seen = cv2.warpPerspective(surface, matrix, (view.width, view.height), borderMode=border)
    return np.asarray(seen, np.uint8)


def lay_flat(
    rgb: Image, flat: FlatKingdom, camera: Camera, shadow: Point, darkness: float, edges: int = 1
) -> tuple[Image, Floats]:
    """The picture with tiles on the table, and their mask (h, w), 0..1.

    They are as thick as cardboard, their sides painted in ``edges`` slices, and throw a ``shadow``,
    (x, y) in squares, of a ``darkness`` 0..1.
    """
    size, px = rgb.shape[1::-1], flat.square_px
    to_squares = np.array([[1 / px, 0, -flat.margin], [0, 1 / px, -flat.margin], [0, 0, 1]])
    alpha = np.ascontiguousarray(flat.rgba[..., 3])
    outline = project(np.array(Extent(0, 0, *alpha.shape).corners()), to_squares)
    ends = np.r_[camera.on_plane(outline), camera.on_plane(outline, TILE_THICKNESS)]
    left, top = np.clip(ends.min(0) - 2, 0, size).astype(int)
    right, bottom = np.clip(ends.max(0) + 3, 0, size).astype(int)
    # Only where they lie, since this takes the most time of a drawn scene.
    here = np.s_[top:bottom, left:right]

    def seen(layer: Image, height: float) -> Floats:
        matrix = camera.homography(height) @ to_squares
        warped = cv2.warpPerspective(layer, matrix, size, flags=cv2.INTER_AREA)
        return np.asarray(warped[here], np.float32)

    shift = np.array([[1, 0, shadow[0] * px], [0, 1, shadow[1] * px]])
    thrown = cv2.warpAffine(alpha, shift, alpha.shape[::-1])
    dark = seen(np.asarray(cv2.GaussianBlur(thrown, (0, 0), 0.05 * px), np.uint8), 0)
    out = rgb[here] * (1 - darkness * dark / 255)[..., None]
    for height in np.linspace(0, 0.8 * TILE_THICKNESS, edges).tolist():
        weight = (seen(alpha, height) / 255)[..., None]
        out = out * (1 - weight) + np.array((120, 112, 104), np.float32) * weight
    weight = (seen(alpha, TILE_THICKNESS) / 255)[..., None]
    out = out * (1 - weight) + seen(np.ascontiguousarray(flat.rgba[..., :3]), TILE_THICKNESS)
    laid, mask = rgb.copy(), np.zeros(rgb.shape[:2], np.float32)
    laid[here], mask[here] = np.clip(out, 0, 255).astype(np.uint8), weight[..., 0]
    return laid, mask


def _develop(rgb: Image, view: SceneView, rng: Rng) -> Image:
    """The picture with the light of the lamp, blur and sensor noise."""
    lamp, (height, width) = view.lamp, rgb.shape[:2]
    out = np.asarray(cv2.GaussianBlur(rgb, (0, 0), max(view.blur_px, 0.01)), np.float32) / 255
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    out *= (1 - lamp.falloff * (0.5 + 0.5 * (x * np.cos(angle) + y * np.sin(angle))))[..., None]
    out *= (1 - 0.12 * (x * x + y * y))[..., None]
    if lamp.shadow:
        edge = 0.15 * smooth_noise((height, width), (4, 5), rng)
        across = x * np.cos(angle + 1) + y * np.sin(angle + 1) + edge
        out *= (1 - lamp.shadow / (1 + np.exp(-across / 0.05)))[..., None]
    if lamp.glare:
        a, b = rng.uniform(-0.35, 0.35, 2)
        spot = np.exp(-(((x - a) / 0.28) ** 2) - ((y - b) / 0.2) ** 2)
        out += lamp.glare * spot[..., None] * np.array((0.9, 0.88, 0.82), np.float32)
    gains = np.exp(lamp.warmth * np.array((0.45, 0.0, -0.9), np.float32))
    out *= lamp.exposure * gains
    out = np.clip(out, 0, None)
    # Compress highlights instead of clipping them.
    out = np.where(out > 0.85, 0.85 + 0.15 * np.tanh((out - 0.85) / 0.15), out)
    grain = rng.standard_normal((height, width, 3), np.float32) * (lamp.noise / 255)
    out += cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.6
    return np.clip(out * 255, 0, 255).astype(np.uint8)
