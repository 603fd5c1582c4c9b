"""The networks that read the hollows of a board, trained together on boards in other light."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from scorer.domino_duell import STONES
from training.common import task
from training.common.answers import Answer
from training.common.arrays import Floats, Matrix, Rng
from training.common.camera import rotation
from training.common.recipe import build
from training.common.task import Batch, Example, Export, Source, Task, block
from training.domino_duell import scenes
from training.domino_duell.scenes import HARSH, Boards, board_patches
from vision.common.network import Network
from vision.domino_duell import weights
from vision.domino_duell.classify import PATCH_PX, combine

WIDTH = 96
ATTENTION_HEADS = 4
LAYERS = 2
SEEN = weights.OUTPUTS + weights.FEATURES + weights.POSITION_FEATURES


class PatchReader(nn.Module):
    """Patches (n, 3, 32, 32) of -0.5..0.5 to logits and features (n, 16 + 96)."""

    def __init__(self) -> None:
        super().__init__()
        self.convolved = nn.Sequential(
            block(3, 16), block(16, 48, 2), block(48, 64, 2), block(64, 96)
        )
        self.pool = nn.AdaptiveAvgPool2d(2)
        self.features = nn.Sequential(
            nn.Flatten(), nn.Linear(4 * 96, 128), nn.ReLU(), nn.Linear(128, weights.FEATURES)
        )
        self.out = nn.Sequential(nn.ReLU(), nn.Linear(weights.FEATURES, weights.OUTPUTS))

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
        self.query, self.key, self.value, self.joined = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        wide = 2 * WIDTH
        self.each = nn.Sequential(nn.Linear(WIDTH, wide), nn.ReLU(), nn.Linear(wide, WIDTH))

    def forward(self, places: Tensor) -> Tensor:
        calm, wide = self.before(places), WIDTH // ATTENTION_HEADS
        asked = (layer(calm).split(wide, 2) for layer in (self.query, self.key, self.value))
        heads = []
        # Head by head, in the plainest operators, so that OpenCV can run it too.
        for query, key, value in zip(*asked, strict=True):
            weight = torch.softmax(query @ key.transpose(1, 2) * wide**-0.5, 2)
            heads.append(weight @ value)
        places = places + self.joined(torch.cat(heads, 2))
        found: Tensor = places + self.each(self.after(places))
        return found


class BoardContext(nn.Module):
    """What the patches of one board show, and where they lie, to logits (n, t, 16).

    The input (n, t, 16 + 96 + 13) is the output of the patch reader and
    ``weights.position_features``. The logits of the patches are mended, not made anew.
    """

    def __init__(self) -> None:
        super().__init__()
        self.enter = nn.Linear(SEEN, WIDTH)
        self.layers = nn.Sequential(*(_Layer() for _ in range(LAYERS)))
        self.leave = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, weights.OUTPUTS))

    def forward(self, seen: Tensor) -> Tensor:
        logits: Tensor = seen[:, :, : weights.OUTPUTS] + self.leave(self.layers(self.enter(seen)))
        return logits


class BoardReader(nn.Module):
    """Both in one, as they are trained."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = PatchReader()
        self.context = BoardContext()

    def forward(self, patches: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (n, t, 16) of patches (n, t, 3, 32, 32) alone, and at positions (n, t, 13)."""
        boards, count = patches.shape[:2]
        flat = patches.flatten(0, 1).contiguous(memory_format=torch.channels_last)
        alone = task.predict(self.patch, flat).view(boards, count, -1)
        together = self.context(torch.cat([alone, positions], 2))
        return alone[:, :, : weights.OUTPUTS], together


def turned_places(places: Floats, rng: Rng) -> Floats:
    """The places (t, 2) of a board turned by any angle, and mirrored half of the time."""
    turn = rotation(rng.uniform(0, 2 * math.pi))
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    return np.asarray((places - places.mean(0)) @ turn.T, np.float32)


def turned_patches(patches: Tensor, rng: Rng) -> Tensor:
    """Patches (t, 3, 32, 32), each turned, mirrored and sized a little on its own."""
    count = len(patches)
    angle, size = rng.uniform(0, 2 * math.pi, count), rng.uniform(0.92, 1.08, count)
    flip = np.where(rng.random(count) < 0.5, -1.0, 1.0)
    cos, sin, none = np.cos(angle) * size, np.sin(angle) * size, np.zeros(count)
    turn = np.stack([cos * flip, -sin, none, sin * flip, cos, none], 1).astype(np.float32)
    table = torch.from_numpy(turn).view(count, 2, 3)
    grid = functional.affine_grid(table, list(patches.shape), align_corners=False)
    return functional.grid_sample(patches, grid, padding_mode="border", align_corners=False)


def relit(patches: Tensor, places: Floats, rng: Rng) -> Tensor:
    """Patches (t, 3, 32, 32) of 0..1 in another light that changes across the board.

    ``places`` (t, 2) are in steps about the middle of the board.
    """

    def each(levels: Matrix) -> Tensor:
        return torch.from_numpy(levels.astype(np.float32)).view(-1, 3, 1, 1)

    at = places / weights.HALF_BOARD_STEPS
    gain = rng.normal(0, 0.12, 3) + rng.normal(0, 0.18)
    slope = rng.normal(0, 0.05, (2, 3)) + rng.normal(0, 0.1, (2, 1))
    out = patches * each(np.exp(gain + at @ slope))
    if rng.random() < 0.5:
        grey = out.mean(1, keepdim=True)
        out = grey + (out - grey) * float(rng.uniform(0.5, 1.3))
    if rng.random() < 0.35:
        spot, reach = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.8)
        near = np.exp(-((at - spot) ** 2).sum(1) / (2 * reach**2)) * rng.uniform(0.1, 0.7)
        out = out + each(near[:, None] * (1 + rng.normal(0, 0.08, 3)))
    out = out * math.exp(rng.normal(0, 0.1)) + float(rng.normal(0, 0.03))
    if rng.random() < 0.3:
        wider = functional.pad(out, (1, 1, 1, 1), mode="replicate")
        out = torch.lerp(out, functional.avg_pool2d(wider, 3, 1), float(rng.uniform(0.3, 1.0)))
    out = out.clamp(0, 1) ** math.exp(rng.normal(0, 0.15))
    if rng.random() < 0.5:
        grain = torch.from_numpy(rng.standard_normal(tuple(out.shape), np.float32))
        out = out + float(rng.uniform(0, 0.035)) * grain
    return out.clamp(0, 1)


def loss_of(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Cross entropy of each head where it has a truth, and which patches (n,) are all right.

    ``logits`` (n, 16), ``labels`` (n, 4).
    """
    loss = logits.new_zeros(())
    right = torch.ones(len(labels), dtype=torch.bool, device=labels.device)
    for wanted, where in zip(labels.T, weights.HEADS, strict=True):
        known = wanted >= 0
        if bool(known.any()):
            mine, true = logits[known][:, where], wanted[known]
            loss = loss + functional.cross_entropy(mine, true, label_smoothing=0.005)
            right[known] &= mine.argmax(1) == true
    return loss, right


REST = (len(STONES), len(STONES) + 1, -1, len(STONES) + 2)
"""The column of ``classify.Contents`` for each of ``weights.CONTENTS`` but a stone."""
LEAST = 1e-12


def columns_of(truth: NDArray[np.int64]) -> NDArray[np.int64]:
    """The true column (n,) of the contents for truths (n, 4) of the heads."""
    stones = 16 * truth[:, 1] + 4 * truth[:, 2] + truth[:, 3]
    return np.where(truth[:, 0] == weights.STONE, stones, np.array(REST)[truth[:, 0]])


def fitted_temperature(logits: Matrix, columns: NDArray[np.int64]) -> float:
    """The temperature with which the true contents are most probable, all heads together."""

    def loss(temperature: float) -> float:
        found = combine(logits / temperature)[np.arange(len(columns)), columns]
        return float(-np.log(np.maximum(found, LEAST)).mean())

    return task.likeliest_temperature(loss)


def _read_hollows(reader: weights.Weights, board: Boards) -> tuple[Matrix, NDArray[np.int64]]:
    """Of the hollows of a board the logits (n, 16), means of all views, and true columns (n,)."""
    hollows = board.truth[:, 0] != weights.NOTHING
    views = reader.board_views(board.patches[hollows], board.places[hollows])
    return views.mean(0), columns_of(board.truth[hollows])


TOKENS = 72
"""Places of a board that are shown at once: all stones, and some of the rest."""
LEAST_NOTHING = 4
ASKED_SEED = 500_000
FILES = ("domino_duell.onnx", "domino_duell_board.onnx")


@dataclass(frozen=True)
class Options:
    """Boards: those ``calibrated`` in harsher light, those ``asked`` of other materials."""

    boards: int
    calibrated: int
    asked: int


class Reading(Task):
    """Boards in other light, turned and mirrored, each a set of patches with their places."""

    stocks, network = ("boards",), BoardReader

    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        self.source, self.options = source, build(Options, options, "options")

    @cached_property
    def boards(self) -> Boards:
        """Drawn ahead."""
        return scenes.stored_boards(self.source.cache, self.options.boards, self.source.seed)

    def examples(self, rng: Rng, options: Mapping[str, Any]) -> Iterator[Example]:
        while True:
            for index in rng.permutation(len(self.boards.patches)):
                patches, truth, places = (each[index] for each in self.boards)
                # All stones and jokers, and some of the others.
                order = rng.permutation(len(truth))
                content = truth[order, 0]
                rank = np.where(np.isin(content, (weights.EMPTY, weights.NOTHING)), 2, 0)
                rank[np.flatnonzero(content == weights.NOTHING)[:LEAST_NOTHING]] = 1
                shown = order[np.argsort(rank, kind="stable")][:TOKENS]
                places = turned_places(places, rng)[shown]
                planes = np.ascontiguousarray(patches[shown].transpose(0, 3, 1, 2))
                picture = torch.from_numpy(planes).float() / 255
                varied = relit(turned_patches(picture, rng), places, rng)
                yield varied - 0.5, weights.position_features(places), truth[shown]

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        patches, positions, truth = batch
        labels = truth.flatten(0, 1)
        alone, together = (each.flatten(0, 1) for each in network(patches, positions))
        (first, _), (last, right) = loss_of(alone, labels), loss_of(together, labels)
        stones = right[labels[:, 0] == weights.STONE].float().mean()
        return 0.5 * first + last, {"patch": first, "board": last, "stones right": stones}

    def exports(self, network: nn.Module) -> list[Export]:
        assert isinstance(network, BoardReader)
        patch, seen = torch.zeros(1, 3, PATCH_PX, PATCH_PX), torch.zeros(1, TOKENS, SEEN)
        return [
            Export(FILES[0], network.patch, patch),
            Export(FILES[1], network.context, seen, dynamic_size=True),
        ]

    def temperature(self, folder: Path, seed: int) -> tuple[float, int]:
        """Fitted to drawn boards in harsher light than the training has seen."""
        patch, board = (Network((folder / name).read_bytes()) for name in FILES)
        reader = weights.Weights(patch, board)
        drawn = (board_patches(seed, index, HARSH) for index in range(self.options.calibrated))
        read = zip(*(_read_hollows(reader, each) for each in drawn), strict=True)
        logits, columns = map(np.concatenate, read)
        return fitted_temperature(logits, columns), len(columns)

    def answers(self, folder: Path) -> Iterable[Answer]:
        """What lies in each hollow of boards of woods and outlines that no training has seen."""
        reader = weights.Weights.load(folder)
        for index in range(self.options.asked):
            light = HARSH if index % 2 else HARSH._replace(casts=(0.1, 0.8), glare_share=0.1)
            board = board_patches(ASKED_SEED, index, light, scenes.OTHER_MATERIALS)
            logits, columns = _read_hollows(reader, board)
            name = f"drawn {index}"
            for k, (row, column) in enumerate(zip(combine(logits), columns, strict=True)):
                said = int(row.argmax())
                kind = "stones" if column < len(STONES) else "no stones"
                yield Answer(f"{name}, {k}", name, kind, str(column), str(said), float(row[said]))
