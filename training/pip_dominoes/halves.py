"""Train the network that reads halves: ``python -m training.pip_dominoes.halves``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import IterableDataset

from training.common.loop import Schedule, build_parser, train_network
from training.pip_dominoes.corpus import StoredScene, load_scenes
from training.pip_dominoes.cuts import draw_samples, half_sample, seeded
from training.pip_dominoes.networks import HalfReader, add_resume, start
from training.pip_dominoes.photographs import add_photographs, photographs_of
from vision.pip_dominoes.weights import HALF_CLASSES, HALF_PX

__all__: list[str] = []

NONE_SHARE = 0.12


class _Halves(IterableDataset[tuple[Tensor, int]]):
    """Endless patches; each worker draws from its own seeded stream."""

    def __init__(
        self, scenes: Sequence[StoredScene], seed: int, photographs: Sequence[StoredScene] = ()
    ) -> None:
        self.scenes, self.seed, self.photographs = scenes, seed, photographs

    def __iter__(self) -> Iterator[tuple[Tensor, int]]:
        info = torch.utils.data.get_worker_info()
        rng = seeded(self.seed + 1000, info.id if info else 0)
        for rgb, drawn, corners in draw_samples(self.scenes, NONE_SHARE, rng, self.photographs):
            patch, label = half_sample(rgb, drawn, corners, rng)
            yield torch.from_numpy(patch.transpose(2, 0, 1).copy()), label


def _loss(logits: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, dict[str, float]]:
    (label,) = truth
    loss = functional.cross_entropy(logits, label, label_smoothing=0.02)
    return loss, {
        "loss": loss.item(),
        "right": (logits.argmax(1) == label).float().mean().item(),
    }


def main() -> None:
    """Train on stored scenes and write the weights."""
    options = build_parser(__doc__, steps=5000, batch=96)
    add_resume(options)
    add_photographs(options)
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    network = HalfReader(HALF_CLASSES)
    photographs = photographs_of(chosen)
    views = _Halves(load_scenes(chosen.data), chosen.seed, photographs)
    start(network, views, chosen.resume)
    train_network(
        network,
        views,
        _loss,
        chosen.out,
        Schedule(
            chosen.steps, chosen.batch, chosen.seed, chosen.workers,
            warm_share=0.1, weight_decay=1e-2, rate=chosen.rate, mean_decay=chosen.mean_decay,
        ),
        example=torch.zeros(1, 3, HALF_PX, HALF_PX),
        dynamic_size=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
