"""Train the classifier of squares.

``python -m training.kingdomino.classifier DATA OUT.onnx``, anew or from other weights:
``--from FILE.onnx --rate 0.001 --keep 0.5``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import IterableDataset

from training.common.loop import RATE, Schedule, build_parser, train_network
from training.common.onnx_weights import blend, read_weights, restart
from training.kingdomino.corpus import Corpus, sessions_of_fold
from training.kingdomino.networks import SquareClassifier
from training.kingdomino.new_outputs import with_all_outputs
from training.kingdomino.scenes.compose import UNKNOWN, Scene, compose, draw_scene, draw_squares
from training.kingdomino.scenes.kingdoms import SceneSettings, TileSet
from training.kingdomino.scenes.patches import Disturbance, Disturber, augment_square, cut_patches
from training.kingdomino.scenes.photographed import augment_scene, load_photo_scenes
from training.kingdomino.tiles import SQUARE_PX, load_tiles
from vision.common.rectify import PATCH_PX
from vision.common.synthetic import develop, random_table
from vision.kingdomino.labels import CASTLE_COLOURS, EMPTY, FOREIGN, LABELS, OUTPUTS

__all__ = ["main"]

# Front cameras mirror what they see.
MIRRORED_SHARE = 0.05
SMOOTHING = 0.04
# The labels of single squares, without the castle.
SINGLE_LABELS = tuple(label for label in LABELS if label not in (EMPTY, FOREIGN, "c"))
# The output index for a castle of unknown colour.
ANY_CASTLE = len(OUTPUTS)
BARE_TABLES = 10
# Drawn scenes are made once and augmented each time.
DRAWN_SCENES = 120
DRAWN_SHARE = 0.15
DRAWN_LIGHT = 0.6
# The share of single squares that are drawn, and the number of drawings of each label.
DRAWN_SQUARES_SHARE = 0.25
DRAWN_SQUARES = 40
# The share of scenes that are photographs, augmented each time.
PHOTO_SHARE = 0.12
# Bounds of the side of a square in a scene.
SQUARES_PX = (20.0, 110.0)
# Patches for the first statistics of a network that starts from other weights.
FIRST_PATCHES = 1024


class _Patches(IterableDataset[tuple[Tensor, Tensor]]):
    """An endless stream of patches from scenes, single squares and empty tables.

    ``drawn`` are drawn scenes, ``squares`` drawn single squares by label, ``photographed`` whole
    photographs.
    """

    def __init__(
        self,
        tiles: TileSet,
        settings: SceneSettings,
        seed: int,
        drawn: list[Scene],
        squares: dict[str, list[NDArray[np.uint8]]],
        photographed: list[Scene],
    ) -> None:
        self.tiles, self.settings, self.seed = tiles, settings, seed
        self.drawn, self.squares, self.photographed = drawn, squares, photographed

    def _scene(self, rng: np.random.Generator) -> Scene:
        kind = rng.random()
        if self.drawn and kind < DRAWN_SHARE:
            scene = self.drawn[int(rng.integers(len(self.drawn)))]
            return replace(scene, rgb=develop(scene.rgb.astype(np.float32), rng, DRAWN_LIGHT))
        if self.photographed and kind < DRAWN_SHARE + PHOTO_SHARE:
            scene = self.photographed[int(rng.integers(len(self.photographed)))]
            return augment_scene(scene, SQUARES_PX, rng)
        return compose(self.tiles, self.settings, rng)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(0)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, 77, info.id if info else 0])
        banks = {k: v for k, v in self.tiles.squares.items() if k in OUTPUTS or k == "c"}
        banks[FOREIGN] = self.tiles.foreign
        # Castles of all colours together are as frequent as one other kind of square.
        weights = np.array([0.3 if kind[0] in "cx" else 1.0 for kind in banks])
        kinds, chances = list(banks), weights / weights.sum()
        disturb = Disturber(self.tiles.surfaces, rng, Disturbance())
        waiting: list[tuple[np.ndarray, str]] = []
        while True:
            patches = cut_patches(self._scene(rng), rng)
            waiting.extend((patch, label) for patch, label in patches if label != UNKNOWN)
            for _ in range(max(len(patches), 8)):
                label = kinds[int(rng.choice(len(kinds), p=chances))]
                is_drawn = label in self.squares and rng.random() < DRAWN_SQUARES_SHARE
                bank = self.squares[label] if is_drawn else banks[label]
                waiting.append((augment_square(bank[rng.integers(len(bank))], rng), label))
            for _ in range(BARE_TABLES):
                table = random_table(self.tiles.surfaces, (PATCH_PX, PATCH_PX), rng)
                waiting.append((augment_square(table, rng), EMPTY))
            while len(waiting) > 400:
                # Shuffled, so that a batch has squares of many scenes.
                at = int(rng.integers(len(waiting)))
                waiting[at], waiting[-1] = waiting[-1], waiting[at]
                patch, known = disturb(*waiting.pop())
                if known is None:
                    continue
                turned = np.rot90(patch, int(rng.integers(4))).transpose(2, 0, 1)
                if rng.random() < MIRRORED_SHARE:
                    turned = turned[:, :, ::-1]
                yield (
                    torch.from_numpy(turned.copy()),
                    torch.tensor(ANY_CASTLE if known == "c" else OUTPUTS.index(known)),
                )


def _loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy with label smoothing; a castle of unknown colour may have any colour."""
    logs = functional.log_softmax(logits, 1)
    castles = torch.logsumexp(logs[:, -len(CASTLE_COLOURS) :], 1)
    of_any = labels == ANY_CASTLE
    known = torch.where(of_any, 0, labels)
    hit = torch.where(of_any, castles, logs.gather(1, known[:, None])[:, 0])
    return -((1 - SMOOTHING) * hit + SMOOTHING * logs.mean(1)).mean()


