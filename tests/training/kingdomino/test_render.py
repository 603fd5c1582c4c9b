"""Rendered photographs, from a crown to the whole table, and their ground truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Square, Terrain
from training.common.camera import Camera
from training.common.synthetic import smooth_noise
from training.kingdomino.render.canvas import (
    Canvas,
    Style,
    to_fixed_point,
    vary_colour,
)
from training.kingdomino.render.scene import (
    SURFACES,
    CastleShape,
    Lamp,
    SceneView,
    draw_castle,
    draw_surface,
    put_things,
    render_scene,
)
from training.kingdomino.render.terrain import GROUND, draw_building, draw_divider, ground
from training.kingdomino.render.tiles import (
    CASTLE_RGB,
    CROWN,
    FlatKingdom,
    Laying,
    draw_crowns,
    draw_giants,
    draw_start_tile,
    pair_squares,
    render_domino,
    render_kingdom,
    render_square,
)


@pytest.mark.parametrize("terrain", Terrain)
@pytest.mark.parametrize("crowns", [1, 2, 3])
def test_a_building_fills_the_middle_and_leaves_the_crowns_their_place(
    terrain: Terrain, crowns: int
) -> None:
    for seed in range(4):
        canvas = Canvas(1, 1, 100, (255, 0, 255))
        draw_building(canvas, terrain, crowns, np.random.default_rng(seed))
        drawn = (canvas.rgb != (255, 0, 255)).any(axis=2)
        assert drawn[45:75, 35:65].mean() > 0.5
        assert drawn[:8].mean() < 0.02
        assert 0.08 < drawn.mean() < 0.75


def test_straight_above_a_square_has_its_pixels() -> None:
    camera = Camera.above((2, 1), (300, 200), 50, tilt_deg=0, turn_deg=0)
    seen = camera.pixels([(2, 1, 0), (3, 1, 0), (2, 2, 0)])
    np.testing.assert_allclose(seen, [(300, 200), (350, 200), (300, 250)], atol=1e-9)


def test_turned_clockwise() -> None:
    camera = Camera.above((0, 0), (0, 0), 50, tilt_deg=0, turn_deg=90)
    np.testing.assert_allclose(camera.pixels([(1, 0, 0)]), [(0, 50)], atol=1e-9)


def test_leaning_back_what_is_lower_in_the_picture_is_nearer_and_larger() -> None:
    camera = Camera.above((0, 0), (0, 0), 50, tilt_deg=35, turn_deg=0)
    far, near = camera.pixels([(-1, -2, 0), (1, -2, 0), (-1, 2, 0), (1, 2, 0)]).reshape(2, 2, 2)
    assert near[1, 0] - near[0, 0] > far[1, 0] - far[0, 0]
    assert near[0, 1] > far[0, 1]
    assert camera.depth((0, 2, 0)) < camera.depth((0, -2, 0))


def test_what_stands_rises_in_the_picture() -> None:
    camera = Camera.above((0, 0), (0, 0), 50, tilt_deg=35, turn_deg=0)
    foot, top = camera.pixels([(0, 0, 0), (0, 0, 1)])
    assert top[1] < foot[1] - 20
    assert camera.depth((0, 0, 1)) < camera.depth((0, 0, 0))


def test_the_homography_of_a_height_is_the_projection_at_that_height() -> None:
    camera = Camera.above((1, 2), (300, 200), 60, tilt_deg=30, turn_deg=25, azimuth_deg=40)
    for height in (0.0, 0.4):
        seen = camera.homography(height) @ (3.0, -1.0, 1.0)
        expected = camera.pixels([(3.0, -1.0, height)])[0]
        np.testing.assert_allclose(seen[:2] / seen[2], expected)


WHITE = (255, 255, 255)


def drawn_box(canvas: Canvas) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is white."""
    rows, columns = np.nonzero(canvas.rgb[..., 0] > 127)
    return columns.min(), rows.min(), columns.max(), rows.max()


