"""Train the classifier: ``python -m vision.domino_duell.training.classifier OUT.onnx``.

It sees drawn pictures only. Scenes are drawn first, cut into patches round places that are a
little off, as a locator's are, and then shown again and again, turned, mirrored, in other colours
and with grain.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import IterableDataset

from vision.common.homography import fit_homography
from vision.common.training.loop import Schedule, train_network
from vision.domino_duell.labels import EMPTY, HEADS, NOTHING, OUTPUTS, truth_of
from vision.domino_duell.lattice import places_of
from vision.domino_duell.patches import PATCH_PX, cut_patches
from vision.domino_duell.synthesis.scene import SceneSettings, draw_scene

__all__ = ["Classifier", "Patches", "loss_of", "scene_patches"]

Image = NDArray[np.uint8]

OFF_STEPS = 0.06
"""Standard deviation by which patches are off, in steps."""
EMPTY_SHARE = 0.4
NOTHING_PATCHES = 16


class Classifier(nn.Module):
    """Patches (n, 3, 32, 32) of -0.5..0.5 to logits (n, 16), see ``labels.HEADS``."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inside, outside, stride in ((3, 24, 2), (24, 48, 1), (48, 64, 2), (64, 64, 1)):
            layers += [
                nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
                nn.BatchNorm2d(outside),
                nn.ReLU(),
            ]
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(2)
        self.out = nn.Sequential(
            nn.Flatten(), nn.Linear(256, 96), nn.ReLU(), nn.Linear(96, OUTPUTS)
        )

    def forward(self, patches: Tensor) -> Tensor:
        logits: Tensor = self.out(self.pool(self.features(patches)))
        return logits


def scene_patches(
    rng: np.random.Generator, settings: SceneSettings
) -> tuple[Image, NDArray[np.int64]]:
    """Patches (n, 32, 32, 3) of one drawn scene and the truth (n, 4) of each."""
    scene = draw_scene(rng, settings)
    places = places_of(scene.position.shape)
    homography = fit_homography(places, scene.middles)
    truth = [truth_of(piece) for piece in scene.position.cells]
    kept = [
        index
        for index, (content, *_) in enumerate(truth)
        if content != EMPTY or rng.random() < EMPTY_SHARE
    ]
    elsewhere = _places_elsewhere(places, rng)
    wanted = np.r_[places[kept], elsewhere]
    wanted = wanted + rng.normal(0, OFF_STEPS, wanted.shape)
    labels = [truth[index] for index in kept] + [(NOTHING, -1, -1, -1)] * len(elsewhere)
    return cut_patches(scene.rgb, homography, wanted), np.array(labels, np.int64)


def _places_elsewhere(places: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Places at least 0.8 steps from every hollow, and some half way between two hollows."""
    low, high = places.min(0) - 3, places.max(0) + 3
    found = rng.uniform(low, high, (6 * NOTHING_PATCHES, 2))
    away = np.linalg.norm(found[:, None] - places[None], axis=2).min(1)
    between = places[rng.integers(len(places), size=4)] + (0.5, 0.0)
    return np.concatenate([found[away > 0.8][:NOTHING_PATCHES], between])


class Patches(IterableDataset[tuple[Tensor, Tensor]]):
    """Endless examples from a fixed pool: a patch (3, 32, 32) of uint8 and its truth (4,)."""

    def __init__(self, scenes: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        settings = SceneSettings(width_px=800, height_px=600)
        started = time.monotonic()
        pictures, truth = [], []
        for number in range(scenes):
            found, labels = scene_patches(rng, settings)
            pictures.append(found)
            truth.append(labels)
            if number % 50 == 49:
                pace = (time.monotonic() - started) / (number + 1)
                print(f"{number + 1} scenes, {pace:.2f} s each", flush=True)
        self.pictures = np.concatenate(pictures)
        self.truth = np.concatenate(truth)
        self.rng = rng

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        while True:
            for index in self.rng.permutation(len(self.pictures)):
                patch = varied(self.pictures[index], self.rng)
                picture = torch.from_numpy(np.ascontiguousarray(patch.transpose(2, 0, 1)))
                yield picture, torch.from_numpy(self.truth[index])


def varied(patch: Image, rng: np.random.Generator) -> Image:
    """The patch turned, mirrored, in slightly other colours and with grain."""
    turn = cv2.getRotationMatrix2D(
        (PATCH_PX / 2 - 0.5, PATCH_PX / 2 - 0.5),
        float(rng.uniform(0, 360)),
        float(rng.uniform(0.94, 1.08)),
    )
    turned = cv2.warpAffine(patch, turn, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.5:
        turned = turned[:, ::-1]
    gain = np.exp(rng.normal(0, 0.06, 3) + rng.normal(0, 0.12)).astype(np.float32)
    out = turned * gain + np.float32(rng.normal(0, 6))
    if rng.random() < 0.4:
        out = out + rng.normal(0, rng.uniform(1, 8), out.shape)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def loss_of(logits: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of each head where it has a truth, with a little label smoothing."""
    (labels,) = truth
    loss = logits.new_zeros(())
    right = torch.ones(len(labels), dtype=torch.bool)
    for head, where in enumerate(HEADS):
        known = labels[:, head] >= 0
        if not bool(known.any()):
            continue
        mine, wanted = logits[known][:, where], labels[known, head]
        loss = loss + nn.functional.cross_entropy(mine, wanted, label_smoothing=0.02)
        right[known] &= mine.argmax(1) == wanted
    return loss, {"loss": float(loss.detach()), "right": float(right.float().mean())}


def main() -> None:
    """Draw the pool, train, and write the weights."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("out", type=Path, help="the ONNX file to write")
    options.add_argument("--scenes", type=int, default=600)
    options.add_argument("--steps", type=int, default=4000)
    options.add_argument("--batch", type=int, default=96)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    schedule = Schedule(chosen.steps, chosen.batch, chosen.seed, 0, 0.15, 1e-2)
    train_network(
        Classifier(),
        Patches(chosen.scenes, chosen.seed),
        loss_of,
        chosen.out,
        schedule,
        example=torch.zeros(1, 3, PATCH_PX, PATCH_PX),
        dynamic_size=False,
    )


if __name__ == "__main__":
    main()
