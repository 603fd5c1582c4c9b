"""The network that names single squares: patches of composed, drawn and photographed scenes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import logsumexp
from torch import Tensor, nn
from torch.nn import functional

from training.common import task
from training.common.answers import Answer
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.recipe import build
from training.common.synthetic import any_of, random_table
from training.common.task import block
from training.kingdomino.corpus import Corpus, held_out_sessions, read_rgb, resized
from training.kingdomino.scenes import compose as scenes
from training.kingdomino.scenes.kingdoms import SceneSettings, TileSet
from training.kingdomino.scenes.patches import Disturbance, Disturber, augment_square, cut_patches
from training.kingdomino.tiles import SQUARE_PX, load_tiles
from vision.common.geometry import PATCH_PX
from vision.common.network import Network, as_planes, softmax
from vision.kingdomino.result import EMPTY, FOREIGN, LABELS, OUTPUTS
from vision.kingdomino.weights import CASTLES, raw_outputs

# Front cameras mirror what they see.
MIRRORED_SHARE = 0.05
SMOOTHING = 0.04
# The output index for a castle of unknown colour.
ANY_CASTLE = len(OUTPUTS)
BARE_TABLES = 10
# So many patches of a stream wait to be shuffled.
WAITING = 240
ASKED_SEED = 500_000
# What is asked for a judgement and for the temperature stays as it is when a recipe changes what it
# shows, so that answers can be compared, and a network is as sure as it is right about the same.
ASKED_SCENES = SceneSettings(
    448, (20.0, 110.0), castle_share=0.4, thing_share=0.15, empty_share=0.02, drawn_share=0.22
)
ASKED_DISTURBED = Disturbance(occluded=0.2, squeezed=0.06, blurred=0.04, dimmed=0.05, grey=0.04)
WAYS = tuple(each.name for each in fields(Disturbance))
# In each way one of so many squares is disturbed for a judgement.
ASKED_OF = 5
Asked = tuple[str, str, str, Image]
"""A question, its group, and the label and the patch that it is about."""


class SquareClassifier(nn.Module):
    """A square (n, 3, 64, 64) to logits (n, outputs)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            block(3, 24, 2, side=5), block(24, 48), nn.MaxPool2d(2),
            block(48, 80), block(80, 80), nn.MaxPool2d(2),
            block(80, 128), block(128, 128),
        )  # fmt: skip
        self.drop, self.head = nn.Dropout(0.2), nn.Linear(128, len(OUTPUTS))

    def forward(self, squares: Tensor) -> Tensor:
        logits: Tensor = self.head(self.drop(self.features(squares).mean((2, 3))))
        return logits


@dataclass(frozen=True)
class Options:
    """``photo_share`` of the scenes are photographs, 0..1.

    Of single squares ``drawn_squares_share`` are among ``drawn_squares`` drawings of each label.
    With ``two_crowns`` squares that only Age of Giants has are printed from those with one.
    ``calibrated`` and ``asked`` are the composed scenes for the temperature and of a judgement.
    """

    photo_share: float
    drawn_squares: int
    drawn_squares_share: float
    calibrated: int
    asked: int
    two_crowns: bool = True
    scenes: SceneSettings = field(default_factory=SceneSettings)
    disturbed: Disturbance = field(default_factory=Disturbance)