@pytest.mark.parametrize("px", [50, 200])
def test_lengths_are_squares_whatever_the_resolution(px: int) -> None:
    canvas = Canvas(2, 1, px)
    assert canvas.rgb.shape == (px, 2 * px, 3)
    canvas.polygon([(0.5, 0.2), (1.5, 0.2), (1.5, 0.8), (0.5, 0.8)], WHITE)
    expected = np.array([0.5, 0.2, 1.5, 0.8]) * px
    np.testing.assert_allclose(drawn_box(canvas), expected, atol=1)


def test_ellipses_and_lines() -> None:
    canvas = Canvas(1, 1, 100)
    canvas.ellipse((0.5, 0.5), (0.3, 0.1), WHITE)
    np.testing.assert_allclose(drawn_box(canvas), (20, 40, 80, 60), atol=1)
    canvas = Canvas(1, 1, 100)
    canvas.line([(0.2, 0.5), (0.8, 0.5)], WHITE, 0.1)
    left, top, right, bottom = drawn_box(canvas)
    assert bottom - top == pytest.approx(10, abs=2)
    assert right - left == pytest.approx(70, abs=12)


def test_another_origin_draws_larger_turned_and_mirrored_into_the_same_picture() -> None:
    outline = [(-0.1, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.1, 0.1)]
    for how, expected in (
        ({}, (30, 20, 90, 60)),
        ({"turn": np.pi / 2}, (30, 20, 70, 80)),
        ({"mirrored": True}, (10, 20, 70, 60)),
    ):
        canvas = Canvas(1, 1, 100)
        canvas.at((0.3, 0.4)).at((0.2, 0.0), 2, **how).polygon(outline, WHITE)
        np.testing.assert_allclose(drawn_box(canvas), expected, atol=1)


def test_a_shadow_darkens_its_middle_and_not_the_rest() -> None:
    canvas = Canvas(1, 1, 100, WHITE)
    canvas.shadow((0.5, 0.5), (0.1, 0.1), 0.6)
    assert canvas.rgb[50, 50, 0] == pytest.approx(102, abs=4)
    assert canvas.rgb[5, 5, 0] == 255
    canvas.shadow((-3, -3), (0.1, 0.1), 0.6)
    canvas.shadow((3, 3), (0.1, 0.1), 0.6)
    assert canvas.rgb[5, 5, 0] == 255


def test_the_plain_style_prints_what_was_drawn() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (20, 20, 3), np.uint8)
    np.testing.assert_allclose(Style().apply(rgb).astype(int), rgb, atol=8)


def test_styles() -> None:
    rgb = np.full((4, 4, 3), (200, 60, 60), np.uint8)
    assert Style(brightness=0.5).apply(rgb).mean() < 0.6 * rgb.mean()
    assert np.ptp(Style(vividness=0.3).apply(rgb)[0, 0]) < 60
    turned = Style(hue_deg=60).apply(rgb)[0, 0]
    assert turned[1] > 150
    assert Style.random(np.random.default_rng(1)) != Style.random(np.random.default_rng(2))


def test_noise_is_centred_and_varied_colours_stay_colours() -> None:
    rng = np.random.default_rng(0)
    noise = smooth_noise((200, 300), (40, 60), rng)
    assert noise.shape == (200, 300)
    assert abs(noise.mean()) < 0.1
    assert 0.4 < noise.std() < 1.2
    for _ in range(50):
        assert all(0 <= channel <= 255 for channel in vary_colour((250, 5, 128), 0.8, rng))


def test_fixed_points_count_from_the_middle_of_the_first_pixel() -> None:
    found = to_fixed_point(np.array([[0.5, 0.5], [1.0, 2.25]]), bits=3)
    np.testing.assert_array_equal(found, [[0, 0], [4, 14]])


SHAPE = CastleShape()


