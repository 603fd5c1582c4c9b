"""The parts of the networks of every game; at run time they are run from ONNX files."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


def block(inputs: int, outputs: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    """A convolution, normalised, and rectified."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def maps_head(inputs: int, outputs: int, rare: int) -> nn.Conv2d:
    """A last layer that starts by saying that what the first ``rare`` maps mark is nowhere."""
    head = nn.Conv2d(inputs, outputs, 1)
    nn.init.zeros_(head.weight)
    head.bias = nn.Parameter(torch.where(torch.arange(outputs) < rare, -4.0, 0.0))
    return head


class MapNetwork(nn.Module):
    """Fully convolutional, from pictures (n, 3, h, w) to maps (n, channels, h/4, w/4).

    The sides must be multiples of 32. An encoder down to 1/32 has a receptive field of some 300
    pixels, a decoder with skip connections restores the resolution. ``depths`` are the blocks at
    1/8, 1/16 and 1/32.
    """

    def __init__(
        self, channels: int, widths: tuple[int, ...], depths: tuple[int, int, int]
    ) -> None:
        super().__init__()
        a, b, c, d, e = widths

        def down(inputs: int, outputs: int, depth: int) -> nn.Sequential:
            rest = [block(outputs, outputs) for _ in range(depth - 1)]
            return nn.Sequential(block(inputs, outputs, 2), *rest)

        self.down1 = nn.Sequential(block(3, a, 2), block(a, b, 2), block(b, b))
        self.down2, self.down3, self.down4 = map(down, (b, c, d), (c, d, e), depths)
        self.lift3, self.up3 = nn.Conv2d(e, d, 1), block(d, d)
        self.lift2, self.up2 = nn.Conv2d(d, c, 1), block(c, c)
        self.lift1, self.up1 = nn.Conv2d(c, b, 1), block(b, b)
        self.head = maps_head(b, channels, 1)

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
