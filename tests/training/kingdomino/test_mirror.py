"""Examples of squares and their mirror images, and what they teach."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tests.training.kingdomino.drawn_tiles import drawn_tiles

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

import torch

from tests.training.sources import source_of
from training.common.recipe import load_recipes
from training.kingdomino import mirror
from training.kingdomino.mirror import Mirrored, MirrorNetwork

OPTIONS = {**load_recipes()["mirrored"].options, "waiting": 5}


def bank(*, of_the_game: bool) -> mirror.SquareBank:
    squares = drawn_tiles().squares
    return mirror.SquareBank(
        tuple((picture, label) for label, (picture,) in squares.items()), 1.0, of_the_game
    )


@pytest.mark.parametrize("of_the_game", [True, False])
def test_every_square_is_followed_by_its_mirror_image(of_the_game: bool) -> None:
    task = Mirrored(source_of(), OPTIONS, [bank(of_the_game=of_the_game)])
    examples = list(islice(task.examples(np.random.default_rng(1), OPTIONS), 40))
    for (plain, label, told), (flipped, same, also) in zip(
        examples[::2], examples[1::2], strict=True
    ):
        np.testing.assert_array_equal(flipped, plain[:, :, ::-1])
        assert told == also == of_the_game
        assert label == same
        assert (
            mirror.NAMES[label] in drawn_tiles().squares if of_the_game else label == mirror.NO_NAME
        )


class Fixed(torch.nn.Module):
    """Says the same of everything."""

    def __init__(self, said: torch.Tensor) -> None:
        super().__init__()
        self.said = said

    def forward(self, _: torch.Tensor) -> torch.Tensor:
        return self.said


def outputs(plain: float, flipped: float) -> torch.Tensor:
    rows = torch.zeros(2, 1 + len(mirror.NAMES))
    rows[0, 0], rows[1, 0] = plain, flipped
    return rows


def loss(plain: float, flipped: float, told: float) -> float:
    task = Mirrored(source_of(), OPTIONS, [bank(of_the_game=True)])
    pictures = torch.zeros(2, 3, 48, 48, dtype=torch.uint8)
    batch = [pictures, torch.tensor([2, 2]), torch.tensor([told, told])]
    said = Fixed(outputs(plain, flipped))
    return float(task.loss(said, batch)[0])


def test_what_is_learnt_is_the_difference() -> None:
    assert loss(0, 2, 1) < loss(0, 1, 1) < loss(0, 0, 1) < loss(1, 0, 1)
    assert loss(3, 5, 1) == pytest.approx(loss(0, 2, 1))


def test_of_other_squares_it_learns_to_say_nothing() -> None:
    assert loss(1, 1, 0) < loss(0, 1, 0)
    assert loss(1, 0, 0) == pytest.approx(loss(0, 1, 0))


def test_names_are_learnt_in_training_only() -> None:
    network = MirrorNetwork()
    squares = torch.zeros(2, 3, 48, 48)
    assert network(squares).shape == (2, 1 + len(mirror.NAMES))
    assert network.eval()(squares).shape == (2, 1)


def test_an_odd_batch_has_no_pairs() -> None:
    task = Mirrored(source_of(), OPTIONS, [bank(of_the_game=True)])
    pictures = torch.zeros(3, 3, 48, 48, dtype=torch.uint8)
    with pytest.raises(ValueError, match="even number, got 3"):
        task.loss(task.network(), [pictures, torch.zeros(3), torch.zeros(3)])
