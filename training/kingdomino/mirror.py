"""The network that tells squares from their mirror images.

All copies of the game have the same pictures on their dominoes, and most are unlike their mirror
images. Of what the network says of a square and of its mirror image only the difference counts, so
it is trained on pairs. It learns to name the squares besides, without which it learns much slower.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.common.answers import Answer
from training.common.arrays import Image, Matrix, Rng
from training.common.recipe import build
from training.common.synthetic import any_of
from training.common.task import Batch, Example, Source, Task, as_input, block, predict
from training.kingdomino.corpus import DOMINOES, Corpus, held_out_sessions, read_rgb, resized
from training.kingdomino.scenes.compose import UNKNOWN, draw_squares, load_photo_scenes
from training.kingdomino.scenes.patches import augment_square
from vision.common.geometry import cut_square
from vision.common.network import Network, as_planes
from vision.kingdomino.result import EMPTY, FOREIGN, LABELS, ONE_CROWN
from vision.kingdomino.warn import MIRROR_PX

# Pictures are kept this large.
SOURCE_PX = 96
# What it learns to name, in the order of its outputs; no names are told of empty and foreign ones.
NAMES = tuple(label for label in LABELS if label not in ONE_CROWN)
NO_NAME = -1


class MirrorNetwork(nn.Module):
    """A square (n, 3, 48, 48) to a number (n, 1), higher for what is mirrored.

    While it is trained, logits of its names follow: (n, 1 + names).
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            block(3, 16, 2, side=5), block(16, 32, 2), block(32, 48, 2), block(48, 48),
            block(48, 48, 2),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        # Where on the square something lies tells more than that it lies there.
        self.head, self.names = (nn.Linear(3 * 3 * 48, count) for count in (1, len(NAMES)))

    def forward(self, squares: Tensor) -> Tensor:
        features = self.drop(self.features(squares).flatten(1))
        odds: Tensor = self.head(features)
        return torch.cat([odds, self.names(features)], 1) if self.training else odds


@dataclass(frozen=True)
class Options:
    """``shares`` of the banks among examples, ``drawn_of_each`` label so many drawings; ``waiting``
    squares of a stream are each ``shown`` so many times, turned; ``naming`` counts so much.
    """

    shares: Mapping[str, float]
    drawn_of_each: int
    waiting: int
    shown: int
    naming: float


@dataclass(frozen=True)
class SquareBank:
    """Pictures of squares (h, w, 3) with labels; its ``share`` of examples, beside other banks'.

    Where they are not ``of_the_game``, as drawn ones, nothing tells whether they are mirrored.
    """

    squares: Sequence[tuple[Image, str]]
    share: float
    of_the_game: bool = True


