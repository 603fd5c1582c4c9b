"""Train the reader: ``python -m training.domino_duell.classifier FOLDER``; its networks, and boards
shown in other ways.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.common.loop import average_weights, save_onnx
from training.domino_duell.boards import Boards, draw_boards
from vision.domino_duell.classify import PATCH_PX
from vision.domino_duell.weights import (
    EMPTY,
    HALF_BOARD_STEPS,
    HEADS,
    NOTHING,
    OUTPUTS,
    POSITION_FEATURES,
    STONE,
    position_features,
)

__all__ = [
    "FEATURES",
    "BoardContext",
    "BoardReader",
    "Example",
    "PatchReader",
    "examples",
    "loss_of",
    "relit",
    "save",
    "turned_patches",
    "turned_places",
]

FEATURES = 96
"""What is handed on of a patch beside its logits."""
WIDTH = 96
ATTENTION_HEADS = 4
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
        wide = WIDTH // ATTENTION_HEADS
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


TOKENS = 72
"""Places of a board that are shown at once: all stones, and some of the rest."""
LEAST_NOTHING = 4
RATE = 2e-3
AVERAGED_EVERY = 5
REPORTED_EVERY = 50
SAVED_EVERY = 500

Example = tuple[Tensor, Tensor, Tensor]
"""Patches (t, 3, 32, 32), positions (t, 13) and truth (t, 4) of one board."""


def _shown(truth: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Which places of a board to show: all stones and jokers, some of the others."""
    content = truth[:, 0]
    first = (content != EMPTY) & (content != NOTHING)
    order = rng.permutation(len(truth))
    nothing = [index for index in order if content[index] == NOTHING]
    kept = [index for index in order if first[index]] + nothing[:LEAST_NOTHING]
    rest = [index for index in order if not first[index] and index not in nothing[:LEAST_NOTHING]]
    return np.array((kept + rest)[:TOKENS])


def examples(boards: Boards, rng: np.random.Generator) -> Iterator[Example]:
    """Endless examples from a fixed pool of boards."""
    while True:
        for index in rng.permutation(len(boards)):
            shown = _shown(boards.truth[index], rng)
            patches = boards.patches[index][shown].transpose(0, 3, 1, 2)
            places = turned_places(boards.places[index], rng)[shown]
            picture = torch.from_numpy(np.ascontiguousarray(patches)).float() / 255
            varied = relit(turned_patches(picture, rng), places, rng)
            positions = torch.from_numpy(position_features(places))
            yield varied - 0.5, positions, torch.from_numpy(boards.truth[index][shown])


def loss_of(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Cross entropy of each head where it has a truth, and which patches (n,) are all right.

    ``logits`` (n, 16), ``labels`` (n, 4).
    """
    loss = logits.new_zeros(())
    right = torch.ones(len(labels), dtype=torch.bool)
    for head, where in enumerate(HEADS):
        known = labels[:, head] >= 0
        if not bool(known.any()):
            continue
        mine, wanted = logits[known][:, where], labels[known, head]
        loss = loss + nn.functional.cross_entropy(mine, wanted, label_smoothing=0.005)
        right[known] &= mine.argmax(1) == wanted
    return loss, right


def train(
    network: BoardReader, stream: Iterator[Example], steps: int, batch: int, folder: Path
) -> None:
    """Train and write the averaged weights, now and then and at the end.

    One-cycle learning rate (Smith and Topin, Super-Convergence, 2018) with AdamW.
    """
    torch.set_flush_denormal(True)
    mean = average_weights(network, decay=0.98)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-2, fused=True)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps, pct_start=0.15)
    started, running = time.monotonic(), np.zeros(3)
    for step in range(steps):
        chosen = [next(stream) for _ in range(batch)]
        patches, positions, truth = (torch.stack(part) for part in zip(*chosen, strict=True))
        alone, together = network(patches, positions)
        labels = truth.flatten(0, 1)
        first, _ = loss_of(alone.flatten(0, 1), labels)
        last, right = loss_of(together.flatten(0, 1), labels)
        optimiser.zero_grad()
        (0.5 * first + last).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        plan.step()
        if step % AVERAGED_EVERY == 0:
            mean.update_parameters(network)
        stones = labels[:, 0] == STONE
        seen = (float(first.detach()), float(last.detach()), float(right[stones].float().mean()))
        running = 0.98 * running + 0.02 * np.array(seen)
        if step % REPORTED_EVERY == REPORTED_EVERY - 1:
            alone_, last_, stones_ = running / (1 - 0.98 ** (step + 1))
            pace = (time.monotonic() - started) / (step + 1)
            print(
                f"{step + 1:6d} {pace:6.3f} s/step  patch {alone_:.4f}  board {last_:.4f}"
                f"  stones right {stones_:.4f}",
                flush=True,
            )
        if step % SAVED_EVERY == SAVED_EVERY - 1:
            save(mean.module, folder)
    save(mean.module, folder)


def save(network: nn.Module, folder: Path) -> None:
    """Write ``domino_duell.onnx`` and ``domino_duell_board.onnx``."""
    assert isinstance(network, BoardReader)
    patch = torch.zeros(1, 3, PATCH_PX, PATCH_PX)
    save_onnx(network.patch, patch, folder / "domino_duell.onnx", dynamic_size=False)
    seen = torch.zeros(1, TOKENS, OUTPUTS + FEATURES + POSITION_FEATURES)
    save_onnx(network.context, seen, folder / "domino_duell_board.onnx", dynamic_size=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Draw the boards, train, and write the weights."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("out", type=Path, metavar="FOLDER", help="where the weights are written")
    options.add_argument("--boards", type=int, default=1000)
    options.add_argument("--steps", type=int, default=5000)
    options.add_argument("--batch", type=int, default=5, help="boards a step")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--workers", type=int, default=2, help="processes that draw boards")
    options.add_argument("--pool", type=Path, help="keep the drawn boards in this .npz file")
    chosen = options.parse_args(argv)
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    boards = _pool(chosen.pool, chosen.boards, chosen.seed, chosen.workers)
    stream = examples(boards, np.random.default_rng(chosen.seed))
    train(BoardReader(), stream, chosen.steps, chosen.batch, chosen.out)


def _pool(path: Path | None, count: int, seed: int, workers: int) -> Boards:
    if path is not None and path.exists():
        with np.load(path) as kept:
            return Boards(kept["patches"], kept["truth"], kept["places"])
    boards = draw_boards(count, seed, workers)
    if path is not None:
        np.savez(path, patches=boards.patches, truth=boards.truth, places=boards.places)
    return boards


if __name__ == "__main__":
    main()
