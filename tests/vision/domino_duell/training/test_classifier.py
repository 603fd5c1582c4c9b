from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.domino_duell.labels import NOTHING, OUTPUTS, STONE  # noqa: E402 after torch is known to be there
from vision.domino_duell.synthesis.scene import SceneSettings  # noqa: E402
from vision.domino_duell.training.calibrate import columns_of, fitted_temperature  # noqa: E402
from vision.domino_duell.training.classifier import (  # noqa: E402
    Classifier,
    loss_of,
    scene_patches,
    varied,
)


def test_patches_of_a_scene_have_their_truth() -> None:
    patches, truth = scene_patches(np.random.default_rng(0), SceneSettings())
    assert patches.shape == (len(truth), 32, 32, 3)
    assert truth.shape == (len(truth), 4)
    assert (truth[:, 0] == NOTHING).sum() >= 10
    assert ((truth[:, 1:] >= 0).all(1) == (truth[:, 0] == STONE)).all()


def test_the_loss_asks_only_heads_that_have_a_truth() -> None:
    logits = torch.zeros(2, OUTPUTS)
    logits[0, 3] = 30.0
    truth = torch.tensor([[3, -1, -1, -1], [3, -1, -1, -1]])
    loss, figures = loss_of(logits[:1], [truth[:1]])
    assert figures["right"] == 1.0
    other = logits[:1].clone()
    other[0, 4:] = torch.randn(12)
    assert float(loss_of(other, [truth[:1]])[0]) == pytest.approx(float(loss))


def test_the_network_has_an_output_for_each_value() -> None:
    assert Classifier().eval()(torch.zeros(3, 3, 32, 32)).shape == (3, OUTPUTS)


def test_variation_keeps_size_and_kind() -> None:
    patch = np.random.default_rng(0).integers(0, 256, (32, 32, 3)).astype(np.uint8)
    found = varied(patch, np.random.default_rng(1))
    assert found.shape == patch.shape
    assert found.dtype == np.uint8


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
