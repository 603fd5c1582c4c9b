"""Results check themselves and add up."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pip_dominoes.result import DominoReading, HandReading


def domino(a: int, b: int, doubtful: bool = False) -> DominoReading:
    return DominoReading((a, b), np.zeros((4, 2)), 0.99, doubtful, "", np.ones((2, 19)))


def test_a_hand_adds_up() -> None:
    hand = HandReading((domino(9, 5), domino(0, 3)), 9, (), 100, 80)
    assert (hand.sum, hand.tiles, hand.to_check, hand.doubtful) == (17, ("5|9", "0|3"), (), False)


def test_a_hand_is_doubtful_with_a_domino_or_where_one_may_be_missing() -> None:
    assert HandReading((domino(1, 2, doubtful=True),), 6, (), 9, 9).to_check == (0,)
    assert HandReading((domino(1, 2, doubtful=True),), 6, (), 9, 9).doubtful
    assert HandReading((domino(1, 2),), 6, ("unread",), 9, 9).doubtful
    assert not HandReading((domino(1, 2),), 6, ("set_inferred",), 9, 9).doubtful


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="halves: expected"):
        domino(19, 0)
    with pytest.raises(ValueError, match="corners: expected"):
        DominoReading((1, 2), np.zeros((2, 2)), 0.5, False, "", np.ones((2, 19)))
    with pytest.raises(ValueError, match="likelihoods: expected"):
        DominoReading((1, 2), np.zeros((4, 2)), 0.5, False, "", np.ones((2, 7)))
    with pytest.raises(ValueError, match="probability: expected"):
        DominoReading((1, 2), np.zeros((4, 2)), 1.5, False, "", np.ones((2, 19)))
    with pytest.raises(ValueError, match="set: expected"):
        HandReading((), 7, (), 9, 9)
    with pytest.raises(ValueError, match="warnings: expected"):
        HandReading((), 6, ("odd",), 9, 9)
