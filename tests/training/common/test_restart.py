"""A training that starts from other weights starts with their outputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.common.network import Network, shipped_weights
from vision.kingdomino.labels import OUTPUTS

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

import torch

from training.common.loop import save_onnx
from training.common.onnx_weights import blend, read_weights, restart
from training.kingdomino.networks import SquareClassifier

SHIPPED = (shipped_weights() / "squares.onnx").read_bytes()


def started(weights: bytes) -> tuple[SquareClassifier, torch.Tensor]:
    torch.manual_seed(1)
    network = SquareClassifier(len(OUTPUTS))
    patches = torch.rand(48, 3, 64, 64) - 0.5
    restart(network, read_weights(weights), [patches])
    return network, patches


def test_the_outputs_are_those_of_the_file() -> None:
    network, patches = started(SHIPPED)
    with torch.no_grad():
        now = network.eval()(patches).numpy()
    np.testing.assert_allclose(now, Network(SHIPPED)(patches.numpy()), atol=1e-4)


def test_in_training_too_but_for_the_dropout() -> None:
    network, patches = started(SHIPPED)
    network.train()
    network.drop.p = 0.0
    with torch.no_grad():
        now = network(patches).numpy()
    np.testing.assert_allclose(now, Network(SHIPPED)(patches.numpy()), atol=2e-3)


@pytest.mark.filterwarnings("ignore")
def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    narrow = SquareClassifier(len(OUTPUTS), widths=(8, 8, 8, 8))
    out = tmp_path / "narrow.onnx"
    save_onnx(narrow, torch.zeros(1, 3, 64, 64), out, dynamic_size=False)
    with pytest.raises(ValueError, match="expected weights"):
        started(out.read_bytes())


@pytest.mark.filterwarnings("ignore")
def test_blended_weights_lie_between(tmp_path: Path) -> None:
    patches = np.random.default_rng(3).uniform(-0.5, 0.5, (4, 3, 64, 64)).astype(np.float32)
    network, _ = started(SHIPPED)
    with torch.no_grad():
        network.head.bias += 1.0
    path = tmp_path / "after.onnx"
    save_onnx(network, torch.zeros(1, 3, 64, 64), path, dynamic_size=False)
    after = path.read_bytes()
    first = Network(SHIPPED)(patches)
    for kept in (0.0, 0.25, 1.0):
        mixed = Network(blend(SHIPPED, after, kept))(patches)
        np.testing.assert_allclose(mixed, first + (1 - kept), atol=1e-3)
