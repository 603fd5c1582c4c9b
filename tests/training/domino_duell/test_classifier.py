from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scorer.domino_duell import STONES  # noqa: E402 after torch is known to be there
from tests.training.sources import source_of  # noqa: E402
from training.common.recipe import load_recipes  # noqa: E402
from training.domino_duell.classifier import (  # noqa: E402
    TOKENS,
    Reading,
    columns_of,
    fitted_temperature,
    loss_of,
)
from training.domino_duell.scenes import Boards, stored_boards  # noqa: E402
from vision.domino_duell.weights import EMPTY, NOTHING, OUTPUTS, STONE  # noqa: E402


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Boards:
    folder: Path = tmp_path_factory.mktemp("boards")
    return stored_boards(folder, 2, seed=5)


def test_all_stones_of_a_board_are_shown(boards: Boards) -> None:
    options = load_recipes()["domino_duell"].options
    task = Reading(source_of(), options)
    task.boards = boards
    stream = task.examples(np.random.default_rng(0), options)
    for _ in range(4):
        patches, positions, truth = next(stream)
        assert patches.shape == (TOKENS, 3, 32, 32)
        assert positions.shape == (TOKENS, 13)
        assert float(patches.abs().max()) <= 0.5
        content = torch.from_numpy(truth[:, 0])
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


def test_the_temperature_makes_probabilities_as_often_right_as_they_say() -> None:
    rng = np.random.default_rng(5)
    sure = np.log(np.array([0.7, 0.1, 0.1, 0.1]))
    truth = np.full((4000, 4), -1)
    truth[:, 0] = rng.choice([0, 1, 3], size=4000, p=[7 / 9, 1 / 9, 1 / 9])
    logits = np.zeros((4000, OUTPUTS))
    logits[:, :4] = sure
    logits[:, STONE] = -40
    temperature = fitted_temperature(3.0 * logits, columns_of(truth))
    assert temperature == pytest.approx(3.0, rel=0.1)
    assert columns_of(np.array([[STONE, 1, 2, 3], [3, -1, -1, -1]])).tolist() == [27, 66]
