"""The committed sample pictures, their labels, and the command that draws them."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorer.kingdomino import Kingdom, Verdict, box_check, problems
from training.kingdomino.samples import (
    SAMPLES,
    Sample,
    encode_jpeg,
    main,
    render_sample,
    write_samples,
)
from vision.photo import decode

FOLDER = Path(__file__).parents[4] / "sample_images"
BY_NAME = {sample.name: sample for sample in SAMPLES}
WITH_KINGDOM = [sample for sample in SAMPLES if sample.kingdom]


def test_labels_are_those_of_the_samples() -> None:
    with (FOLDER / "labels.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert rows == [
        {
            "file": f"{sample.name}.jpg",
            "kingdom": sample.kingdom,
            "castle_colour": sample.castle_colour,
            "note": sample.note,
        }
        for sample in SAMPLES
    ]
    assert {path.name for path in FOLDER.glob("*.jpg")} == {row["file"] for row in rows}


@pytest.mark.parametrize("sample", SAMPLES, ids=BY_NAME)
def test_pictures_are_small_files_of_the_size_that_the_sample_says(sample: Sample) -> None:
    path = FOLDER / f"{sample.name}.jpg"
    assert path.stat().st_size < 500_000
    photo = decode(path)
    assert (photo.width, photo.height) == (sample.view.width, sample.view.height)


@pytest.mark.parametrize("sample", WITH_KINGDOM, ids=lambda sample: sample.name)
def test_kingdoms_are_legal_ones_from_the_box(sample: Sample) -> None:
    kingdom = Kingdom.parse(sample.kingdom)
    assert problems(kingdom) == ()
    assert box_check(kingdom).verdict is Verdict.LEGAL


def test_the_set_shows_what_readers_meet() -> None:
    kingdoms = {sample.name: Kingdom.parse(sample.kingdom) for sample in WITH_KINGDOM}
    full = {name for name, kingdom in kingdoms.items() if "." not in str(kingdom)}
    views = [sample.view for sample in SAMPLES]
    assert len(SAMPLES) >= 8
    assert len(SAMPLES) == len(WITH_KINGDOM) + 1
    assert {(k.height, k.width) for k in kingdoms.values()} == {(5, 5), (7, 7), (3, 3)}
    assert 0 < len(full) < len(kingdoms)
    assert max(view.tilt_deg for view in views) >= 40
    assert max(view.turn_deg for view in views) == 30
    assert any(view.castle_stands for view in views)
    assert {view.castle_colour for view in views} == {"pink", "yellow", "green", "blue", "brown"}


def test_drawn_again_a_sample_is_the_committed_picture() -> None:
    sample = BY_NAME["begun"]
    drawn, committed = (
        decode(encode_jpeg(render_sample(sample))).rgb,
        decode(FOLDER / "begun.jpg").rgb,
    )
    assert np.abs(drawn.astype(int) - committed).mean() < 0.5


def test_the_command_writes_pictures_and_labels(tmp_path: Path) -> None:
    small = replace(BY_NAME["begun"].view, width=160, height=120, square_px=24.0)
    written = replace(BY_NAME["begun"], view=small)
    write_samples(tmp_path / "new", [written])
    assert decode(tmp_path / "new" / "begun.jpg").rgb.shape == (120, 160, 3)
    lines = (tmp_path / "new" / "labels.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "file,kingdom,castle_colour,note"
    assert lines[1].startswith("begun.jpg,w1 f f/s1 c l1/g . .,brown,")


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "python -m training.kingdomino.samples sample_images" in capsys.readouterr().out


def test_a_picture_that_does_not_fit_is_refused() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (300, 300, 3), np.uint8)
    assert len(encode_jpeg(noise, 100_000)) <= 100_000
    with pytest.raises(ValueError, match="max_bytes"):
        encode_jpeg(noise, 1_000)
