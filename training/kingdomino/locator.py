"""The network that finds squares: what is to be learnt of a scene, and the loss."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.common import task
from training.common.answers import Answer
from training.common.arrays import Floats, Rng
from training.common.recipe import build
from training.common.synthetic import mark
from training.common.task import MapNetwork
from training.kingdomino.corpus import held_out_sessions
from training.kingdomino.scenes.compose import OTHER, THING, UNKNOWN, Scene, compose
from training.kingdomino.scenes.kingdoms import SceneSettings, TileSet
from training.kingdomino.scenes.patches import drain_colours
from training.kingdomino.tiles import load_tiles
from vision.common.network import Network, as_planes, encode_frames
from vision.kingdomino import search
from vision.kingdomino.search import CENTRE, CLASSES, FRAMES, GROUNDS, MAP_CHANNELS, STRIDE

# The shares of a square, about its middle, in which its frame and its terrain are targets.
FRAME_SHARE, TERRAIN_SHARE = 0.62, 0.94
# Castles are rare among the grounds, and a kingdom needs one; a hand looks much like a table.
WEIGHTS = {"c": 3.0, "?": 3.0}
# The ground under clutter is not asked for.
NOT_ASKED = -100
# So many scenes wait until they are shown again, and such a share of these is grey, or nearly.
WAITING = 48
GREY_SHARE, TINT = 0.05, 0.05


def scene_targets(scene: Scene) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Centre heat (h/4, w/4), ground classes (h/4, w/4) and frames (6, h/4, w/4).

    The last frame channel is the mask of where a frame is known.
    """
    shape = scene.rgb.shape[0] // STRIDE, scene.rgb.shape[1] // STRIDE
    heat, grounds = np.zeros(shape, np.float32), np.zeros(shape, np.int64)
    index = np.zeros(shape, np.uint16)
    grounds[_covered(scene, OTHER, shape)] = NOT_ASKED
    known = [seen for seen in scene.seen if seen.label != UNKNOWN]
    codes = np.zeros((len(known) + 1, 6), np.float32)
    # Cell (0, 0) of the maps has its middle at pixel (1.5, 1.5).
    corners = np.array([s.corners for s in known], np.float64).reshape(-1, 4, 2)
    corners = (corners + 0.5) / STRIDE - 0.5
    middles = corners.mean(1)
    u = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    v = (corners[:, 3] + corners[:, 2] - corners[:, 0] - corners[:, 1]) / 2
    codes[1:, :5] = encode_frames(np.stack([u, v], 1) * STRIDE)
    codes[1:, 5] = 1
    sides = np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))
    for k in np.argsort(sides):
        away, patch = corners[k] - middles[k], np.zeros(shape, np.uint8)
        for mask, value, share in ((patch, 1, TERRAIN_SHARE), (index, int(k) + 1, FRAME_SHARE)):
            inside = np.round((middles[k] + away * share) * 16).astype(np.int32)
            cv2.fillConvexPoly(mask, inside, value, shift=4)
        grounds[patch > 0] = GROUNDS.index(known[k].label[0])
        x, y = middles[k].tolist()
        mark(heat, x, y, float(np.clip(0.10 * sides[k], 0.7, 3.0)), 3)
    grounds[_covered(scene, THING, shape)] = GROUNDS.index("?")
    return heat, grounds, np.ascontiguousarray(codes[index].transpose(2, 0, 1))


