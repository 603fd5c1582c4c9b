"""The renderer: drawn tiles, castles and tables, and synthetic photographs of them."""

from training.kingdomino.render.canvas import Style
from training.kingdomino.render.scene import (
    SURFACES,
    TILE_THICKNESS,
    Lamp,
    RenderedScene,
    SceneView,
    draw_surface,
    lay_flat,
    render_scene,
)
from training.kingdomino.render.standing import CastleShape, draw_castle
from training.kingdomino.render.tiles import (
    CASTLE_RGB,
    FlatKingdom,
    Laying,
    lay_tiles,
    render_domino,
    render_kingdom,
    render_square,
)

__all__ = [
    "CASTLE_RGB",
    "SURFACES",
    "TILE_THICKNESS",
    "CastleShape",
    "FlatKingdom",
    "Lamp",
    "Laying",
    "RenderedScene",
    "SceneView",
    "Style",
    "draw_castle",
    "draw_surface",
    "lay_flat",
    "lay_tiles",
    "render_domino",
    "render_kingdom",
    "render_scene",
    "render_square",
]
