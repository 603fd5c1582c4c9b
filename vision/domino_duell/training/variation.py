"""One drawn board shown again in other ways: other light, other places, patches turned."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vision.domino_duell.context import HALF_BOARD_STEPS

__all__ = ["relit", "turned_patches", "turned_places"]


def turned_places(places: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """The places (t, 2) of a board turned by any angle, and mirrored half of the time."""
    angle = rng.uniform(0, 2 * math.pi)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    return np.asarray((places - places.mean(0)) @ turn.T, np.float32)


def turned_patches(patches: Tensor, rng: np.random.Generator) -> Tensor:
    """Patches (t, 3, 32, 32), each turned, mirrored and sized a little on its own."""
    count = len(patches)
    angle, size = rng.uniform(0, 2 * math.pi, count), rng.uniform(0.92, 1.08, count)
    flip = np.where(rng.random(count) < 0.5, -1.0, 1.0)
    table = np.zeros((count, 2, 3), np.float32)
    table[:, 0, 0], table[:, 0, 1] = np.cos(angle) * size * flip, -np.sin(angle) * size
    table[:, 1, 0], table[:, 1, 1] = np.sin(angle) * size * flip, np.cos(angle) * size
    shape = list(patches.shape)
    grid = torch.nn.functional.affine_grid(torch.from_numpy(table), shape, align_corners=False)
    return torch.nn.functional.grid_sample(
        patches, grid, padding_mode="border", align_corners=False
    )


def relit(patches: Tensor, places: NDArray[np.float32], rng: np.random.Generator) -> Tensor:
    """Patches (t, 3, 32, 32) of 0..1 in another light that changes across the board.

    ``places`` (t, 2) are in steps about the middle of the board.
    """
    count = len(places)
    at = places / HALF_BOARD_STEPS
    gain = rng.normal(0, 0.12, 3) + rng.normal(0, 0.18)
    slope = rng.normal(0, 0.05, (2, 3)) + rng.normal(0, 0.1, (2, 1))
    gains = np.exp(gain + at @ slope).astype(np.float32)
    out = patches * torch.from_numpy(gains).view(count, 3, 1, 1)
    if rng.random() < 0.5:
        grey = out.mean(1, keepdim=True)
        out = grey + (out - grey) * float(rng.uniform(0.5, 1.3))
    if rng.random() < 0.35:
        spot, reach = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.8)
        near = np.exp(-((at - spot) ** 2).sum(1) / (2 * reach**2)) * rng.uniform(0.1, 0.7)
        tint = 1 + rng.normal(0, 0.08, 3)
        shine = (near[:, None] * tint).astype(np.float32)
        out = out + torch.from_numpy(shine).view(count, 3, 1, 1)
    out = out * math.exp(rng.normal(0, 0.1)) + float(rng.normal(0, 0.03))
    if rng.random() < 0.3:
        soft = torch.nn.functional.avg_pool2d(
            torch.nn.functional.pad(out, (1, 1, 1, 1), mode="replicate"), 3, 1
        )
        out = torch.lerp(out, soft, float(rng.uniform(0.3, 1.0)))
    out = out.clamp(0, 1) ** math.exp(rng.normal(0, 0.15))
    if rng.random() < 0.5:
        out = out + float(rng.uniform(0, 0.035)) * torch.randn_like(out)
    return out.clamp(0, 1)
