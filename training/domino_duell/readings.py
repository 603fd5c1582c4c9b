"""What the whole reader makes of drawn boards on tables that no training has seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from training.common.answers import FLAGGED, SURE, Answer
from training.common.arrays import Image
from training.domino_duell import scenes
from vision.domino_duell.reader import read_board
from vision.domino_duell.weights import Weights
from vision.photo import PhotoError

SEED, SCENES = 600_000, 40


def read_tables(folders: Sequence[Path], data: Path, network: str) -> Iterator[tuple[Answer, ...]]:
    """Each hollow of drawn boards by the weights of each folder; flagged answers are unsure."""
    weights = [Weights.load(models) for models in folders]
    for number in range(SCENES):
        rng = np.random.default_rng([SEED, number])
        kind, light = (("trained light", scenes.TRAINED), ("harsh light", scenes.HARSH))[number % 2]
        settings = scenes.training_settings(rng, light)
        settings = replace(settings, materials=scenes.OTHER_MATERIALS, width_px=1000, height_px=750)
        scene = scenes.draw_scene(rng, settings)
        read = [_read(scene.rgb, each, len(scene.position.cells)) for each in weights]
        for k, (truth, *said) in enumerate(zip(scene.position.cells, *read, strict=True)):
            asked = (f"drawn {number}, {k}", str(number), kind, str(truth))
            yield tuple(Answer(*asked, *each) for each in said)


def _read(rgb: Image, weights: Weights, count: int) -> list[tuple[str, float]]:
    """What is said of each hollow, and how sure."""
    try:
        hollows = read_board(rgb, weights=weights).hollows
    except PhotoError:
        return [("no board", FLAGGED)] * count
    return [(str(each.piece), FLAGGED if each.doubtful else SURE) for each in hollows]
