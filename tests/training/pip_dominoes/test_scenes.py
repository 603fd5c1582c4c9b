"""Drawn sets and scenes tell the truth about what they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from training.common.camera import Camera
from training.pip_dominoes.scenes.domino import (
    BLACK_TILES,
    IVORY,
    Style,
    draw_back,
    draw_face,
    layout,
    pip_places,
    random_style,
    reflected,
    with_rare_traits,
)
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.surroundings import (
    SURFACES,
    cut_surface,
    draw_alike,
    draw_surface,
    put_words,
    spread_cloth,
)
from training.pip_dominoes.scenes.table import ARRANGEMENTS, Scene, Table
from vision.pip_dominoes.result import HIGHEST

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
    pale, ink = (240.0, 240.0, 240.0), (20.0, 30.0, 40.0)
    look = style(back="print", back_colour=pale, pips=(ink,) * 18, edge_light=0.0)
    for seed in range(20):
        face = draw_back(look, TILE_PX, np.random.default_rng(seed))
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
    camera = Camera.above((0, 0), (100, 100), 40.0, tilt_deg=0, turn_deg=0)
    put_words(Table(picture, camera, style(), 40.0, np.random.default_rng(1)))
    assert (np.abs(picture - 128).max(2) > 60).any()


def test_scenes_lie_on_a_ground_alike_and_beside_words_where_asked() -> None:
    plain = SceneSettings(size_px=200)
    shown = [
        draw_scene(settings, np.random.default_rng(6), style=style()).rgb
        for settings in (plain, replace(plain, alike_share=1.0), replace(plain, words_share=1.0))
    ]
    assert (shown[0] != shown[1]).any()
    assert (shown[0] != shown[2]).any()


# Rows from the top as the rules print them; the lone pip of 11 and 17 lies between two rows.
PRINTED = {
    7: "o.o/ooo/o.o", 8: "ooo/o.o/ooo", 10: "ooo/o.o/o.o/ooo", 11: "ooo/o.o/.o./o.o/ooo",
    13: "ooo/o.o/ooo/o.o/ooo", 14: "ooo/ooo/o.o/ooo/ooo", 16: "ooo/o.o/ooo/ooo/o.o/ooo",
    17: "ooo/ooo/o.o/.o./o.o/ooo/ooo",
}  # fmt: skip


@pytest.mark.parametrize("number", range(HIGHEST + 1))
@pytest.mark.parametrize("other", [0, 1, 2])
def test_a_layout_has_as_many_pips_as_its_number(number: int, other: int) -> None:
    for turned in (False, True):
        places = layout(number, turned, True, other)
        assert places.shape == (number, 2)
        assert len({tuple(np.round(place, 6)) for place in places}) == number
        assert np.abs(places).max(initial=0) <= 1


@pytest.mark.parametrize("number", range(HIGHEST + 1))
def test_layouts_look_the_same_turned_by_half(number: int) -> None:
    def rows(places: np.ndarray) -> list[tuple[float, ...]]:
        return sorted(tuple(np.round(place + 0.0, 6) + 0.0) for place in places)

    places = layout(number)
    assert rows(-places) == rows(places)


@pytest.mark.parametrize("number", PRINTED)
def test_layouts_are_those_of_the_rules(number: int) -> None:
    places = layout(number)
    heights = sorted({round(y, 6) for y in places[:, 1]})
    columns = {-1.0: 0, 0.0: 1, 1.0: 2}
    drawn = [["."] * 3 for _ in heights]
    for x, y in places:
        drawn[heights.index(round(y, 6))][columns[x]] = "o"
    assert "/".join("".join(row) for row in drawn) == PRINTED[number]


SETTINGS = SceneSettings(size_px=400, hand_share=0.0)


def scene_style(look: Mapping[str, object] | None = None, highest: int = 12) -> Style:
    plain = random_style(np.random.default_rng(0), highest)
    wanted = {"numerals": False, "pin": 0.0, "empty_holes": False, "border": 0.0, **(look or {})}
    return replace(plain, **wanted)  # type: ignore[arg-type]


def scene(seed: int, **wanted: object) -> Scene:
    chosen: dict[str, object] = {
        "style": scene_style(IVORY), "arrangement": "rows", "count": 4, "surface": "plain",
        "tile_px": 50.0,
    }  # fmt: skip
    return draw_scene(SETTINGS, np.random.default_rng(seed), **{**chosen, **wanted})  # type: ignore[arg-type]


def test_the_same_seed_draws_the_same_scene() -> None:
    np.testing.assert_array_equal(scene(3).rgb, scene(3).rgb)
    assert (scene(3).rgb != scene(4).rgb).any()


def test_every_domino_has_as_many_pips_as_its_numbers() -> None:
    kinds = list(ARRANGEMENTS)
    for seed in range(6):
        for drawn in scene(seed, arrangement=kinds[seed % 5]).drawn:
            counts = [int((drawn.pips[:, 2] == half).sum()) for half in (0, 1)]
            assert tuple(counts) == drawn.halves
            box = drawn.corners.astype(np.float32)
            for x, y, _ in drawn.pips:
                assert cv2.pointPolygonTest(box, (x, y), False) > 0


def test_pips_are_where_they_are_said_to_be() -> None:
    """On an ivory face the pips are dark and all else is bright."""
    seen = 0
    for seed in range(8):
        shown = scene(seed, style=scene_style({**IVORY, "pip_kind": "flat"}))
        grey = cv2.cvtColor(shown.rgb, cv2.COLOR_RGB2GRAY)
        for drawn in shown.drawn:
            if not drawn.readable or drawn.hidden > 0.02:
                continue
            spots = np.round(drawn.pips[:, :2]).astype(int)
            assert (grey[spots[:, 1], spots[:, 0]] < 90).all()
            seen += len(spots)
    assert seen > 40


def test_the_first_half_is_at_the_first_corner() -> None:
    for drawn in scene(5).drawn:
        for x, y, half in drawn.pips:
            first = (drawn.corners[0] + drawn.corners[3]) / 2
            second = (drawn.corners[1] + drawn.corners[2]) / 2
            nearer = np.linalg.norm((x, y) - first) > np.linalg.norm((x, y) - second)
            assert int(nearer) == int(half)


def test_what_is_cut_off_or_covered_is_not_readable() -> None:
    piles = [scene(seed, arrangement="pile", count=12).drawn for seed in range(4)]
    hidden = [drawn for pile in piles for drawn in pile if drawn.hidden > 0.4]
    assert hidden
    assert not any(drawn.readable for drawn in hidden)


def test_face_down_dominoes_are_no_dominoes_but_backs() -> None:
    settings = replace(SETTINGS, back_share=1.0)
    for seed in range(10):
        shown = draw_scene(settings, np.random.default_rng(seed), style=scene_style(), count=4)
        if len(shown.backs):
            assert not shown.drawn
            return
    raise AssertionError("no scene with backs")


def test_tiles_of_a_hand_are_of_the_set_and_different() -> None:
    for seed in range(5):
        shown = scene(seed, count=12, tile_px=30.0, style=scene_style(BLACK_TILES, 9))
        tiles = [tuple(sorted(d.halves)) for d in shown.drawn]
        assert len(set(tiles)) == len(tiles)
        assert all(0 <= a <= b <= 9 for a, b in tiles)


@pytest.mark.parametrize("kind", ["scatter", "rows", "chain", "fan", "cross"])
def test_dominoes_do_not_lie_in_one_another(kind: str) -> None:
    for seed in range(4):
        places = ARRANGEMENTS[kind][0](8, 2.0, np.random.default_rng(seed))
        assert places
        assert len(places) <= 8
        boxes = [p.put(np.array([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)])) for p in places]
        for k, one in enumerate(boxes):
            for other in boxes[:k]:
                shared, _ = cv2.intersectConvexConvex(
                    one.astype(np.float32), other.astype(np.float32)
                )
                assert shared < 0.25


def test_a_cross_touches_its_middle_on_four_sides() -> None:
    middle, *arms = ARRANGEMENTS["cross"][0](9, 2.0, np.random.default_rng(2))
    assert middle.at.tolist() == [0, 0]
    flat = np.array([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)])
    boxes = [arm.put(flat).astype(np.float32) for arm in arms]
    for beside in ((0.6, 0.1), (-0.6, 0.1), (0.1, 1.1), (0.1, -1.1)):
        assert any(cv2.pointPolygonTest(box, beside, False) > 0 for box in boxes), beside


SHARES = ("cloth", "print", "standing", "cross", "low", "dark")


@pytest.mark.parametrize("name", SHARES)
def test_what_dominoes_are_missed_on_is_drawn_where_asked(name: str) -> None:
    settings = replace(SETTINGS, empty_share=0.0, back_share=0.0)
    asked = replace(settings, **{f"{name}_share": 1.0})  # type: ignore[arg-type]
    plain, shown = (
        draw_scene(each, np.random.default_rng(3), style=scene_style(), count=6, tile_px=40.0)
        for each in (settings, asked)
    )
    assert (plain.rgb != shown.rgb).any()
    none = replace(settings, **{f"{each}_share": 0.0 for each in SHARES})  # type: ignore[arg-type]
    again = draw_scene(none, np.random.default_rng(3), style=scene_style(), count=6, tile_px=40.0)
    np.testing.assert_array_equal(plain.rgb, again.rgb)
    if name == "standing":
        assert len(shown.drawn) < len(plain.drawn)
    if name == "dark":
        assert np.median(shown.rgb[shown.drawn[0].corners.mean(0).astype(int)[1]]) < 200
        assert (0, 0) in {drawn.halves for drawn in shown.drawn}


def test_what_stands_before_a_domino_hides_it() -> None:
    settings = replace(SETTINGS, standing_share=1.0, empty_share=0.0, back_share=0.0)
    hidden = 0
    for seed in range(6):
        shown = draw_scene(
            settings, np.random.default_rng(seed), style=scene_style(), arrangement="rack", count=9
        )
        hidden += sum(drawn.hidden > 0.3 for drawn in shown.drawn)
    assert hidden


def test_a_cloth_is_seen_from_where_the_camera_stands() -> None:
    """Far checks are smaller: more of them lie in the upper half of the picture."""
    camera = Camera.above((0, 0), (150, 150), 30.0, tilt_deg=60, turn_deg=0, distance=14)
    more = 0
    for seed in range(8):
        cloth = spread_cloth(300, camera, np.random.default_rng(seed)).mean(2)
        changes = (np.abs(np.diff(cloth, axis=1)) > 4).mean(1)
        more += bool(changes[30:120].mean() > changes[-90:].mean())
    assert more >= 6


@pytest.mark.parametrize("kind", SURFACES)
def test_surfaces_are_pictures(kind: str) -> None:
    picture = draw_surface(kind, 120, 30.0, np.random.default_rng(1))
    assert picture.shape == (120, 120, 3)
    assert picture.dtype == np.uint8
    part = cut_surface([picture], 80, np.random.default_rng(2))
    assert part.shape == (80, 80, 3)


def test_the_camera_looks_at_the_origin_and_sees_height_displaced() -> None:
    camera = Camera.above((0, 0), (200, 150), 40.0, tilt_deg=30, turn_deg=20, distance=12)
    origin = np.zeros((1, 2))
    np.testing.assert_allclose(camera.on_plane(origin), [[200, 150]])
    assert camera.on_plane(origin, 1.0)[0, 1] < 150
    flat = Camera.above((0, 0), (200, 150), 40.0, tilt_deg=0, turn_deg=0, distance=12)
    np.testing.assert_allclose(flat.on_plane(np.array([(1.0, 0.0)])), [[240, 150]])
