"""Two readings of one table are compared."""

import numpy as np

from benchmarks.pip_consistency import VARIANTS, Answer, Comparison, consistency_table

SURE = Answer(("1|2", "3|4"), "", flagged=False)
LESS = Answer(("1|2",), "", flagged=True)
NONE = Answer((), "no_dominoes", flagged=True)


def test_a_difference_is_told_where_both_are_flagged() -> None:
    assert Comparison("a", "b", SURE, SURE).same
    assert not Comparison("a", "b", SURE, LESS).told
    assert Comparison("a", "b", NONE, LESS).told
    compared = [Comparison("a", "b", SURE, each) for each in (SURE, SURE, LESS)]
    compared.append(Comparison("a", "b", NONE, LESS))
    assert "| all | 4 | 2 | 1 | 1 | 75.0 % |" in consistency_table([("all", compared)], "folder")


def test_variants_show_the_whole_table() -> None:
    rgb = np.full((90, 120, 3), 200, np.uint8)
    shapes = {
        name: np.asarray(seen).shape
        for name, change in VARIANTS.items()
        if not isinstance(seen := change(rgb, None), bytes)
    }
    assert len(VARIANTS) == 8
    assert shapes["0.7 times the size"] == (63, 84, 3)
    assert shapes["turned by 17°"] == (122, 142, 3)
    assert shapes["cropped"] == (76, 100, 3)