class Squares(task.Task):
    """Patches from scenes, single squares and empty tables, disturbed in many ways."""

    parts, stocks, network = 3, ("drawn_squares",), SquareClassifier
    file, size = "squares.onnx", (PATCH_PX, PATCH_PX)

    def __init__(
        self, source: task.Source, options: Mapping[str, Any], tiles: TileSet | None = None
    ) -> None:
        self.source, self.options = source, build(Options, options, "options")
        self.corpus, giants = Corpus(source.data), self.options.two_crowns
        out = self.held_out = held_out_sessions(source.data, *source.held_out or ())
        self.tiles = tiles or load_tiles(source.data, out, age_of_giants=giants)
        self.photographed = scenes.load_photo_scenes(self.corpus, out)

    @cached_property
    def squares(self) -> dict[str, list[Image]]:
        """Drawn single squares by label, without the castle."""
        labels = [label for label in LABELS if label not in (EMPTY, FOREIGN, "c")]
        rng = np.random.default_rng([self.source.seed, 6])
        return scenes.draw_squares(labels, SQUARE_PX, self.options.drawn_squares, rng)

    def examples(self, rng: Rng, options: Mapping[str, Any]) -> Iterator[task.Example]:
        chosen = build(Options, options, "options")
        banks = {k: v for k, v in self.tiles.squares.items() if k in OUTPUTS or k == "c"}
        if self.tiles.foreign:
            banks[FOREIGN] = self.tiles.foreign
        # Castles of all colours together are as frequent as one other kind of square.
        weights = np.array([0.3 if kind[0] in "cx" else 1.0 for kind in banks])
        kinds, chances = list(banks), weights / weights.sum()
        disturb = Disturber(self.tiles.surfaces, rng, chosen.disturbed)
        waiting: list[tuple[Image, str]] = []
        while True:
            if self.photographed and rng.random() < chosen.photo_share:
                scene = any_of(self.photographed, rng)
                scene = scenes.augment_scene(scene, chosen.scenes.square_px, rng)
            else:
                scene = scenes.compose(self.tiles, chosen.scenes, rng)
            patches = cut_patches(scene, rng)
            waiting.extend(each for each in patches if each[1] != scenes.UNKNOWN)
            for _ in range(max(len(patches), 8)):
                label = kinds[int(rng.choice(len(kinds), p=chances))]
                is_drawn = label in self.squares and rng.random() < chosen.drawn_squares_share
                square = any_of(self.squares[label] if is_drawn else banks[label], rng)
                waiting.append((augment_square(square, rng), label))
            for _ in range(BARE_TABLES):
                table = random_table(self.tiles.surfaces, (PATCH_PX, PATCH_PX), rng)
                waiting.append((augment_square(table, rng), EMPTY))
            while len(waiting) > WAITING:
                # Shuffled, so that a batch has squares of many scenes.
                at = int(rng.integers(len(waiting)))
                waiting[at], waiting[-1] = waiting[-1], waiting[at]
                patch, known = disturb(*waiting.pop())
                if known is None:
                    continue
                turned = np.rot90(patch, int(rng.integers(4))).transpose(2, 0, 1)
                if rng.random() < MIRRORED_SHARE:
                    turned = turned[:, :, ::-1]
                number = ANY_CASTLE if known == "c" else OUTPUTS.index(known)
                yield np.ascontiguousarray(turned), number

    def loss(self, network: nn.Module, batch: task.Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy with label smoothing; a castle of unknown colour may have any colour."""
        pictures, labels = batch
        logits = task.predict(network, task.as_input(pictures))
        logs = functional.log_softmax(logits, 1)
        with_any = torch.cat([logs, logs[:, CASTLES].logsumexp(1, keepdim=True)], 1)
        hit = with_any.gather(1, labels[:, None])[:, 0]
        loss = -((1 - SMOOTHING) * hit + SMOOTHING * logs.mean(1)).mean()
        read = logits.argmax(1)
        right = (read == labels) | ((labels == ANY_CASTLE) & (read >= CASTLES.start))
        return loss, {"loss": loss, "right": right.float().mean()}

    def calibration(self, file: str, count: int, seed: int) -> list[Floats]:
        """Batches of 32 phone squares."""
        every = [s for s in self.corpus.squares() if s.session not in self.held_out]
        order = np.random.default_rng(seed).permutation(len(every))[: 32 * count]
        some = [resized(read_rgb(every[k].path), PATCH_PX, PATCH_PX) for k in order]
        return [as_planes(some[at : at + 32]) for at in range(0, len(some), 32)]

    def asked(self, count: int, seed: int) -> Iterator[Asked]:
        """Held-out squares, and those of ``count`` composed scenes."""
        for name, session, label, picture in self.corpus.asked_squares(self.held_out):
            yield name, session, label, resized(picture, PATCH_PX, PATCH_PX)
        rng, part = np.random.default_rng([seed, len(self.held_out)]), self.source.held_out
        for number in range(count):
            scene = scenes.compose(self.tiles, ASKED_SCENES, rng)
            for k, (patch, label) in enumerate(cut_patches(scene, rng)):
                if label != scenes.UNKNOWN:
                    yield f"composed {part} {number}, {k}", f"composed {number}", label, patch

    def disturbed(self, squares: Sequence[Asked], way: str) -> Iterator[Asked]:
        """Those of ``squares`` that can still be named, disturbed in one of ``WAYS``."""
        shares = Disturbance(**{each: float(each == way) for each in WAYS})
        disturb = Disturber(self.tiles.surfaces, np.random.default_rng(ASKED_SEED), shares)
        for question, group, label, patch in squares:
            seen, known = disturb(patch, label)
            if known is not None:
                yield f"{way} {question}", group, known, seen

    def temperature(self, folder: Path, seed: int) -> tuple[float, int]:
        """Fitted to what the training has not seen, where a part is held out.

        That is disturbed as photographs are: whole squares in good light alone would make the
        reader too sure of squares half under something, and of other games.
        """
        rng = np.random.default_rng(seed)
        disturb = Disturber(self.tiles.surfaces, rng, ASKED_DISTURBED)
        patches, labels = [], []
        for question, _, label, patch in self.asked(self.options.calibrated, seed):
            seen = patch if question.startswith("composed") else augment_square(patch, rng)
            disturbed, known = disturb(seen, label)
            if known in OUTPUTS:
                patches.append(disturbed)
                labels.append(OUTPUTS.index(known))
        network = Network((folder / self.file).read_bytes())
        logits = raw_outputs(network, np.stack(patches))
        return fit_temperature(logits, np.array(labels)), len(labels)

    def answers(self, folder: Path) -> Iterable[Answer]:
        """What each held-out square is read as, in 32 and in 8 bits; castles without colours.

        Each is asked as it is and disturbed in one way, since photographs in good light alone would
        not tell what a recipe does for others.
        """
        plain = list(self.asked(self.options.asked, ASKED_SEED))
        asked = plain.copy()
        for k, way in enumerate(WAYS):
            asked += self.disturbed(plain[k % ASKED_OF :: ASKED_OF], way)
        fitted, temperature = folder / "squares.json", 1.0
        if fitted.exists():
            temperature = json.loads(fitted.read_text(encoding="utf-8"))["temperature"]
        for file in (self.file, self.file.replace(".", ".int8.")):
            for each in answers_to(asked, folder / file, temperature):
                question, kind = f"{file}: {each.question}", f"{each.kind}, {file}"
                yield replace(each, question=question, kind=kind)


class SecondOpinion(Squares):
    """The same for a second network, asked about squares of which the first leaves a doubt."""

    file = "second_opinion.onnx"


def answers_to(asked: Sequence[Asked], file: Path, temperature: float = 1.0) -> Iterator[Answer]:
    """What the network in a file says of patches; castles without colours."""
    names = [*OUTPUTS[: CASTLES.start], "c"]
    network, patches = Network(file.read_bytes()), np.stack([patch for *_, patch in asked])
    shares = softmax(raw_outputs(network, patches) / temperature)
    coloured = shares[:, CASTLES].sum(1, keepdims=True)
    rows = np.hstack([shares[:, : CASTLES.start], coloured])
    for (question, group, label, _), row in zip(asked, rows, strict=True):
        first = question.partition(" ")[0]
        kind = first if first in ("composed", *WAYS) else "photographed"
        truth, said, sure = label.partition(":")[0], names[row.argmax()], float(row.max())
        yield Answer(question, group, kind, truth, said, sure)


def fit_temperature(logits: Matrix, labels: NDArray[np.int64]) -> float:
    """The temperature for logits (n, outputs) whose true outputs are ``labels`` (n,)."""
    true = np.arange(len(labels)), labels
    return task.likeliest_temperature(
        lambda t: float((logsumexp(logits / t, axis=1) - (logits / t)[true]).mean())
    )
