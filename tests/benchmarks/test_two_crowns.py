from __future__ import annotations

import numpy as np

from benchmarks.two_crowns import Seen, make_row
from vision.kingdomino.result import LABELS


def seen(label: str, **shares: float) -> Seen:
    found = np.zeros(len(LABELS))
    for name, share in shares.items():
        found[LABELS.index(name)] = share
    return Seen(label, found)


def test_a_line_counts_what_is_right_with_and_without_the_giants() -> None:
    squares = [
        seen("w1", w1=1.0),
        seen("w1", w1=0.7, w2=0.3),
        seen("w1", w1=0.1, w2=0.9),
        seen("w1", w2=0.95, w1=0.05),
        seen("w1", f=1.0),
    ]
    row = make_row("w1", "as they are", squares)
    assert row == ("w1", "as they are", 5, 2, 2, 4, 3)
