"""What the locator is to learn of a scene."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.kingdomino.locator import NOT_ASKED, scene_targets
from training.kingdomino.scenes.compose import OTHER, THING, Scene, SeenSquare
from vision.kingdomino.search import GROUNDS


def test_what_covers_a_square_is_the_ground_that_is_seen_there() -> None:
    corners = np.array([[8, 8], [40, 8], [40, 40], [8, 40]], np.float32)
    covered = np.zeros((64, 64), np.uint8)
    covered[:, 24:48] = THING
    covered[48:, :16] = OTHER
    scene = Scene(
        np.zeros((64, 64, 3), np.uint8), (SeenSquare(corners, "f1", 0, (0, 0)),), (), (), covered
    )
    heat, grounds, frames = scene_targets(scene)
    assert grounds[5, 4] == GROUNDS.index("f")
    assert grounds[5, 8] == GROUNDS.index("?")
    assert grounds[1, 10] == GROUNDS.index("?")
    assert grounds[14, 2] == NOT_ASKED
    assert grounds[1, 1] == GROUNDS.index(".")
    # The square itself is still to be found, half covered as it is.
    assert heat.max() == 1
    assert frames[5].any()
