"""Photographs as scenes: ``python -m training.pip_dominoes.photographs DATA OUT``.

The labels of photographs name the dominoes but don't say where they lie. The reader finds that out:
where it reads what the label says, its frame and its pips are taken as the truth.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pip_dominoes.corpus import (
    StoredScene,
    load_scenes,
    read_photo_labels,
    read_tile_labels,
    save_scene,
)
from training.pip_dominoes.cuts import LOOSE, jittered
from training.pip_dominoes.scenes.scene import Drawn, Scene
from vision.photo import PhotoError, decode
from vision.pip_dominoes.detect import LocateSettings, find_dominoes
from vision.pip_dominoes.judge import combine
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.recognise import RecognitionSettings, marked_pips, recognise
from vision.pip_dominoes.result import Tile, parse_tile
from vision.pip_dominoes.weights import Weights

__all__ = ["add_photographs", "labelled_faces", "mosaics", "photographs_of", "squared"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

# A frame is the median of so many that start from frames that err.
_LOOKS, _SINGLE_LOOKS = 8, 3
# Dominoes are kept at this short side at most, and pictures at this side.
_SHORT_PX, _SIDE_PX = 80.0, 1280
# Smaller ones are not wide enough for a view.
_LEAST_SIDE_PX = 256
# Pictures of single dominoes are put together in squares of so many a side.
_MOSAIC, _CELL_PX = 6, 100
# A single domino may be hard to see; it is known to be there.
_SINGLE = LocateSettings(min_score=0.05)


def add_photographs(options: argparse.ArgumentParser) -> None:
    """The options to train on photographs too."""
    options.add_argument(
        "--photographs", type=Path, metavar="FOLDER", help="scenes made of photographs"
    )
    options.add_argument(
        "--leave-out", nargs="*", default=[], metavar="SOURCE", help="but not those of them"
    )  # fmt: skip


def photographs_of(chosen: argparse.Namespace) -> list[StoredScene]:
    """The photographs that the options of ``add_photographs`` name; what is left out is noted."""
    if not chosen.photographs:
        return []
    if chosen.leave_out:
        # What measures these weights must know what they never saw.
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        note = chosen.out.with_name("left_out.txt")
        note.write_text("\n".join(chosen.leave_out) + "\n", encoding="utf-8")
    return [s for s in load_scenes(chosen.photographs) if s.source not in chosen.leave_out]


def labelled_faces(
    rgb: Image,
    boxes: Floats,
    halves: Sequence[Tile],
    weights: Weights,
    rng: np.random.Generator,
    looks: int = _LOOKS,
) -> list[Drawn]:
    """The dominoes at about ``boxes`` (n, 4, 2), which are known to bear ``halves`` as they lie.

    Pips are given where as many are marked as there must be.
    """
    settings = RecognitionSettings()
    seen = [
        recognise(rgb, np.array([jittered(box, rng, **LOOSE) for box in boxes]),
            weights.faces, weights.halves, settings).corners
        for _ in range(looks)
    ]  # fmt: skip
    corners = np.median(seen, axis=0)
    drawn = []
    for box, (a, b), pips in zip(
        corners, halves, marked_pips(rgb, corners, weights.faces, settings), strict=True
    ):
        counts = [int((pips[:, 2] == half).sum()) for half in (0, 1)]
        known = pips if counts == [a, b] else np.zeros((0, 3))
        drawn.append(Drawn((a, b), box, known, 0.0, readable=True, numerals=False))
    return drawn


def squared(rgb: Image, drawn: Sequence[Drawn]) -> tuple[Image, list[Drawn]]:
    """The picture within a square that repeats its edge, not larger than training needs."""
    shorts = [float(np.linalg.norm(d.corners[2] - d.corners[1])) for d in drawn]
    height, width = rgb.shape[:2]
    shrink = min(1.0, _SIDE_PX / max(height, width), _SHORT_PX / float(np.median(shorts)))
    small = cv2.resize(rgb, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    side = max(height, width, _LEAST_SIDE_PX)
    square = cv2.copyMakeBorder(small, 0, side - height, 0, side - width, cv2.BORDER_REPLICATE)
    moved = []
    for d in drawn:
        pips = d.pips.copy()
        pips[:, :2] = (pips[:, :2] + 0.5) * shrink - 0.5
        corners = (d.corners + 0.5) * shrink - 0.5
        moved.append(Drawn(d.halves, corners, pips, d.hidden, d.readable, d.numerals))
    return np.asarray(square, np.uint8), moved


def _photographed(
    folder: Path, reader: Reader, rng: np.random.Generator
) -> Iterator[tuple[Scene, bool, str]]:
    """The photographs of a folder: what was read right, and whether that is all there is."""
    for photo in read_photo_labels(folder):
        try:
            rgb = decode(photo.path, reader.settings.photo).rgb
            reading = reader.read(rgb, photo.set or None)
        except PhotoError:
            continue
        left = Counter(photo.tiles)
        right = []
        for domino in reading.dominoes:
            if left[parse_tile(domino.tile)] > 0:
                left[parse_tile(domino.tile)] -= 1
                right.append(domino)
        if not right:
            continue
        boxes = np.array([domino.corners for domino in right])
        whole = not left.total() and len(right) == len(reading.dominoes)
        drawn = labelled_faces(rgb, boxes, [d.halves for d in right], reader.weights, rng)
        picture, moved = squared(rgb, drawn)
        yield Scene(picture, tuple(moved), np.zeros((0, 4, 2)), photo.set), whole, photo.source


def _single(
    folder: Path, every: int, weights: Weights, rng: np.random.Generator
) -> Iterator[tuple[Image, Drawn, str]]:
    """Pictures of one domino where the witnesses name what the label says."""
    settings = RecognitionSettings()
    for photo in read_tile_labels(folder)[::every]:
        rgb = decode(photo.path).rgb
        if max(rgb.shape[:2]) > _CELL_PX:
            continue
        found = find_dominoes(rgb, weights.locator, _SINGLE)
        if not len(found.scores):
            continue
        evidence = recognise(rgb, found.corners, weights.faces, weights.halves, settings)
        likelihoods = combine(evidence, settings)
        named = likelihoods.argmax(-1)
        fits = [k for k, pair in enumerate(named) if tuple(sorted(pair)) == photo.tiles[0]]
        if not fits:
            continue
        sure = evidence.face * evidence.half * found.scores
        best = max(fits, key=lambda k: float(sure[k]))
        a, b = (int(number) for number in named[best])
        box = evidence.corners[[best]]
        (drawn,) = labelled_faces(rgb, box, [(a, b)], weights, rng, _SINGLE_LOOKS)
        yield rgb, drawn, photo.source


def mosaics(singles: Sequence[tuple[Image, Drawn]], side: int = _MOSAIC) -> Iterator[Scene]:
    """Pictures of one domino put together in squares; what is left at the end is left out."""
    for start in range(0, len(singles) - side * side + 1, side * side):
        picture = np.zeros((side * _CELL_PX, side * _CELL_PX, 3), np.uint8)
        moved = []
        for k, (rgb, d) in enumerate(singles[start : start + side * side]):
            shift = np.array([k % side, k // side]) * _CELL_PX
            height, width = rgb.shape[:2]
            picture[shift[1] : shift[1] + height, shift[0] : shift[0] + width] = rgb
            pips = d.pips + (*shift, 0)
            moved.append(Drawn(d.halves, d.corners + shift, pips, d.hidden, d.readable, d.numerals))
        yield Scene(picture, tuple(moved), np.zeros((0, 4, 2)), 6)


def main() -> None:
    """Read the labelled photographs and write what was read right as scenes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", type=Path, help="folder with photos.csv and tiles.csv")
    options.add_argument("out", type=Path, help="folder to write the scenes to")
    options.add_argument("--weights", type=Path, metavar="FOLDER", help="other weights")
    options.add_argument(
        "--singles", type=int, default=6, metavar="N", help="every N-th picture of one domino"
    )
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    cv2.setNumThreads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(chosen.seed)
    weights = Weights.load(chosen.weights)
    number = faces = pips = 0
    for scene, whole, source in _photographed(chosen.data, Reader(weights), rng):
        save_scene(scene, chosen.out / f"{number:06d}.npz", whole=whole, source=source)
        number += 1
        faces += len(scene.drawn)
        pips += sum(len(d.pips) == sum(d.halves) for d in scene.drawn)
    print(f"{number} photographs, {faces} dominoes, of {pips} all pips", flush=True)
    singles: dict[str, list[tuple[Image, Drawn]]] = {}
    for rgb, drawn, source in _single(chosen.data, chosen.singles, weights, rng):
        singles.setdefault(source, []).append((rgb, drawn))
    for source, own in sorted(singles.items()):
        order = rng.permutation(len(own))
        for scene in mosaics([own[k] for k in order]):
            save_scene(scene, chosen.out / f"{number:06d}.npz", source=source)
            number += 1
        print(f"{source}: {len(own)} single dominoes", flush=True)


if __name__ == "__main__":
    main()
