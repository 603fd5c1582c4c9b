"""The three networks as they are trained; at run time they are ONNX files read by OpenCV."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["FaceReader", "HalfReader", "Locator"]


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
