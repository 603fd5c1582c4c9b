"""The networks for training; at run time they are run from ONNX files."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["Locator", "MirrorNetwork", "SquareClassifier"]


def _block(inputs: int, outputs: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Locator(nn.Module):
    """A fully convolutional network from pictures (n, 3, h, w) to maps (n, channels, h/4, w/4).

    The sides must be multiples of 32. An encoder down to 1/32 has a receptive field of some 300
    pixels, a decoder with skip connections restores the resolution.
    """

    def __init__(self, channels: int, widths: tuple[int, ...] = (16, 32, 64, 96, 96)) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.down1 = nn.Sequential(_block(3, a, 2), _block(a, b, 2), _block(b, b))
        self.down2 = nn.Sequential(_block(b, c, 2), _block(c, c), _block(c, c))
        self.down3 = nn.Sequential(_block(c, d, 2), _block(d, d), _block(d, d))
        self.down4 = nn.Sequential(_block(d, e, 2), _block(e, e), _block(e, e), _block(e, e))
        self.lift3, self.up3 = nn.Conv2d(e, d, 1), _block(d, d)
        self.lift2, self.up2 = nn.Conv2d(d, c, 1), _block(c, c)
        self.lift1, self.up1 = nn.Conv2d(c, b, 1), _block(b, b)
        self.head = nn.Conv2d(b, channels, 1)
        nn.init.zeros_(self.head.weight)
        assert self.head.bias is not None
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.bias[0] = -4.0

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


class SquareClassifier(nn.Module):
    """A square (n, 3, 64, 64) to logits (n, classes)."""

    def __init__(self, classes: int, widths: tuple[int, ...] = (24, 48, 80, 128)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.features = nn.Sequential(
            _block(3, a, 2, side=5), _block(a, b), nn.MaxPool2d(2),
            _block(b, c), _block(c, c), nn.MaxPool2d(2),
            _block(c, d), _block(d, d),
        )  # fmt: skip
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(d, classes)

    def forward(self, squares: Tensor) -> Tensor:
        features = self.features(squares).mean((2, 3))
        logits: Tensor = self.head(self.drop(features))
        return logits


class MirrorNetwork(nn.Module):
    """A square (n, 3, 48, 48) to a number (n, 1), higher for what is mirrored.

    While it is trained, logits of ``labels`` follow: (n, 1 + labels).
    """

    def __init__(self, labels: int, widths: tuple[int, ...] = (16, 32, 48, 48, 48)) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.features = nn.Sequential(
            _block(3, a, 2, side=5), _block(a, b, 2), _block(b, c, 2), _block(c, d), _block(d, e, 2)
        )
        self.drop = nn.Dropout(0.1)
        # Where on the square something lies tells more than that it lies there.
        self.head = nn.Linear(3 * 3 * e, 1)
        self.names = nn.Linear(3 * 3 * e, labels)

    def forward(self, squares: Tensor) -> Tensor:
        features = self.drop(self.features(squares).flatten(1))
        odds: Tensor = self.head(features)
        return torch.cat([odds, self.names(features)], 1) if self.training else odds
