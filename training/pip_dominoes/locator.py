"""The network that finds dominoes: views of drawn scenes, and what is to be learnt of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.common.answers import Answer
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.synthetic import any_of, between, mark
from training.common.task import Batch, Example, MapNetwork, as_input, focal_loss, predict
from training.pip_dominoes.corpus import StoredScene, relit
from training.pip_dominoes.faces import OfScenes
from vision.common.network import Network
from vision.pip_dominoes import weights
from vision.pip_dominoes.detect import LocateSettings, find_dominoes

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
# A domino hidden to a larger share is no longer asked for as a body either.
COVERED = 0.6
# Heat of a middle this near is asked for even where another domino is not.
NEAR = 0.1


@dataclass(frozen=True, eq=False)
class Seen:
    """A domino of a view: its corners (4, 2), whether it must be found, the share of it that is
    hidden, and whether it shows its back."""

    corners: Matrix
    wanted: bool
    hidden: float = 0.0
    back: bool = False


def view_of(scene: StoredScene, rgb: Image, rng: Rng) -> tuple[Image, list[Seen], float]:
    """A part of a scene at some scale, and its dominoes.

    ``rgb`` is the scene's picture. Dominoes that are hidden, cut off or too small are neither
    asked for nor forbidden. The last number is the short side of the largest face.
    """
    shorts = [short_of(d.corners) for d in scene.drawn]
    short = float(np.median(shorts)) if shorts else rng.uniform(15, 60)
    wanted = LARGE_PX if rng.random() < LARGE_SHARE else SHORT_PX
    scale = min(max(between(*wanted, rng) / short, SIZE_PX / len(rgb)), MAX_SCALE)
    reach = max(len(rgb) - SIZE_PX / scale, 0.0)
    start = rng.uniform(0, max(reach, 1e-6), 2)
    if scene.drawn and rng.random() < 0.7:
        # Most views hold at least a part of the dominoes.
        middle = any_of(scene.drawn, rng).corners.mean(0)
        start = np.clip(middle - rng.uniform(0.15, 0.85, 2) * SIZE_PX / scale, 0, reach)
    if scale < 0.8:
        (x, y), wide = np.floor(start).astype(int), int(SIZE_PX / scale)
        inner = rgb[y : y + wide, x : x + wide]
        part = cv2.resize(inner, (SIZE_PX, SIZE_PX), interpolation=cv2.INTER_AREA)
        factors = SIZE_PX / np.array(inner.shape[1::-1])
        view = np.column_stack([np.diag(factors), -np.array([x, y]) * factors])
    else:
        view = np.array([[scale, 0, -start[0] * scale], [0, scale, -start[1] * scale]])
        part = cv2.warpAffine(rgb, view, (SIZE_PX, SIZE_PX), borderMode=cv2.BORDER_REFLECT)
    quarter, seen, largest = int(rng.integers(4)), [], 10.0
    dominoes = [Seen(corners, wanted=False, back=True) for corners in scene.backs]
    dominoes += [Seen(d.corners, d.readable, d.hidden) for d in scene.drawn]
    for each in dominoes:
        corners = each.corners @ view[:, :2].T + view[:, 2]
        inside = ((corners > -0.08 * SIZE_PX / 4) & (corners < SIZE_PX * 1.02)).all()
        short = short_of(corners)
        for _ in range(quarter):
            corners = np.column_stack([corners[:, 1], SIZE_PX - 1 - corners[:, 0]])
        middle = corners.mean(0)
        if (middle >= -short * 2).all() and (middle <= SIZE_PX + short * 2).all():
            asked = bool(each.wanted and inside and short >= LEAST_PX)
            seen.append(replace(each, corners=corners, wanted=asked))
            largest = max(largest, 0.0 if each.back else short_of(corners))
    return np.ascontiguousarray(np.rot90(part, quarter)), seen, largest


def short_of(corners: Matrix) -> float:
    """The short side of a domino (4, 2)."""
    return float(np.linalg.norm(corners[2] - corners[1]))


def locator_targets(shape: tuple[int, int], seen: Sequence[Seen]) -> tuple[Floats, Floats, Floats]:
    """Centre heat (h/4, w/4) with -1 where it is not asked for, bodies (h/4, w/4), frames (7, …).

    A body is a domino that shows its face or its back; backs come first, they may lie below faces.
    The last frame channel is the mask of where a frame is known.
    """
    stride = weights.LOCATOR_STRIDE
    size = (shape[0] // stride, shape[1] // stride)
    heat, body = np.zeros((2, *size), np.float32)
    index, ignored = np.zeros(size, np.uint16), np.zeros(size, np.uint8)
    codes = np.zeros((len(seen) + 1, weights.FRAME_CHANNELS + 1), np.float32)

    def fill(mask: NDArray[np.integer[Any]], outline: Matrix, value: int = 1) -> None:
        cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), value, shift=4)

    for k, each in enumerate(seen, 1):
        # Cell (0, 0) of the maps has its middle at pixel (1.5, 1.5).
        corners = (each.corners + 0.5) / stride - 0.5
        patch = np.zeros(size, np.uint8)
        fill(patch, corners)
        body[patch > 0] = 1 if each.hidden < COVERED else -1
        if each.back:
            continue
        middle = corners.mean(0)
        if short_of(each.corners) > MOST_PX:
            fill(ignored, middle + (corners - middle) * ABOUT_MIDDLE)
            continue
        if not each.wanted:
            ignored |= patch
            continue
        u = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
        v = (corners[3] + corners[2] - corners[0] - corners[1]) / 2
        codes[k] = *weights.encode_frames(np.stack([u, v])[None] * stride)[0], 1
        fill(index, middle + (corners - middle) * FRAME_SHARE, k)
        x, y = middle.tolist()
        if 0 <= round(y) < size[0] and 0 <= round(x) < size[1]:
            index[round(y), round(x)] = k
        mark(heat, x, y, float(np.clip(0.10 * np.linalg.norm(v), 0.7, 2.5)))
    heat[(ignored > 0) & (heat < NEAR)] = -1
    return heat, body, np.ascontiguousarray(codes[index].transpose(2, 0, 1))


# A middle this near in short sides, and edges this alike, are those of the domino.
FOUND_AT, FOUND_TURNED_DEG = 0.35, 20.0


class Locator(OfScenes):
    """Views of scenes at the sizes at which the reader searches."""

    part, size, dynamic_size = "locator", (256, 256), True
    network = staticmethod(
        partial(MapNetwork, weights.LOCATOR_CHANNELS, (16, 32, 48, 64, 72), (2, 2, 2))
    )

    def examples(self, rng: Rng, options: Mapping[str, Any]) -> Iterator[Example]:
        while True:
            scene = any_of(self.scenes, rng)
            rgb = scene.rgb()
            for _ in range(PER_SCENE):
                part, seen, largest = view_of(scene, rgb, rng)
                picture = relit(part, largest, BLUR_PX, rng)
                targets = locator_targets((SIZE_PX, SIZE_PX), seen)
                yield np.ascontiguousarray(picture.transpose(2, 0, 1)), *targets

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Focal loss of middles, binary cross-entropy of bodies, smooth L1 of frames."""
        pictures, heat, body, frames = batch
        maps = predict(network, as_input(pictures))
        centre = focal_loss(maps[:, weights.CENTRE], heat)
        said, wanted, known = maps[:, weights.BODY], body.clamp(min=0), (body >= 0).float()
        cross = functional.binary_cross_entropy_with_logits(said, wanted, reduction="none")
        bodies = (cross * known).sum() / known.sum().clamp(min=1)
        found, (true, mask) = maps[:, weights.FRAMES], frames.tensor_split([-1], 1)
        off = functional.smooth_l1_loss(found, true, beta=0.05, reduction="none")
        frame = (off * mask).sum() / mask.sum().clamp(min=1)
        return centre + bodies + frame, {"centre": centre, "body": bodies, "frame": frame}

    def answers(self, folder: Path) -> Iterable[Answer]:
        """Whether each domino of unseen scenes is found, and how many more are in each."""
        network, settings = Network((folder / self.file).read_bytes()), LocateSettings()
        for name, scene in self.unseen(self.options.asked):
            found = find_dominoes(scene.rgb, network, settings)
            found = found.chosen(found.scores >= settings.sure_score)
            taken = np.zeros(len(found.corners), bool)
            for k, drawn in enumerate(scene.drawn):
                said, score = "missed", 0.5
                at = _match(drawn.corners, found.corners, taken)
                if at is not None:
                    taken[at] = True
                    said, score = "found", float(found.scores[at])
                if drawn.readable:
                    yield Answer(f"{name}, {k}", name, "dominoes", "found", said, score)
            more = int((~taken).sum())
            yield Answer(f"{name}, more", name, "nothing else", "0", str(more), 0.5)


def _match(truth: Matrix, found: Matrix, taken: NDArray[np.bool_]) -> int | None:
    """Which of the found corners (n, 4, 2), not ``taken`` yet, are those of a domino (4, 2)."""
    away = np.linalg.norm(found.mean(1) - truth.mean(0), axis=1) / short_of(truth)
    edges, edge = found[:, 1] - found[:, 0], truth[1] - truth[0]
    lengths = np.linalg.norm(edges, axis=1) * np.linalg.norm(edge)
    aligned = np.abs(edges @ edge) / np.maximum(lengths, 1e-9)
    away[taken | (aligned < np.cos(np.deg2rad(FOUND_TURNED_DEG)))] = np.inf
    return int(away.argmin()) if (away <= FOUND_AT).any() else None
