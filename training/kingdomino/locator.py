"""The network that finds squares: what is to be learnt of a scene, and the loss."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.common.answers import Answer
from training.common.arrays import Floats, Image, Rng
from training.common.networks import MapNetwork
from training.common.recipe import build
from training.common.task import (
    Batch,
    Example,
    Export,
    Source,
    Task,
    as_input,
    as_planes,
    focal_loss,
    predict,
)
from training.kingdomino.corpus import held_out_sessions
from training.kingdomino.scenes.compose import OTHER, THING, UNKNOWN, Scene, compose
from training.kingdomino.scenes.kingdoms import SceneSettings, TileSet
from training.kingdomino.scenes.patches import drain_colours
from training.kingdomino.tiles import load_tiles
from vision.common.network import Network, encode_frames
from vision.kingdomino.search import CENTRE, CLASSES, FRAMES, GROUNDS, MAP_CHANNELS, STRIDE

# The share of a square, about its middle, in which its frame is a target.
FRAME_SHARE = 0.62
TERRAIN_SHARE = 0.94
# Castles are rare among the grounds, and a kingdom needs one.
CASTLE_WEIGHT = 3.0
# What is under a hand looks much like a table.
THING_WEIGHT = 3.0
# The ground under clutter is not asked for.
NOT_ASKED = -100
# So many scenes wait until they are shown again, and such a share of these is grey.
WAITING = 48
GREY_SHARE = 0.05


def scene_targets(scene: Scene) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Centre heat (h/4, w/4), ground classes (h/4, w/4) and frames (6, h/4, w/4).

    The last frame channel is the mask of where a frame is known.
    """
    height, width = shape = scene.rgb.shape[0] // STRIDE, scene.rgb.shape[1] // STRIDE
    heat, grounds = np.zeros(shape, np.float32), np.zeros(shape, np.int64)
    _cover(grounds, scene.covered, OTHER, NOT_ASKED)
    index = np.zeros(shape, np.uint16)
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
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    for k in np.argsort(sides):
        grown = middles[k] + (corners[k] - middles[k]) * TERRAIN_SHARE
        patch = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(patch, np.round(grown * 16).astype(np.int32), 1, shift=4)
        grounds[patch > 0] = GROUNDS.index(known[k].label[0])
        shrunk = middles[k] + (corners[k] - middles[k]) * FRAME_SHARE
        cv2.fillConvexPoly(index, np.round(shrunk * 16).astype(np.int32), int(k) + 1, shift=4)
        sigma = float(np.clip(0.10 * sides[k], 0.7, 3.0))
        x, y = middles[k]
        reach = int(3 * sigma) + 1
        starts = [(max(int(at) - reach, 0), max(int(at) + reach + 2, 0)) for at in (y, x)]
        area = slice(*starts[0]), slice(*starts[1])
        bump = np.exp(-((columns[area] - x) ** 2 + (rows[area] - y) ** 2) / (2 * sigma**2))
        heat[area] = np.maximum(heat[area], bump)
        row, column = round(float(y)), round(float(x))
        if 0 <= row < height and 0 <= column < width:
            heat[row, column] = 1.0
    _cover(grounds, scene.covered, THING, GROUNDS.index("?"))
    return heat, grounds, np.ascontiguousarray(codes[index].transpose(2, 0, 1))


def _cover(grounds: NDArray[np.int64], covered: Image | None, kind: int, value: int) -> None:
    """Set the ground of maps where half of what is below is ``covered`` by a kind of thing."""
    if covered is not None:
        here = (covered == kind).astype(np.float32)
        small = cv2.resize(here, grounds.shape[::-1], interpolation=cv2.INTER_AREA)
        grounds[small > 0.5] = value


def show_again(example: Example, rng: Rng) -> Example:
    """A picture (3, h, w) and its targets, turned, mirrored and lit at random."""
    picture, heat, grounds, frames = example
    rgb = picture.transpose(1, 2, 0)
    if rng.random() < GREY_SHARE:
        rgb = drain_colours(rgb, rng)
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
    """How scenes are composed; ``asked`` are the scenes of a judgement.

    Each scene is shown ``shown`` times, since composing it takes longer than learning from it
    (data echoing; Choi et al., Faster Neural Network Training with Data Echoing, 2019).
    """

    asked: int
    shown: int = 1
    scenes: SceneSettings = field(default_factory=SceneSettings)


