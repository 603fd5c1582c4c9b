"""What the networks are shown, in which light and how far off, and what they are told about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from training.common.synthetic import patchy
from training.pip_dominoes import corpus
from training.pip_dominoes.corpus import (
    StoredScene,
    draw_samples,
    draw_stored,
    face_sample,
    half_sample,
    jittered,
    lived_with,
    load_scene,
    recoloured,
    relit,
    save_scene,
)
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.table import Drawn
from vision.pip_dominoes.weights import (
    CORNER_UNIT_PX,
    FACE_MARGIN_PX,
    FACE_PX,
    KINDS,
    NO_HALF,
    PIP_STRIDE,
    patch_corners,
)


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> list[StoredScene]:
    folder: Path = tmp_path_factory.mktemp("scenes")
    settings = SceneSettings(size_px=320, empty_share=0.0)
    for seed in range(6):
        scene = draw_scene(settings, np.random.default_rng(seed), arrangement="rows", tile_px=40.0)
        save_scene(scene, folder / f"{seed}.npz")
    return [load_scene(folder / f"{seed}.npz") for seed in range(6)]


def test_stored_scenes_come_back(scenes: list[StoredScene]) -> None:
    settings = SceneSettings(size_px=320, empty_share=0.0)
    drawn = draw_scene(settings, np.random.default_rng(0), arrangement="rows", tile_px=40.0)
    kept = scenes[0]
    assert [d.halves for d in kept.drawn] == [d.halves for d in drawn.drawn]
    for one, other in zip(kept.drawn, drawn.drawn, strict=True):
        np.testing.assert_allclose(one.corners, other.corners, atol=1e-3)
        np.testing.assert_allclose(one.pips, other.pips, atol=1e-3)
    assert np.abs(kept.rgb().astype(int) - drawn.rgb).mean() < 6


def test_scenes_drawn_by_several_processes_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = SceneSettings(size_px=96, tile_px=(20.0, 30.0))
    one, other = tmp_path / "one", tmp_path / "other"
    alone = draw_stored(tmp_path, one, settings, 5, 3)
    monkeypatch.setattr(corpus, "FEW", 0)
    together = draw_stored(tmp_path, other, settings, 5, 3)
    assert [scene.jpeg for scene in together] == [scene.jpeg for scene in alone]


def test_maps_have_a_peak_for_every_pip(scenes: list[StoredScene]) -> None:
    rng = np.random.default_rng(5)
    told = missed = 0
    for scene in scenes:
        for drawn in scene.drawn:
            if not drawn.readable or drawn.numerals:
                continue
            patch, heat, off, kind = face_sample(scene.rgb(), drawn, drawn.corners, rng)
            assert patch.shape == (FACE_PX[1], FACE_PX[0], 3)
            assert KINDS[kind] == "pips"
            # Where a frame errs much a pip may lie beyond the patch, or two in one cell.
            lost = sum(drawn.halves) - int((heat == 1).sum())
            assert lost >= 0
            missed += lost
            # Either way round, it is never the opposite corner that is asked for.
            assert np.abs(off).max() * CORNER_UNIT_PX < FACE_PX[1] / 2
            corners = patch_corners(FACE_PX, FACE_MARGIN_PX) + off.reshape(4, 2) * CORNER_UNIT_PX
            rows, columns = np.nonzero(heat.max(0) == 1)
            for x, y in zip(columns * PIP_STRIDE, rows * PIP_STRIDE, strict=True):
                low, high = corners.min(0) - 2, corners.max(0) + 2
                assert low[0] < x < high[0]
                assert low[1] < y < high[1]
            told += 1
    assert told > 5
    assert missed <= 0.2 * told


def test_where_no_face_is_nothing_is_told(scenes: list[StoredScene]) -> None:
    rng = np.random.default_rng(6)
    stream = draw_samples(scenes, 1.0, rng)
    for _ in range(8):
        rgb, drawn, corners = next(stream)
        assert drawn is None
        _, heat, _, kind = face_sample(rgb, None, corners, rng)
        assert heat.max() == 0
        assert KINDS[kind] == "none"
        assert half_sample(rgb, None, corners, rng)[1] == NO_HALF


def test_halves_bear_one_of_the_two_numbers(scenes: list[StoredScene]) -> None:
    rng = np.random.default_rng(7)
    stream = draw_samples(scenes, 0.0, rng)
    for _ in range(20):
        rgb, drawn, corners = next(stream)
        if drawn is not None:
            assert half_sample(rgb, drawn, corners, rng)[1] in drawn.halves


BOX = np.array([(40.0, 40.0), (120.0, 40.0), (120.0, 80.0), (40.0, 80.0)])


def test_a_half_has_its_own_number() -> None:
    """The first one is black, the second one white, but where the picture is a negative."""
    rgb = np.zeros((120, 160, 3), np.uint8)
    rgb[:, 80:] = 255
    drawn, rng = Drawn((2, 5), BOX, np.zeros((0, 3)), 0.0, True, False), np.random.default_rng(3)
    found = [half_sample(rgb, drawn, BOX, rng) for _ in range(40)]
    as_said = [(patch.mean() < 128) == (number == 2) for patch, number in found]
    assert {number for _, number in found} == {2, 5}
    assert np.mean(as_said) > 0.8


def test_a_pip_is_marked_where_the_patch_shows_it() -> None:
    """Wherever the frame lies, and whichever way round."""
    rgb = np.full((120, 160, 3), 60, np.uint8)
    cv2.circle(rgb, (60, 52), 4, (235,) * 3, -1, cv2.LINE_AA)
    drawn = Drawn((1, 0), BOX, np.array([(60.0, 52.0, 0.0)]), 0.0, True, False)
    rng, away = np.random.default_rng(5), list[float]()
    for _ in range(30):
        patch, heat, _, _ = face_sample(rgb, drawn, BOX, rng)
        told = np.argwhere(heat[0] == 1)[0] * PIP_STRIDE
        grey = patch.mean(2)
        seen = cv2.GaussianBlur(np.abs(grey - np.median(grey)), (0, 0), 3)
        away.append(float(np.linalg.norm(np.argwhere(seen == seen.max())[0] - told)))
    assert np.mean(np.array(away) < 6) > 0.8


def test_figures_are_told_from_pips() -> None:
    rgb, rng = np.full((120, 160, 3), 120, np.uint8), np.random.default_rng(4)
    for numerals, kind in ((True, "figures"), (False, "pips")):
        drawn = Drawn((2, 5), BOX, np.zeros((0, 3)), 0.0, True, numerals)
        assert KINDS[face_sample(rgb, drawn, BOX, rng)[3]] == kind


def test_every_domino_is_shown_where_it_lies(scenes: list[StoredScene]) -> None:
    places = {id(each): each.corners for scene in scenes for each in scene.drawn}
    stream = draw_samples(scenes, 0.0, np.random.default_rng(9))
    for _ in range(20):
        _, drawn, corners = next(stream)
        np.testing.assert_array_equal(corners, places[id(drawn)])


def test_one_in_twelve_tables_and_prints_is_kept_back_for_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scenes to train with never show it."""
    for folder in ("backgrounds", "dominoes"):
        (tmp_path / folder).mkdir()
        for number in range(14):
            grey = Image.new("L", (64, 48), 10 * number)
            grey.save(tmp_path / folder / f"{number:02d}.jpg")
    shown: list[tuple[set[int], set[int]]] = []

    def noted(settings: Any, rng: Any, tables: Any, style: Any, prints: list[Any]) -> Any:
        both = (tables, prints)
        shown_tables, others = ({round(float(each.mean()) / 10) for each in some} for some in both)
        shown.append((shown_tables, others))
        return draw_scene(settings, rng, tables, style, prints=prints)

    monkeypatch.setattr(corpus, "draw_scene", noted)
    settings = SceneSettings(size_px=96, tile_px=(20.0, 30.0), print_share=0.5)
    draw_stored(tmp_path, tmp_path / "drawn", settings, 1, 3)
    lived_with(tmp_path, settings, kept_back=True)(3, 0)
    trained, asked = {*range(14)} - {0, 12}, {0, 12}
    assert shown == [(trained, trained), (asked, asked)]


