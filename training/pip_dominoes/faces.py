"""The networks that look at one domino: one marks its pips, one names the number of a half."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.common import task
from training.common.answers import Answer
from training.common.arrays import Matrix, Rng
from training.common.recipe import build
from training.common.task import block
from training.pip_dominoes import corpus
from training.pip_dominoes.corpus import LOOSE, StoredScene, face_sample, half_sample
from training.pip_dominoes.scenes.scene import SceneSettings
from training.pip_dominoes.scenes.table import Scene
from vision.common.network import Network
from vision.pip_dominoes import weights
from vision.pip_dominoes.recognise import RecognitionSettings, recognise

PIP_VALUES = weights.PIP_MAPS * weights.PIP_MAP_PX[0] * weights.PIP_MAP_PX[1]
ASKED_SEED = 500_000
# Temperatures that are tried on so many scenes, a little of everything mixed in.
TEMPERATURES = (0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
CALIBRATED, LEAST = 40, 2e-3


@dataclass(frozen=True)
class Options:
    """``drawn`` scenes are drawn ahead with ``scenes``, from ``seed``.

    ``none_share`` of the patches show no face, 0..1; ``asked`` are the scenes of a judgement.
    """

    drawn: int
    seed: int
    asked: int
    none_share: float = 0.0
    scenes: SceneSettings = field(default_factory=SceneSettings)


class OfScenes(task.Task):
    """What the networks of dominoes have in common: scenes drawn ahead, and a name."""

    stocks = ("drawn",)
    part: ClassVar[str]
    """Its name among ``Weights``."""

    def __init__(self, source: task.Source, options: Mapping[str, Any]) -> None:
        self.source, self.options = source, build(Options, options, "options")
        self.file = f"pip_{self.part}.onnx"

    @cached_property
    def scenes(self) -> list[StoredScene]:
        """Drawn ahead."""
        source, chosen = self.source, self.options
        cache = source.cache / "pip_scenes"
        return corpus.draw_stored(source.data, cache, chosen.scenes, chosen.drawn, chosen.seed)

    def unseen(self, count: int) -> Iterator[tuple[str, Scene]]:
        """Scenes that no training has seen, by name, on tables that none has seen either."""
        draw = corpus.lived_with(self.source.data, self.options.scenes, kept_back=True)
        for number in range(count):
            yield f"drawn {number}", draw(ASKED_SEED, number)


class OfDominoes(OfScenes):
    """A network that looks at one domino, and is asked for the numbers of both halves.

    ``sample`` cuts out patches of ``size`` (height, width) with their truth. ``said`` is the field
    of ``Candidates`` that it fills, ``heat`` that of ``RecognitionSettings`` with its temperature.
    """

    sample: ClassVar[Callable[..., tuple[Any, ...]]]
    said: ClassVar[str]
    heat: ClassVar[str]

    def examples(self, rng: Rng, options: Mapping[str, Any]) -> Iterator[task.Example]:
        for rgb, drawn, corners in corpus.draw_samples(self.scenes, self.options.none_share, rng):
            patch, *truth = self.sample(rgb, drawn, corners, rng)
            yield np.ascontiguousarray(patch.transpose(2, 0, 1)), *truth

    def _asked(
        self, folder: Path, settings: RecognitionSettings, count: int
    ) -> Iterator[tuple[str, NDArray[np.int64], Matrix]]:
        """Of ``count`` unseen scenes the name, the numbers (n, 2) of the dominoes, and how likely
        the network in ``folder`` makes every number (n, 2, 19)."""
        own: dict[str, Any] = {self.part: Network((folder / self.file).read_bytes())}
        networks = replace(weights.Weights.load(), **own)
        rng = np.random.default_rng(ASKED_SEED)
        for name, scene in self.unseen(count):
            drawn = [d for d in scene.drawn if d.readable and not d.numerals]
            if drawn:
                boxes = np.stack([corpus.jittered(d.corners, rng, **LOOSE) for d in drawn])
                seen = recognise(scene.rgb, boxes, networks.faces, networks.halves, settings)
                yield name, np.array([d.halves for d in drawn]), getattr(seen, self.said)

    def answers(self, folder: Path) -> Iterable[Answer]:
        """Each half of drawn dominoes, by what this network says alone."""
        asked = self._asked(folder, RecognitionSettings(), self.options.asked)
        for name, truth, shares in asked:
            for (k, half), number in np.ndenumerate(truth):
                row = shares[k, half]
                said = int(row.argmax())
                sure = min(float(row[said] / max(row.sum(), 1e-9)), 1.0)
                kind = "0 to 6" if number < 7 else "7 to 12" if number < 13 else "13 to 18"
                yield Answer(f"{name}, {k}, {half}", name, kind, str(number), str(said), sure)

    def temperature(self, folder: Path, seed: int) -> tuple[float, int]:
        """That of ``TEMPERATURES`` with which the true numbers are most probable."""
        likely = []
        for temperature in TEMPERATURES:
            settings = replace(RecognitionSettings(), **{self.heat: temperature})
            asked = self._asked(folder, settings, CALIBRATED)
            true = [np.take_along_axis(shares, n[..., None], 2) for _, n, shares in asked]
            said = np.concatenate(true, axis=None)
            likely.append((float(np.log((1 - LEAST) * said + LEAST).mean()), temperature))
        return max(likely)[1], len(said)


class FaceReader(task.MapNetwork):
    """The patch of a domino (n, 3, 96, 160) to a row of numbers for each.

    First maps (48, 80) of where pips are, then ``FACE_OTHERS`` numbers about the domino as a whole.
    """

    def __init__(self) -> None:
        super().__init__(weights.PIP_MAPS, (20, 36, 56, 64), (2, 2, 2, 3))
        # Each place of the 6 × 10 cells has its own say in where the corners are.
        self.squeeze = block(64, 12, side=1)
        self.whole = nn.Conv2d(12, weights.FACE_OTHERS, (6, 10))

    def encoder(self, widths: tuple[int, ...], depths: tuple[int, ...]) -> Iterator[nn.Module]:
        for inputs, outputs, depth in zip((3, *widths), widths, depths, strict=False):
            first = block(inputs, outputs, 2, side=5 if inputs == 3 else 3)
            yield nn.Sequential(first, *(block(outputs, outputs) for _ in range(depth - 1)))

    def forward(self, faces: Tensor) -> Tensor:
        maps, coarse = self.seen(faces)
        return torch.cat([maps.flatten(1), self.whole(self.squeeze(coarse)).flatten(1)], 1)


class Faces(OfDominoes):
    """Patches of dominoes whose frames err; asked for the pips alone.

    The temperature is fitted with the shift that stands in ``RecognitionSettings``.
    """

    network, part, said, heat = FaceReader, "faces", "counted", "pip_temperature"
    size, sample = weights.FACE_PX[::-1], staticmethod(face_sample)

    def loss(self, network: nn.Module, batch: task.Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Focal loss of the pips, smooth L1 of the corners, cross-entropy of the kinds."""
        pictures, heat, off, kind = batch
        rows = task.predict(network, task.as_input(pictures))
        pips = task.focal_loss(rows[:, :PIP_VALUES].reshape(heat.shape), heat)
        whole = rows[:, PIP_VALUES:]
        face = (kind > 0).float()[:, None]
        found = whole[:, weights.CORNERS]
        apart = functional.smooth_l1_loss(found, off, beta=0.05, reduction="none")
        corners = (apart * face).sum() / (8 * face.sum()).clamp(min=1)
        kinds = functional.cross_entropy(whole[:, weights.CLASSES], kind, label_smoothing=0.01)
        loss = pips + 2 * corners + 0.5 * kinds
        return loss, {"pips": pips, "corners": corners, "kinds": kinds}


class HalfReader(nn.Module):
    """The patch of a half (n, 3, 56, 56) to logits (n, 20)."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = 20, 40, 56, 80
        self.features = nn.Sequential(
            block(3, a, 2, side=5), block(a, a), block(a, b, 2), block(b, b),
            block(b, c, 2), block(c, c), block(c, d), block(d, d),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(2 * d, weights.HALF_CLASSES)

    def forward(self, halves: Tensor) -> Tensor:
        features = self.features(halves)
        both = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)
        logits: Tensor = self.head(self.drop(both))
        return logits


class Halves(OfDominoes):
    """Patches of halves whose frames hardly err; asked by their look alone."""

    network, part, said, heat = HalfReader, "halves", "recognised", "half_temperature"
    size, sample = (weights.HALF_PX, weights.HALF_PX), staticmethod(half_sample)

    def loss(self, network: nn.Module, batch: task.Batch) -> tuple[Tensor, dict[str, Tensor]]:
        pictures, label = batch
        logits = task.predict(network, task.as_input(pictures))
        loss = functional.cross_entropy(logits, label, label_smoothing=0.02)
        return loss, {"loss": loss, "right": (logits.argmax(1) == label).float().mean()}