ASKED_SEED = 500_000
# A square is found where a peak of the centres of this probability lies this near its middle, in
# sides, and the ground there is its own.
LEAST_CENTRE, NEAR = 0.3, 0.3


class Locator(Task):
    """Composed scenes, each another one."""

    def __init__(
        self, source: Source, options: Mapping[str, Any], tiles: TileSet | None = None
    ) -> None:
        self.source, self.options = source, build(Options, options, "options")
        held_out = held_out_sessions(source.data, *source.held_out or ())
        self.tiles = tiles or load_tiles(source.data, held_out)

    def network(self) -> MapNetwork:
        return MapNetwork(MAP_CHANNELS, (16, 32, 64, 96, 96), (3, 3, 4))

    def examples(self, rng: Rng, options: Mapping[str, Any]) -> Iterator[Example]:
        chosen = build(Options, options, "options")
        waiting: deque[tuple[Example, int]] = deque()
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

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Focal loss of the centres, cross-entropy of the grounds, smooth L1 of the frames."""
        pictures, heat, grounds, frames = batch
        maps = predict(network, as_input(pictures))
        centre = focal_loss(maps[:, CENTRE], heat)
        weights = torch.ones(len(GROUNDS), device=maps.device)
        weights[GROUNDS.index("c")] = CASTLE_WEIGHT
        weights[GROUNDS.index("?")] = THING_WEIGHT
        ground = functional.cross_entropy(
            maps[:, CLASSES], grounds, weights, ignore_index=NOT_ASKED, label_smoothing=0.02
        )
        mask = frames[:, 5:]
        off = functional.smooth_l1_loss(maps[:, FRAMES], frames[:, :5], beta=0.1, reduction="none")
        frame = (off * mask).sum() / mask.sum().clamp(min=1)
        return centre + ground + frame, {"centre": centre, "ground": ground, "frame": frame}

    def exports(self, network: nn.Module) -> list[Export]:
        return [Export("locator.onnx", network, torch.zeros(1, 3, 256, 256), dynamic_size=True)]

    def calibration(self, file: str, count: int, seed: int) -> list[Floats]:
        return [as_planes([scene.rgb]) for scene in self._scenes(count, seed)]

    def _scenes(self, count: int, seed: int) -> Iterator[Scene]:
        rng = np.random.default_rng([seed, 0])
        for _ in range(count):
            yield compose(self.tiles, self.options.scenes, rng)

    def answers(self, folder: Path) -> Iterable[Answer]:
        """Whether each square of newly composed scenes is marked, and what ground it is said to be;
        and how many marks lie where no square is.
        """
        for file in ("locator.onnx", "locator.int8.onnx"):
            network = Network((folder / file).read_bytes())
            for number, scene in enumerate(self._scenes(self.options.asked, ASKED_SEED)):
                maps = network(as_planes([scene.rgb]))[0]
                yield from _look(f"{file}, scene {number}", scene, maps)


def _look(name: str, scene: Scene, maps: Floats) -> Iterator[Answer]:
    heat = 1 / (1 + np.exp(-maps[CENTRE].astype(np.float64)))
    peaks = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LEAST_CENTRE)
    rows, columns = np.nonzero(peaks)
    places = np.column_stack([columns, rows]) * STRIDE + 1.5
    grounds = maps[CLASSES].argmax(0)
    free = np.ones(len(places), bool)
    height, width = scene.rgb.shape[:2]
    for k, seen in enumerate(scene.seen):
        middle = seen.corners.mean(0)
        side = float(np.sqrt(cv2.contourArea(seen.corners)))
        away = np.linalg.norm(places - middle, axis=1) / max(side, 1e-6)
        free &= away > NEAR
        inside = (middle > 0).all() and middle[0] < width and middle[1] < height
        if seen.label == UNKNOWN or not inside:
            continue
        said, sure = "missed", 0.5
        if len(away) and away.min() <= NEAR:
            best = int(np.where(away <= NEAR, heat[rows, columns], 0).argmax())
            said = GROUNDS[int(grounds[rows[best], columns[best]])]
            sure = float(heat[rows[best], columns[best]])
        yield Answer(f"{name}, {k}", name, "squares", seen.label[0], said, sure)
    yield Answer(f"{name}, more", name, "nothing else", "0", str(int(free.sum())), 0.5)
