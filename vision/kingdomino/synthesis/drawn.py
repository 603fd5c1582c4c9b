"""Drawn scenes, for what no photograph shows: above all standing castles."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Square
from vision.common.homography import project
from vision.kingdomino.labels import CASTLE_COLOURS
from vision.kingdomino.synthesis.layout import Layout, notation, random_layout
from vision.kingdomino.synthesis.render import (
    SURFACES,
    Lamp,
    Laying,
    SceneView,
    Style,
    render_scene,
    render_square,
)
from vision.kingdomino.synthesis.scenes import Scene, SeenSquare

__all__ = ["draw_scene", "draw_squares", "random_view"]

STANDING_SHARE = 0.7


def random_view(rng: np.random.Generator, size: int) -> SceneView:
    """A random camera, table and lamp for a kingdom of ``size`` × ``size`` squares."""
    return SceneView(
        width=640,
        height=560,
        square_px=float(rng.uniform(0.6, 1.05)) * 480 / size,
        turn_deg=float(rng.uniform(0, 360)),
        tilt_deg=min(abs(float(rng.normal(0, 20))), 45.0),
        azimuth_deg=float(rng.uniform(0, 360)),
        surface=str(rng.choice(list(SURFACES))),
        surface_turn_deg=float(rng.uniform(0, 180)),
        castle_colour=str(rng.choice(CASTLE_COLOURS)),
        castle_stands=bool(rng.random() < STANDING_SHARE),
        things=int(rng.integers(0, 4)),
        lamp=Lamp(
            exposure=float(rng.uniform(0.6, 1.4)),
            warmth=float(rng.normal(0, 0.12)),
            glare=float(rng.uniform(0, 0.8) * (rng.random() < 0.4)),
            shadow=float(rng.uniform(0, 0.5) * (rng.random() < 0.4)),
        ),
        laying=Laying(
            gap=float(rng.uniform(0, 0.06)),
            crooked_deg=float(rng.uniform(0, 4)),
            shift=float(rng.uniform(0, 0.03)),
        ),
        style=Style.random(rng),
    )


def draw_squares(
    labels: Iterable[str], side: int, count: int, rng: np.random.Generator
) -> dict[str, list[NDArray[np.uint8]]]:
    """``count`` drawings (side, side, 3) of each label, each in a random style.

    Rare squares, above all mines and swamps with crowns, are as frequent as common ones, so that a
    network learns to count crowns instead of guessing them from the terrain.
    """
    return {
        label: [render_square(Square.parse(label), side, rng) for _ in range(count)]
        for label in labels
    }


def draw_scene(dominoes: dict[str, tuple[str, str]], rng: np.random.Generator) -> Scene:
    """A drawn photograph of a random kingdom with its ground truth."""
    size = 7 if rng.random() < 0.2 else 5
    most = (size * size - 1) // 2
    count = most if rng.random() < 0.6 else int(rng.integers(1, most))
    kingdom = Kingdom.parse(notation(random_layout(dominoes, rng, size=size, count=count)))
    view = random_view(rng, max(kingdom.width, kingdom.height))
    rendered = render_scene(kingdom, view, rng)
    assert rendered.homography is not None
    labels: dict[tuple[int, int], str] = {}
    seen = []
    for row, squares in enumerate(kingdom.rows):
        for column, square in enumerate(squares):
            if square.is_empty:
                continue
            label = f"c:{view.castle_colour}" if square.is_castle else str(square)
            labels[row, column] = label
            outline = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            corners = project(np.array(outline, np.float64), rendered.homography)
            seen.append(SeenSquare(corners.astype(np.float32), label, 0, (row, column)))
    castle = next(cell for cell, label in labels.items() if label[0] == "c")
    layout = Layout(kingdom.height, kingdom.width, castle, (), labels)
    return Scene(rendered.rgb, tuple(seen), (rendered.homography,), (layout,))
