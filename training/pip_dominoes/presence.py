"""Fit how likely a domino is where one may be: ``python -m training.pip_dominoes.presence DATA``.

The candidates of a reader are compared with the truth: with labelled photographs that it reads
exactly, as they are and as seen by a worse camera; with drawn tables; and with pictures that show
no domino. Logistic models of ``FEATURES``, without and with the company, are fitted so that every
source counts the same, and are written as JSON. What they are worth says
``python -m benchmarks.pip_presence``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from training.common.arrays import Image, Matrix, Rng
from training.common.camera import Camera
from training.common.synthetic import jpeg_bytes
from training.pip_dominoes.corpus import read_photo_labels
from training.pip_dominoes.scenes.domino import random_style, with_rare_traits
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from vision.common.geometry import project
from vision.photo import PhotoError, decode
from vision.pip_dominoes import candidates
from vision.pip_dominoes.candidates import COMPANY, FEATURES, Logistic, Presence, overlap
from vision.pip_dominoes.detect import shared_area
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.weights import Weights

_PICTURES = {".jpg", ".jpeg", ".png", ".webp"}
# Folders of pictures that show no domino; of each so many pictures at most.
_OTHERS = {
    "not_kingdomino": 40, "photos": 40, "boards": 16, "boards_loose": 12, "dominoes": 32,
    "backgrounds": 240,
}  # fmt: skip
# Of one scene so many photographs.
_A_SCENE = 3
# A frame is that of a domino with so much area in common, and none where so little is.
_SAME, _BESIDE = 0.55, 0.2
# Of scikit-learn's inverse penalty, for a mean weight of a candidate of 1.
_INVERSE_PENALTY = 0.1
_NONE = np.zeros((0, 4, 2))

# A picture (h, w, 3), the dominoes (n, 4, 2) in it, those that are unclear, and where it is from.
Shown = tuple[Image, Matrix, Matrix, str]


@dataclass(frozen=True, eq=False)
class Examples:
    """Candidates of one picture: ``features`` (n, 5), ``present`` (n,) and where from."""

    features: Matrix
    present: NDArray[np.bool_]
    source: str


def gather(data: Path, reader: Reader, drawn: int, seed: int) -> list[Examples]:
    """The candidates of a reader in the pictures of the folder ``data`` and in drawn ones."""
    photographs = _photographs(data / "pip_dominoes", reader, seed)
    found = []
    for rgb, truth, unclear, source in chain(photographs, _drawings(drawn, seed), _others(data)):
        _, seen = reader.look(rgb)
        labels = labels_of(seen.corners, truth, unclear)
        if (labels >= 0).any():
            features = candidates.features_of(seen)[labels >= 0]
            found.append(Examples(features, labels[labels >= 0] == 1, source))
    return found


def labels_of(corners: Matrix, truth: Matrix, unclear: Matrix = _NONE) -> NDArray[np.int64]:
    """1 for frames (n, 4, 2) of a domino of ``truth`` (m, 4, 2), 0 for none, -1 for neither.

    A frame across dominoes is none where another fits them; what overlaps ``unclear`` ones, such
    as dominoes cut off, is neither.
    """
    shares = np.array([[shared_area(box, each) for each in truth] for box in corners])
    same = shares.reshape(len(corners), len(truth)) > _SAME
    labels, found = np.asarray(same.any(1), np.int64), np.asarray(same.any(0))
    for k, box in enumerate(corners):
        on, beside = ([overlap(box, o) > _BESIDE for o in others] for others in (truth, unclear))
        if not labels[k] and (any(beside) or not found[on].all()):
            labels[k] = -1
    return labels


def _photographs(folder: Path, reader: Reader, seed: int) -> Iterator[Shown]:
    """Labelled photographs that are read exactly, so that it is known where the dominoes lie."""
    taken: Counter[str] = Counter()
    for number, photo in enumerate(read_photo_labels(folder)):
        taken[photo.scene] += 1
        if taken[photo.scene] > _A_SCENE:
            continue
        rgb = decode(photo.path).rgb
        try:
            reading = reader.read(rgb)
        except PhotoError:
            continue
        left = Counter(f"{a}|{b}" for a, b in photo.tiles)
        truth = []
        for domino in sorted(reading.dominoes, key=lambda each: -each.existence):
            if left[domino.tile]:
                left[domino.tile] -= 1
                truth.append(domino.corners)
        if not left.total():
            for seen, view in _worse_views(rgb, np.random.default_rng([seed, number])):
                there = project(np.concatenate(truth), view).reshape(-1, 4, 2)
                yield seen, there, _NONE, photo.source


def _worse_views(rgb: Image, rng: Rng) -> Iterator[tuple[Image, Matrix]]:
    """The picture and worse ones of the same table, each with the homography (3, 3) to it."""
    height, width = rgb.shape[:2]
    yield rgb, np.eye(3)
    for tilt_deg in (35.0, rng.uniform(45, 62)):
        turn_deg = np.rad2deg(rng.uniform(0, 2 * np.pi))
        away = rng.uniform(1.2, 2.0) * max(height, width)
        view = Camera.above(
            (width / 2, height / 2), (0, 0), 1, tilt_deg=tilt_deg, turn_deg=turn_deg, distance=away
        ).homography()
        edge = project(np.array([(0.0, 0), (width, 0), (width, height), (0, height)]), view)
        low, reach = edge.min(0), np.ptp(edge, axis=0)
        scale = rng.uniform(0.6, 1.0) * 1600 / float(reach.max())
        shift = np.array([(scale, 0, -low[0] * scale), (0, scale, -low[1] * scale), (0, 0, 1)])
        view = shift @ view
        size = np.ceil(reach * scale).astype(int).tolist()
        grey = rng.integers(0, 256, 3).tolist()
        seen = cv2.warpPerspective(rgb, view, size, flags=cv2.INTER_AREA, borderValue=grey)
        yield _worse(seen, rng), view
    share = rng.uniform(0.25, 0.6) * min(1.0, 1200 / max(height, width))
    small = cv2.resize(rgb, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    yield _worse(small, rng), np.diag([share, share, 1.0])


def _worse(rgb: MatLike, rng: Rng) -> Image:
    """Blurred, darker, noisy and compressed."""
    seen = cv2.GaussianBlur(rgb, (0, 0), rng.uniform(0.3, 1.3)).astype(np.float64)
    light = np.linspace(rng.uniform(0.35, 1.1), rng.uniform(0.35, 1.1), rgb.shape[1])
    seen = seen * light[None, :, None] + rng.normal(0, rng.uniform(1, 9), seen.shape)
    data = jpeg_bytes(np.clip(seen, 0, 255).astype(np.uint8), int(rng.integers(30, 90)))
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB), np.uint8)


def _drawings(count: int, seed: int) -> Iterator[Shown]:
    """Drawn tables with face-down dominoes and other things."""
    settings = SceneSettings(size_px=900, tile_px=(20.0, 100.0), alike_share=0.1, words_share=0.15)
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        style = with_rare_traits(random_style(rng, int(rng.choice((6, 9, 12)))), rng)
        scene = draw_scene(settings, rng, (), style)
        boxes = np.array([d.corners for d in scene.drawn]).reshape(-1, 4, 2)
        readable = np.array([d.readable for d in scene.drawn], bool)
        # Drawings count as several sources, so that some can be left out.
        seen = _worse(scene.rgb, rng)
        yield seen, boxes[readable], boxes[~readable], f"drawn {number % 4}"


def _others(data: Path) -> Iterator[Shown]:
    """Pictures that show no domino."""
    for name, most in _OTHERS.items():
        paths = sorted(p for p in (data / name).rglob("*") if p.suffix.lower() in _PICTURES)
        for number, path in enumerate(paths[:: max(1, len(paths) // most)]):
            source = f"{name} {number % 4}" if name in ("photos", "backgrounds") else name
            with suppress(PhotoError):
                yield decode(path).rgb, _NONE, _NONE, source


def shares_of(examples: Sequence[Examples]) -> Matrix:
    """How much each candidate counts: every source the same, and within it every picture."""
    pictures = Counter(e.source for e in examples)
    counts = [len(e.present) for e in examples]
    each = [1 / max(n, 1) / pictures[e.source] for n, e in zip(counts, examples, strict=True)]
    shares = np.repeat(each, counts)
    return np.asarray(shares / shares.mean())


def fitted(examples: Sequence[Examples], without: Collection[str] = ()) -> Presence:
    """The model of some candidates, with all features but some."""
    features = np.concatenate([e.features for e in examples])
    truth = np.concatenate([e.present for e in examples]), shares_of(examples)
    named = {name: features[:, k] for k, name in enumerate(FEATURES) if name not in without}
    alone = _logistic(named, *truth)
    if COMPANY in without:
        return Presence(alone, alone)
    company = np.concatenate([candidates.company_of(alone.shares(e.features)) for e in examples])
    return Presence(alone, _logistic({**named, COMPANY: company}, *truth))


def _logistic(
    features: Mapping[str, Matrix], present: NDArray[np.bool_], shares: Matrix
) -> Logistic:
    """A logistic model of features (n,) by name.

    More of each speaks for a domino; a feature with a weight below 0 says nothing of its own and
    is left out.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    left = list(features)
    while True:
        table = np.stack([features[name] for name in left], axis=1)
        scaler = StandardScaler().fit(table)
        fit = LogisticRegression(C=_INVERSE_PENALTY, max_iter=2000)
        fit.fit(scaler.transform(table), present, shares)
        if fit.coef_[0].min() >= 0:
            break
        left.pop(int(fit.coef_[0].argmin()))
    weights = fit.coef_[0] / scaler.scale_
    bias = float(fit.intercept_[0] - weights @ scaler.mean_)
    return Logistic(bias, dict(zip(left, weights.tolist(), strict=True)))


