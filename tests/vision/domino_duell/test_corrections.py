from __future__ import annotations

import numpy as np
import pytest

from scorer.domino_duell import DEFAULT_SHAPE, Board, Shape
from vision.domino_duell import BoardReading, HollowReading, labelled_crops


def test_only_a_position_of_the_same_board() -> None:
    hollows = tuple(HollowReading(name, None, 1.0, None) for name in DEFAULT_SHAPE.hollows)
    reading = BoardReading(Board.of(), hollows, np.diag([20.0, 20.0, 1.0]), 400, 300)
    with pytest.raises(ValueError, match="got another board"):
        labelled_crops(
            np.zeros((102, 32, 32, 3), np.uint8), reading, Board.of({}, Shape.parse("o o"))
        )
