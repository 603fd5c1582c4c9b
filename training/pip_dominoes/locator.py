"""Train the network that finds dominoes: ``python -m training.pip_dominoes.locator``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import IterableDataset

from training.common.loop import Schedule, build_parser, train_network
from training.pip_dominoes.corpus import StoredScene, load_scenes
from training.pip_dominoes.cuts import drawn_by_lot, relit
from training.pip_dominoes.networks import Locator, add_resume, start
from training.pip_dominoes.photographs import add_photographs, photographs_of
from vision.pip_dominoes.weights import (
    CENTRE,
    FACE,
    FRAME_CHANNELS,
    FRAMES,
    LOCATOR_CHANNELS,
    LOCATOR_STRIDE,
    encode_frames,
)

__all__ = ["Seen", "locator_targets", "view_of"]

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

SIZE_PX = 192
# Short sides of the dominoes in a view, in pixels: the reader searches at several sizes.
SHORT_PX = (9.0, 30.0)
# A share of views shows them larger than the reader will look for; pips are no dominoes there.
LARGE_SHARE, LARGE_PX = 0.15, (36.0, 80.0)
# From this short side on a domino is not asked for, and forbidden but about its middle, as a share.
MOST_PX, ABOUT_MIDDLE = 40.0, 0.3
# Views of each scene before the next one is opened.
PER_SCENE = 2
# The share of a domino, about its middle, in which its frame is learnt.
FRAME_SHARE = 0.6
MAX_SCALE = 1.3
# Dominoes with a shorter short side can't be told, in pixels.
LEAST_PX = 7.0
BLUR_PX = 1.0
# A face hidden to a larger share is no longer asked for as a face either.
COVERED = 0.6
# Heat of a middle this near is asked for even where another domino is not.
NEAR = 0.1

# Corners (4, 2), whether it must be found, and the share of it that is hidden.
Seen = tuple[NDArray[np.float64], bool, float]


def view_of(
    scene: StoredScene, rgb: Image, rng: np.random.Generator
) -> tuple[Image, list[Seen], float]:
    """A part of a scene at some scale, and its dominoes.

    ``rgb`` is the scene's picture. Dominoes that are hidden, cut off or too small are neither
    asked for nor forbidden. The last number is the short side of the largest domino.
    """
    side = rgb.shape[0]
    shorts = [float(np.linalg.norm(d.corners[2] - d.corners[1])) for d in scene.drawn]
    short = float(np.median(shorts)) if shorts else float(rng.uniform(15, 60))
    wanted = LARGE_PX if rng.random() < LARGE_SHARE else SHORT_PX
    scale = float(np.exp(rng.uniform(*np.log(wanted)))) / short
    scale = min(max(scale, SIZE_PX / side), MAX_SCALE)
    reach = max(side - SIZE_PX / scale, 0.0)
    start = rng.uniform(0, max(reach, 1e-6), 2)
    if scene.drawn and rng.random() < 0.7:
        # Most views hold at least a part of the dominoes.
        middle = scene.drawn[int(rng.integers(len(scene.drawn)))].corners.mean(0)
        start = np.clip(middle - rng.uniform(0.15, 0.85, 2) * SIZE_PX / scale, 0, reach)
    view = np.array([[scale, 0, -start[0] * scale], [0, scale, -start[1] * scale]])
    if scale < 0.8:
        low = np.floor(start).astype(int)
        reach_px = int(SIZE_PX / scale)
        inner = rgb[low[1] : low[1] + reach_px, low[0] : low[0] + reach_px]
        part = cv2.resize(inner, (SIZE_PX, SIZE_PX), interpolation=cv2.INTER_AREA)
        factors = SIZE_PX / np.array(inner.shape[1::-1])
        view = np.column_stack([np.diag(factors), -low * factors])
    else:
        size = (SIZE_PX, SIZE_PX)
        part = cv2.warpAffine(rgb, view, size, borderMode=cv2.BORDER_REFLECT)
    quarter = int(rng.integers(4))
    seen: list[Seen] = []
    largest = 10.0
    for drawn in scene.drawn:
        corners = drawn.corners @ view[:, :2].T + view[:, 2]
        inside = ((corners > -0.08 * SIZE_PX / 4) & (corners < SIZE_PX * 1.02)).all()
        short = float(np.linalg.norm(corners[2] - corners[1]))
        counts = bool(drawn.readable and inside and short >= LEAST_PX)
        for _ in range(quarter):
            corners = np.column_stack([corners[:, 1], SIZE_PX - 1 - corners[:, 0]])
        middle = corners.mean(0)
        if (middle > -short * 2).all() and (middle < SIZE_PX + short * 2).all():
            seen.append((corners, counts, drawn.hidden))
            largest = max(largest, short)
    return np.ascontiguousarray(np.rot90(part, quarter)), seen, largest


def locator_targets(shape: tuple[int, int], seen: Sequence[Seen]) -> tuple[Floats, Floats, Floats]:
    """Centre heat (h/4, w/4) with -1 where it is not asked for, faces (h/4, w/4), frames (7, …).

    The last frame channel is the mask of where a frame is known.
    """
    height, width = (side // LOCATOR_STRIDE for side in shape)
    heat = np.zeros((height, width), np.float32)
    face = np.zeros((height, width), np.float32)
    index = np.zeros((height, width), np.uint16)
    codes = np.zeros((len(seen) + 1, FRAME_CHANNELS + 1), np.float32)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    ignored = np.zeros((height, width), np.uint8)
    for k, (corners, counts, hidden) in enumerate(seen, 1):
        # Cell (0, 0) of the maps has its middle at pixel (1.5, 1.5).
        small = (corners + 0.5) / LOCATOR_STRIDE - 0.5
        patch = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(patch, np.round(small * 16).astype(np.int32), 1, shift=4)
        face[patch > 0] = 1 if hidden < COVERED else -1
        middle = small.mean(0)
        if np.linalg.norm(corners[2] - corners[1]) > MOST_PX:
            about = middle + (small - middle) * ABOUT_MIDDLE
            cv2.fillConvexPoly(ignored, np.round(about * 16).astype(np.int32), 1, shift=4)
            continue
        if not counts:
            ignored |= patch
            continue
        u = (small[1] + small[2] - small[0] - small[3]) / 2
        v = (small[3] + small[2] - small[0] - small[1]) / 2
        codes[k, :FRAME_CHANNELS] = encode_frames(np.stack([u, v])[None] * LOCATOR_STRIDE)[0]
        codes[k, FRAME_CHANNELS] = 1
        shrunk = middle + (small - middle) * FRAME_SHARE
        cv2.fillConvexPoly(index, np.round(shrunk * 16).astype(np.int32), k, shift=4)
        row, column = round(float(middle[1])), round(float(middle[0]))
        if 0 <= row < height and 0 <= column < width:
            index[row, column] = k
        sigma = float(np.clip(0.10 * np.linalg.norm(v), 0.7, 2.5))
        bump = np.exp(
            -((columns - middle[0]) ** 2 + (rows - middle[1]) ** 2) / (2 * sigma**2)
        ).astype(np.float32)
        heat = np.maximum(heat, bump)
        if 0 <= row < height and 0 <= column < width:
            heat[row, column] = 1.0
    heat[(ignored > 0) & (heat < NEAR)] = -1
    return heat, face, np.ascontiguousarray(codes[index].transpose(2, 0, 1))


class _Views(IterableDataset[tuple[Tensor, Tensor, Tensor, Tensor]]):
    """Endless views; each worker draws from its own seeded stream."""

    def __init__(
        self, scenes: Sequence[StoredScene], seed: int, photographs: Sequence[StoredScene] = ()
    ) -> None:
        self.scenes, self.seed = scenes, seed
        # Where a domino is missing nothing can be learnt about where there are none.
        self.photographs = [scene for scene in photographs if scene.whole]

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
        cv2.setNumThreads(0)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        while True:
            scene = drawn_by_lot(self.scenes, self.photographs, rng)
            whole = scene.rgb()
            for _ in range(PER_SCENE):
                rgb, seen, largest = view_of(scene, whole, rng)
                rgb = relit(rgb, largest, BLUR_PX, rng)
                heat, face, frames = locator_targets(rgb.shape[:2], seen)
                yield (
                    torch.from_numpy(rgb.transpose(2, 0, 1).copy()),
                    torch.from_numpy(heat),
                    torch.from_numpy(face),
                    torch.from_numpy(frames),
                )


def _loss(maps: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Penalty-reduced focal loss of the middles (Law and Deng, CornerNet, 2018), binary
    cross-entropy of the faces, smooth L1 of the frames."""
    heat, face, frames = truth
    logit = maps[:, CENTRE]
    p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit, asked = (heat == 1).float(), (heat >= 0).float()
    positive = -((1 - p) ** 2) * functional.logsigmoid(logit) * hit
    negative = -((1 - heat) ** 4) * p**2 * functional.logsigmoid(-logit) * (1 - hit) * asked
    centre = (positive.sum() + negative.sum()) / hit.sum().clamp(min=1)
    known = (face >= 0).float()
    cross = functional.binary_cross_entropy_with_logits(
        maps[:, FACE], face.clamp(min=0), reduction="none"
    )
    faces = (cross * known).sum() / known.sum().clamp(min=1)
    mask = frames[:, FRAME_CHANNELS:]
    off = functional.smooth_l1_loss(
        maps[:, FRAMES], frames[:, :FRAME_CHANNELS], beta=0.05, reduction="none"
    )
    frame = (off * mask).sum() / mask.sum().clamp(min=1)
    shown = {"centre": centre.item(), "face": faces.item(), "frame": frame.item()}
    return centre + faces + frame, shown


def main() -> None:
    """Train on stored scenes and write the weights."""
    options = build_parser(__doc__, steps=4000, batch=16)
    add_resume(options)
    add_photographs(options)
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    network = Locator(LOCATOR_CHANNELS)
    views = _Views(load_scenes(chosen.data), chosen.seed, photographs_of(chosen))
    start(network, views, chosen.resume)
    train_network(
        network,
        views,
        _loss,
        chosen.out,
        Schedule(
            chosen.steps, chosen.batch, chosen.seed, chosen.workers,
            warm_share=0.1, weight_decay=1e-2, rate=chosen.rate, mean_decay=chosen.mean_decay,
        ),
        example=torch.zeros(1, 3, 256, 256),
        dynamic_size=True,
    )  # fmt: skip


if __name__ == "__main__":
    main()
