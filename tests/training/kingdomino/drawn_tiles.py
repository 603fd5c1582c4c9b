"""A few small drawn tiles to train on in tests."""

from __future__ import annotations

import numpy as np

from scorer.kingdomino import BASE_DOMINOES, CASTLE
from training.kingdomino.render.scene import draw_surface
from training.kingdomino.render.tiles import render_domino, render_square
from training.kingdomino.scenes.kingdoms import TileSet
from vision.kingdomino.result import LABELS

SQUARE_PX = 96
# Few enough to be drawn in a second; each stands for all dominoes of its kind.
NUMBERS = ("1", "3", "7", "10", "12", "19", "28", "36", "41", "43", "45", "48")


def drawn_tiles(seed: int = 1) -> TileSet:
    """Some dominoes, a start tile and a table, each drawn once."""
    rng = np.random.default_rng(seed)
    dominoes = {d.number: d for d in BASE_DOMINOES if d.number in NUMBERS}
    halves = {str(s): s for d in dominoes.values() for s in (d.left, d.right)}
    assert halves.keys() <= set(LABELS)
    castle = render_square(CASTLE, SQUARE_PX, rng, castle_colour="blue")
    return TileSet(
        labels={number: (str(d.left), str(d.right)) for number, d in dominoes.items()},
        dominoes={n: [render_domino(d.left, d.right, SQUARE_PX, rng)] for n, d in dominoes.items()},
        starts={"blue": [castle]},
        squares={label: [render_square(s, SQUARE_PX, rng)] for label, s in halves.items()},
        surfaces=[draw_surface("wood", (255, 255), 60, rng)],
        foreign=[draw_surface("stone", (SQUARE_PX, SQUARE_PX), 40, rng)],
    )