def test_relit_pictures_keep_their_size_and_differ() -> None:
    rgb = np.full((60, 90, 3), 120, np.uint8)
    seen = [relit(rgb, 30.0, 1.0, np.random.default_rng(seed)) for seed in range(6)]
    assert all(each.shape == rgb.shape and each.dtype == np.uint8 for each in seen)
    assert len({each.tobytes() for each in seen}) == 6


def test_patches_of_light_are_broad() -> None:
    picture = np.full((80, 80, 3), 100, np.float32)
    for seed in range(8):
        seen = patchy(picture, np.random.default_rng(seed))
        assert np.ptp(seen) > 5
        # Neighbouring pixels differ little, and colours are kept.
        assert np.abs(np.diff(seen, axis=0)).max() < 15
        assert np.ptp(seen, axis=2).max() < 1e-3


def test_recoloured_pictures_keep_what_is_dark_apart_from_what_is_bright() -> None:
    rgb = np.zeros((10, 10, 3), np.uint8)
    rgb[5:] = 200
    for seed in range(20):
        seen = recoloured(rgb, np.random.default_rng(seed)).astype(int)
        assert np.abs(seen[0] - seen[9]).min() > 150


def test_frames_err_about_the_truth() -> None:
    box = np.array([(0.0, 0.0), (40.0, 0.0), (40.0, 20.0), (0.0, 20.0)])
    rng = np.random.default_rng(8)
    wrong = np.array(
        [jittered(box, rng, shift=0.05, scale=0.05, turn_deg=2, corner=0.02) for _ in range(400)]
    )
    np.testing.assert_allclose(wrong.mean(0), box, atol=0.4)
    np.testing.assert_array_equal(jittered(box, rng, shift=0, scale=0, turn_deg=0, corner=0), box)
