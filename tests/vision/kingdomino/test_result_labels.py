"""A square of another game is no square; the most probable label is named."""

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.result import (
    BARE,
    EMPTY_AT,
    FOREIGN_AT,
    LABELS,
    merge_foreign,
    most_probable,
)


def seen(**shares: float) -> NDArray[np.float64]:
    found = np.zeros(len(LABELS))
    for label, share in shares.items():
        found[LABELS.index({"empty": ".", "foreign": LABELS[FOREIGN_AT]}.get(label, label))] = share
    return found


def test_a_cell_without_evidence_is_surely_empty() -> None:
    assert LABELS[EMPTY_AT] == "."
    np.testing.assert_array_equal(BARE, seen(empty=1.0))


def test_what_is_foreign_is_added_to_what_is_empty() -> None:
    before = seen(empty=0.25, foreign=0.5, w1=0.25)
    np.testing.assert_array_equal(merge_foreign(before), seen(empty=0.75, w1=0.25))
    np.testing.assert_array_equal(before, seen(empty=0.25, foreign=0.5, w1=0.25))


def test_without_the_giants_two_crowns_count_as_one() -> None:
    before = seen(w1=0.25, w2=0.5, f2=0.125, l2=0.0625, g2=0.0625)
    merged = merge_foreign(before, giants=False)
    np.testing.assert_array_equal(merged, seen(w1=0.75, f1=0.125, l1=0.0625, g2=0.0625))
    np.testing.assert_array_equal(before, seen(w1=0.25, w2=0.5, f2=0.125, l2=0.0625, g2=0.0625))


def test_any_number_of_cells_is_merged() -> None:
    many = np.stack([seen(foreign=1.0), seen(w=1.0)])
    merged = merge_foreign(many)
    np.testing.assert_array_equal(merged, np.stack([seen(empty=1.0), seen(w=1.0)]))


def test_the_largest_share_names_the_label() -> None:
    assert most_probable(seen(empty=0.3, w1=0.4, c=0.3)) == "w1"
    assert most_probable(merge_foreign(seen(foreign=0.35, empty=0.2, w1=0.45))) == "."