def _figures(logits: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, dict[str, float]]:
    (labels,) = truth
    loss = _loss(logits, labels)
    read = logits.argmax(1)
    castle = (labels == ANY_CASTLE) & (read >= ANY_CASTLE - len(CASTLE_COLOURS))
    right = ((read == labels) | castle).float().mean()
    return loss, {"loss": loss.item(), "right": right.item()}


def train(
    tiles: TileSet,
    settings: SceneSettings,
    photographed: list[Scene],
    out: Path,
    schedule: Schedule,
    *,
    drawn_scenes: int = DRAWN_SCENES,
    drawn_of_each: int = DRAWN_SQUARES,
    weights: bytes | None = None,
    kept: float = 0.0,
) -> None:
    """Train on patches of composed, drawn and photographed scenes, and write the weights.

    ``weights`` is an ONNX file to start from, of which the share ``kept`` is blended with the
    outcome; labels that it doesn't know start as those with one crown less.
    """
    rng = np.random.default_rng([schedule.seed, 5])
    patches = _Patches(
        tiles,
        settings,
        schedule.seed,
        [draw_scene(tiles.labels, rng) for _ in range(drawn_scenes)],
        draw_squares(SINGLE_LABELS, SQUARE_PX, drawn_of_each, rng),
        photographed,
    )
    torch.manual_seed(schedule.seed)
    network = SquareClassifier(len(OUTPUTS))
    if weights is not None:
        weights = with_all_outputs(weights)
        first = torch.stack([patch for patch, _ in itertools.islice(patches, FIRST_PATCHES)])
        restart(network, read_weights(weights), [first.float() / 255 - 0.5])
        network.train()
    train_network(
        network,
        patches,
        _figures,
        out,
        schedule,
        example=torch.zeros(1, 3, PATCH_PX, PATCH_PX),
        dynamic_size=False,
    )
    if weights is not None and kept:
        out.write_bytes(blend(weights, out.read_bytes(), kept))


def main() -> None:
    """Train with the options of the command line."""
    options = build_parser(__doc__, steps=7000, batch=128)
    options.add_argument(
        "--hold-out", metavar="FOLD/FOLDS", help="leave a part of the sessions and scenes out"
    )
    options.add_argument(
        "--from", dest="weights", type=Path, metavar="FILE", help="weights (ONNX) to start from"
    )
    options.add_argument(
        "--keep", type=float, default=0.0, metavar="SHARE", help="blend the outcome with these"
    )
    options.add_argument("--rate", type=float, default=RATE, help="the highest learning rate")
    chosen = options.parse_args()
    sessions = sessions_of_fold(chosen.data, chosen.hold_out)
    train(
        load_tiles(chosen.data, sessions, age_of_giants=True),
        SceneSettings(size_px=448, square_px=SQUARES_PX, empty_share=0.02),
        load_photo_scenes(Corpus(chosen.data), sessions),
        chosen.out,
        Schedule(
            chosen.steps, chosen.batch, chosen.seed, chosen.workers,
            warm_share=0.15, weight_decay=2e-2, rate=chosen.rate,
        ),
        weights=chosen.weights.read_bytes() if chosen.weights else None,
        kept=chosen.keep,
    )  # fmt: skip


if __name__ == "__main__":
    main()
