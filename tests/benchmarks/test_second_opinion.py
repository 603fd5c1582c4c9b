"""What both networks say of squares, as it is compared."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")

from benchmarks.second_opinion import answers_of
from training.kingdomino.scenes.compose import draw_squares
from vision.kingdomino.weights import Weights


def test_castles_are_asked_of_without_their_colours() -> None:
    (castle,) = draw_squares(["c"], 64, 1, np.random.default_rng(2))["c"]
    asked = [("castle", "one", "c:blue", castle), ("meadow", "one", "g", castle)]
    right, wrong = answers_of(Weights.load().classifier, "drawn", asked)
    assert (right.said, right.truth, right.right) == ("c", "c", True)
    assert not wrong.right
    assert right.probability == wrong.probability > 0
