"""The start stones of the games in these tests."""

from __future__ import annotations

from scorer.domino_duell import Stone

START = {
    hollow: Stone.parse(stone)
    for hollow, stone in {"f6": "rtl", "f7": "ycl", "g5": "gml", "g6": "bsw"}.items()
}
