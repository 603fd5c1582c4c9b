"""Train the network that tells squares from their mirror images.

``python -m training.kingdomino.mirror DATA OUT.onnx``

All copies of the game have the same pictures on their dominoes, and most are unlike their mirror
images. Of what the network says of a square and of its mirror image only the difference counts, so
it is trained on pairs. It learns to name the squares besides, without which it learns much slower.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import IterableDataset

from training.common.loop import Schedule, build_parser, train_network
from training.kingdomino.corpus import Corpus, read_rgb, sessions_of_fold
from training.kingdomino.networks import MirrorNetwork
from training.kingdomino.scenes.compose import UNKNOWN, draw_squares
from training.kingdomino.scenes.patches import augment_square
from training.kingdomino.scenes.photographed import load_photo_scenes
from vision.common.rectify import cut_square
from vision.kingdomino.judge.mirrored import PATCH_PX
from vision.kingdomino.labels import EMPTY, FOREIGN

__all__ = ["SquareBank", "load_banks", "main", "train"]

Image = NDArray[np.uint8]

# Pictures are kept this large.
SOURCE_PX = 96
DRAWN_OF_EACH = 10
# So many augmented squares wait, each of which is shown four times on average, turned.
WAITING = 3000
SHOWN = 4
# What it learns to name, in the order of its outputs; of empty and foreign squares it has none.
NAMES = (
    EMPTY, "c", "w", "w1", "f", "f1", "l", "l1", "g", "g1", "g2",
    "s", "s1", "s2", "m", "m1", "m2", "m3", FOREIGN,
)  # fmt: skip
# How much naming the squares counts.
NAMING = 0.1
NO_NAME = -1


@dataclass(frozen=True)
class SquareBank:
    """Pictures of squares (h, w, 3) with their labels.

    ``share`` is how often an example is taken from them, in relation to other banks. Where they
    are not ``of_the_game``, as drawn ones, nothing tells whether they are mirrored.
    """

    squares: tuple[tuple[Image, str], ...]
    share: float
    of_the_game: bool = True


def load_banks(folder: Path, held_out: Container[str] = (), seed: int = 0) -> list[SquareBank]:
    """The squares of the folder, none of them mirrored, except those of held-out sessions.

    Drawn squares and those of another game are added, so that the network is told of what it
    can't know.
    """
    corpus = Corpus(folder)
    dominoes = [
        (half, label)
        for kind in ("scan", "photo")
        for number, picture in corpus.domino_pictures(kind).items()
        for half, label in zip(
            np.array_split(picture, 2, axis=1), corpus.dominoes[number], strict=True
        )
    ]
    starts = [(picture, "c") for _, picture in corpus.start_tiles()]
    single = [
        (read_rgb(square.path), square.label)
        for square in corpus.squares() + corpus.scanned_squares()
        if square.session not in held_out
    ]
    boards = [
        (area, label)
        for area, label, session in corpus.board_squares()
        if label != EMPTY and session not in held_out
    ]
    photographed = [
        (cut_square(scene.rgb, square.corners), square.label)
        for scene in load_photo_scenes(corpus, held_out)
        for square in scene.seen
        if square.label != UNKNOWN
    ]
    labels = [label for label in NAMES if label not in (EMPTY, FOREIGN)]
    drawn = draw_squares(labels, SOURCE_PX, DRAWN_OF_EACH, np.random.default_rng(seed))
    others = [(picture, label) for label, some in drawn.items() for picture in some]
    others += [(picture, FOREIGN) for picture in corpus.foreign_squares()]
    banks = (
        SquareBank(_reduced(dominoes), 0.3),
        SquareBank(_reduced(starts), 0.02),
        SquareBank(_reduced(single), 0.46),
        SquareBank(_reduced(boards), 0.12),
        SquareBank(_reduced(photographed), 0.1),
        SquareBank(_reduced(others), 0.08, of_the_game=False),
    )
    return [bank for bank in banks if bank.squares]


def _reduced(squares: Sequence[tuple[Image, str]]) -> tuple[tuple[Image, str], ...]:
    size = (SOURCE_PX, SOURCE_PX)
    return tuple(
        (
            np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
            if max(picture.shape[:2]) > SOURCE_PX
            else np.ascontiguousarray(picture),
            label.partition(":")[0],
        )
        for picture, label in squares
    )


class _Pairs(IterableDataset[tuple[Tensor, Tensor, Tensor]]):
    """An endless stream of augmented squares, each followed by its mirror image.

    With the index of their label, and whether anything tells them apart (1) or not (0).
    """

    def __init__(self, banks: Sequence[SquareBank], seed: int, waiting: int) -> None:
        self.banks, self.seed, self.waiting = banks, seed, waiting

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        cv2.setNumThreads(0)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, 91, info.id if info else 0])
        shares = np.array([bank.share for bank in self.banks])
        shares /= shares.sum()
        waiting: list[tuple[Image, Tensor, Tensor]] = []
        while True:
            if len(waiting) < self.waiting or rng.random() < 1 / SHOWN:
                bank = self.banks[int(rng.choice(len(shares), p=shares))]
                picture, label = bank.squares[int(rng.integers(len(bank.squares)))]
                patch = augment_square(picture, rng)
                small = cv2.resize(patch, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
                name = NAMES.index(label) if bank.of_the_game else NO_NAME
                fresh = (
                    np.asarray(small, np.uint8),
                    torch.tensor(name),
                    torch.tensor(float(bank.of_the_game)),
                )
                if len(waiting) < self.waiting:
                    waiting.append(fresh)
                else:
                    waiting[int(rng.integers(len(waiting)))] = fresh
            square, label_index, is_told = waiting[int(rng.integers(len(waiting)))]
            turned = np.rot90(square, int(rng.integers(4))).transpose(2, 0, 1)
            for seen in (turned, turned[:, :, ::-1]):
                yield torch.from_numpy(seen.copy()), label_index, is_told


def _figures(outputs: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, dict[str, float]]:
    """The loss of squares and mirror images in turn.

    Where nothing tells, both answers are wrong alike, which draws the difference to nothing.
    """
    labels, told = truth
    odds, told = outputs[1::2, 0] - outputs[0::2, 0], told[0::2]
    losses = functional.softplus(-odds) + (1 - told) * functional.softplus(odds)
    naming = functional.cross_entropy(outputs[:, 1:], labels, ignore_index=NO_NAME, reduction="sum")
    loss = losses.mean() + NAMING * naming / len(labels)
    right = ((odds > 0) * told).sum() / told.sum().clamp(min=1)
    return loss, {"loss": loss.item(), "right": right.item()}


def train(
    banks: Sequence[SquareBank], out: Path, schedule: Schedule, *, waiting: int = WAITING
) -> None:
    """Train on augmented squares and their mirror images, and write the weights."""
    if schedule.batch % 2:
        raise ValueError(f"batch: expected an even number, got {schedule.batch}")
    torch.manual_seed(schedule.seed)
    train_network(
        MirrorNetwork(len(NAMES)),
        _Pairs(banks, schedule.seed, waiting),
        _figures,
        out,
        schedule,
        example=torch.zeros(1, 3, PATCH_PX, PATCH_PX),
        dynamic_size=False,
    )


def main() -> None:
    """Train with the options of the command line."""
    options = build_parser(__doc__, steps=1800, batch=256)
    options.add_argument(
        "--hold-out", metavar="FOLD/FOLDS", help="leave a part of the sessions and scenes out"
    )
    chosen = options.parse_args()
    sessions = sessions_of_fold(chosen.data, chosen.hold_out)
    train(
        load_banks(chosen.data, sessions),
        chosen.out,
        Schedule(
            chosen.steps, chosen.batch, chosen.seed, chosen.workers,
            warm_share=0.15, weight_decay=2e-2,
        ),
    )  # fmt: skip


if __name__ == "__main__":
    main()
