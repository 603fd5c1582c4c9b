"""What all trainings share: the options of their commands, the training loop, and the export to
ONNX.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset

__all__ = [
    "MEAN_DECAY",
    "RATE",
    "Schedule",
    "average_weights",
    "build_parser",
    "save_onnx",
    "train_network",
]


def average_weights(network: nn.Module, decay: float) -> AveragedModel:
    """An exponential moving average of weights and batch statistics, which is more accurate."""
    return AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(decay), use_buffers=True)


def _fold_batch_norm(network: nn.Module) -> nn.Module:
    """A copy for inference with batch normalisation folded into the preceding convolutions."""
    ready = copy.deepcopy(network).eval().float().to(memory_format=torch.contiguous_format)
    for module in ready.modules():
        if isinstance(module, nn.Sequential):
            for at in range(len(module) - 1):
                first, second = module[at], module[at + 1]
                if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                    module[at] = torch.nn.utils.fusion.fuse_conv_bn_eval(first, second)
                    module[at + 1] = nn.Identity()
    folded: nn.Module = ready
    return folded


def save_onnx(network: nn.Module, example: Tensor, path: Path, *, dynamic_size: bool) -> None:
    """Write the network as ONNX with a dynamic batch size.

    ``example`` is an input (n, channels, h, w), or (n, t, features) of so many tokens. With
    ``dynamic_size`` height and width, or the number of tokens, are dynamic too.
    """
    sizes = {1: "t"} if example.ndim == 3 else {2: "h", 3: "w"}
    axes = {0: "n", **sizes} if dynamic_size else {0: "n"}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        _fold_batch_norm(network),
        (example,),
        str(path),
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": axes, "output": axes if dynamic_size else {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(path))
    # The exporter records the source line of every node, with paths; inference needs none.
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, str(path))


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