def drawn(tilt_deg: float, colour: str = "pink", shape: CastleShape = SHAPE) -> NDArray[np.uint8]:
    rgb = np.full((300, 300, 3), 250, np.uint8)
    camera = Camera.above((0.5, 0.5), (150, 180), 100, tilt_deg=tilt_deg, turn_deg=0)
    draw_castle(rgb, camera, (0, 0), colour, shape)
    return rgb


def top_of(rgb: NDArray[np.uint8]) -> int:
    return int(np.nonzero((rgb < 200).any(axis=2))[0].min())


def test_the_more_the_camera_leans_the_more_it_hides_of_what_is_behind() -> None:
    heights = [top_of(drawn(tilt)) for tilt in (5, 25, 45)]
    assert heights[0] > heights[1] > heights[2]
    # The square itself ends at about 135 at that tilt.
    assert heights[2] < 110


def test_what_a_castle_hides_was_painted_over() -> None:
    rgb = np.full((300, 300, 3), 250, np.uint8)
    camera = Camera.above((0.5, 0.5), (150, 180), 100, tilt_deg=40, turn_deg=0)
    hidden = draw_castle(rgb, camera, (0, 0), "pink", SHAPE)
    changed = (rgb != 250).any(2)
    assert changed[hidden > 0].mean() > 0.99
    # The rest is its shadow.
    assert 0.4 < hidden.sum() / changed.sum() < 1


def test_a_keep_is_higher_than_the_walls() -> None:
    assert top_of(drawn(40)) < top_of(drawn(40, shape=CastleShape(keep=0)))


@pytest.mark.parametrize("colour", CASTLE_RGB)
def test_roof_and_banners_have_the_colour_of_the_player(colour: str) -> None:
    def share(rgb: NDArray[np.uint8], name: str) -> float:
        """Of pixels with the hue of that player's colour."""
        wanted = np.array(CASTLE_RGB[name]) / sum(CASTLE_RGB[name])
        pixels = rgb.reshape(-1, 3).astype(float)
        pixels = pixels[np.ptp(pixels, axis=1) > 50]
        tint = pixels / pixels.sum(axis=1, keepdims=True)
        return float((np.abs(tint - wanted).max(axis=1) < 0.06).mean())

    rgb = drawn(30, colour)
    assert max(CASTLE_RGB, key=lambda name: share(rgb, name)) == colour


def test_what_lies_far_off_is_left_alone() -> None:
    rgb = drawn(30)
    np.testing.assert_array_equal(rgb[:20], 250)
    np.testing.assert_array_equal(rgb[:, :40], 250)


def test_random_shapes_differ_and_can_be_drawn() -> None:
    rng = np.random.default_rng(3)
    shapes = [CastleShape.random(rng) for _ in range(8)]
    assert len(set(shapes)) == 8
    assert {shape.keep > 0 for shape in shapes} == {True, False}
    for shape in shapes:
        assert top_of(drawn(30, shape=shape)) < 180


def test_the_outline_of_a_crown() -> None:
    np.testing.assert_allclose(np.ptp(CROWN, axis=0), (1, 0.8))
    upper = CROWN[:9, 1]
    assert ((upper[1:-1:2] > upper[:-2:2]) & (upper[1:-1:2] > upper[2::2])).all()


@pytest.mark.parametrize("crowns", [1, 2, 3])
def test_a_right_half_is_the_mirror_of_a_left_one(crowns: int) -> None:
    left, right = Canvas(1, 1, 100), Canvas(1, 1, 100)
    draw_crowns(left, crowns, np.random.default_rng(1), mirrored=False)
    draw_crowns(right, crowns, np.random.default_rng(1), mirrored=True)
    columns = [np.nonzero(canvas.rgb.any(axis=(0, 2)))[0] for canvas in (left, right)]
    assert columns[0].min() < 10
    assert columns[1].max() > 90
    np.testing.assert_allclose(99 - columns[1][::-1][[0, -1]], columns[0][[0, -1]], atol=2)


