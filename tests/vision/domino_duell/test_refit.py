"""The last layer fitted to corrected hollows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scorer.domino_duell import JOKER, STONES, Piece, Stone
from tests.vision.domino_duell.boards import corrected_hollows, few_known, hollows_read, new_boards
from training.domino_duell import known
from training.domino_duell.known import drawn_board
from vision.common.network import MODELS, shipped_weights
from vision.common.refit import Figures, LabelledSquares, Refit, RefitSettings
from vision.domino_duell.refit import (
    KNOWN,
    PIECES,
    KnownBoard,
    _fitted,
    _Seen,
    known_boards,
    read_folder,
    read_known,
    refit,
)
from vision.domino_duell.weights import HEADS, NOTHING, Head, Weights, network_of, truth_of


def test_half_of_the_known_boards_are_to_fit_to_and_half_to_judge_by() -> None:
    held, judged = known_boards()
    assert len(held) == len(judged) == 12
    boards = [*held, *judged]
    assert len({board.patches.tobytes() for board in boards}) == 24
    assert {board.patches.shape for board in boards} == {(102, 32, 32, 3)}
    assert {len(board.pieces) for board in boards} == {102}
    few = known_boards(2)
    assert [len(each) for each in few] == [2, 2]
    np.testing.assert_array_equal(few[1][1].patches, judged[1].patches)


def test_the_known_boards_are_those_that_the_command_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[KnownBoard]()

    def noted(seed: Sequence[int]) -> KnownBoard:
        drawn.append(drawn_board(seed))
        return drawn[-1]

    monkeypatch.setattr(known, "drawn_board", noted)
    monkeypatch.setattr(known, "BOARDS", 2)
    known.main([str(tmp_path / KNOWN)])
    monkeypatch.setenv(MODELS, str(tmp_path))
    again = [*known_boards()[0], *known_boards()[1]]
    monkeypatch.delenv(MODELS)
    shipped = [boards[0] for boards in known_boards(1)]
    for true, kept, there in zip(drawn, again, shipped, strict=True):
        assert true.pieces == kept.pieces == there.pieces
        for other in (kept, there):
            off = np.abs(true.patches.astype(int) - other.patches)
            assert off.mean() < 3


def test_the_labels_are_those_that_are_kept() -> None:
    assert len(PIECES) == 66
    assert PIECES["rcw"] == Stone.parse("rcw")
    assert PIECES["joker"] is JOKER
    assert PIECES["."] is None


def test_pictures_become_patches_of_the_reader(tmp_path: Path) -> None:
    Image.new("RGB", (64, 64), (200, 30, 30)).save(tmp_path / "red.png")
    table = "file,label,source_photo,session\n"
    table += "red.png,rcw,p,a\nred.png,joker,p,a\nred.png,.,p,b\nred.png,w1,p,b\n"
    (tmp_path / "labels.csv").write_text(table, encoding="utf-8")
    found = read_folder(tmp_path)
    assert found.labels == ("rcw", "joker", ".")
    assert found.sessions == ("a", "a", "b")
    assert found.left_out == 1
    assert found.patches.shape == (3, 32, 32, 3)
    np.testing.assert_array_equal(found.patches[0, 7, 7], (200, 30, 30))


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_whether_a_hollow_is_there_is_not_changed() -> None:
    assert not taught().head.weight[NOTHING].any()
    assert taught().head.bias[NOTHING] == 0


@pytest.mark.slow
def test_wrong_labels_teach_nothing() -> None:
    hollows = corrected_hollows()
    labels = tuple(np.random.default_rng(1).permutation(hollows.labels))
    wrong = LabelledSquares(hollows.patches, labels, hollows.sessions)
    assert refit(WEIGHTS, NETWORK, wrong, few_known(), QUICK).refused == "mostly_wrong"


@pytest.mark.slow
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


ONE_OF_EACH: tuple[Piece | None, ...] = (STONES[0], JOKER, None)


def test_each_output_is_taught_by_the_stones_that_have_it() -> None:
    """The first of its kind too; what is no stone says nothing of colours and symbols."""
    truths = np.array([truth_of(piece) for piece in ONE_OF_EACH])
    seen = _Seen(np.zeros((8, 3, 16)), np.zeros((8, 3, 96)), truths)
    missing = seen.missing(1.0).reshape(8, 3, 16)
    for number, head in enumerate(HEADS):
        taught = missing[:, :, head]
        for row, true in enumerate(truths[:, number]):
            assert taught[:, row].any() == (true >= 0), (number, row)
            if true >= 0:
                assert (taught[:, row].argmax(1) == true).all()
    assert not missing[..., NOTHING].any()


def test_a_layer_is_fitted_for_the_network_that_was_asked_for() -> None:
    features = np.random.default_rng(1).normal(size=(8, 3, 96))
    truths = np.array([truth_of(piece) for piece in ONE_OF_EACH])
    head = _fitted([_Seen(np.zeros((8, 3, 16)), features, truths)], "of then", 1.0, QUICK)
    assert head.network == "of then"
    assert head.added(features)[:, 0, HEADS[1]].mean(0).argmax() == truths[0, 1]


def test_wrong_and_silent_hollows_of_boards_are_counted() -> None:
    board = few_known()[1][0]
    assert read_known(WEIGHTS, [board]).wrong == 0
    shifted = KnownBoard(board.patches, board.pieces[1:] + board.pieces[:1])
    found = read_known(WEIGHTS, [shifted])
    assert found.wrong > 20
    assert 0 < found.surely_wrong <= found.wrong
    assert found.loss > 1
    assert read_known(WEIGHTS, []) == Figures(0, 0, 0.0)
