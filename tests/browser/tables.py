"""Drawn photos of games for the stories: kingdoms on a table, one or several in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scorer.kingdomino import Kingdom
from vision.kingdomino.synthesis.render import SceneView, render_scene

__all__ = ["FOUR", "photo_of", "photo_of_table"]

FOUR = {
    "pink": "s m2 g g1 f/s w g w f/m2 w c f f/g w m2 f f/l w1 s l1 l1",
    "yellow": "g s1 s l f/w s1 m2 l1 f1/w g2 c w w/l l f w w/l f1 f f m1",
    "green": "f f1 w w m3/l1 l c w g1/l1 l s w w1/w l1 f f m/l l f w w",
    "blue": "w w1 f f l/w w f1 l l1/g g c l l/g1 s s w w/m2 m s1 w1 w",
}
"""Kingdoms by the colour of their castles."""


def _drawn(kingdom: str, colour: str, seed: int) -> NDArray[np.uint8]:
    view = SceneView(square_px=150, tilt_deg=6, turn_deg=2, surface="stone", castle_colour=colour)
    return render_scene(Kingdom.parse(kingdom), view, np.random.default_rng(seed)).rgb


def photo_of(kingdom: str, colour: str, path: Path, seed: int = 1) -> Path:
    """A JPEG of one kingdom."""
    Image.fromarray(_drawn(kingdom, colour, seed)).save(path, quality=90)
    return path


def photo_of_table(kingdoms: Sequence[tuple[str, str]], path: Path) -> Path:
    """A JPEG of several kingdoms (notation, colour) side by side, two in a row."""
    drawn = [_drawn(kingdom, colour, seed) for seed, (kingdom, colour) in enumerate(kingdoms)]
    height = max(each.shape[0] for each in drawn)
    width = max(each.shape[1] for each in drawn)
    rows = -(-len(drawn) // 2)
    table = np.full((rows * height, 2 * width, 3), 150, np.uint8)
    for number, each in enumerate(drawn):
        top, left = height * (number // 2), width * (number % 2)
        table[top : top + each.shape[0], left : left + each.shape[1]] = each
    Image.fromarray(table).save(path, quality=90)
    return path
