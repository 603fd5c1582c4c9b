"""Train the network that finds squares: ``python -m vision.training.locator DATA OUT.onnx``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from vision.frames import encode_frames
from vision.locate import CENTRE, CLASSES, FRAMES, GROUNDS, MAP_CHANNELS, STRIDE
from vision.training.export import averaged, save_onnx
from vision.training.networks import Locator
from vision.training.scenes import Scene, compose
from vision.training.tiles import load_tiles
from vision.training.tileset import SceneSettings, TileSet

__all__ = ["scene_targets"]

Floats = NDArray[np.float32]

# The share of a square, about its middle, in which its frame is learnt.
FRAME_SHARE = 0.62
TERRAIN_SHARE = 0.94
# Castles are rare beside the other grounds, and nothing is a kingdom without one.
CASTLE_WEIGHT = 3.0
# The running mean of the weights takes up every so many steps.
AVERAGED_EVERY = 5


def scene_targets(scene: Scene) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Centre heat (h/4, w/4), ground classes (h/4, w/4) and frames (6, h/4, w/4).

    The last frame channel is the mask of where a frame is known.
    """
    height, width = (side // STRIDE for side in scene.rgb.shape[:2])
    heat = np.zeros((height, width), np.float32)
    grounds = np.zeros((height, width), np.int64)
    index = np.zeros((height, width), np.uint16)
    count = len(scene.seen)
    codes = np.zeros((count + 1, 6), np.float32)
    if not count:
        return heat, grounds, np.zeros((6, height, width), np.float32)
    # Cell (0, 0) of the maps has its middle at pixel (1.5, 1.5).
    corners = np.stack([s.corners for s in scene.seen]).astype(np.float64)
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
        seen = scene.seen[k]
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
    return heat, grounds, np.ascontiguousarray(codes[index].transpose(2, 0, 1))


class _Scenes(IterableDataset[tuple[Tensor, Tensor, Tensor, Tensor]]):
    """Endless scenes; each worker draws from its own seeded stream."""

    def __init__(self, tiles: TileSet, settings: SceneSettings, seed: int) -> None:
        self.tiles, self.settings, self.seed = tiles, settings, seed

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
        cv2.setNumThreads(0)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        while True:
            scene = compose(self.tiles, self.settings, rng)
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
    ground = functional.cross_entropy(maps[:, CLASSES], grounds, weights, label_smoothing=0.02)
    mask = frames[:, 5:]
    off = functional.smooth_l1_loss(maps[:, FRAMES], frames[:, :5], beta=0.1, reduction="none")
    frame = (off * mask).sum() / mask.sum().clamp(min=1)
    return centre, ground, frame


def train(
    tiles: TileSet, out: Path, *, steps: int, batch: int, seed: int, workers: int, minutes: float
) -> None:
    """Train for ``steps`` steps, or fewer where ``minutes`` run out, and write the weights."""
    # Gradients of well known squares fade into denormals, which processors are slow at.
    torch.set_flush_denormal(True)
    torch.manual_seed(seed)
    network = Locator(MAP_CHANNELS).to(memory_format=torch.channels_last)
    mean = averaged(network, decay=0.98)
    optimiser = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=1e-2, fused=True)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.1)
    loader = DataLoader(
        _Scenes(tiles, SceneSettings(size_px=320, square_px=(10.0, 105.0)), seed),
        batch_size=batch,
        num_workers=workers,
        prefetch_factor=6,
    )
    started = time.monotonic()
    running = np.zeros(3)
    for step, (pictures, heat, grounds, frames) in enumerate(loader):
        if step == steps or time.monotonic() - started > 60 * minutes:
            break
        inputs = (pictures.float() / 255 - 0.5).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            maps = network(inputs)
        centre, ground, frame = _loss(maps.float(), heat, grounds, frames)
        optimiser.zero_grad()
        (centre + ground + frame).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        plan.step()
        if step % AVERAGED_EVERY == 0:
            mean.update_parameters(network)
        running = 0.98 * running + 0.02 * np.array([centre.item(), ground.item(), frame.item()])
        if step % 50 == 49:
            shown = running / (1 - 0.98 ** (step + 1))
            pace = (time.monotonic() - started) / (step + 1)
            print(
                f"{step + 1:6d} {pace:6.3f} s/step  centre {shown[0]:.3f} "
                f"ground {shown[1]:.3f} frame {shown[2]:.3f}",
                flush=True,
            )
        if step % 500 == 499:
            save_onnx(mean.module, torch.zeros(1, 3, 256, 256), out, dynamic_size=True)
    save_onnx(mean.module, torch.zeros(1, 3, 256, 256), out, dynamic_size=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with dominoes, squares and backgrounds")
    parser.add_argument("out", type=Path, help="the ONNX file to write")
    parser.add_argument("--steps", type=int, default=4500)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    train(
        load_tiles(chosen.data),
        chosen.out,
        steps=chosen.steps,
        batch=chosen.batch,
        seed=chosen.seed,
        workers=chosen.workers,
        minutes=chosen.minutes,
    )


if __name__ == "__main__":
    main()
