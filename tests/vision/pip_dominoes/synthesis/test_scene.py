"""Drawn scenes tell the truth about what they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from training.pip_dominoes.scenes.arrange import ARRANGEMENTS, Camera, arrange
from training.pip_dominoes.scenes.scene import Scene, SceneSettings, draw_scene
from training.pip_dominoes.scenes.style import BLACK_TILES, IVORY, Style, random_style
from training.pip_dominoes.scenes.table import SURFACES, cut_surface, draw_surface

SETTINGS = SceneSettings(size_px=400, hand_share=0.0)


def style(look: Mapping[str, object] | None = None, highest: int = 12) -> Style:
    plain = random_style(np.random.default_rng(0), highest)
    wanted = {"numerals": False, "pin": 0.0, "empty_holes": False, "border": 0.0, **(look or {})}
    return replace(plain, **wanted)  # type: ignore[arg-type]


def scene(seed: int, **wanted: object) -> Scene:
    chosen: dict[str, object] = {
        "style": style(IVORY), "arrangement": "rows", "count": 4, "surface": "plain",
        "tile_px": 50.0,
    }  # fmt: skip
    return draw_scene(SETTINGS, np.random.default_rng(seed), **{**chosen, **wanted})  # type: ignore[arg-type]


def test_the_same_seed_draws_the_same_scene() -> None:
    np.testing.assert_array_equal(scene(3).rgb, scene(3).rgb)
    assert (scene(3).rgb != scene(4).rgb).any()


def test_every_domino_has_as_many_pips_as_its_numbers() -> None:
    for seed in range(6):
        for drawn in scene(seed, arrangement=ARRANGEMENTS[seed % 5]).drawn:
            counts = [int((drawn.pips[:, 2] == half).sum()) for half in (0, 1)]
            assert tuple(counts) == drawn.halves
            box = drawn.corners.astype(np.float32)
            for x, y, _ in drawn.pips:
                assert cv2.pointPolygonTest(box, (x, y), False) > 0


def test_pips_are_where_they_are_said_to_be() -> None:
    """On an ivory face the pips are dark and all else is bright."""
    seen = 0
    for seed in range(8):
        shown = scene(seed, style=style({**IVORY, "pip_kind": "flat"}))
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
        shown = draw_scene(settings, np.random.default_rng(seed), style=style(), count=4)
        if len(shown.backs):
            assert not shown.drawn
            return
    raise AssertionError("no scene with backs")


def test_tiles_of_a_hand_are_of_the_set_and_different() -> None:
    for seed in range(5):
        shown = scene(seed, count=12, tile_px=30.0, style=style(BLACK_TILES, 9))
        tiles = [tuple(sorted(d.halves)) for d in shown.drawn]
        assert len(set(tiles)) == len(tiles)
        assert all(0 <= a <= b <= 9 for a, b in tiles)


@pytest.mark.parametrize("kind", ["scatter", "rows", "chain", "fan"])
def test_dominoes_do_not_lie_in_one_another(kind: str) -> None:
    for seed in range(4):
        places = arrange(kind, 8, 2.0, np.random.default_rng(seed))
        assert places
        assert len(places) <= 8
        boxes = [p.put(np.array([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)])) for p in places]
        for k, one in enumerate(boxes):
            for other in boxes[:k]:
                shared, _ = cv2.intersectConvexConvex(
                    one.astype(np.float32), other.astype(np.float32)
                )
                assert shared < 0.25


@pytest.mark.parametrize("kind", SURFACES)
def test_surfaces_are_pictures(kind: str) -> None:
    picture = draw_surface(kind, 120, 30.0, np.random.default_rng(1))
    assert picture.shape == (120, 120, 3)
    assert picture.dtype == np.uint8
    part = cut_surface([picture], 80, np.random.default_rng(2))
    assert part.shape == (80, 80, 3)


def test_the_camera_looks_at_the_origin_and_sees_height_displaced() -> None:
    camera = Camera.above((200, 150), 40.0, tilt_deg=30, turn_deg=20, distance=12)
    origin = np.zeros((1, 2))
    np.testing.assert_allclose(camera.pixels(origin), [[200, 150]])
    assert camera.pixels(origin, 1.0)[0, 1] < 150
    flat = Camera.above((200, 150), 40.0, tilt_deg=0, turn_deg=0, distance=12)
    np.testing.assert_allclose(flat.pixels(np.array([(1.0, 0.0)])), [[240, 150]])