class Mirrored(Task):
    """Squares and their mirror images in turn, so batches are even."""

    parts, stocks, network = 3, ("drawn_of_each", "waiting"), MirrorNetwork
    file, size = "mirrored.onnx", (MIRROR_PX, MIRROR_PX)

    def __init__(
        self, source: Source, options: Mapping[str, Any], banks: Sequence[SquareBank] | None = None
    ) -> None:
        self.corpus, self.options = Corpus(source.data), build(Options, options, "options")
        self.held_out, self._given = held_out_sessions(source.data, *source.held_out or ()), banks

    @cached_property
    def banks(self) -> Sequence[SquareBank]:
        """The squares of the folder, except those of held-out sessions, and others, drawn or of
        another game, by which the network is told of what it can't know.
        """
        if self._given:
            return self._given
        found: dict[str, list[tuple[Image, str]]] = {}
        for name, picture, label in self._found_squares():
            if max(picture.shape[:2]) > SOURCE_PX:
                picture = resized(picture, SOURCE_PX, SOURCE_PX)
            square = np.ascontiguousarray(picture), label.partition(":")[0]
            found.setdefault(name, []).append(square)
        shares = self.options.shares
        return [SquareBank(each, shares[name], name != "others") for name, each in found.items()]

    def _found_squares(self) -> Iterator[tuple[str, Image, str]]:
        """The name of a bank, a square that belongs there, and its label."""
        corpus, held_out = self.corpus, self.held_out
        for kind in ("scan", "photo"):
            for number, both in corpus.domino_pictures(kind).items():
                for half, label in zip(np.array_split(both, 2, 1), DOMINOES[number], strict=True):
                    yield "dominoes", half, label
        for _, picture in corpus.start_tiles():
            yield "starts", picture, "c"
        for square in corpus.squares() + corpus.scanned_squares():
            if square.session not in held_out:
                yield "squares", read_rgb(square.path), square.label
        for area, label, session in corpus.board_squares():
            if label != EMPTY and session not in held_out:
                yield "boards", area, label
        for scene in load_photo_scenes(corpus, held_out):
            for seen in scene.seen:
                if seen.label != UNKNOWN:
                    yield "photos", cut_square(scene.rgb, seen.corners), seen.label
        labels, rng = [n for n in NAMES if n not in (EMPTY, FOREIGN)], np.random.default_rng(0)
        drawn = draw_squares(labels, SOURCE_PX, self.options.drawn_of_each, rng)
        for label, pictures in (*drawn.items(), (FOREIGN, corpus.foreign_squares())):
            for picture in pictures:
                yield "others", picture, label

    def examples(self, rng: Rng, options: Mapping[str, Any]) -> Iterator[Example]:
        """A square or its image, the index of its label, and whether anything tells them apart."""
        shares = np.array([bank.share for bank in self.banks])
        shares /= shares.sum()
        waiting = [self._fresh(shares, rng) for _ in range(self.options.waiting)]
        while True:
            if rng.random() < 1 / self.options.shown:
                waiting[int(rng.integers(len(waiting)))] = self._fresh(shares, rng)
            square, label, is_told = any_of(waiting, rng)
            turned = np.rot90(square, int(rng.integers(4))).transpose(2, 0, 1)
            for seen in (turned, turned[:, :, ::-1]):
                yield np.ascontiguousarray(seen), label, is_told

    def _fresh(self, shares: Matrix, rng: Rng) -> tuple[Image, int, np.float32]:
        bank = self.banks[int(rng.choice(len(shares), p=shares))]
        picture, label = any_of(bank.squares, rng)
        patch = augment_square(picture, rng)
        name = NAMES.index(label) if bank.of_the_game else NO_NAME
        return resized(patch, MIRROR_PX, MIRROR_PX), name, np.float32(bank.of_the_game)

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Where nothing tells, both answers are wrong alike, which draws the difference to nothing.

        ValueError for a batch that ends between a square and its mirror image.
        """
        pictures, labels, told = batch
        if len(pictures) % 2:
            raise ValueError(f"batch: expected an even number, got {len(pictures)}")
        outputs = predict(network, as_input(pictures))
        odds, told = outputs[1::2, 0] - outputs[0::2, 0], told[0::2]
        losses = functional.softplus(-odds) + (1 - told) * functional.softplus(odds)
        names, none = outputs[:, 1:], NO_NAME
        naming = functional.cross_entropy(names, labels, ignore_index=none, reduction="sum")
        loss = losses.mean() + self.options.naming * naming / len(labels)
        right = ((odds > 0) * told).sum() / told.sum().clamp(min=1)
        return loss, {"loss": loss, "right": right}

    def answers(self, folder: Path) -> Iterable[Answer]:
        """Whether each square of the held-out sessions is told from its mirror image."""
        network = Network((folder / self.file).read_bytes())
        for name, session, label, picture in self.corpus.asked_squares(self.held_out):
            if label == EMPTY:
                continue
            seen = as_planes([resized(picture, MIRROR_PX, MIRROR_PX)])
            pair = np.ascontiguousarray(np.concatenate([seen, seen[..., ::-1]]))
            plain, flipped = network(pair)[:, 0].astype(np.float64)
            sure = float(1 / (1 + np.exp(-abs(flipped - plain))))
            said = "as it is" if flipped > plain else "mirrored"
            yield Answer(name, session, label.partition(":")[0], "as it is", said, sure)
