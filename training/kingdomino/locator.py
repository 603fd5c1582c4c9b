"""Train the network that finds squares.

``python -m training.kingdomino.locator DATA OUT.onnx``
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from training.common.loop import RATE, Schedule, build_parser, train_network
from training.common.onnx_weights import read_weights, restart
from training.kingdomino.networks import Locator
from training.kingdomino.scenes.compose import OTHER, THING, UNKNOWN, Scene, compose
from training.kingdomino.scenes.kingdoms import SceneSettings, TileSet
from training.kingdomino.tiles import load_tiles
from vision.common.detection import encode_frames
from vision.kingdomino.detect.search import CENTRE, CLASSES, FRAMES, GROUNDS, MAP_CHANNELS, STRIDE

__all__ = ["SCENES", "draw_scenes", "scene_targets", "train"]

Floats = NDArray[np.float32]

# The share of a square, about its middle, in which its frame is a target.
FRAME_SHARE = 0.62
TERRAIN_SHARE = 0.94
# Castles are rare among the grounds, and a kingdom needs one.
CASTLE_WEIGHT = 3.0
# What is under a hand looks much like a table.
THING_WEIGHT = 3.0
# Shares of the scenes: with things on the table, seen at a slant, blurred, in dim light; and of
# those with several kingdoms or loose dominoes the ones where these lie close to a kingdom.
THING_SHARE = 0.45
STEEP_SHARE = 0.25
BLUR_SHARE = 0.1
DIM_SHARE = 0.12
CLOSE_SHARE = 0.6
SCENES = SceneSettings(
    size_px=320,
    square_px=(10.0, 105.0),
    thing_share=THING_SHARE,
    steep_share=STEEP_SHARE,
    blur_share=BLUR_SHARE,
    dim_share=DIM_SHARE,
    close_share=CLOSE_SHARE,
)
# The ground under clutter is not asked for.
NOT_ASKED = -100
# Batches that measure the network to go on from.
MEASURED = 12
# What a new ground starts from before the softmax, next to others of about 0 to 8.
UNSEEN_LOGIT = -2.0


def scene_targets(scene: Scene) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Centre heat (h/4, w/4), ground classes (h/4, w/4) and frames (6, h/4, w/4).

    The last frame channel is the mask of where a frame is known.
    """
    height, width = (side // STRIDE for side in scene.rgb.shape[:2])
    heat = np.zeros((height, width), np.float32)
    grounds = np.zeros((height, width), np.int64)
    if scene.covered is not None:
        _cover(grounds, scene.covered, OTHER, NOT_ASKED)
    index = np.zeros((height, width), np.uint16)
    known = [seen for seen in scene.seen if seen.label != UNKNOWN]
    count = len(known)
    codes = np.zeros((count + 1, 6), np.float32)
    if not count:
        if scene.covered is not None:
            _cover(grounds, scene.covered, THING, GROUNDS.index("?"))
        return heat, grounds, np.zeros((6, height, width), np.float32)
    # Cell (0, 0) of the maps has its middle at pixel (1.5, 1.5).
    corners = np.stack([s.corners for s in known]).astype(np.float64)
    corners = (corners + 0.5) / STRIDE - 0.5
    middles = corners.mean(1)
    u = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    v = (corners[:, 3] + corners[:, 2] - corners[:, 0] - corners[:, 1]) / 2
    edges = np.stack([u, v], 1)
    codes[1:, :5] = encode_frames(edges * STRIDE)
    codes[1:, 5] = 1
    sides = np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))
    order = np.argsort(sides)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    for k in order:
        seen = known[k]
        grown = middles[k] + (corners[k] - middles[k]) * TERRAIN_SHARE
        ground = GROUNDS.index(seen.label[0])
        patch = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(patch, np.round(grown * 16).astype(np.int32), 1, shift=4)
        grounds[patch > 0] = ground
        shrunk = middles[k] + (corners[k] - middles[k]) * FRAME_SHARE
        cv2.fillConvexPoly(index, np.round(shrunk * 16).astype(np.int32), int(k) + 1, shift=4)
        sigma = float(np.clip(0.10 * sides[k], 0.7, 3.0))
        x, y = middles[k]
        reach = int(3 * sigma) + 1
        area = (
            slice(max(int(y) - reach, 0), max(int(y) + reach + 2, 0)),
            slice(max(int(x) - reach, 0), max(int(x) + reach + 2, 0)),
        )
        bump = np.exp(-((columns[area] - x) ** 2 + (rows[area] - y) ** 2) / (2 * sigma**2))
        heat[area] = np.maximum(heat[area], bump)
        row, column = round(float(y)), round(float(x))
        if 0 <= row < height and 0 <= column < width:
            heat[row, column] = 1.0
    if scene.covered is not None:
        _cover(grounds, scene.covered, THING, GROUNDS.index("?"))
    return heat, grounds, np.ascontiguousarray(codes[index].transpose(2, 0, 1))


