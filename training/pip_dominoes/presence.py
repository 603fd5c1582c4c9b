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
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.common.arrays import Image, Matrix, Rng
from training.common.camera import Camera
from training.common.synthetic import jpeg_bytes
from training.pip_dominoes.corpus import read_photo_labels
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.style import random_style, with_rare_traits
from vision.common.geometry import project
from vision.photo import PhotoError, decode
from vision.pip_dominoes.candidates import (
    COMPANY,
    FEATURES,
    Candidates,
    Logistic,
    Presence,
    company_of,
    features_of,
    overlap,
)
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


@dataclass(frozen=True, eq=False)
class Examples:
    """Candidates of one picture: ``features`` (n, 5), ``present`` (n,) and where from."""

    features: Matrix
    present: NDArray[np.bool_]
    source: str


def _shared_area(first: Matrix, second: Matrix) -> float:
    """The area that two quadrilaterals (4, 2) share over that of both together."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(cv2.contourArea(a) + cv2.contourArea(b) - float(shared), 1.0)


def labels_of(corners: Matrix, truth: Matrix, unclear: Matrix | None = None) -> NDArray[np.int64]:
    """1 for frames (n, 4, 2) of a domino of ``truth`` (m, 4, 2), 0 for none, -1 for neither.

    A frame across dominoes is none where another fits them; what overlaps ``unclear`` ones, such
    as dominoes cut off, is neither.
    """
    shares = np.array([[_shared_area(box, each) for each in truth] for box in corners])
    same = shares.reshape(len(corners), len(truth)) > _SAME
    labels, found = np.asarray(same.any(1), np.int64), np.asarray(same.any(0))
    for k, box in enumerate(corners):
        on = [overlap(box, each) > _BESIDE for each in truth]
        beside = unclear is not None and any(overlap(box, each) > _BESIDE for each in unclear)
        if not labels[k] and (beside or not found[on].all()):
            labels[k] = -1
    return labels


def _examples(
    candidates: Candidates, truth: Matrix, source: str, unclear: Matrix | None = None
) -> Examples:
    labels = labels_of(candidates.corners, truth, unclear)
    known = labels >= 0
    return Examples(features_of(candidates)[known], labels[known] == 1, source)


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
        scale = rng.uniform(0.6, 1.0) * 1600 / float(np.ptp(edge, axis=0).max())
        low = edge.min(0)
        shift = np.array([(scale, 0, -low[0] * scale), (0, scale, -low[1] * scale), (0, 0, 1)])
        view = shift @ view
        size = np.ceil(np.ptp(edge, axis=0) * scale).astype(int).tolist()
        grey = rng.integers(0, 256, 3).tolist()
        seen = cv2.warpPerspective(rgb, view, size, flags=cv2.INTER_AREA, borderValue=grey)
        yield _worse(np.asarray(seen, np.uint8), rng), view
    share = rng.uniform(0.25, 0.6) * min(1.0, 1200 / max(height, width))
    small = cv2.resize(rgb, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    yield _worse(np.asarray(small, np.uint8), rng), np.diag([share, share, 1.0])


def _worse(rgb: Image, rng: Rng) -> Image:
    """Blurred, darker, noisy and compressed."""
    seen = cv2.GaussianBlur(rgb, (0, 0), rng.uniform(0.3, 1.3)).astype(np.float64)
    light = np.linspace(rng.uniform(0.35, 1.1), rng.uniform(0.35, 1.1), rgb.shape[1])
    seen = seen * light[None, :, None] + rng.normal(0, rng.uniform(1, 9), seen.shape)
    data = jpeg_bytes(np.clip(seen, 0, 255).astype(np.uint8), int(rng.integers(30, 90)))
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB), np.uint8)


def _of_photographs(folder: Path, reader: Reader, seed: int) -> Iterator[Examples]:
    """Labelled photographs that are read exactly, so that it is known where the dominoes lie."""
    taken: Counter[str] = Counter()
    for number, photo in enumerate(read_photo_labels(folder)):
        if taken[photo.scene] >= _A_SCENE:
            continue
        taken[photo.scene] += 1
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
        if left.total():
            continue
        rng = np.random.default_rng([seed, number])
        for seen, view in _worse_views(rgb, rng):
            there = project(np.concatenate(truth), view).reshape(-1, 4, 2)
            yield _examples(reader.look(seen)[1], there, photo.source)


def _of_drawings(count: int, reader: Reader, seed: int) -> Iterator[Examples]:
    """Drawn tables with face-down dominoes and other things."""
    settings = SceneSettings(size_px=900, tile_px=(20.0, 100.0), alike_share=0.1, words_share=0.15)
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        style = with_rare_traits(random_style(rng, int(rng.choice((6, 9, 12)))), rng)
        scene = draw_scene(settings, rng, (), style)
        boxes = np.array([d.corners for d in scene.drawn]).reshape(-1, 4, 2)
        readable = np.array([d.readable for d in scene.drawn], bool)
        seen = reader.look(_worse(scene.rgb, rng))[1]
        # Drawings count as several sources, so that some can be left out.
        yield _examples(seen, boxes[readable], f"drawn {number % 4}", boxes[~readable])


def _of_others(data: Path, reader: Reader) -> Iterator[Examples]:
    """Pictures that show no domino."""
    for name, most in _OTHERS.items():
        paths = sorted(p for p in (data / name).rglob("*") if p.suffix.lower() in _PICTURES)
        step = max(1, len(paths) // most)
        for number, path in enumerate(paths[::step]):
            try:
                seen = reader.look(decode(path).rgb)[1]
            except PhotoError:
                continue
            part = f"{name} {number % 4}" if name in ("photos", "backgrounds") else name
            yield _examples(seen, np.zeros((0, 4, 2)), part)


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
    present = np.concatenate([e.present for e in examples])
    shares = shares_of(examples)
    named = {name: features[:, k] for k, name in enumerate(FEATURES) if name not in without}
    alone = _logistic(named, present, shares)
    company = np.concatenate([company_of(alone.shares(e.features)) for e in examples])
    if COMPANY in without:
        return Presence(alone, alone)
    return Presence(alone, _logistic({**named, COMPANY: company}, present, shares))


def _logistic(
    features: Mapping[str, Matrix], present: NDArray[np.bool_], shares: Matrix
) -> Logistic:
    """A logistic model of features (n,) by name.

    More of each speaks for a domino; a feature with a weight below 0 says nothing of its own and
    is left out.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    left = list(features)
    while True:
        regression = LogisticRegression(C=_INVERSE_PENALTY, max_iter=2000)
        model = make_pipeline(StandardScaler(), regression)
        table = np.stack([features[name] for name in left], axis=1)
        model.fit(table, present, logisticregression__sample_weight=shares)
        scaler, fit = model[0], model[1]
        if fit.coef_[0].min() >= 0:
            break
        left.pop(int(fit.coef_[0].argmin()))
    weights = fit.coef_[0] / scaler.scale_
    bias = float(fit.intercept_[0] - weights @ scaler.mean_)
    return Logistic(bias, dict(zip(left, weights.tolist(), strict=True)))


