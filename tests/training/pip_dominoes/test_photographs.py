"""Labelled photographs become scenes, and the committed sample hands."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from training.pip_dominoes import photographs
from training.pip_dominoes.corpus import load_scenes, read_photo_labels, save_scene
from training.pip_dominoes.photographs import add_photographs, mosaics, photographs_of, squared
from training.pip_dominoes.samples import SAMPLES, Sample, draw_sample, main
from training.pip_dominoes.scenes.scene import Drawn, Scene

PHOTOGRAPHS_SAMPLES = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"


def domino(x: float, y: float, short: float = 20.0) -> Drawn:
    corners = np.array([(x, y), (x + 2 * short, y), (x + 2 * short, y + short), (x, y + short)])
    pips = np.array([(x + 5, y + 5, 0.0), (x + 30, y + 5, 1.0), (x + 35, y + 8, 1.0)])
    return Drawn((1, 2), corners, pips, 0.0, readable=True, numerals=False)


def test_a_photograph_and_its_labels_become_a_scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    (data / "photos").mkdir(parents=True)
    (data / "tiles").mkdir()
    labels = (PHOTOGRAPHS_SAMPLES / "labels.csv").read_text(encoding="utf-8").split("\n")
    row = next(line for line in labels if line.startswith("classic.jpg")).split(",")
    (data / "photos" / "classic.jpg").write_bytes(
        (PHOTOGRAPHS_SAMPLES / "classic.jpg").read_bytes()
    )
    (data / "photos" / "wrong.jpg").write_bytes((PHOTOGRAPHS_SAMPLES / "classic.jpg").read_bytes())
    tiles = row[2].split()
    rows = [
        "file,tiles,set,scene,source",
        f"classic.jpg,{' '.join(tiles)},6,a,somebody",
        f"wrong.jpg,{' '.join(tiles[1:])},6,a,somebody",
    ]
    (data / "photos.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (data / "tiles.csv").write_text("file,tile,group,source\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["photographs", str(data), str(out)])
    photographs.main()
    scene, other = load_scenes(out)
    assert (scene.whole, other.whole) == (True, False)
    assert (scene.source, len(scene.drawn), len(other.drawn)) == ("somebody", 9, 8)
    known = [d for d in scene.drawn if len(d.pips) == sum(d.halves)]
    assert len(known) >= 7
    for each in known:
        # The marked pips are dark spots of the ivory face.
        low, high = each.corners.min(0), each.corners.max(0)
        assert ((each.pips[:, :2] > low) & (each.pips[:, :2] < high)).all()
        for x, y, _ in each.pips:
            assert scene.rgb()[round(y), round(x)].mean() < 130


def test_a_picture_becomes_a_square_of_a_size_to_train_with() -> None:
    rgb = np.zeros((300, 700, 3), np.uint8)
    rgb[100:300, 300:700] = 200
    picture, (moved,) = squared(rgb, [domino(300, 100, short=200.0)])
    assert picture.shape == (280, 280, 3)
    np.testing.assert_allclose(moved.corners[0], (119.7, 39.7), atol=0.01)
    np.testing.assert_allclose(moved.pips[0], (121.7, 41.7, 0), atol=0.01)
    small, _ = squared(rgb[:100, :80], [domino(10, 10)])
    assert small.shape == (256, 256, 3)


def test_single_dominoes_are_put_together() -> None:
    singles = [(np.full((100, 90, 3), 10 * k, np.uint8), domino(20, 30)) for k in range(9)]
    (first, second) = mosaics(singles, side=2)
    assert first.rgb.shape == (200, 200, 3)
    assert first.rgb[150, 150, 0] == 30
    assert second.rgb[20, 20, 0] == 40
    np.testing.assert_array_equal(first.drawn[3].corners[0], (120, 130))
    np.testing.assert_array_equal(first.drawn[1].pips[0], (125, 35, 0))


def test_sources_can_be_left_out_and_are_noted(tmp_path: Path) -> None:
    folder = tmp_path / "scenes"
    folder.mkdir()
    for number, source in enumerate(("one", "two", "one")):
        scene = Scene(np.zeros((256, 256, 3), np.uint8), (domino(9, 9),), np.zeros((0, 4, 2)), 6)
        save_scene(scene, folder / f"{number}.npz", whole=bool(number), source=source)
    options = argparse.ArgumentParser()
    options.add_argument("--out", type=Path)
    add_photographs(options)
    out = tmp_path / "weights" / "faces.onnx"
    chosen = options.parse_args(["--out", str(out), "--photographs", str(folder)])
    assert [scene.whole for scene in photographs_of(chosen)] == [False, True, True]
    chosen.leave_out = ["one"]
    assert [scene.source for scene in photographs_of(chosen)] == ["two"]
    assert (out.parent / "left_out.txt").read_text(encoding="utf-8").split() == ["one"]
    chosen.photographs = None
    assert photographs_of(chosen) == []


def test_a_jpeg_of_a_scene_keeps_its_size(tmp_path: Path) -> None:
    rgb = np.asarray(cv2.imread(str(PHOTOGRAPHS_SAMPLES / "classic.jpg")), np.uint8)
    save_scene(Scene(rgb, (), np.zeros((0, 4, 2)), 6), tmp_path / "a.npz")
    (scene,) = load_scenes(tmp_path)
    assert scene.rgb().shape == rgb.shape
    assert (scene.whole, scene.source) == (True, "")


FOLDER = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"
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
