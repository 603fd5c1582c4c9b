from __future__ import annotations

import pytest

from scorer.domino_duell import STONES, Exchange


def test_as_many_are_drawn_as_given() -> None:
    assert Exchange(2, STONES[:2], STONES[2:4]).count == 2
    assert Exchange(2).given == ()
    with pytest.raises(ValueError, match="given: expected 0 or 2 pieces, got 1"):
        Exchange(2, STONES[:1])
    with pytest.raises(ValueError, match="drawn: expected 0 or 2 pieces, got 3"):
        Exchange(2, STONES[:2], STONES[2:5])
    with pytest.raises(ValueError, match="expected 1 or more, got 0"):
        Exchange(0)