def test_no_crown_and_no_giant_draw_nothing() -> None:
    canvas = Canvas(1, 1, 100)
    draw_crowns(canvas, 0, np.random.default_rng(1), mirrored=False)
    draw_giants(canvas, 0, np.random.default_rng(1), mirrored=False)
    assert not canvas.rgb.any()


def test_giants_stand_on_the_outermost_crowns() -> None:
    canvas = Canvas(1, 1, 100)
    draw_giants(canvas, 2, np.random.default_rng(1), mirrored=False)
    drawn = canvas.rgb.max(axis=2) > 0
    for middle in (17, 45):
        assert drawn[8:30, middle - 4 : middle + 4].mean() > 0.9
    assert not drawn[:, 65:].any()


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("w w/c .", {(1, 0)}),
        ("w f l/g c s/m w f", {(1, 1)}),
        ("w . w/. c .", {(0, 0), (0, 2), (1, 1)}),
        ("w1! w c", {(0, 2)}),
        ("c", {(0, 0)}),
    ],
)
def test_every_square_once_and_as_many_pairs_as_possible(
    text: str, alone: set[tuple[int, int]]
) -> None:
    kingdom = Kingdom.parse(text)
    for seed in range(5):
        groups = pair_squares(kingdom, np.random.default_rng(seed))
        cells = [cell for group in groups for cell in group]
        assert len(cells) == len(set(cells))
        assert all(not kingdom[cell].is_empty for cell in cells)
        assert {group[0] for group in groups if len(group) == 1} == alone
        for (row, column), (other_row, other_column) in (g for g in groups if len(g) == 2):
            assert abs(row - other_row) + abs(column - other_column) == 1


def test_pairs_of_the_box_come_first() -> None:
    """m3 is printed beside wheat alone, whatever else it could be joined with."""
    kingdom = Kingdom.parse("w m3/l l")
    for seed in range(10):
        groups = {frozenset(group) for group in pair_squares(kingdom, np.random.default_rng(seed))}
        assert groups == {frozenset({(0, 0), (0, 1)}), frozenset({(1, 0), (1, 1)})}


KINGDOM = Kingdom.parse("l l w/g c w/g m .")
SMALL = SceneView(width=320, height=240, square_px=50)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("turn_deg", [0, 30, -20])
def test_the_homography_leads_to_every_square(surface: str, turn_deg: float) -> None:
    view = replace(SMALL, surface=surface, turn_deg=turn_deg, tilt_deg=25, azimuth_deg=30)
    scene = render_scene(KINGDOM, view, rng())
    assert scene.homography is not None
    grounds = {terrain: np.array(colour) for terrain, (colour, *_) in GROUND.items()}
    for row in range(3):
        for column in range(3):
            terrain = KINGDOM[row, column].terrain
            if terrain in (None, Terrain.MINE):
                continue
            x, y, w = scene.homography @ (column + 0.5, row + 0.5, 1)
            x, y = round(x / w), round(y / w)
            seen = np.median(scene.rgb[y - 8 : y + 9, x - 8 : x + 9].reshape(-1, 3), axis=0)
            # Compared without brightness, which is the lamp's.
            near = {t: np.abs(seen / seen.sum() - c / c.sum()).sum() for t, c in grounds.items()}
            assert min(near, key=lambda t: near[t]) is terrain


def test_deterministic() -> None:
    view = replace(SMALL, castle_stands=True, things=3)
    first = render_scene(KINGDOM, view, rng(5)).rgb
    np.testing.assert_array_equal(first, render_scene(KINGDOM, view, rng(5)).rgb)
    assert (first != render_scene(KINGDOM, view, rng(6)).rgb).mean() > 0.5