def write_model(examples: Sequence[Examples], path: Path) -> None:
    """Fit the model to candidates and write it as JSON."""
    model = {}
    for name, each in vars(fitted(examples)).items():
        weights = {feature: round(weight, 4) for feature, weight in each.weights.items()}
        model[name] = {"bias": round(each.bias, 4), "weights": weights}
    path.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Gather the candidates and write the model."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", type=Path, help="with pip_dominoes and the other folders")
    options.add_argument("out", type=Path, metavar="pip_presence.json")
    options.add_argument("--weights", type=Path, metavar="FOLDER", help="other weights")
    options.add_argument("--drawn", type=int, default=120, help="drawn tables")
    options.add_argument("--seed", type=int, default=28)
    options.add_argument("--gathered", type=Path, metavar="FILE.npz", help="kept there")
    chosen = options.parse_args()
    cv2.setNumThreads(1)
    reader = Reader(Weights.load(chosen.weights))
    examples = gather(chosen.data, reader, chosen.drawn, chosen.seed)
    if chosen.gathered:
        save(examples, chosen.gathered)
    write_model(examples, chosen.out)


def save(examples: Sequence[Examples], path: Path) -> None:
    """Keep them in a file ``.npz``."""
    features = np.concatenate([e.features for e in examples])
    present = np.concatenate([e.present for e in examples])
    counts, sources = [len(e.present) for e in examples], [e.source for e in examples]
    np.savez(path, features=features, present=present, counts=counts, sources=sources)


def load(path: Path) -> list[Examples]:
    """What ``save`` has kept."""
    with np.load(path, allow_pickle=False) as kept:
        ends = np.cumsum(kept["counts"])[:-1]
        parts = (np.split(kept[name], ends) for name in ("features", "present"))
        return list(map(Examples, *parts, kept["sources"].tolist()))


if __name__ == "__main__":
    main()
