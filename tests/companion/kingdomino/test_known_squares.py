from __future__ import annotations

from tests.companion.kingdomino.squares import few_squares


def test_they_are_of_nearly_all_samples_and_labels() -> None:
    few = few_squares()
    assert len(set(few.sessions)) >= 8
    assert len(few) >= 75
    assert {"c", "w", "f", "l", "g", "s", "m"} <= {label[0] for label in few.labels}
