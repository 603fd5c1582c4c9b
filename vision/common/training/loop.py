"""What all trainings share: the options of their commands and the training loop."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from vision.common.training.export import average_weights, save_onnx

__all__ = ["MEAN_DECAY", "RATE", "Schedule", "build_parser", "train_network"]

# Steps between updates of the averaged weights.
AVERAGED_EVERY = 5
REPORTED_EVERY = 50
# Steps between checkpoints, so that an interrupted training leaves weights.
SAVED_EVERY = 1000
RATE = 3e-3
MEAN_DECAY = 0.98

# From outputs and ground truth of a batch: its loss, and figures to report, by name.
Loss = Callable[[Tensor, Sequence[Tensor]], tuple[Tensor, dict[str, float]]]


@dataclass(frozen=True)
class Schedule:
    """How a network is trained.

    ``warm_share`` is the share of the steps in which the learning rate rises, 0..1; ``workers``
    is the number of processes that make examples, ``rate`` the highest learning rate,
    ``mean_decay`` what the mean of the weights keeps of itself at each update, 0..1.
    """

    steps: int
    batch: int
    seed: int
    workers: int
    warm_share: float
    weight_decay: float
    rate: float = RATE
    mean_decay: float = MEAN_DECAY


def build_parser(description: str | None, *, steps: int, batch: int) -> argparse.ArgumentParser:
    """The parser of a training command, with its default numbers of steps and batch size."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("data", type=Path, help="folder with dominoes, squares and backgrounds")
    options.add_argument("out", type=Path, help="the ONNX file to write")
    options.add_argument("--steps", type=int, default=steps)
    options.add_argument("--batch", type=int, default=batch)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    return options


def train_network(
    network: nn.Module,
    examples: IterableDataset[Any],
    loss_of: Loss,
    out: Path,
    schedule: Schedule,
    *,
    example: Tensor,
    dynamic_size: bool,
) -> None:
    """Train on an endless stream of examples and write the averaged weights to ``out``.

    Each example is a picture (3, h, w) of uint8 followed by its ground truth. One-cycle learning
    rate (Smith and Topin, Super-Convergence, 2018) with AdamW. ``example`` and ``dynamic_size``
    are those of ``save_onnx``.
    """
    # Gradients of examples with a tiny loss become denormal numbers, which are slow on CPUs.
    torch.set_flush_denormal(True)
    network = network.to(memory_format=torch.channels_last)
    mean = average_weights(network, decay=schedule.mean_decay)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=schedule.rate, weight_decay=schedule.weight_decay, fused=True
    )
    plan = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, schedule.rate, total_steps=schedule.steps, pct_start=schedule.warm_share
    )
    loader = DataLoader(
        examples,
        batch_size=schedule.batch,
        num_workers=schedule.workers,
        prefetch_factor=6 if schedule.workers else None,
    )
    started = time.monotonic()
    running: dict[str, float] = {}
    for step, (pictures, *truth) in enumerate(loader):
        if step == schedule.steps:
            break
        inputs = (pictures.float() / 255 - 0.5).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            outputs = network(inputs)
        loss, figures = loss_of(outputs.float(), truth)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        plan.step()
        if step % AVERAGED_EVERY == 0:
            mean.update_parameters(network)
        for name, value in figures.items():
            running[name] = 0.98 * running.get(name, 0.0) + 0.02 * value
        if step % REPORTED_EVERY == REPORTED_EVERY - 1:
            known = 1 - 0.98 ** (step + 1)
            shown = "  ".join(f"{name} {value / known:.4f}" for name, value in running.items())
            pace = (time.monotonic() - started) / (step + 1)
            print(f"{step + 1:6d} {pace:6.3f} s/step  {shown}", flush=True)
        if step % SAVED_EVERY == SAVED_EVERY - 1:
            save_onnx(mean.module, example, out, dynamic_size=dynamic_size)
    save_onnx(mean.module, example, out, dynamic_size=dynamic_size)
