from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scorer.domino_duell import STONES  # noqa: E402 after torch is known to be there
from training.domino_duell.boards import Boards, draw_boards  # noqa: E402
from training.domino_duell.classifier import (  # noqa: E402
    TOKENS,
    examples,
    loss_of,
    main,
)
from vision.domino_duell.weights import EMPTY, NOTHING, OUTPUTS, Weights  # noqa: E402


@pytest.fixture(scope="module")
def boards() -> Boards:
    return draw_boards(2, seed=5)


def test_all_stones_of_a_board_are_shown(boards: Boards) -> None:
    stream = examples(boards, np.random.default_rng(0))
    for _ in range(4):
        patches, positions, truth = next(stream)
        assert patches.shape == (TOKENS, 3, 32, 32)
        assert positions.shape == (TOKENS, 13)
        assert float(patches.abs().max()) <= 0.5
        content = truth[:, 0]
        lying = int(((content != EMPTY) & (content != NOTHING)).sum())
        counts = [((each[:, 0] != EMPTY) & (each[:, 0] != NOTHING)).sum() for each in boards.truth]
        assert lying in counts
        assert int((content == NOTHING).sum()) >= 4
    assert len(STONES) + 4 <= TOKENS


def test_the_loss_asks_only_heads_that_have_a_truth() -> None:
    logits = torch.zeros(2, OUTPUTS)
    logits[0, 3] = 30.0
    truth = torch.tensor([[3, -1, -1, -1], [3, -1, -1, -1]])
    loss, right = loss_of(logits[:1], truth[:1])
    assert right.tolist() == [True]
    other = logits[:1].clone()
    other[0, 4:] = torch.randn(12)
    assert float(loss_of(other, truth[:1])[0]) == pytest.approx(float(loss))


@pytest.mark.filterwarnings("ignore")
def test_a_training_gives_weights_that_read(tmp_path: Path, boards: Boards) -> None:
    pool = tmp_path / "pool.npz"
    np.savez(pool, patches=boards.patches, truth=boards.truth, places=boards.places)
    main([str(tmp_path), "--pool", str(pool), "--steps", "2", "--batch", "2"])
    (tmp_path / "domino_duell.json").write_text('{"temperature": 2.0}', encoding="utf-8")
    weights = Weights.load(tmp_path)
    found = weights.board_logits(boards.patches[0], boards.places[0].astype(float))
    assert found.shape == (len(boards.places[0]), OUTPUTS)
    main([str(tmp_path), "--pool", str(pool), "--steps", "2", "--batch", "2"])
    again = Weights.load(tmp_path).board_logits(boards.patches[0], boards.places[0].astype(float))
    np.testing.assert_array_equal(again, found)
