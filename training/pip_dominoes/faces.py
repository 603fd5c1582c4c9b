"""Train the network that finds pips: ``python -m training.pip_dominoes.faces``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import IterableDataset

from training.common.loop import Schedule, build_parser, train_network
from training.pip_dominoes.corpus import StoredScene, load_scenes
from training.pip_dominoes.cuts import draw_samples, face_sample, seeded
from training.pip_dominoes.networks import FaceReader, add_resume, start
from training.pip_dominoes.photographs import add_photographs, photographs_of
from vision.pip_dominoes.weights import CLASSES, CORNERS, FACE_OTHERS, FACE_PX, PIP_MAP_PX, PIP_MAPS

__all__: list[str] = []

NONE_SHARE = 0.14
PIP_VALUES = PIP_MAPS * PIP_MAP_PX[0] * PIP_MAP_PX[1]


class _Faces(IterableDataset[tuple[Tensor, Tensor, Tensor, int]]):
    """Endless patches; each worker draws from its own seeded stream."""

    def __init__(
        self, scenes: Sequence[StoredScene], seed: int, photographs: Sequence[StoredScene] = ()
    ) -> None:
        self.scenes, self.seed, self.photographs = scenes, seed, photographs

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor, int]]:
        info = torch.utils.data.get_worker_info()
        rng = seeded(self.seed, info.id if info else 0)
        for rgb, drawn, corners in draw_samples(
            self.scenes, NONE_SHARE, rng, self.photographs, with_pips=True
        ):
            patch, heat, off, kind = face_sample(rgb, drawn, corners, rng)
            yield (
                torch.from_numpy(patch.transpose(2, 0, 1).copy()),
                torch.from_numpy(heat),
                torch.from_numpy(off),
                kind,
            )


def _loss(rows: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Penalty-reduced focal loss of the pips, smooth L1 of the corners, cross-entropy of kinds."""
    heat, off, kind = truth
    logit = rows[:, :PIP_VALUES].reshape(heat.shape)
    whole = rows[:, PIP_VALUES:]
    p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit = (heat == 1).float()
    positive = -((1 - p) ** 2) * functional.logsigmoid(logit) * hit
    negative = -((1 - heat) ** 4) * p**2 * functional.logsigmoid(-logit) * (1 - hit)
    pips = (positive.sum() + negative.sum()) / hit.sum().clamp(min=1)
    face = (kind > 0).float()[:, None]
    apart = functional.smooth_l1_loss(whole[:, CORNERS], off, beta=0.05, reduction="none")
    corners = (apart * face).sum() / (8 * face.sum()).clamp(min=1)
    kinds = functional.cross_entropy(whole[:, CLASSES], kind, label_smoothing=0.01)
    shown = {"pips": pips.item(), "corners": corners.item(), "kinds": kinds.item()}
    return pips + 2 * corners + 0.5 * kinds, shown


def main() -> None:
    """Train on stored scenes and write the weights."""
    options = build_parser(__doc__, steps=5000, batch=64)
    add_resume(options)
    add_photographs(options)
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    network = FaceReader(PIP_MAPS, FACE_OTHERS)
    photographs = photographs_of(chosen)
    views = _Faces(load_scenes(chosen.data), chosen.seed, photographs)
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
        example=torch.zeros(1, 3, FACE_PX[1], FACE_PX[0]),
        dynamic_size=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
