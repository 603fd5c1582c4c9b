"""The three networks as they are trained, anew or from weights that were written; at run time they
are ONNX files.
"""

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
from torch.nn import functional

from training.common.loop import MEAN_DECAY, RATE

__all__ = ["FaceReader", "HalfReader", "Locator", "add_resume", "resume", "start"]


def _block(inputs: int, outputs: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def _zero_head(inputs: int, outputs: int, rare: slice) -> nn.Conv2d:
    """A last layer that starts by saying that what is ``rare`` is nowhere."""
    head = nn.Conv2d(inputs, outputs, 1)
    nn.init.zeros_(head.weight)
    assert head.bias is not None
    nn.init.zeros_(head.bias)
    with torch.no_grad():
        head.bias[rare] = -4.0
    return head


class Locator(nn.Module):
    """Fully convolutional: a picture (n, 3, h, w) to maps (n, channels, h/4, w/4).

    The sides must be multiples of 32.
    """

    def __init__(
        self, channels: int, widths: tuple[int, int, int, int, int] = (16, 32, 48, 64, 72)
    ) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.down1 = nn.Sequential(_block(3, a, 2), _block(a, b, 2), _block(b, b))
        self.down2 = nn.Sequential(_block(b, c, 2), _block(c, c))
        self.down3 = nn.Sequential(_block(c, d, 2), _block(d, d))
        self.down4 = nn.Sequential(_block(d, e, 2), _block(e, e))
        self.lift3, self.up3 = nn.Conv2d(e, d, 1), _block(d, d)
        self.lift2, self.up2 = nn.Conv2d(d, c, 1), _block(c, c)
        self.lift1, self.up1 = nn.Conv2d(c, b, 1), _block(b, b)
        self.head = _zero_head(b, channels, slice(0, 1))

    def forward(self, picture: Tensor) -> Tensor:
        x1 = self.down1(picture)
        x2 = self.down2(x1)
        x3 = self.down3(x2)
        x4 = self.down4(x3)
        x3 = self.up3(x3 + functional.interpolate(self.lift3(x4), scale_factor=2.0))
        x2 = self.up2(x2 + functional.interpolate(self.lift2(x3), scale_factor=2.0))
        x1 = self.up1(x1 + functional.interpolate(self.lift1(x2), scale_factor=2.0))
        maps: Tensor = self.head(x1)
        return maps


class FaceReader(nn.Module):
    """The patch of a domino (n, 3, 96, 160) to a row of numbers for each.

    First ``pips`` maps (48, 80) of where pips are, then ``others`` about the domino as a whole.
    """

    def __init__(
        self, pips: int, others: int, widths: tuple[int, int, int, int] = (20, 36, 56, 64)
    ) -> None:
        super().__init__()
        a, b, c, d = widths
        self.down1 = nn.Sequential(_block(3, a, 2, side=5), _block(a, a))
        self.down2 = nn.Sequential(_block(a, b, 2), _block(b, b))
        self.down3 = nn.Sequential(_block(b, c, 2), _block(c, c))
        self.down4 = nn.Sequential(_block(c, d, 2), _block(d, d), _block(d, d))
        self.lift3, self.up3 = nn.Conv2d(d, c, 1), _block(c, c)
        self.lift2, self.up2 = nn.Conv2d(c, b, 1), _block(b, b)
        self.lift1, self.up1 = nn.Conv2d(b, a, 1), _block(a, a)
        self.head = _zero_head(a, pips, slice(0, pips))
        # Each place of the 6 × 10 cells has its own say in where the corners are.
        self.squeeze = _block(d, 12, side=1)
        self.whole = nn.Conv2d(12, others, (6, 10))

    def forward(self, faces: Tensor) -> Tensor:
        x1 = self.down1(faces)
        x2 = self.down2(x1)
        x3 = self.down3(x2)
        x4 = self.down4(x3)
        whole = self.whole(self.squeeze(x4))
        x3 = self.up3(x3 + functional.interpolate(self.lift3(x4), scale_factor=2.0))
        x2 = self.up2(x2 + functional.interpolate(self.lift2(x3), scale_factor=2.0))
        x1 = self.up1(x1 + functional.interpolate(self.lift1(x2), scale_factor=2.0))
        pips = self.head(x1)
        return torch.cat([pips.flatten(1), whole.flatten(1)], 1)


class HalfReader(nn.Module):
    """The patch of a half (n, 3, 56, 56) to logits (n, classes)."""

    def __init__(self, classes: int, widths: tuple[int, int, int, int] = (20, 40, 56, 80)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.features = nn.Sequential(
            _block(3, a, 2, side=5), _block(a, a),
            _block(a, b, 2), _block(b, b),
            _block(b, c, 2), _block(c, c), _block(c, d), _block(d, d),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(2 * d, classes)

    def forward(self, halves: Tensor) -> Tensor:
        features = self.features(halves)
        both = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)
        logits: Tensor = self.head(self.drop(both))
        return logits


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
