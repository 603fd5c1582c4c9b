"""The renderer: drawn tiles, castles and tables, and synthetic photographs of them."""

from training.kingdomino.render.canvas import Style
from training.kingdomino.render.scene import (
    SURFACES,
    Lamp,
    RenderedScene,
    SceneView,
    draw_surface,
    render_scene,
)
from training.kingdomino.render.standing import CastleShape, draw_castle
from training.kingdomino.render.tiles import (
    CASTLE_RGB,
    FlatKingdom,
    Laying,
    render_domino,
    render_kingdom,
    render_square,
)

__all__ = [
    "CASTLE_RGB",
    "SURFACES",
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
