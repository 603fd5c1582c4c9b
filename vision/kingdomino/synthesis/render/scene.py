"""Render a synthetic photograph of a drawn kingdom on a drawn table."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from vision.common.homography import project
from vision.kingdomino.synthesis.render.camera import Camera
from vision.kingdomino.synthesis.render.canvas import Style, smooth_noise
from vision.kingdomino.synthesis.render.castle import CastleShape, draw_castle
from vision.kingdomino.synthesis.render.surfaces import draw_surface
from vision.kingdomino.synthesis.render.things import put_things
from vision.kingdomino.synthesis.render.tiles import FlatKingdom, Laying, render_kingdom

__all__ = ["Lamp", "RenderedScene", "SceneView", "render_scene"]

_TILE_THICKNESS = 0.05


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

    rgb: NDArray[np.uint8]
    kingdom: Kingdom | None
    homography: NDArray[np.float64] | None
    corners: NDArray[np.float64] | None


def render_scene(
    kingdom: Kingdom | None, view: SceneView, rng: np.random.Generator
) -> RenderedScene:
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
        rgb = _lay_kingdom(rgb, flat, camera)
        for row, squares in enumerate(kingdom.rows):
            for column, square in enumerate(squares):
                if square.is_castle and view.castle_stands:
                    shape = CastleShape.random(rng)
                    draw_castle(rgb, camera, (row, column), view.castle_colour, rng, shape)
        homography = camera.homography(_TILE_THICKNESS)
        outline = [(0, 0), (size[0], 0), size, (0, size[1])]
        corners = camera.pixels([(*point, _TILE_THICKNESS) for point in outline])
    return RenderedScene(_develop(rgb, view, rng), kingdom, homography, corners)


def _draw_table(camera: Camera, view: SceneView, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The table in perspective, filling the picture."""
    frame = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]])
    to_table = np.asarray(np.linalg.inv(camera.homography()), np.float64)
    places = project(frame, to_table)
    turn = np.deg2rad(view.surface_turn_deg - view.turn_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    along = places @ turned
    low, high = along.min(axis=0), along.max(axis=0)
    surface_px = int(min(view.square_px, 4000 / float((high - low).max())))
    width, height = np.ceil((high - low) * surface_px).astype(int)
    surface = draw_surface(view.surface, (int(height), int(width)), surface_px, rng)
    scale = np.array([[1 / surface_px, 0, low[0]], [0, 1 / surface_px, low[1]], [0, 0, 1]])
    spin = np.eye(3)
    spin[:2, :2] = turned
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


def _lay_kingdom(rgb: NDArray[np.uint8], flat: FlatKingdom, camera: Camera) -> NDArray[np.uint8]:
    """The picture with the kingdom on the table, its tiles with thickness and shadow."""
    size = rgb.shape[1::-1]
    px = flat.square_px
    to_squares = np.array([[1 / px, 0, -flat.margin], [0, 1 / px, -flat.margin], [0, 0, 1]])

    def seen(layer: NDArray[np.uint8], height: float) -> NDArray[np.float32]:
        matrix = camera.homography(height) @ to_squares
        return cv2.warpPerspective(layer, matrix, size, flags=cv2.INTER_AREA).astype(np.float32)

    alpha = np.ascontiguousarray(flat.rgba[..., 3])
    shift = np.array([[1, 0, 0.05 * px], [0, 1, 0.04 * px]])
    thrown = cv2.warpAffine(alpha, shift, alpha.shape[::-1])
    shadow = seen(np.asarray(cv2.GaussianBlur(thrown, (0, 0), 0.05 * px), np.uint8), 0)
    out = rgb * (1 - 0.55 * shadow / 255)[..., None]
    for height in np.linspace(0, 0.8 * _TILE_THICKNESS, 4):
        weight = (seen(alpha, float(height)) / 255)[..., None]
        out = out * (1 - weight) + np.array((120, 112, 104), np.float32) * weight
    top = seen(np.ascontiguousarray(flat.rgba[..., :3]), _TILE_THICKNESS)
    weight = (seen(alpha, _TILE_THICKNESS) / 255)[..., None]
    out = out * (1 - weight) + top
    return np.clip(out, 0, 255).astype(np.uint8)


def _develop(
    rgb: NDArray[np.uint8], view: SceneView, rng: np.random.Generator
) -> NDArray[np.uint8]:
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
