"""Drawn photos of games for the stories: kingdoms on a table, one or several in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scorer.kingdomino import Kingdom
from training.kingdomino.render.scene import SceneView, render_scene

FOUR = {
    "pink": "s w1 w m1 f1/f1 g w w w/g g g m2 w/c w l1 m2 w/f f . s .",
    "yellow": "f1 f w s2 c/w g1 w w l/l1 g m w1 l/f f l l l/w l1 l g2 l",
    "green": ". . w1 g g/l w f1 g g/w1 l f s2 m3/w c m2 s w/w f1 l s1 w",
    "blue": "l1 f f g s1/l1 f f c l/s w w w w/. . g2 f1 w1/. . g1 l f",
}
"""Kingdoms of one game by the colour of their castles; yellow and green tie at 21 points."""


@cache
def _drawn(kingdom: str, colour: str, seed: int) -> NDArray[np.uint8]:
    view = SceneView(square_px=150, tilt_deg=6, turn_deg=2, surface="stone", castle_colour=colour)
    return render_scene(Kingdom.parse(kingdom), view, np.random.default_rng(seed)).rgb


def photo_of(kingdom: str, colour: str, path: Path, seed: int = 1) -> Path:
    """A JPEG of one kingdom."""
    Image.fromarray(_drawn(kingdom, colour, seed)).save(path, quality=90)
    return path


def photo_of_table(kingdoms: Sequence[tuple[str, str]], path: Path) -> Path:
    """A JPEG of several kingdoms (notation, colour) side by side, two in a row."""
    drawn = [_drawn(kingdom, colour, 1) for kingdom, colour in kingdoms]
    height = max(each.shape[0] for each in drawn)
    width = max(each.shape[1] for each in drawn)
    rows = -(-len(drawn) // 2)
    table = np.full((rows * height, 2 * width, 3), 150, np.uint8)
    for number, each in enumerate(drawn):
        top, left = height * (number // 2), width * (number % 2)
        table[top : top + each.shape[0], left : left + each.shape[1]] = each
    Image.fromarray(table).save(path, quality=90)
    return path
