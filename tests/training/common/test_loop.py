"""The training loop: it learns, and the same seed gives the same weights."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.common.network import Network

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from torch.utils.data import IterableDataset  # noqa: E402

from training.common.loop import Schedule, train_network  # noqa: E402


class BrightOrDark(IterableDataset):
    """Endless pictures of one grey, labelled 1 where they are bright."""

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        rng = np.random.default_rng(7)
        while True:
            label = int(rng.integers(2))
            grey = 60 + 130 * label + int(rng.integers(-40, 40))
            yield torch.full((3, 8, 8), grey, dtype=torch.uint8), torch.tensor(label)


def loss_of(logits: Any, truth: Sequence[Any]) -> tuple[Any, dict[str, float]]:
    loss = torch.nn.functional.cross_entropy(logits, truth[0])
    return loss, {"loss": loss.item()}


def weights(path: Path, seed: int) -> bytes:
    torch.manual_seed(seed)
    network = torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3, 2), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(36, 2)
    )
    schedule = Schedule(400, 16, seed, 0, warm_share=0.15, weight_decay=0.01)
    example = torch.zeros(1, 3, 8, 8)
    train_network(
        network, BrightOrDark(), loss_of, path, schedule, example=example, dynamic_size=False
    )
    return path.read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_what_was_learnt_is_read_by_opencv_and_comes_again(tmp_path: Path) -> None:
    first = weights(tmp_path / "first.onnx", seed=3)
    batch = np.full((2, 3, 8, 8), -0.3, np.float32)
    batch[1] = 0.3
    assert Network(first)(batch).argmax(1).tolist() == [0, 1]
    assert weights(tmp_path / "again.onnx", seed=3) == first
    assert weights(tmp_path / "other.onnx", seed=4) != first
