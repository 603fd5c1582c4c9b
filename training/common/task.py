"""What a game adds to the trainer: a network, its examples and its loss."""

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

    For a judgement ``parts`` trainings are made, each without another part of the sessions; one
    where nothing that is learnt from has sessions. ``stocks`` are those of its options that say
    how much is drawn ahead.
    """

    parts: ClassVar[int] = 1
    stocks: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        """Load what is learnt from. RecipeError for options that it does not know."""

    @abstractmethod
    def network(self) -> nn.Module:
        """The network as it starts."""

    @abstractmethod
    def examples(self, rng: np.random.Generator, options: Mapping[str, Any]) -> Iterator[Example]:
        """Endless examples, the same for the same random numbers; tuples of arrays and numbers."""

    @abstractmethod
    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss of a batch of examples, and figures to be shown."""

    @abstractmethod
    def exports(self, network: nn.Module) -> list[Export]:
        """The files that the network is written to."""

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
    return (pictures.float() / 255 - 0.5).contiguous(memory_format=torch.channels_last)


def has_bfloat16() -> bool:
    """Whether the processor has products in 16 bits: imitated they take eight times those in 32."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def predict(network: nn.Module, inputs: Tensor) -> Tensor:
    """The outputs in 32 bits, computed with products in 16 where the device has those."""
    quick = inputs.device.type != "cpu" or has_bfloat16()
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=quick):
        outputs: Tensor = network(inputs)
    return outputs.float()


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
