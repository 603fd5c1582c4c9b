"""What a game adds to the trainer: a network, its examples and its loss, and parts of these.

At run time networks are run from ONNX files.
"""

from __future__ import annotations

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from scipy.optimize import minimize_scalar
from torch import Tensor, nn
from torch.nn import functional

from training.common.answers import Answer
from training.common.arrays import Floats
from training.common.recipe import Recipe, RecipeError

Example = tuple[Any, ...]
Batch = Sequence[Tensor]


@dataclass(frozen=True)
class Source:
    """The data folder, one for what is drawn ahead, and which (part, of parts) is left out."""

    data: Path
    cache: Path
    seed: int
    held_out: tuple[int, int] | None = None


@dataclass(frozen=True)
class Export:
    """One ONNX file of a training: the part of the network in it, and an example of its input.

    That is (n, channels, h, w), or (n, t, features); with ``dynamic_size`` not only n may change.
    """

    file: str
    part: nn.Module
    example: Tensor
    dynamic_size: bool = False


class Task(ABC):
    """One network as it is learnt.

    For a judgement ``parts`` trainings are made, each without another part of the sessions; none
    where what is learnt from has no sessions. ``stocks`` are those of its options that say how much
    is drawn ahead.
    """

    parts: ClassVar[int] = 0
    stocks: ClassVar[tuple[str, ...]] = ()
    network: Callable[[], nn.Module]
    """The network as it starts."""
    file: str
    size: ClassVar[tuple[int, int]]
    dynamic_size: ClassVar[bool] = False
    """The file that it is written to, and the height and width of its input, see ``Export``."""

    @abstractmethod
    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        """Load what is learnt from. RecipeError for options that it does not know."""

    @abstractmethod
    def examples(self, rng: np.random.Generator, options: Mapping[str, Any]) -> Iterator[Example]:
        """Endless examples, the same for the same random numbers; tuples of arrays and numbers."""

    @abstractmethod
    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss of a batch of examples, and figures to be shown."""

    def exports(self, network: nn.Module) -> list[Export]:
        """The files that the network is written to."""
        return [Export(self.file, network, torch.zeros(1, 3, *self.size), self.dynamic_size)]

    @abstractmethod
    def answers(self, folder: Path) -> Iterable[Answer]:
        """What the files in ``folder`` say of what the training did not see."""

    def calibration(self, file: str, count: int, seed: int) -> list[Floats]:
        """Inputs by which ranges for 8 bits are chosen: ``count`` batches of new examples."""
        raise NotImplementedError(f"{file} is not stored in 8 bits")

    def temperature(self, folder: Path, seed: int) -> tuple[float, int]:
        """By how much logits are divided, and by how many answers that is known."""
        raise NotImplementedError("this network has no temperature")


def task_class(recipe: Recipe) -> type[Task]:
    """The class that a recipe names; RecipeError where there is none."""
    whole = f"training.{recipe.game}.{recipe.task}"
    module, _, name = whole.rpartition(".")
    there = importlib.util.find_spec(module)
    kind = getattr(importlib.import_module(module), name, None) if there else None
    if not (isinstance(kind, type) and issubclass(kind, Task)):
        raise RecipeError(f"{recipe.path}: task: there is no {whole}")
    return kind


def task_of(recipe: Recipe, source: Source) -> Task:
    """The task of a recipe with its data; RecipeError where its options don't fit."""
    return task_class(recipe)(source, recipe.options)


def as_input(pictures: Tensor) -> Tensor:
    """Pictures (n, 3, h, w) of uint8 as networks take them, -0.5 to 0.5."""
    floats = pictures.to(torch.float32, copy=True, memory_format=torch.channels_last)
    return floats.div_(255).sub_(0.5)


def has_bfloat16() -> bool:
    """Whether the processor has products in 16 bits: imitated they take eight times those in 32."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def predict(network: nn.Module, inputs: Tensor) -> Tensor:
    """The outputs in 32 bits, computed with products in 16 where the device has those."""
    quick = inputs.device.type != "cpu" or has_bfloat16()
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=quick):
        return network(inputs).float()


def likeliest_temperature(loss: Callable[[float], float]) -> float:
    """The temperature, which divides logits, with the least loss.

    Source: Guo et al., On Calibration of Modern Neural Networks, 2017.
    """
    return float(minimize_scalar(loss, bounds=(0.2, 3.0), method="bounded").x)


def focal_loss(logit: Tensor, heat: Tensor) -> Tensor:
    """Penalty-reduced focal loss of middles (Law and Deng, CornerNet, 2018).

    Of ``heat`` 1 is a middle, less is near one, and below 0 nothing is asked for.
    """
    p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit, asked = (heat == 1).float(), (heat >= 0).float()
    positive = -((1 - p) ** 2) * functional.logsigmoid(logit) * hit
    negative = -((1 - heat) ** 4) * p**2 * functional.logsigmoid(-logit) * (1 - hit) * asked
    return (positive.sum() + negative.sum()) / hit.sum().clamp(min=1)


def block(inputs: int, outputs: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    """A convolution, normalised, and rectified."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class MapNetwork(nn.Module):
    """Fully convolutional, from pictures (n, 3, h, w) to maps (n, channels, h/4, w/4).

    The sides must be multiples of 32. An encoder down to 1/32 has a receptive field of some 300
    pixels, a decoder with skip connections restores the resolution. ``depths`` are the blocks at
    1/8, 1/16 and 1/32.
    """

    def __init__(self, channels: int, widths: tuple[int, ...], depths: tuple[int, ...]) -> None:
        super().__init__()
        self.down1, self.down2, self.down3, self.down4 = self.encoder(widths, depths)
        b, c, d, e = widths[-4:]
        self.lift3, self.up3 = nn.Conv2d(e, d, 1), block(d, d)
        self.lift2, self.up2 = nn.Conv2d(d, c, 1), block(c, c)
        self.lift1, self.up1 = nn.Conv2d(c, b, 1), block(b, b)
        # It starts by saying that what the first map marks is nowhere.
        self.head = nn.Conv2d(b, channels, 1)
        nn.init.zeros_(self.head.weight)
        self.head.bias = nn.Parameter(torch.where(torch.arange(channels) < 1, -4.0, 0.0))

    def encoder(self, widths: tuple[int, ...], depths: tuple[int, ...]) -> Iterator[nn.Module]:
        """The parts from the picture to 1/4, and on to 1/8, 1/16 and 1/32."""
        a, b, *_ = widths
        yield nn.Sequential(block(3, a, 2), block(a, b, 2), block(b, b))
        for inputs, outputs, depth in zip(widths[1:], widths[2:], depths, strict=False):
            rest = [block(outputs, outputs) for _ in range(depth - 1)]
            yield nn.Sequential(block(inputs, outputs, 2), *rest)

    def forward(self, picture: Tensor) -> Tensor:
        return self.seen(picture)[0]

    def seen(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """The maps, and what the encoder ends with."""
        x1 = self.down1(picture)
        x2 = self.down2(x1)
        x3 = self.down3(x2)
        x4 = self.down4(x3)
        x3 = self.up3(x3 + functional.interpolate(self.lift3(x4), scale_factor=2.0))
        x2 = self.up2(x2 + functional.interpolate(self.lift2(x3), scale_factor=2.0))
        x1 = self.up1(x1 + functional.interpolate(self.lift1(x2), scale_factor=2.0))
        return self.head(x1), x4
