"""What the whole reader makes of drawn boards on tables that no training has seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from training.common.answers import Answer
from training.domino_duell.boards import HARSH, OTHERS, TRAINED, training_settings
from vision.domino_duell.reader import read_board
from vision.domino_duell.synthetic import draw_scene
from vision.domino_duell.weights import Weights
from vision.photo import PhotoError

__all__ = ["read_tables"]

SEED, SCENES = 600_000, 40
SURE, FLAGGED = 0.99, 0.5


def read_tables(models: Path, data: Path, network: str) -> Iterator[Answer]:
    """Each hollow of drawn boards, read with the weights of ``models``; flagged ones are unsure."""
    weights = Weights.load(models)
    for number in range(SCENES):
        rng = np.random.default_rng([SEED, number])
        light = (TRAINED, HARSH)[number % 2]
        settings = replace(
            training_settings(rng, light), materials=OTHERS, width_px=1000, height_px=750
        )
        scene = draw_scene(rng, settings)
        try:
            hollows = read_board(scene.rgb, weights=weights).hollows
        except PhotoError:
            hollows = ()
        for k, truth in enumerate(scene.position.cells):
            said = str(hollows[k].piece) if hollows else "no board"
            sure = FLAGGED if not hollows or hollows[k].doubtful else SURE
            kind = "trained light" if light is TRAINED else "harsh light"
            yield Answer(f"drawn {number}, {k}", f"{number}", kind, str(truth), said, sure)
