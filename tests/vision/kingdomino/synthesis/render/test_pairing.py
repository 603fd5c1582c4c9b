"""Pairing the squares of a kingdom as dominoes to draw."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.kingdomino import Kingdom
from training.kingdomino.render.tiles import pair_squares


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("w w/c .", {(1, 0)}),
        ("w f l/g c s/m w f", {(1, 1)}),
        ("w . w/. c .", {(0, 0), (0, 2), (1, 1)}),
        ("w1! w c", {(0, 2)}),
        ("c", {(0, 0)}),
    ],
)
def test_every_square_once_and_as_many_pairs_as_possible(
    text: str, alone: set[tuple[int, int]]
) -> None:
    kingdom = Kingdom.parse(text)
    for seed in range(5):
        groups = pair_squares(kingdom, np.random.default_rng(seed))
        cells = [cell for group in groups for cell in group]
        assert len(cells) == len(set(cells))
        assert all(not kingdom[cell].is_empty for cell in cells)
        assert {group[0] for group in groups if len(group) == 1} == alone
        for (row, column), (other_row, other_column) in (g for g in groups if len(g) == 2):
            assert abs(row - other_row) + abs(column - other_column) == 1


def test_pairs_of_the_box_come_first() -> None:
    """m3 is printed beside wheat alone, whatever else it could be joined with."""
    kingdom = Kingdom.parse("w m3/l l")
    for seed in range(10):
        groups = {frozenset(group) for group in pair_squares(kingdom, np.random.default_rng(seed))}
        assert groups == {frozenset({(0, 0), (0, 1)}), frozenset({(1, 0), (1, 1)})}
