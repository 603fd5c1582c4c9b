"""What sets have been through: prints, reflections, wear; and what else scenes may show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from training.pip_dominoes.scenes.face import (
    draw_back,
    draw_face,
    draw_print,
    pip_places,
    reflected,
    with_rare_traits,
)
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.style import IVORY, Style, random_style
from training.pip_dominoes.scenes.table import draw_alike, put_words

TILE_PX = 80


def style(**look: object) -> Style:
    plain = {
        "numerals": False, "pin": 0.0, "empty_holes": False, "border": 0.0, "pip_kind": "flat",
        "grain": 0.0, "speckle": 0.0,
    }  # fmt: skip
    drawn = random_style(np.random.default_rng(0), 12)
    return replace(drawn, **{**plain, **IVORY, **look})  # type: ignore[arg-type]


def test_every_trait_is_met_and_none_by_all() -> None:
    rng = np.random.default_rng(1)
    plain = [random_style(rng) for _ in range(300)]
    seen = [with_rare_traits(each, rng) for each in plain]
    for name in ("film", "gloss", "worn"):
        share = np.mean([getattr(each, name) > 0 for each in seen])
        assert 0.02 < share < 0.5, name
    assert 0.2 < np.mean([each.back == "print" for each in seen]) < 0.6
    assert 0.1 < np.mean([each.side is not None for each in seen]) < 0.5
    assert sum(each.bar_width == 0 for each in seen) > sum(each.bar_width == 0 for each in plain)


def test_the_same_lot_gives_the_same_set() -> None:
    one, other = (with_rare_traits(style(), np.random.default_rng(5)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("look", [{"gloss": 1.0}, {"film": 0.25}])
def test_pips_show_through_reflections(look: dict[str, object]) -> None:
    worn = style(**look)
    places = np.concatenate(pip_places(worn, (6, 5)))
    lit = 0
    for seed in range(20):
        plain = draw_face(style(), (6, 5), TILE_PX, np.random.default_rng(99))
        seen = reflected(plain, worn, np.random.default_rng(seed))
        assert seen.shape == plain.shape
        assert seen.mean() >= plain.mean()
        lit += int(np.abs(seen - plain).max() > 20)
        middle = np.array([plain.shape[1] / 2, TILE_PX / 2])
        spots = np.round(places * TILE_PX + middle).astype(int)
        ground = float(np.median(seen))
        assert (seen[spots[:, 1], spots[:, 0]].mean(1) < ground - 15).all()
    assert lit > 5


def test_wear_leaves_most_of_a_pip() -> None:
    rng = np.random.default_rng(3)
    dark = [(draw_face(style(worn=w), (6, 6), TILE_PX, rng).mean(2) < 120).mean() for w in (0, 1)]
    assert 0.4 * dark[0] < dark[1] < 0.95 * dark[0]


def test_a_print_marks_a_part_of_a_back() -> None:
    for seed in range(20):
        face = np.full((TILE_PX, 2 * TILE_PX, 3), 240, np.float32)
        draw_print(face, (20, 30, 40), np.random.default_rng(seed))
        assert 0.005 < (face.mean(2) < 200).mean() < 0.6
    printed = draw_back(style(back="print"), TILE_PX, np.random.default_rng(2))
    assert np.ptp(printed) > 60


def test_sides_show_the_second_colour() -> None:
    settings = SceneSettings(size_px=300, hand_share=0.0, empty_share=0.0)
    look = style(thickness=0.8, side=(250.0, 0.0, 0.0))

    def red(look: Style) -> int:
        rng = np.random.default_rng(4)
        drawn = draw_scene(
            settings, rng, style=look, arrangement="rack", count=3, surface="plain", tile_px=50.0
        )
        rgb = drawn.rgb.astype(int)
        return int((rgb[..., 0] - rgb[..., 1:].max(2) > 60).sum())

    assert red(look) > red(replace(look, side=None)) + 50


def test_a_ground_alike_is_of_the_colour_asked_for() -> None:
    for seed in range(5):
        ground = draw_alike(60, (240, 238, 230), np.random.default_rng(seed)).astype(float)
        assert np.abs(ground.mean((0, 1)) - (240, 238, 230)).max() < 75


def test_words_are_written_and_hide_no_truth() -> None:
    picture = np.full((200, 200, 3), 128, np.float32)
    put_words(picture, 40.0, np.random.default_rng(1))
    assert (np.abs(picture - 128).max(2) > 60).any()


def test_scenes_lie_on_a_ground_alike_and_beside_words_where_asked() -> None:
    plain = SceneSettings(size_px=200)
    shown = [
        draw_scene(settings, np.random.default_rng(6), style=style()).rgb
        for settings in (plain, replace(plain, alike_share=1.0), replace(plain, words_share=1.0))
    ]
    assert (shown[0] != shown[1]).any()
    assert (shown[0] != shown[2]).any()
