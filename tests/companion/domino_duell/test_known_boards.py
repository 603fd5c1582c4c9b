from __future__ import annotations

import numpy as np

from vision.domino_duell.refit import drawn_board, known_boards


def test_they_are_the_same_each_time_and_all_different() -> None:
    held, judged = known_boards(2)
    assert len(held) == len(judged) == 2
    boards = [*held, *judged]
    assert len({board.patches.tobytes() for board in boards}) == 4
    again = known_boards(2)[1][1]
    np.testing.assert_array_equal(again.patches, judged[1].patches)
    assert again.pieces == judged[1].pieces


def test_a_hollow_has_a_patch_and_a_truth() -> None:
    board = drawn_board([5, 1])
    assert board.patches.shape == (102, 32, 32, 3)
    assert len(board.pieces) == 102
