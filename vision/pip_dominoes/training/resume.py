"""Go on with a training from weights that were written."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.common.training.loop import MEAN_DECAY, RATE

__all__ = ["add_resume", "resume", "start"]


_EXAMPLES = 48


def add_resume(options: argparse.ArgumentParser) -> None:
    """The options to go on from weights, and how fast."""
    options.add_argument("--resume", type=Path, metavar="ONNX", help="go on from these weights")
    options.add_argument("--rate", type=float, default=RATE, help="the highest learning rate")
    options.add_argument(
        "--mean-decay", type=float, default=MEAN_DECAY, help="lower for a short training"
    )


def start(network: nn.Module, examples: Iterable[Sequence[Any]], weights: Path | None) -> None:
    """Make the network go on from weights, if there are any."""
    if weights:
        pictures = torch.stack([each[0] for each in islice(examples, _EXAMPLES)])
        resume(network, weights, pictures.float() / 255 - 0.5)


def resume(network: nn.Module, weights: Path, batch: Tensor) -> None:
    """Load an ONNX file of ``save_onnx`` into the network that it was written from.

    The file has batch normalisation folded into the convolutions. It is taken apart again so that
    the network does the same as before and learns as it did: each normalisation gets mean and
    deviation of what ``batch`` (n, 3, h, w), values -0.5 to 0.5, brings to it, and undoes them.
    ValueError where the file belongs to another network.
    """
    kept = {
        each.name: torch.from_numpy(numpy_helper.to_array(each).copy())
        for each in onnx.load(str(weights)).graph.initializer
    }
    hooks = []
    for name, module in network.named_modules():
        if isinstance(module, nn.Conv2d | nn.Linear):
            if f"{name}.weight" not in kept:
                raise ValueError(f"{weights.name}: expected weights of {name}")
            module.weight.data.copy_(kept[f"{name}.weight"])
            if module.bias is not None:
                module.bias.data.copy_(kept[f"{name}.bias"])
        if isinstance(module, nn.BatchNorm2d):
            # In a block the convolution comes just before.
            before = name.rsplit(".", 1)[0] + ".0"
            hooks.append(module.register_forward_pre_hook(_undo(kept[f"{before}.bias"])))
    network.eval()
    with torch.no_grad():
        network(batch)
    for hook in hooks:
        hook.remove()
    network.train()


def _undo(shift: Tensor) -> Callable[[nn.BatchNorm2d, tuple[Tensor]], None]:
    def prepare(norm: nn.BatchNorm2d, inputs: tuple[Tensor]) -> None:
        mean = inputs[0].mean((0, 2, 3))
        var = inputs[0].var((0, 2, 3), unbiased=False).clamp(min=1e-6)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.data.copy_((var + norm.eps).sqrt())
        norm.bias.data.copy_(mean + shift)

    return prepare