def test_a_standing_castle_changes_its_square_and_leaves_the_far_corner() -> None:
    view = replace(SMALL, tilt_deg=30, blur_px=0, lamp=Lamp(noise=0))
    lying, standing = (
        render_scene(KINGDOM, replace(view, castle_stands=stands), rng()).rgb.astype(int)
        for stands in (False, True)
    )
    # The light is drawn after the castle, so only what it hides and shades is compared: locally.
    changed = np.abs(lying - standing).sum(axis=2)
    middle = changed[90:130, 140:180].mean()
    assert middle > 2 * changed[200:, 280:].mean()
    assert middle > 40


def test_no_kingdom() -> None:
    scene = render_scene(None, SMALL, rng())
    assert scene.rgb.shape == (240, 320, 3)
    assert scene.homography is None


def test_lamps() -> None:
    def mean(lamp: Lamp) -> NDArray[np.float64]:
        rgb = render_scene(KINGDOM, replace(SMALL, lamp=lamp), rng()).rgb
        return np.asarray(rgb.mean(axis=(0, 1)), np.float64)

    plain = mean(Lamp())
    warm, cold, dark = mean(Lamp(warmth=0.5)), mean(Lamp(warmth=-0.4)), mean(Lamp(exposure=0.4))
    assert warm[0] / warm[2] > 1.3 * plain[0] / plain[2]
    assert cold[0] / cold[2] < plain[0] / plain[2] / 1.3
    assert dark.mean() < 0.5 * plain.mean()
    assert mean(Lamp(glare=0.8)).mean() > plain.mean() + 3
    assert mean(Lamp(shadow=0.6)).mean() < plain.mean() - 3


@pytest.mark.parametrize("colour", CASTLE_RGB)
def test_the_crown_is_of_the_player_and_the_pavement_is_not(colour: str) -> None:
    tile = draw_start_tile(192, colour, np.random.default_rng(2)).astype(int)
    player = np.array(CASTLE_RGB[colour])
    crown, pavement = tile[96:115, 60:130], tile[20:35, 70:120]

    def away(part: np.ndarray[tuple[int, ...], np.dtype[np.int_]]) -> float:
        return float(np.abs(np.median(part.reshape(-1, 3), axis=0) - player).sum())

    assert away(crown) < away(pavement)


def test_five_colours_one_for_each_player() -> None:
    assert list(CASTLE_RGB) == ["pink", "yellow", "green", "blue", "brown"]


@pytest.mark.parametrize("px", [24, 48, 400])
def test_any_size(px: int) -> None:
    assert draw_start_tile(px, "blue", np.random.default_rng(1)).shape == (px, px, 3)