def _covered(scene: Scene, kind: int, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Where on maps of this shape half of what is below is covered by a kind of thing."""
    if scene.covered is None:
        return np.zeros(shape, bool)
    here = (scene.covered == kind).astype(np.float32)
    return np.asarray(cv2.resize(here, shape[::-1], interpolation=cv2.INTER_AREA) > 0.5)


def show_again(example: task.Example, rng: Rng) -> task.Example:
    """A picture (3, h, w) and its targets, turned, mirrored and lit at random."""
    picture, heat, grounds, frames = example
    rgb = picture.transpose(1, 2, 0)
    if rng.random() < GREY_SHARE:
        rgb = drain_colours(rgb, rng, TINT)
    else:
        gains = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.1, 3))
        tones = np.clip(np.linspace(0, 1, 256)[:, None] * gains, 0, 1) ** np.exp(rng.normal(0, 0.2))
        rgb = cv2.LUT(rgb, (tones[None] * 255).astype(np.uint8))
    turns, way = int(rng.integers(4)), int(rng.choice([-1, 1]))
    # A quarter turn changes the sign of the sum of the squared edges, a mirror all imaginary parts.
    signs = np.array([1, 1, way, (-1) ** turns, way * (-1) ** turns, 1], np.float32)
    planes = (rgb.transpose(2, 0, 1), heat, grounds, frames * signs[:, None, None])
    return tuple(np.rot90(plane, turns, (-2, -1))[..., ::way].copy() for plane in planes)


@dataclass(frozen=True)
class Options:
    """How scenes are composed; ``asked`` are those of a judgement.

    Each is shown ``shown`` times, since composing it takes longer than learning from it (Choi et
    al., Faster Neural Network Training with Data Echoing, 2019).
    """

    asked: int
    shown: int = 1
    scenes: SceneSettings = field(default_factory=SceneSettings)


ASKED_SEED = 500_000
# A square is found where the middle of one that the reader finds is this near its own, in sides.
NEAR = 0.3


class Locator(task.Task):
    """Composed scenes, each another one."""

    network = staticmethod(partial(MapNetwork, MAP_CHANNELS, (16, 32, 64, 96, 96), (3, 3, 4)))
    file, size, dynamic_size = "locator.onnx", (256, 256), True

    def __init__(
        self, source: task.Source, options: Mapping[str, Any], tiles: TileSet | None = None
    ) -> None:
        self.options, folder = build(Options, options, "options"), source.data
        held_out = held_out_sessions(folder, *source.held_out or ())
        self.tiles = tiles or load_tiles(folder, held_out)

    def examples(self, rng: Rng, options: Mapping[str, Any]) -> Iterator[task.Example]:
        chosen = build(Options, options, "options")
        waiting: deque[tuple[task.Example, int]] = deque()
        while True:
            scene = compose(self.tiles, chosen.scenes, rng)
            fresh = (np.ascontiguousarray(scene.rgb.transpose(2, 0, 1)), *scene_targets(scene))
            yield fresh
            due = len(waiting) >= WAITING
            for example, times in [waiting.popleft() for _ in range(due * (chosen.shown - 1))]:
                yield show_again(example, rng)
                if times > 1:
                    waiting.append((example, times - 1))
            if chosen.shown > 1:
                waiting.append((fresh, chosen.shown - 1))

    def loss(self, network: nn.Module, batch: task.Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Focal loss of the centres, cross-entropy of the grounds, smooth L1 of the frames."""
        pictures, heat, grounds, frames = batch
        maps = task.predict(network, task.as_input(pictures))
        centre = task.focal_loss(maps[:, CENTRE], heat)
        weights = maps.new_tensor([WEIGHTS.get(ground, 1.0) for ground in GROUNDS])
        ground = functional.cross_entropy(
            maps[:, CLASSES], grounds, weights, ignore_index=NOT_ASKED, label_smoothing=0.02
        )
        mask = frames[:, 5:]
        off = functional.smooth_l1_loss(maps[:, FRAMES], frames[:, :5], beta=0.1, reduction="none")
        frame = (off * mask).sum() / mask.sum().clamp(min=1)
        return centre + ground + frame, {"centre": centre, "ground": ground, "frame": frame}

    def calibration(self, file: str, count: int, seed: int) -> list[Floats]:
        return [as_planes([scene.rgb]) for scene in self._scenes(count, seed)]

    def _scenes(self, count: int, seed: int) -> Iterator[Scene]:
        rng = np.random.default_rng([seed, 0])
        return (compose(self.tiles, self.options.scenes, rng) for _ in range(count))

    def answers(self, folder: Path) -> Iterable[Answer]:
        """Whether the reader finds each square of new scenes, and how often one where none is."""
        for file in (self.file, "locator.int8.onnx"):
            yield from self.answers_of(folder / file)

    def answers_of(self, file: Path) -> Iterator[Answer]:
        """The answers of one file."""
        network = Network(file.read_bytes())
        for number, scene in enumerate(self._scenes(self.options.asked, ASKED_SEED)):
            maps = network(as_planes([scene.rgb]))[0]
            yield from _look(f"{file.name}, scene {number}", scene, maps)


def _look(name: str, scene: Scene, maps: Floats) -> Iterator[Answer]:
    found = search.find_detections(maps, search.LocateSettings())
    free = np.ones(len(found), bool)
    for k, seen in enumerate(scene.seen):
        middle = seen.corners.mean(0)
        side = float(np.sqrt(cv2.contourArea(seen.corners)))
        near = np.linalg.norm(found.centres - middle, axis=1) / max(side, 1e-6) <= NEAR
        free &= ~near
        inside = ((middle > 0) & (middle < scene.rgb.shape[1::-1])).all()
        if seen.label != UNKNOWN and inside:
            said, sure = ("found", found.scores[near].max()) if near.any() else ("missed", 0.5)
            yield Answer(f"{name}, {k}", name, "squares", "found", said, float(sure))
    yield Answer(f"{name}, more", name, "nothing else", "0", str(int(free.sum())), 0.5)
