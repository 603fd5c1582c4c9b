from __future__ import annotations

import pytest

from scorer.domino_duell import JOKER, STONES, Hand


def test_pieces_come_and_go() -> None:
    hand = Hand(2, (STONES[0], JOKER))
    assert hand.without(JOKER) == Hand(1, (STONES[0],))
    assert hand.drawing(1, [STONES[5]]) == Hand(3, (STONES[0], JOKER, STONES[5]))
    assert hand.drawing(1).unknown == 1


def test_what_is_not_known_may_be_one_of_the_unknown() -> None:
    hand = Hand(3, (STONES[0],))
    assert hand.without(STONES[9]) == Hand(2, (STONES[0],))
    assert hand.without_any(1) == Hand(2)


def test_no_more_known_than_there_are() -> None:
    with pytest.raises(ValueError, match="at most 1 pieces, got 2"):
        Hand(1, STONES[:2])
