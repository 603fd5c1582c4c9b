from __future__ import annotations

from companion.domino_duell.own_head import HEADS
from vision.domino_duell.weights import OWN_HEAD


def test_the_reader_is_told_by_its_own_variable() -> None:
    assert HEADS.variable == OWN_HEAD
    assert HEADS.name == "hollows"
