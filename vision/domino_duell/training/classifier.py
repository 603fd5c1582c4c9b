"""Train the reader: ``python -m vision.domino_duell.training.classifier FOLDER``.

It sees drawn pictures only, whole boards at a time: a patch alone does not tell white in the
shade from grey in the sun, the other stones of the board do. Boards are drawn first, and then
shown again and again in other light, turned and with grain. Writes ``domino_duell.onnx``, which
reads a patch, and ``domino_duell_board.onnx``, which reads the patches of a board together.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.common.training.export import average_weights, save_onnx
from vision.domino_duell.context import POSITION_FEATURES, position_features
from vision.domino_duell.labels import EMPTY, HEADS, NOTHING, OUTPUTS, STONE
from vision.domino_duell.patches import PATCH_PX
from vision.domino_duell.training.networks import FEATURES, BoardReader
from vision.domino_duell.training.scenes import Boards, draw_boards
from vision.domino_duell.training.variation import relit, turned_patches, turned_places

__all__ = ["Example", "examples", "loss_of", "save"]

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
