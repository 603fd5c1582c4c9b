"""The rows and columns of a reading, and those that may lie hidden beside it."""

from __future__ import annotations

import pytest

from vision.kingdomino.detect.contact import smallest_extent, with_hidden_edges

Cells = list[tuple[int, int]]
FOUR_ROWS = [(r, c) for r in range(4) for c in range(5)]


def grown(occupied: Cells, hidden: Cells) -> tuple[int, int, int, int]:
    extent = smallest_extent(occupied)
    assert extent is not None
    return with_hidden_edges(extent, occupied, hidden, 5, 7)


def test_the_smallest_extent_holds_all_positions() -> None:
    assert smallest_extent([(1, -2), (3, 0)]) == (1, -2, 3, 3)
    assert smallest_extent([]) is None


@pytest.mark.parametrize(
    ("hidden", "extent"),
    [
        ([], (0, 0, 4, 5)),
        ([(-1, 1)], (-1, 0, 5, 5)),
        ([(4, 2)], (0, 0, 5, 5)),
        # More is hidden above; a kingdom of five rows has no room for both.
        ([(4, 2), (-1, 1), (-1, 2)], (-1, 0, 5, 5)),
        # Beyond five squares across nothing is expected.
        ([(1, 5)], (0, 0, 4, 5)),
        # Two steps away, and beside a corner alone.
        ([(5, 1), (-2, 0)], (0, 0, 4, 5)),
        ([(4, 5)], (0, 0, 4, 5)),
        # Within the extent already.
        ([(2, 2)], (0, 0, 4, 5)),
    ],
)
def test_a_kingdom_may_go_on_into_what_is_hidden_beside_it(
    hidden: Cells, extent: tuple[int, int, int, int]
) -> None:
    assert grown(FOUR_ROWS, hidden) == extent


def test_to_the_left_as_well() -> None:
    assert grown([(0, 0), (0, 1)], [(0, -1)]) == (0, -1, 1, 3)


def test_a_large_kingdom_may_go_on_to_seven_squares() -> None:
    six = [(0, c) for c in range(6)]
    assert grown(six, [(0, 6), (1, 2)]) == (0, 0, 2, 7)
    assert grown([*six, (0, 6)], [(0, 7)]) == (0, 0, 1, 7)
