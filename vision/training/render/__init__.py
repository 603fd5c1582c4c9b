"""Our own drawing of the game: tiles, castles, tables and photographs of them."""

from vision.training.render.camera import Camera
from vision.training.render.canvas import Style
from vision.training.render.castle import CastleShape, draw_castle
from vision.training.render.scene import Lamp, RenderedScene, SceneView, render_scene
from vision.training.render.start_tile import CASTLE_COLOURS
from vision.training.render.surfaces import SURFACES, draw_surface
from vision.training.render.tiles import (
    FlatKingdom,
    Laying,
    render_domino,
    render_kingdom,
    render_square,
)

__all__ = [
    "CASTLE_COLOURS",
    "SURFACES",
    "Camera",
    "CastleShape",
    "FlatKingdom",
    "Lamp",
    "Laying",
    "RenderedScene",
    "SceneView",
    "Style",
    "draw_castle",
    "draw_surface",
    "render_domino",
    "render_kingdom",
    "render_scene",
    "render_square",
]
