"""Pairing squares just as they were seen."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer.kingdomino import BASE_DOMINOES, Position
from vision.kingdomino.settling import can_be_paired

BOX = Counter(
    (min(pair), max(pair)) for pair in ((str(d.left), str(d.right)) for d in BASE_DOMINOES)
)


def kingdom(*rows: str) -> dict[Position, str]:
    return {
        (r, c): label
        for r, row in enumerate(rows)
        for c, label in enumerate(row.split())
        if label not in (".", "c")
    }


@pytest.mark.parametrize(
    ("rows", "paired"),
    [
        (("c f1 w",), True),
        (("f1 c w",), False),
        (("f1 w f",), False),
        (("w w w w", "c f f ."), True),
        (("w w w w", "c w w ."), False),
        # Only the middle pairs as m3 with w; the box has it once.
        (("m3 w",), True),
        (("m3 w", "w m3"), False),
        # The first that fits leads nowhere: w beside f1 must take the w below.
        (("f1 w", "w w1"), False),
        (("f1 w", "w f"), True),
        # One above the other, and not with a gap between.
        (("f1", "w"), True),
        (("f1", ".", "w"), False),
    ],
)
def test_squares_that_are_dominoes_of_the_box(rows: tuple[str, ...], paired: bool) -> None:
    assert can_be_paired([kingdom(*rows)], BOX) is paired


def test_a_domino_lies_in_one_kingdom_only() -> None:
    one = kingdom("c m3 w")
    assert can_be_paired([one], BOX)
    assert not can_be_paired([one, one], BOX)


def test_squares_beyond_the_steps_are_not_told() -> None:
    many = kingdom("w w w w", "w w w w")
    assert can_be_paired([{}], BOX)
    assert can_be_paired([kingdom("w w w w")], BOX)
    assert not can_be_paired([many], {("w", "w"): 4}, max_steps=3)
    assert can_be_paired([many], {("w", "w"): 4}, max_steps=4)


def test_a_way_that_leads_nowhere_gives_its_dominoes_back() -> None:
    """Only upright do the six squares fit, after a try that used a domino of wheat."""
    six = kingdom("w f w", "w f w")
    assert can_be_paired([six], {("w", "w"): 2, ("f", "w"): 1, ("f", "f"): 1})


def test_the_supply_is_not_used_up() -> None:
    box = {("f1", "w"): 1}
    assert can_be_paired([kingdom("f1 w")], box)
    assert box == {("f1", "w"): 1}


@pytest.mark.parametrize("row", ["f w", "w f"])
def test_only_a_domino_with_both_labels_pairs_two_squares(row: str) -> None:
    squares = kingdom(row)
    assert can_be_paired([squares], {("f", "w"): 1})
    assert not can_be_paired([squares], {("f", "f"): 1, ("w", "w"): 1})
