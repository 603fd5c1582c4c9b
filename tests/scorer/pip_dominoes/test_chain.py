from __future__ import annotations

import pytest

from scorer.pip_dominoes import Hand, Tile
from scorer.pip_dominoes.muggins_layout import end_of, find_misfit, orient, reach

CHAIN = Hand.parse("2|6 6|6 6|1").tiles


def test_the_far_end() -> None:
    assert reach(CHAIN, 2) == end_of(CHAIN, 2) == 1
    assert reach((), 4) == end_of((), 4) == 4
    assert reach(CHAIN, 6) is None
    with pytest.raises(ValueError, match="neighbours that match"):
        end_of(CHAIN, 6)


def test_the_first_that_does_not_match() -> None:
    assert find_misfit(CHAIN, 2) is None
    assert find_misfit(CHAIN, 6) == Tile(6, 6)
    assert find_misfit(CHAIN, 0) == Tile(2, 6)


def test_tiles_turned_as_they_lie() -> None:
    assert list(orient(CHAIN, 2)) == ["2|6", "6|6", "6|1"]
