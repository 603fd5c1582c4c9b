"""Candidates beside the truth, and the model fitted to them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.pip_dominoes.corpus import read_photo_labels
from training.pip_dominoes.presence import (
    Examples,
    fitted,
    gather,
    labels_of,
    load,
    save,
    shares_of,
    write_model,
)
from training.pip_dominoes.readings import SAMPLES
from vision.pip_dominoes import Reader
from vision.pip_dominoes.candidates import COMPANY, FEATURES, Presence

BOX = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)])
Floats = NDArray[np.float64]


def test_frames_are_labelled_by_the_truth() -> None:
    truth = np.stack([BOX, BOX + (0.0, 60.0)])
    across = BOX + (0.0, 30.0)
    frames = np.stack([BOX + 3.0, BOX + (0.0, 60.0), across, BOX + (300.0, 0.0)])
    assert labels_of(frames, truth).tolist() == [1, 1, 0, 0]
    # Nothing fits the second domino: what lies across both may be all that was seen of it.
    assert labels_of(frames[[0, 2]], truth).tolist() == [1, -1]
    assert labels_of(frames[3:], truth, BOX[None] + (290.0, 0.0)).tolist() == [-1]
    assert labels_of(frames, np.zeros((0, 4, 2))).tolist() == [0, 0, 0, 0]
    assert labels_of(np.zeros((0, 4, 2)), truth).tolist() == []


def test_what_a_labelled_photograph_shows_is_known_in_every_view_of_it(tmp_path: Path) -> None:
    """Also from lower, darker and smaller: each of its dominoes is found there by its place."""
    (photo,) = (each for each in read_photo_labels(SAMPLES) if each.path.stem == "double-blank")
    rgb = cv2.imread(str(photo.path))
    assert rgb is not None
    (tmp_path / "pip_dominoes" / "photos").mkdir(parents=True)
    small = cv2.resize(rgb, (480, 480), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(tmp_path / "pip_dominoes" / "photos" / "a.jpg"), small)
    tiles = " ".join(f"{a}|{b}" for a, b in photo.tiles)
    table = f"file,set,tiles,scene,source\na.jpg,12,{tiles},a table,a phone\n"
    (tmp_path / "pip_dominoes" / "photos.csv").write_text(table, encoding="utf-8")
    found = gather(tmp_path, Reader(), 0, 3)
    assert [(each.present.sum(), each.source) for each in found] == [(6, "a phone")] * 4


def examples(count: int = 8) -> list[Examples]:
    """Pictures in which the first feature tells a domino, the second the contrary."""
    rng = np.random.default_rng(4)
    made = []
    for number in range(count):
        present = rng.random(40) < 0.5
        features = rng.normal(size=(40, len(FEATURES)))
        features[:, 0] += 3 * present
        features[:, 1] -= 2 * present
        made.append(Examples(features, present, f"source {number % 4}"))
    return made


def test_every_source_counts_the_same() -> None:
    few = [*examples(4), *(Examples(e.features, e.present, "source 0") for e in examples(4))]
    shares = shares_of(few)
    sources = np.repeat([e.source for e in few], 40)
    sums = [shares[sources == name].sum() for name in sorted(set(sources))]
    np.testing.assert_allclose(sums, sums[0])
    np.testing.assert_allclose(shares.mean(), 1)


@pytest.mark.slow
def test_a_feature_that_speaks_the_wrong_way_is_left_out() -> None:
    made = examples()
    model = fitted(made)
    for each in (model.alone, model.beside):
        assert each.weights[FEATURES[0]] > 1
        assert FEATURES[1] not in each.weights
    right = [(model.shares(e.features) > 0.5) == e.present for e in made]
    assert np.mean(right) > 0.85
    assert FEATURES[0] not in fitted(made, [FEATURES[0]]).beside.weights


@pytest.mark.slow
def test_company_counts_where_dominoes_lie_together(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    made = []
    for number in range(40):
        present = np.full(8, number % 2 == 0)
        features = rng.normal(size=(8, len(FEATURES))) + present[:, None]
        made.append(Examples(features, present, f"source {number % 4}"))
    write_model(made, tmp_path / "model.json")
    model = Presence.load(tmp_path / "model.json")
    assert model.beside.weights[COMPANY] > 1
    alone, beside = (
        np.mean([(of(e.features) > 0.5) == e.present for e in made])
        for of in (model.alone.shares, model.shares)
    )
    assert beside > alone


def test_examples_come_back_from_their_file(tmp_path: Path) -> None:
    save(examples(), tmp_path / "kept.npz")
    for before, after in zip(examples(), load(tmp_path / "kept.npz"), strict=True):
        assert after.source == before.source
        np.testing.assert_array_equal(after.features, before.features)
        np.testing.assert_array_equal(after.present, before.present)
