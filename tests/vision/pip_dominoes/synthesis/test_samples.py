"""The committed sample hands, their labels, and the command that draws them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.pip_dominoes.corpus import read_photo_labels
from training.pip_dominoes.samples import SAMPLES, Sample, draw_sample, main

FOLDER = Path(__file__).parents[4] / "sample_images" / "pip_dominoes"
BY_NAME = {photo.path.stem: photo for photo in read_photo_labels(FOLDER)}


def test_there_is_a_picture_and_a_label_for_every_sample() -> None:
    assert set(BY_NAME) == {sample.name for sample in SAMPLES}
    assert {path.stem for path in FOLDER.glob("*.jpg")} == set(BY_NAME)
    assert sum(bool(photo.tiles) for photo in BY_NAME.values()) >= 8
    assert all(path.stat().st_size < 600_000 for path in FOLDER.glob("*.jpg"))


@pytest.mark.parametrize("sample", SAMPLES[:3] + SAMPLES[-1:], ids=lambda sample: sample.name)
def test_the_command_draws_what_is_committed(sample: Sample) -> None:
    rgb, scene = draw_sample(sample)
    kept = cv2.imread(str(FOLDER / f"{sample.name}.jpg"), cv2.IMREAD_COLOR_RGB)
    assert kept is not None
    assert np.abs(rgb.astype(int) - kept).mean() < 8
    tiles = sorted((min(d.halves), max(d.halves)) for d in scene.drawn)
    assert tuple(tiles) == BY_NAME[sample.name].tiles


def test_samples_show_what_readers_meet() -> None:
    sets = {photo.set for photo in BY_NAME.values()}
    assert {6, 9, 12, 15, 18} <= sets
    assert len(BY_NAME["fifteen"].tiles) == 15
    assert (0, 0) in BY_NAME["double-blank"].tiles
    for photo in BY_NAME.values():
        assert len(set(photo.tiles)) == len(photo.tiles)
        assert all(b <= photo.set for _, b in photo.tiles)


def test_help_names_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "training.pip_dominoes.samples" in capsys.readouterr().out
