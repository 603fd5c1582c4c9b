"""The renderer: drawn tiles, castles and tables, and synthetic photographs of them."""

from vision.kingdomino.synthesis.render.camera import Camera
from vision.kingdomino.synthesis.render.canvas import Style
from vision.kingdomino.synthesis.render.castle import CastleShape, draw_castle
from vision.kingdomino.synthesis.render.scene import Lamp, RenderedScene, SceneView, render_scene
from vision.kingdomino.synthesis.render.start_tile import CASTLE_RGB
from vision.kingdomino.synthesis.render.surfaces import SURFACES, draw_surface
from vision.kingdomino.synthesis.render.tiles import (
    FlatKingdom,
    Laying,
    render_domino,
    render_kingdom,
    render_square,
)

__all__ = [
    "CASTLE_RGB",
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
