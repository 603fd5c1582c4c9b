"""The networks of the reader: what a patch shows, and what the other patches say of it."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.domino_duell.context import POSITION_FEATURES
from vision.domino_duell.labels import OUTPUTS

__all__ = ["FEATURES", "BoardContext", "BoardReader", "PatchReader"]

FEATURES = 96
"""What is handed on of a patch beside its logits."""
WIDTH = 96
HEADS = 4
LAYERS = 2


class PatchReader(nn.Module):
    """Patches (n, 3, 32, 32) of -0.5..0.5 to logits and features (n, 16 + 96)."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inside, outside, stride in ((3, 16, 1), (16, 48, 2), (48, 64, 2), (64, 96, 1)):
            layers += [
                nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
                nn.BatchNorm2d(outside),
                nn.ReLU(),
            ]
        self.convolved = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(2)
        self.features = nn.Sequential(
            nn.Flatten(), nn.Linear(4 * 96, 128), nn.ReLU(), nn.Linear(128, FEATURES)
        )
        self.out = nn.Sequential(nn.ReLU(), nn.Linear(FEATURES, OUTPUTS))

    def forward(self, patches: Tensor) -> Tensor:
        features = self.features(self.pool(self.convolved(patches)))
        return torch.cat([self.out(features), features], 1)


class _Layer(nn.Module):
    """Attention among the places of a board (n, t, 96), and a network of each place.

    Source: Vaswani et al., Attention Is All You Need, 2017, normalised first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query, self.key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.value, self.joined = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.each = nn.Sequential(
            nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(), nn.Linear(2 * WIDTH, WIDTH)
        )

    def forward(self, places: Tensor) -> Tensor:
        calm = self.before(places)
        wide = WIDTH // HEADS
        heads = []
        # Head by head, in the plainest operators, so that OpenCV can run it too.
        for query, key, value in zip(
            self.query(calm).split(wide, 2),
            self.key(calm).split(wide, 2),
            self.value(calm).split(wide, 2),
            strict=True,
        ):
            weight = torch.softmax(query @ key.transpose(1, 2) * wide**-0.5, 2)
            heads.append(weight @ value)
        places = places + self.joined(torch.cat(heads, 2))
        found: Tensor = places + self.each(self.after(places))
        return found


class BoardContext(nn.Module):
    """What the patches of one board show, and where they lie, to logits (n, t, 16).

    The input (n, t, 16 + 96 + 13) is the output of the patch reader and
    ``context.position_features``. The logits of the patches are mended, not made anew.
    """

    def __init__(self) -> None:
        super().__init__()
        self.enter = nn.Linear(OUTPUTS + FEATURES + POSITION_FEATURES, WIDTH)
        self.layers = nn.Sequential(*(_Layer() for _ in range(LAYERS)))
        self.leave = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, OUTPUTS))

    def forward(self, seen: Tensor) -> Tensor:
        logits: Tensor = seen[:, :, :OUTPUTS] + self.leave(self.layers(self.enter(seen)))
        return logits


class BoardReader(nn.Module):
    """Both in one, as they are trained."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = PatchReader()
        self.context = BoardContext()

    def forward(self, patches: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of each patch alone and on its board, both (n, t, 16).

        ``patches`` (n, t, 3, 32, 32), ``positions`` (n, t, 13).
        """
        boards, count = patches.shape[:2]
        flat = patches.flatten(0, 1).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            found = self.patch(flat)
        alone = found.float().view(boards, count, -1)
        together = self.context(torch.cat([alone, positions], 2))
        return alone[:, :, :OUTPUTS], together
