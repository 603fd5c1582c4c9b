"""Each training runs and writes weights that OpenCV reads."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from training.pip_dominoes.corpus import load_scenes, save_scene
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from vision.common.network import Network
from vision.pip_dominoes.weights import (
    FACE_OTHERS,
    FACE_PX,
    HALF_CLASSES,
    HALF_PX,
    LOCATOR_CHANNELS,
    PIP_MAP_PX,
    PIP_MAPS,
)

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.pip_dominoes import faces, halves, locator  # noqa: E402

FACE_ROW = PIP_MAPS * PIP_MAP_PX[0] * PIP_MAP_PX[1] + FACE_OTHERS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out: Path = tmp_path_factory.mktemp("scenes")
    for seed in range(4):
        scene = draw_scene(SceneSettings(size_px=320), np.random.default_rng(seed), tile_px=40.0)
        save_scene(scene, out / f"{seed}.npz")
    return out


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("training", "shape", "expected"),
    [
        (locator, (1, 3, 64, 96), (1, LOCATOR_CHANNELS, 16, 24)),
        (faces, (2, 3, FACE_PX[1], FACE_PX[0]), (2, FACE_ROW)),
        (halves, (2, 3, HALF_PX, HALF_PX), (2, HALF_CLASSES)),
    ],
)
def test_two_steps_give_weights(
    training: object,
    shape: tuple[int, ...],
    expected: tuple[int, ...],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "weights.onnx"
    options = [str(folder), str(out), "--steps", "2", "--batch", "2", "--workers", "0"]
    monkeypatch.setattr(sys, "argv", ["training", *options])
    training.main()  # type: ignore[attr-defined]
    rows = Network(out.read_bytes())(np.zeros(shape, np.float32))
    assert rows.shape == expected
    assert np.isfinite(rows).all()


def test_a_domino_is_asked_for_at_its_middle() -> None:
    corners = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    heat, face, frames = locator.locator_targets((160, 160), [(corners, True, 0.0)])
    row, column = np.unravel_index(int(heat.argmax()), heat.shape)
    assert abs(column * 4 + 1.5 - 80) <= 2
    assert abs(row * 4 + 1.5 - 80) <= 2
    assert face[20, 20] == 1
    assert face[2, 2] == 0
    assert frames[6, 20, 20] == 1
    assert frames[6, 2, 2] == 0


def test_a_hidden_domino_is_neither_asked_for_nor_forbidden() -> None:
    corners = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    heat, face, frames = locator.locator_targets((160, 160), [(corners, False, 0.3)])
    assert heat[20, 20] == -1
    assert heat[2, 2] == 0
    assert face[20, 20] == 1
    assert frames[6].max() == 0
    assert locator.locator_targets((160, 160), [(corners, False, 0.8)])[1][20, 20] == -1


def test_pips_of_a_domino_too_large_to_look_for_are_forbidden() -> None:
    corners = np.array([(20.0, 40.0), (140.0, 40.0), (140.0, 100.0), (20.0, 100.0)])
    heat, face, frames = locator.locator_targets((160, 160), [(corners, True, 0.0)])
    assert heat[17, 20] == -1
    assert heat[12, 8] == 0
    assert face[12, 8] == 1
    assert frames[6].max() == 0


def test_some_views_show_large_dominoes(folder: Path) -> None:
    scene = load_scenes(folder)[0]
    rng = np.random.default_rng(2)
    largest = [locator.view_of(scene, scene.rgb(), rng)[2] for _ in range(60)]
    assert 0.02 < np.mean(np.array(largest) > locator.MOST_PX) < 0.4
