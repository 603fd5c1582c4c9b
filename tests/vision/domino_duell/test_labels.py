from __future__ import annotations

from scorer.domino_duell import JOKER, STONES
from vision.domino_duell.weights import (
    CONTENTS,
    EMPTY,
    HEADS,
    JOKER_LYING,
    NOTHING,
    OUTPUTS,
    STONE,
    truth_of,
)


def test_each_stone_has_its_own_truth() -> None:
    assert len({truth_of(stone) for stone in STONES}) == 64
    assert truth_of(STONES[27]) == (STONE, 1, 2, 3)
    assert truth_of(None) == (EMPTY, -1, -1, -1)
    assert truth_of(JOKER) == (JOKER_LYING, -1, -1, -1)


def test_the_heads_fill_the_outputs() -> None:
    assert [index for head in HEADS for index in range(OUTPUTS)[head]] == list(range(OUTPUTS))
    assert CONTENTS[NOTHING] == "nothing"
