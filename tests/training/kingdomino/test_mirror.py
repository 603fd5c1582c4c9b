"""Examples of squares and their mirror images, and what they teach."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from tests.training.kingdomino.drawn_tiles import drawn_tiles

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

import torch

from training.common.loop import Schedule
from training.kingdomino import mirror
from training.kingdomino.networks import MirrorNetwork


def bank(*, of_the_game: bool) -> mirror.SquareBank:
    squares = drawn_tiles().squares
    return mirror.SquareBank(
        tuple((picture, label) for label, (picture,) in squares.items()), 1.0, of_the_game
    )


@pytest.mark.parametrize("of_the_game", [True, False])
def test_every_square_is_followed_by_its_mirror_image(of_the_game: bool) -> None:
    stream = mirror._Pairs([bank(of_the_game=of_the_game)], 1, 5)
    examples = list(islice(stream, 40))
    for (plain, label, told), (flipped, same, also) in zip(
        examples[::2], examples[1::2], strict=True
    ):
        np.testing.assert_array_equal(flipped.numpy(), plain.numpy()[:, :, ::-1])
        assert told == also == of_the_game
        assert label == same
        assert (
            mirror.NAMES[label] in drawn_tiles().squares if of_the_game else label == mirror.NO_NAME
        )


def outputs(plain: float, flipped: float) -> torch.Tensor:
    rows = torch.zeros(2, 1 + len(mirror.NAMES))
    rows[0, 0], rows[1, 0] = plain, flipped
    return rows


def loss(plain: float, flipped: float, told: float) -> float:
    truth = [torch.tensor([2, 2]), torch.tensor([told, told])]
    return float(mirror._figures(outputs(plain, flipped), truth)[0])


def test_what_is_learnt_is_the_difference() -> None:
    assert loss(0, 2, 1) < loss(0, 1, 1) < loss(0, 0, 1) < loss(1, 0, 1)
    assert loss(3, 5, 1) == pytest.approx(loss(0, 2, 1))


def test_of_other_squares_it_learns_to_say_nothing() -> None:
    assert loss(1, 1, 0) < loss(0, 1, 0)
    assert loss(1, 0, 0) == pytest.approx(loss(0, 1, 0))


def test_names_are_learnt_in_training_only() -> None:
    network = MirrorNetwork(len(mirror.NAMES))
    squares = torch.zeros(2, 3, 48, 48)
    assert network(squares).shape == (2, 1 + len(mirror.NAMES))
    assert network.eval()(squares).shape == (2, 1)


def test_an_odd_batch_has_no_pairs(tmp_path: Path) -> None:
    schedule = Schedule(1, 3, seed=1, workers=0, warm_share=0.5, weight_decay=0.0)
    with pytest.raises(ValueError, match="even number, got 3"):
        mirror.train([bank(of_the_game=True)], tmp_path / "out.onnx", schedule)
