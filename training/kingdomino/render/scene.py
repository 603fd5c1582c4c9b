"""Synthetic photographs of a drawn kingdom on a drawn table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from scorer.kingdomino import Kingdom
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, rotation_about_z
from training.common.synthetic import smooth_noise
from training.kingdomino.render.canvas import Colour, Style, vary_colour
from training.kingdomino.render.standing import CastleShape, draw_castle, put_things
from training.kingdomino.render.tiles import FlatKingdom, Laying, render_kingdom
from vision.common.geometry import project


def draw_surface(kind: str, shape: tuple[int, int], square_px: int, rng: Rng) -> Image:
    """Draw one of ``SURFACES``, shape (h, w, 3), at ``square_px`` pixels per square."""
    rgb = _KINDS[kind](shape, square_px, rng)
    rgb += 5 * smooth_noise(shape, (5, 6), rng)[..., None]
    return np.clip(rgb, 0, 255).astype(np.uint8)


def _fill(shape: tuple[int, int], colour: Colour) -> Floats:
    return np.full((*shape, 3), colour, np.float32)


def _wood(shape: tuple[int, int], square_px: int, rng: Rng) -> Floats:
    """Planks with grain along x."""
    height, width = shape
    tones: tuple[Colour, ...] = ((150, 104, 62), (112, 74, 44), (186, 144, 98), (82, 56, 38))
    base = vary_colour(tones[int(rng.integers(len(tones)))], 0.06, rng)
    rgb = np.empty((*shape, 3), np.float32)
    plank = round(square_px * rng.uniform(1.6, 3.2))
    for top in range(0, height, plank):
        rows = min(plank, height - top)
        board = np.array(vary_colour(base, 0.06, rng), np.float32)
        bend = 0.35 * smooth_noise((rows, width), (3, 5), rng)
        level = np.linspace(0, rng.uniform(4, 9), rows, dtype=np.float32)[:, None] + bend
        rings = np.sin(2 * np.pi * level) + 0.5 * np.sin(2 * np.pi * 2.7 * level + 1)
        fibre = smooth_noise((rows, width), (max(2, rows // 2), max(2, width // 60)), rng)
        light = 1 + 0.05 * rings + 0.05 * fibre
        rgb[top : top + rows] = board * light[..., None]
        rgb[top : top + max(1, square_px // 40)] *= 0.45
    return rgb


def _cloth(shape: tuple[int, int], square_px: int, rng: Rng) -> Floats:
    """Woven threads with soft folds, plain or checked."""
    tones: tuple[Colour, ...] = ((150, 40, 44), (60, 84, 120), (206, 196, 176), (70, 100, 74))
    rgb = _fill(shape, vary_colour(tones[int(rng.integers(len(tones)))], 0.1, rng))
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    if rng.random() < 0.5:
        step = square_px * rng.uniform(0.7, 1.8)
        stripes = ((x % step) < step * 0.35).astype(np.float32)
        stripes += (y % step) < step * 0.35
        rgb += stripes[..., None] * np.float32(rng.choice([-24, 28]))
    thread = 2 * np.pi / max(5.0, square_px / 14)
    weave = np.sin(x * thread) * np.sin(y * thread)
    folds = smooth_noise(shape, (3, 4), rng)
    light = (1 + 0.09 * weave + 0.06 * folds)[..., None]
    return np.asarray(rgb * light, np.float32)


def _carpet(shape: tuple[int, int], square_px: int, rng: Rng) -> Floats:
    """Short threads in several tints."""
    tones: tuple[Colour, ...] = ((176, 164, 146), (110, 108, 112), (126, 96, 78))
    rgb = _fill(shape, vary_colour(tones[int(rng.integers(len(tones)))], 0.1, rng))
    fine = max(2, square_px // 24)
    tufts = smooth_noise(shape, (shape[0] // fine, shape[1] // fine), rng)
    specks = smooth_noise(shape, (shape[0] // (2 * fine), shape[1] // (2 * fine)), rng)
    rgb += 14 * tufts[..., None] + 10 * (specks[..., None] > 1.2)
    return rgb


def _stone(shape: tuple[int, int], square_px: int, rng: Rng) -> Floats:
    """A speckled worktop."""
    rgb = _fill(shape, vary_colour((196, 186, 170), 0.12, rng))
    for share, amount in ((10, 16), (20, 12), (5, 8)):
        cells = (shape[0] * share // square_px + 2, shape[1] * share // square_px + 2)
        spots = smooth_noise(shape, cells, rng)
        rgb += np.where(np.abs(spots) > 1.1, np.sign(spots) * amount, 0)[..., None]
    return rgb


def _mat(shape: tuple[int, int], square_px: int, rng: Rng) -> Floats:
    """A cutting mat with a fine grid that is not the grid of the kingdom."""
    tones: tuple[Colour, ...] = ((34, 58, 104), (30, 92, 74), (64, 66, 72))
    rgb = _fill(shape, vary_colour(tones[int(rng.integers(len(tones)))], 0.08, rng))
    step = square_px * rng.uniform(0.22, 0.34)
    for number in range(int(max(shape) / step) + 1):
        at = round(number * step)
        wide = max(1, square_px // (40 if number % 5 else 22))
        line = (150, 170, 190) if number % 5 else (196, 206, 214)
        cv2.line(rgb, (at, 0), (at, shape[0]), line, wide)
        cv2.line(rgb, (0, at), (shape[1], at), line, wide)
    return rgb


_KINDS: dict[str, Callable[[tuple[int, int], int, Rng], Floats]] = {
    "wood": _wood,
    "cloth": _cloth,
    "carpet": _carpet,
    "stone": _stone,
    "mat": _mat,
}
SURFACES = tuple(_KINDS)


TILE_THICKNESS = 0.05


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
    """A synthetic photograph with its ground truth.

    ``rgb`` has shape (h, w, 3), uint8. ``homography`` (3, 3) maps lattice points (column, row)
    to pixels (x, y), ``corners`` (4, 2) are those of the grid, clockwise from its top left. Both
    are None if there is no kingdom.
    """

    rgb: Image
    kingdom: Kingdom | None
    homography: Matrix | None
    corners: Matrix | None


def render_scene(kingdom: Kingdom | None, view: SceneView, rng: Rng) -> RenderedScene:
    """Render ``kingdom``, or the empty table if it is None."""
    size = (kingdom.width, kingdom.height) if kingdom else (5, 5)
    camera = Camera.above(
        (size[0] / 2, size[1] / 2),
        (view.width / 2 + view.offset_px[0], view.height / 2 + view.offset_px[1]),
        view.square_px,
        tilt_deg=view.tilt_deg,
        turn_deg=view.turn_deg,
        azimuth_deg=view.azimuth_deg,
    )
    rgb = _draw_table(camera, view, rng)
    put_things(rgb, camera, view.things, rng)
    homography = corners = None
    if kingdom:
        flat = render_kingdom(
            kingdom,
            max(48, round(1.2 * view.square_px)),
            rng,
            castle_colour=view.castle_colour,
            laying=view.laying,
            style=view.style,
        )
        rgb, _ = lay_flat(rgb, flat, camera)
        for row, squares in enumerate(kingdom.rows):
            for column, square in enumerate(squares):
                if square.is_castle and view.castle_stands:
                    shape = CastleShape.random(rng)
                    draw_castle(rgb, camera, (row, column), view.castle_colour, rng, shape)
        homography = camera.homography(TILE_THICKNESS)
        outline = [(0, 0), (size[0], 0), size, (0, size[1])]
        corners = camera.pixels([(*point, TILE_THICKNESS) for point in outline])
    return RenderedScene(_develop(rgb, view, rng), kingdom, homography, corners)


def _draw_table(camera: Camera, view: SceneView, rng: Rng) -> Image:
    """The table in perspective, filling the picture."""
    frame = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]])
    to_table = np.asarray(np.linalg.inv(camera.homography()), np.float64)
    places = project(frame, to_table)
    spin = rotation_about_z(np.deg2rad(view.surface_turn_deg - view.turn_deg))
    along = places @ spin[:2, :2]
    low, high = along.min(axis=0), along.max(axis=0)
    surface_px = int(min(view.square_px, 4000 / float((high - low).max())))
    width, height = np.ceil((high - low) * surface_px).astype(int)
    surface = draw_surface(view.surface, (int(height), int(width)), surface_px, rng)
    scale = np.array([[1 / surface_px, 0, low[0]], [0, 1 / surface_px, low[1]], [0, 0, 1]])
    matrix = camera.homography() @ spin @ scale
    return np.asarray(
        cv2.warpPerspective(
            surface,
            matrix,
            (view.width, view.height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        ),
        np.uint8,
    )


def lay_flat(
    rgb: Image,
    flat: FlatKingdom,
    camera: Camera,
    *,
    shadow: tuple[float, float] = (0.05, 0.04),
    darkness: float = 0.55,
    edges: int = 4,
) -> tuple[Image, Floats]:
    """The picture with tiles on the table, and their mask (h, w), 0..1.

    They are as thick as cardboard, their sides painted in ``edges`` slices, and throw a ``shadow``,
    (x, y) in squares, of a ``darkness`` 0..1.
    """
    size = rgb.shape[1::-1]
    px = flat.square_px
    to_squares = np.array([[1 / px, 0, -flat.margin], [0, 1 / px, -flat.margin], [0, 0, 1]])

    alpha = np.ascontiguousarray(flat.rgba[..., 3])
    outline = project(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * alpha.shape[::-1], to_squares)
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
    for height in np.linspace(0, 0.8 * TILE_THICKNESS, edges):
        weight = (seen(alpha, float(height)) / 255)[..., None]
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
        across = (
            x * np.cos(angle + 1)
            + y * np.sin(angle + 1)
            + 0.15 * smooth_noise((height, width), (4, 5), rng)
        )
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