def gather(data: Path, reader: Reader, drawn: int, seed: int) -> list[Examples]:
    """The candidates of a reader in the pictures of the folder ``data`` and in drawn ones."""
    photographs = _of_photographs(data / "pip_dominoes", reader, seed)
    every = chain(photographs, _of_drawings(drawn, reader, seed), _of_others(data, reader))
    return [each for each in every if len(each.present)]


def write_model(examples: Sequence[Examples], path: Path) -> None:
    """Fit the model to candidates and write it as JSON."""
    found = fitted(examples)
    model = {}
    for name, each in (("alone", found.alone), ("beside", found.beside)):
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
    np.savez(
        path,
        features=np.concatenate([e.features for e in examples]),
        present=np.concatenate([e.present for e in examples]),
        counts=np.array([len(e.present) for e in examples]),
        sources=np.array([e.source for e in examples]),
    )


def load(path: Path) -> list[Examples]:
    """What ``save`` has kept."""
    with np.load(path, allow_pickle=False) as kept:
        ends = np.cumsum(kept["counts"])[:-1]
        parts = zip(
            np.split(kept["features"], ends), np.split(kept["present"], ends), kept["sources"],
            strict=True,
        )  # fmt: skip
        return [Examples(f, p, str(s)) for f, p, s in parts]


if __name__ == "__main__":
    main()
