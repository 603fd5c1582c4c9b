from __future__ import annotations

from scorer.pip_dominoes import Place, rank


def test_equal_totals_share_a_place_and_the_next_is_skipped() -> None:
    totals = {"Anna": 210, "Ben": 187, "Cleo": 187}
    assert rank(totals, lowest_wins=True) == (
        Place("Ben", 1, 187),
        Place("Cleo", 1, 187),
        Place("Anna", 3, 210),
    )
    assert rank(totals, lowest_wins=False) == (
        Place("Anna", 1, 210),
        Place("Ben", 2, 187),
        Place("Cleo", 2, 187),
    )


def test_nobody() -> None:
    assert rank({}, lowest_wins=True) == ()
