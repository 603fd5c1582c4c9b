from __future__ import annotations

import numpy as np
import pytest

from scorer.domino_duell import DEFAULT_SHAPE, Board
from vision.domino_duell import BoardReading, HollowReading


def test_results_check_themselves() -> None:
    with pytest.raises(ValueError, match=r"expected 0\.\.1, got 1\.5"):
        HollowReading("f6", None, 1.5, None)
    with pytest.raises(ValueError, match="expected those of the board, got 1"):
        BoardReading(Board.of(), (HollowReading("f6", None, 1.0, None),), np.eye(3), 10, 10)


def test_what_to_check() -> None:
    hollows = tuple(
        HollowReading(name, None, 1.0, None, doubtful=name in ("a1", "f6"))
        for name in DEFAULT_SHAPE.hollows
    )
    reading = BoardReading(Board.of(), hollows, np.diag([40.0, 40.0, 1.0]), 900, 700)
    assert reading.doubtful == ("a1", "f6")
    assert reading.tried_on == "drawn pictures only"
    np.testing.assert_allclose(reading.middles[1] - reading.middles[0], (40.0, 0.0))
