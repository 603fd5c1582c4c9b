"""What the locator of dominoes is to learn of a scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from training.pip_dominoes.corpus import StoredScene, load_scene, save_scene
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.pip_dominoes import locator  # noqa: E402
from training.pip_dominoes.locator import Seen  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out: Path = tmp_path_factory.mktemp("scenes")
    for seed in range(4):
        scene = draw_scene(SceneSettings(size_px=320), np.random.default_rng(seed), tile_px=40.0)
        save_scene(scene, out / f"{seed}.npz")
    return out


def test_a_domino_is_asked_for_at_its_middle() -> None:
    corners = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    heat, body, frames = locator.locator_targets((160, 160), [Seen(corners, True)])
    row, column = np.unravel_index(int(heat.argmax()), heat.shape)
    assert abs(column * 4 + 1.5 - 80) <= 2
    assert abs(row * 4 + 1.5 - 80) <= 2
    assert body[20, 20] == 1
    assert body[2, 2] == 0
    assert frames[6, 20, 20] == 1
    assert frames[6, 2, 2] == 0


def test_a_hidden_domino_is_neither_asked_for_nor_forbidden() -> None:
    corners = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    heat, body, frames = locator.locator_targets((160, 160), [Seen(corners, False, 0.3)])
    assert heat[20, 20] == -1
    assert heat[2, 2] == 0
    assert body[20, 20] == 1
    assert frames[6].max() == 0
    assert locator.locator_targets((160, 160), [Seen(corners, False, 0.8)])[1][20, 20] == -1


def test_a_back_is_a_body_and_no_domino_to_be_read() -> None:
    back = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    face = back + (0, 30)
    views = [Seen(back, wanted=False, back=True), Seen(face, wanted=True)]
    heat, body, frames = locator.locator_targets((160, 160), views)
    assert (heat[17, 20], body[17, 20], frames[6, 17, 20]) == (0, 1, 0)
    assert (heat.max(), body[27, 20], frames[6, 27, 20]) == (1, 1, 1)


def test_a_view_shows_the_backs_of_a_scene_where_they_lie() -> None:
    settings = SceneSettings(size_px=320, standing_share=1.0, back_share=1.0, photo_share=0.0)
    stored = draw_scene(settings, np.random.default_rng(3), tile_px=40.0, count=6)
    assert len(stored.backs) > 0
    seen = [
        each
        for seed in range(20)
        for each in locator.view_of(
            StoredScene(b"", stored.drawn, stored.backs),
            stored.rgb,
            np.random.default_rng(seed),
        )[1]
    ]
    backs = [each for each in seen if each.back]
    assert len(backs) > 10
    assert not any(each.wanted for each in backs)


def test_pips_of_a_domino_too_large_to_look_for_are_forbidden() -> None:
    corners = np.array([(20.0, 40.0), (140.0, 40.0), (140.0, 100.0), (20.0, 100.0)])
    heat, body, frames = locator.locator_targets((160, 160), [Seen(corners, True)])
    assert heat[17, 20] == -1
    assert heat[12, 8] == 0
    assert body[12, 8] == 1
    assert frames[6].max() == 0


def test_some_views_show_large_dominoes(folder: Path) -> None:
    scene = load_scene(folder / "0.npz")
    rng = np.random.default_rng(2)
    largest = [locator.view_of(scene, scene.rgb(), rng)[2] for _ in range(60)]
    assert 0.02 < np.mean(np.array(largest) > locator.MOST_PX) < 0.4
