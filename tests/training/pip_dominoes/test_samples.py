"""The sample hands are those that the command draws."""

from __future__ import annotations

import csv

import cv2
import numpy as np

from training.pip_dominoes.readings import SAMPLES as FOLDER
from training.pip_dominoes.samples import COLUMNS, SAMPLES, draw_labelled


def test_a_sample_is_drawn_again_as_it_was() -> None:
    name = "double-blank"
    (sample,) = (each for each in SAMPLES if each.name == name)
    jpeg, labels = draw_labelled(sample)
    with (FOLDER / "labels.csv").open(encoding="utf-8", newline="") as table:
        (row,) = (each for each in csv.DictReader(table) if each["file"] == f"{name}.jpg")
    assert [str(label) for label in labels] == [row[column] for column in COLUMNS]
    shipped, drawn = (
        cv2.imread(str(FOLDER / row["file"])),
        cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR),
    )
    assert shipped is not None
    assert drawn is not None
    # Elsewhere OpenCV rounds otherwise.
    assert np.abs(shipped.astype(int) - drawn).mean() < 2