def _cover(grounds: NDArray[np.int64], covered: NDArray[np.uint8], kind: int, value: int) -> None:
    """Set the ground of maps where half of what is below is ``covered`` by a kind of thing."""
    here = (covered == kind).astype(np.float32)
    small = cv2.resize(here, grounds.shape[::-1], interpolation=cv2.INTER_AREA)
    grounds[small > 0.5] = value


def draw_scenes(
    tiles: TileSet, settings: SceneSettings, seed: int, worker: int = 0
) -> Iterator[Scene]:
    """An endless stream of scenes, other ones for each seed and worker."""
    rng = np.random.default_rng([seed, worker])
    while True:
        yield compose(tiles, settings, rng)


class _Scenes(IterableDataset[tuple[Tensor, Tensor, Tensor, Tensor]]):
    """An endless stream of scenes; each worker has its own seed."""

    def __init__(self, tiles: TileSet, settings: SceneSettings, seed: int) -> None:
        self.tiles, self.settings, self.seed = tiles, settings, seed

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
        cv2.setNumThreads(0)
        info = torch.utils.data.get_worker_info()
        for scene in draw_scenes(self.tiles, self.settings, self.seed, info.id if info else 0):
            heat, grounds, frames = scene_targets(scene)
            yield (
                torch.from_numpy(scene.rgb.transpose(2, 0, 1).copy()),
                torch.from_numpy(heat),
                torch.from_numpy(grounds),
                torch.from_numpy(frames),
            )


def _loss(maps: Tensor, heat: Tensor, grounds: Tensor, frames: Tensor) -> tuple[Tensor, ...]:
    """Penalty-reduced focal loss of the centres (Law and Deng, CornerNet, 2018), cross-entropy
    of the grounds, smooth L1 of the frames."""
    logit = maps[:, CENTRE]
    p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit = (heat == 1).float()
    positive = -((1 - p) ** 2) * functional.logsigmoid(logit) * hit
    negative = -((1 - heat) ** 4) * p**2 * functional.logsigmoid(-logit) * (1 - hit)
    centre = (positive.sum() + negative.sum()) / hit.sum().clamp(min=1)
    weights = torch.ones(len(GROUNDS))
    weights[GROUNDS.index("c")] = CASTLE_WEIGHT
    weights[GROUNDS.index("?")] = THING_WEIGHT
    ground = functional.cross_entropy(
        maps[:, CLASSES], grounds, weights, ignore_index=NOT_ASKED, label_smoothing=0.02
    )
    mask = frames[:, 5:]
    off = functional.smooth_l1_loss(maps[:, FRAMES], frames[:, :5], beta=0.1, reduction="none")
    frame = (off * mask).sum() / mask.sum().clamp(min=1)
    return centre, ground, frame


def _figures(maps: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, dict[str, float]]:
    centre, ground, frame = _loss(maps, *truth)
    shown = {"centre": centre.item(), "ground": ground.item(), "frame": frame.item()}
    return centre + ground + frame, shown


def _with_things(weights: dict[str, Floats]) -> dict[str, Floats]:
    """Weights of a locator that does not know things, as if it knew them but never saw one."""
    if len(weights["head.bias"]) == MAP_CHANNELS:
        return weights
    at = CLASSES.start + GROUNDS.index("?")
    grown = {
        "head.weight": np.insert(weights["head.weight"], at, 0.0, axis=0),
        "head.bias": np.insert(weights["head.bias"], at, UNSEEN_LOGIT),
    }
    return {**weights, **grown}


def train(
    tiles: TileSet,
    settings: SceneSettings,
    out: Path,
    schedule: Schedule,
    start: Path | None = None,
) -> None:
    """Train on scenes composed from the tiles, and write the weights.

    From the weights of the ONNX file ``start``, or from nothing.
    """
    torch.manual_seed(schedule.seed)
    scenes, network = _Scenes(tiles, settings, schedule.seed), Locator(MAP_CHANNELS)
    if start is not None:
        some = itertools.islice(DataLoader(scenes, batch_size=schedule.batch), MEASURED)
        restart(
            network,
            _with_things(read_weights(start.read_bytes())),
            (pictures.float() / 255 - 0.5 for pictures, *_ in some),
        )
        network.train()
    train_network(
        network,
        scenes,
        _figures,
        out,
        schedule,
        example=torch.zeros(1, 3, 256, 256),
        dynamic_size=True,
    )


def main() -> None:
    """Train with the options of the command line."""
    options = build_parser(__doc__, steps=4000, batch=16)
    options.add_argument("--from", dest="start", type=Path, metavar="FILE.onnx",
                         help="go on from these weights")  # fmt: skip
    options.add_argument("--rate", type=float, default=RATE, help="the highest learning rate")
    chosen = options.parse_args()
    schedule = Schedule(
        chosen.steps, chosen.batch, chosen.seed, chosen.workers, warm_share=0.1,
        weight_decay=1e-2, rate=chosen.rate,
    )  # fmt: skip
    train(load_tiles(chosen.data), SCENES, chosen.out, schedule, chosen.start)


if __name__ == "__main__":
    main()
