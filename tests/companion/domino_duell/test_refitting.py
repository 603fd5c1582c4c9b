from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.companion.domino_duell.boards import (
    corrected_hollows,
    few_known,
    hollows_read,
    new_boards,
)
from vision.common.network import shipped_weights
from vision.common.refit import Held, LabelledSquares, Refit, RefitSettings
from vision.domino_duell.refit import KnownBoard, read_known, refit
from vision.domino_duell.weights import NOTHING, Head, Weights, network_of

WEIGHTS = Weights.load()
NETWORK = network_of(shipped_weights())
QUICK = RefitSettings(folds=3, penalties=(10.0, 1000.0))


@cache
def taught() -> Refit[Head]:
    return refit(WEIGHTS, NETWORK, corrected_hollows(), few_known(), QUICK)


def counted(weights: Weights, boards: Sequence[KnownBoard]) -> tuple[int, int]:
    """Hollows read wrongly, and those of them without a flag."""
    missed = [
        hollow
        for board in boards
        for hollow, true in zip(hollows_read(weights, board.patches), board.pieces, strict=True)
        if hollow.piece != true
    ]
    return len(missed), sum(not hollow.doubtful for hollow in missed)


def test_boards_of_the_same_make_are_read_better_and_others_as_before() -> None:
    found = taught()
    assert found.refused == ""
    assert found.before is not None
    assert found.after is not None
    assert found.after.wrong < found.before.wrong
    assert found.after.surely_wrong < found.before.surely_wrong
    wrong, silent = counted(WEIGHTS, new_boards())
    better, still = counted(replace(WEIGHTS, head=found.head), new_boards())
    assert wrong >= 10
    assert better < 0.85 * wrong
    assert still <= silent
    assert found.known_before == read_known(WEIGHTS, few_known()[1])
    assert found.known_after == read_known(replace(WEIGHTS, head=found.head), few_known()[1])


def test_whether_a_hollow_is_there_is_not_changed() -> None:
    assert not taught().head.weight[NOTHING].any()
    assert taught().head.bias[NOTHING] == 0


def test_wrong_labels_teach_nothing() -> None:
    hollows = corrected_hollows()
    labels = tuple(np.random.default_rng(1).permutation(hollows.labels))
    wrong = LabelledSquares(hollows.patches, labels, hollows.sessions)
    assert refit(WEIGHTS, NETWORK, wrong, few_known(), QUICK).refused == "mostly_wrong"


def test_drawn_boards_must_not_become_worse_and_the_same_hollows_give_the_same_layer() -> None:
    strict = replace(QUICK, max_loss=-1.0)
    found = refit(WEIGHTS, NETWORK, corrected_hollows(), few_known(), strict)
    assert found.refused == "known_worse"
    np.testing.assert_array_equal(found.head.weight, taught().head.weight)
    assert found.head.network == NETWORK


@pytest.mark.parametrize("change", [{"min_squares": 1000}, {"min_sessions": 100}])
def test_too_few_change_nothing(change: dict[str, int]) -> None:
    settings = replace(QUICK, **change)  # type: ignore[arg-type]
    found = refit(WEIGHTS, NETWORK, corrected_hollows(), few_known(), settings)
    assert found.refused == "too_few"
    assert not found.head.weight.any()


def test_wrong_and_silent_hollows_of_boards_are_counted() -> None:
    board = few_known()[1][0]
    assert read_known(WEIGHTS, [board]).wrong == 0
    shifted = KnownBoard(board.patches, board.pieces[1:] + board.pieces[:1])
    found = read_known(WEIGHTS, [shifted])
    assert found.wrong > 20
    assert 0 < found.surely_wrong <= found.wrong
    assert found.loss > 1
    assert read_known(WEIGHTS, []) == Held(0, 0, 0.0)