@pytest.mark.parametrize("kind", SURFACES)
def test_each_surface_has_a_texture_and_its_seed_decides_it(kind: str) -> None:
    first, again, other = (
        draw_surface(kind, (240, 320), 60, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first.shape == (240, 320, 3)
    assert first.dtype == np.uint8
    np.testing.assert_array_equal(first, again)
    assert (first != other).mean() > 0.5
    assert first.std(axis=(0, 1)).min() > 2


@pytest.mark.parametrize("kind", SURFACES)
def test_surfaces_any_size(kind: str) -> None:
    assert draw_surface(kind, (37, 500), 20, np.random.default_rng(1)).shape == (37, 500, 3)


@pytest.mark.parametrize("terrain", Terrain)
def test_bare_ground_is_near_its_colour(terrain: Terrain) -> None:
    bare = ground(terrain, (96, 192), np.random.default_rng(1))
    assert bare.shape == (96, 192, 3)
    np.testing.assert_allclose(np.median(bare, axis=(0, 1)), GROUND[terrain][0], atol=40)
    assert bare.std() > 2


@pytest.mark.parametrize("terrain", Terrain)
def test_ornaments_stay_on_their_half_and_give_way_to_a_building(terrain: Terrain) -> None:
    def changed(beside_building: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        canvas = Canvas(2, 1, 100, (255, 0, 255))
        rng = np.random.default_rng(4)
        *_, ornaments, _ = GROUND[terrain]
        ornaments(canvas, rng, Style(), beside_building)
        return np.asarray((canvas.rgb != (255, 0, 255)).any(axis=2))

    alone, beside = changed(False), changed(True)
    assert alone[:, :100].any()
    assert not alone[:, 112:].any()
    assert beside.mean() <= alone.mean()


@pytest.mark.parametrize("left", Terrain)
def test_unlike_halves_are_divided_in_the_middle(left: Terrain) -> None:
    right = Terrain.LAKE if left is not Terrain.LAKE else Terrain.WHEAT
    canvas = Canvas(2, 1, 100, (255, 255, 255))
    draw_divider(canvas, left, right, np.random.default_rng(1))
    dark = canvas.rgb.min(axis=2) < 200
    assert dark[:, 80:120].any(axis=1).all()
    assert not dark[:, :80].any()
    assert not dark[:, 120:].any()


def test_things_lie_round_a_kingdom_and_not_on_it() -> None:
    camera = Camera.above((2.5, 2.5), (300, 300), 40, tilt_deg=0, turn_deg=0)
    for seed in range(6):
        rgb = np.full((600, 600, 3), (255, 0, 255), np.uint8)
        put_things(rgb, camera, 12, np.random.default_rng(seed))
        changed = (rgb != (255, 0, 255)).any(axis=2)
        assert 0.02 < changed.mean() < 0.6
        assert not changed[260:340, 260:340].any()


def test_no_things() -> None:
    rgb = np.zeros((50, 50, 3), np.uint8)
    camera = Camera.above((0, 0), (25, 25), 10, tilt_deg=20, turn_deg=0)
    put_things(rgb, camera, 0, np.random.default_rng(1))
    assert not rgb.any()


CASTLE = Square.parse("c")


def test_the_same_seed_draws_the_same_picture_and_another_seed_another() -> None:
    left, right = Square.parse("f1"), Square.parse("w")
    first = render_domino(left, right, 64, rng())
    np.testing.assert_array_equal(first, render_domino(left, right, 64, rng()))
    assert np.abs(first.astype(int) - render_domino(left, right, 64, rng(2))).mean() > 3


@pytest.mark.parametrize("size", [24, 63, 96])
def test_shapes(size: int) -> None:
    wheat = Square.parse("w1")
    for square in (wheat, CASTLE):
        picture = render_square(square, size, rng())
        assert picture.shape == (size, size, 3)
        assert picture.dtype == np.uint8
    assert render_domino(wheat, wheat, size, rng()).shape == (size, 2 * size, 3)


@pytest.mark.parametrize("terrain", Terrain)
def test_the_ground_of_each_half_is_that_of_its_terrain(terrain: Terrain) -> None:
    """The commonest colour of a bare square is nearest to the ground of its own terrain."""
    known = [(colour, of) for of, (colour, *_) in GROUND.items()]
    # Dark trees cover more of a forest than its ground.
    known.append(((30, 80, 25), Terrain.FOREST))
    other = Terrain.LAKE if terrain is not Terrain.LAKE else Terrain.WHEAT
    for seed in range(5):
        domino = render_domino(Square(terrain), Square(other), 96, rng(seed), style=Style())
        for half, expected in ((domino[:, 8:80], terrain), (domino[:, 112:184], other)):
            pixels = half.reshape(-1, 3).astype(int)
            away = [np.abs(pixels - colour).sum(axis=1) for colour, _ in known]
            nearest = np.argmin(np.stack(away), axis=0)
            votes = Counter(known[index][1] for index in nearest)
            assert votes.most_common(1)[0][0] is expected


@pytest.mark.parametrize("notation", ["m", "s1", "g2", "m3"])
@pytest.mark.parametrize("right_half", [False, True])
def test_crowns_are_as_many_white_rims_in_the_upper_outer_corner(
    notation: str, right_half: bool
) -> None:
    square, bare = Square.parse(notation), Square.parse("m")
    halves = (bare, square) if right_half else (square, bare)
    domino = render_domino(*halves, 200, rng(4), style=Style())
    band = domino[:56, 200:] if right_half else domino[:56, :200]
    white = (band.min(axis=2) > 225).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(white)
    rims = [
        x
        for (x, _), area in zip(middles[1:], stats[1:, cv2.CC_STAT_AREA], strict=True)
        if area > 150
    ]
    assert len(rims) == square.crowns
    if rims:
        assert (max(rims) > 150) if right_half else (min(rims) < 50)


def test_a_giant_hides_its_crown() -> None:
    open_, covered = (
        render_square(Square.parse(text), 200, rng(3), style=Style()) for text in ("g1", "g1!")
    )
    changed = np.abs(open_.astype(int) - covered).sum(axis=2) > 60
    assert 0.02 < changed.mean() < 0.25
    assert not changed[130:].any()


def test_start_tiles_show_the_colour_of_their_player() -> None:
    for name, colour in CASTLE_RGB.items():
        tile = render_square(CASTLE, 96, rng(), castle_colour=name, style=Style())
        near = np.abs(tile.astype(int) - colour).sum(axis=2) < 90
        shares = {
            other: (np.abs(tile.astype(int) - value).sum(axis=2) < 90).mean()
            for other, value in CASTLE_RGB.items()
        }
        assert near.mean() > 0.08
        assert max(shares, key=lambda other: shares[other]) == name


def test_an_empty_square_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a terrain, got '\.'"):
        render_square(Square.parse("."), 64, rng())
    with pytest.raises(ValueError, match="expected a terrain, got 'c'"):
        render_domino(CASTLE, Square.parse("w"), 64, rng())


def laid(kingdom: Kingdom, laying: Laying) -> FlatKingdom:
    chance = rng()
    style = Style.random(chance)
    return render_kingdom(kingdom, 40, chance, castle_colour="blue", laying=laying, style=style)


def test_a_flat_kingdom_is_opaque_where_squares_are_and_clear_where_none_is() -> None:
    kingdom = Kingdom.parse("w w ./l c f/. g g")
    flat = laid(kingdom, Laying(gap=0.05))
    assert flat.rgba.shape == (160, 160, 4)
    for row in range(3):
        for column in range(3):
            y, x = 40 + 40 * row, 40 + 40 * column
            alpha = flat.rgba[y - 8 : y + 8, x - 8 : x + 8, 3]
            expected = 0 if kingdom[row, column].is_empty else 255
            np.testing.assert_array_equal(alpha, expected)
    assert not flat.rgba[:10].any()
    clear = flat.rgba[..., 3] == 0
    assert not flat.rgba[clear].any()


def test_squares_lie_where_their_corners_are_said_to_be() -> None:
    kingdom = Kingdom.parse("w w l/c f l")
    straight = laid(kingdom, Laying(0.1, 0, 0))
    assert set(straight.corners) == {cell for cell, _ in kingdom.items()}
    spots = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    for (row, column), corners in straight.corners.items():
        found = sorted(map(tuple, corners.round(6)))
        apart = np.array(found) - sorted(map(tuple, spots + (column, row)))
        assert np.abs(apart).max() < 0.1 + 1e-6
    crooked = laid(kingdom, Laying(0.1, 8, 0.03, stray_share=1))
    for corners in crooked.corners.values():
        shape = np.zeros(crooked.rgba.shape[:2], np.uint8)
        pixels = (corners + crooked.margin) * 40
        cv2.fillConvexPoly(shape, np.round(pixels * 16).astype(np.int32), 1, shift=4)
        assert (crooked.rgba[..., 3][shape > 0] > 100).mean() > 0.95
    turns = [np.ptp(corners[:2, 1]) for corners in crooked.corners.values()]
    assert max(turns) > 0.03
