from __future__ import annotations

from companion.reading.own_heads import DUEL_HEADS
from vision.domino_duell.weights import OWN_HEAD


def test_the_reader_is_told_by_its_own_variable() -> None:
    assert DUEL_HEADS.variable == OWN_HEAD
    assert DUEL_HEADS.name == "hollows"
