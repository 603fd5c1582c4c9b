"""Composed scenes: layouts, things, hands, disturbed patches, and their labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES
from training.common.camera import Camera
from training.kingdomino.scenes.compose import (
    PHOTO_PX,
    THING,
    UNKNOWN,
    Scene,
    SeenSquare,
    augment_scene,
    compose,
)
from training.kingdomino.scenes.kingdoms import (
    DOMINO_GAP,
    KINGDOM_GAP,
    SceneSettings,
    TileSet,
    place_close_domino,
    place_close_kingdom,
    random_layout,
)
from training.kingdomino.scenes.patches import (
    HIDDEN_FROM,
    KNOWN_UP_TO,
    Disturbance,
    Disturber,
    blur_badly,
    cut_patches,
    drain_colours,
    draw_cover,
    label_of_hidden,
    lay_over,
    squeeze,
)
from training.kingdomino.scenes.things import SHARES, draw_hand, put_thing
from vision.common.geometry import Extent, project

SHADES = {"w": 40, "f": 80, "l": 120, "g": 160, "s": 200, "m": 240}


@pytest.fixture(scope="module")
def tiles() -> TileSet:
    """Tiles of plain grey, a shade for each terrain, and a start tile in red."""
    labels = {d.number: (str(d.left), str(d.right)) for d in BASE_DOMINOES}

    def tile(left: str, right: str) -> NDArray[np.uint8]:
        picture = np.zeros((96, 192, 3), np.uint8)
        picture[:, :96] = SHADES[left[0]]
        picture[:, 96:] = SHADES[right[0]]
        return picture

    red = np.zeros((96, 96, 3), np.uint8)
    red[..., 0] = 255
    return TileSet(
        labels=labels,
        dominoes={number: [tile(*both)] for number, both in labels.items()},
        starts={"pink": [red]},
        squares={},
        surfaces=[],
    )


def test_the_same_seed_gives_the_same_scene(tiles: TileSet) -> None:
    settings = SceneSettings(size_px=160)
    first = compose(tiles, settings, np.random.default_rng(9))
    again = compose(tiles, settings, np.random.default_rng(9))
    np.testing.assert_array_equal(first.rgb, again.rgb)
    assert [s.label for s in first.seen] == [s.label for s in again.seen]


def test_squares_lie_where_the_lattice_says(tiles: TileSet) -> None:
    settings = SceneSettings(size_px=256, max_gap=0.0, max_crooked_deg=0.0)
    checked = 0
    for seed in range(6):
        scene = compose(tiles, settings, np.random.default_rng(seed))
        for seen in scene.seen:
            if seen.kingdom < 0:
                continue
            row, column = seen.cell
            place = scene.kingdoms[seen.kingdom][0] @ (column + 0.5, row + 0.5, 1)
            side = np.linalg.norm(seen.corners[1] - seen.corners[0])
            off = np.linalg.norm(place[:2] / place[2] - seen.corners.mean(0))
            assert off < 0.2 * side
            checked += 1
    assert checked > 50


def test_patches_have_the_labels_of_their_kingdoms(tiles: TileSet) -> None:
    rng = np.random.default_rng(3)
    labels = set()
    for seed in range(8):
        scene = compose(tiles, SceneSettings(size_px=256), np.random.default_rng(seed))
        for patch, label in cut_patches(scene, rng):
            assert patch.shape == (64, 64, 3)
            labels.add(label)
    assert {"."} < labels
    assert labels <= {".", "c:pink", *(t for both in tiles.labels.values() for t in both)}


def test_what_a_thing_hides_nobody_has_to_name(tiles: TileSet) -> None:
    settings = SceneSettings(size_px=256, thing_share=1.0)
    scenes = [compose(tiles, settings, np.random.default_rng(seed)) for seed in range(6)]
    labels = [seen.label for scene in scenes for seen in scene.seen]
    assert 0 < labels.count(UNKNOWN) < 0.5 * len(labels)
    for scene in scenes:
        assert scene.covered is not None
        assert scene.covered.shape == scene.rgb.shape[:2]
        for seen in scene.seen:
            x, y = seen.corners.mean(0).astype(int)
            if seen.label == UNKNOWN and (seen.corners > 0).all() and (seen.corners < 255).all():
                around = scene.covered[max(y - 4, 0) : y + 5, max(x - 4, 0) : x + 5]
                assert (around == THING).any()
    for seed in range(2):
        scene = compose(tiles, SceneSettings(size_px=128), np.random.default_rng(seed))
        assert scene.covered is not None
        assert THING not in scene.covered


def test_steep_scenes_show_squares_longer_than_wide(tiles: TileSet) -> None:
    def slant(steep_share: float) -> float:
        settings = SceneSettings(size_px=256, steep_share=steep_share, steep_tilt_deg=(64.0, 70.0))
        ratios = []
        for seed in range(8):
            for view, _ in compose(tiles, settings, np.random.default_rng(seed)).kingdoms:
                x, y, depth = view @ (2.5, 2.5, 1)
                slopes = view[:2, :2] - np.outer((x / depth, y / depth), view[2, :2])
                long, short = np.linalg.svd(slopes, compute_uv=False)
                ratios.append(long / short)
        return float(np.median(ratios))

    assert slant(0.0) < 1.5 < 1.8 < slant(1.0)


@pytest.mark.slow
def test_close_groups_lie_close(tiles: TileSet) -> None:
    apart = {}
    for share in (0.0, 1.0):
        settings = SceneSettings(size_px=256, square_px=(12.0, 16.0), close_share=share)
        found = []
        for seed in range(90):
            scene = compose(tiles, settings, np.random.default_rng(seed))
            ours = [s.corners.mean(0) for s in scene.seen if s.kingdom == 0]
            theirs = [s.corners.mean(0) for s in scene.seen if s.kingdom != 0]
            if ours and theirs:
                lattice, _ = scene.kingdoms[0]
                to_pixels = lattice / lattice[2, 2]
                side = np.sqrt(abs(np.linalg.det(to_pixels[:2, :2])))
                ways = np.array(ours)[:, None] - np.array(theirs)[None]
                found.append(np.linalg.norm(ways, axis=2).min() / side)
        apart[share] = float(np.median(found))
    assert apart[1.0] < 2 < apart[0.0]


PICTURES = [np.random.default_rng(0).integers(0, 255, (120, 150, 3), dtype=np.uint8)]
NOTHING = Disturbance(occluded=0, squeezed=0, blurred=0, dimmed=0, grey=0, reflecting=0)


def noise(seed: int = 1) -> np.ndarray:
    """A patch of colourful noise."""
    return np.random.default_rng(seed).integers(0, 256, (64, 64, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("label", "hidden", "known"),
    [
        ("w1", 0.0, "w1"),
        ("w1", 0.45, "w1"),
        ("w1", 0.46, None),
        ("w1", 0.74, None),
        ("w1", 0.75, "."),
        ("c:blue", 1.0, "."),
        (".", 0.6, "."),
    ],
)
def test_the_label_of_a_square_hidden_in_part(label: str, hidden: float, known: str | None) -> None:
    assert label_of_hidden(label, hidden) == known


def test_what_is_said_to_be_hidden_was_painted_over() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        cover = draw_cover(rng, ())
        out = lay_over(noise(), cover, rng)
        assert out.shape == (64, 64, 3)
        assert out.dtype == np.uint8
        assert cover.left.min() >= 0
        assert cover.left.max() <= 1
        # What leaves nothing is the same whatever is below.
        same, flat = (np.random.default_rng(7) for _ in range(2))
        other = lay_over(255 - noise(), cover, flat).astype(int)
        apart = np.abs(lay_over(noise(), cover, same) - other).max(2)
        assert (apart <= 3).mean() >= (cover.left.max(2) < 0.005).mean()
        # Drinks that let up to 55 % of the light pass hide what is below too.
        assert cover.left.mean() < 1.02 - 0.4 * cover.hidden


def test_covers_hide_little_or_nearly_all_in_all_colours() -> None:
    rng = np.random.default_rng(4)
    covers = [draw_cover(rng, PICTURES) for _ in range(120)]
    hidden = np.array([cover.hidden for cover in covers])
    assert (hidden <= KNOWN_UP_TO).mean() > 0.25
    assert (hidden >= HIDDEN_FROM).mean() > 0.15
    solid = [(c.added, c.left.max(2) < 0.1) for c in covers]
    colours = [added[where].mean(0) for added, where in solid if where.any()]
    assert (np.std(colours, 0) > 40).all()
    # Beyond what is hidden there is shadow.
    shadow = [((c.left.max(2) < 0.95) & (c.added.max(2) < 1)).mean() for c in covers]
    assert np.mean(np.array(shadow) > 0.002) > 0.5


def test_the_same_numbers_draw_the_same_cover() -> None:
    one, two = (draw_cover(np.random.default_rng(7), PICTURES) for _ in range(2))
    np.testing.assert_array_equal(one.added, two.added)
    np.testing.assert_array_equal(one.left, two.left)


def test_an_aslant_square_loses_resolution_along_one_direction() -> None:
    rng = np.random.default_rng(5)
    ratios = []
    for _ in range(40):
        out = squeeze(noise(), rng).astype(float)
        assert out.shape == (64, 64, 3)
        assert abs(out.mean() - noise().mean()) < 4
        power = np.abs(np.fft.fft2(out.mean(2) - out.mean())) ** 2
        y, x = np.meshgrid(*[np.fft.fftfreq(64)] * 2, indexing="ij")
        left = power / power.sum()
        spread = np.array([[(left * y * y).sum(), (left * x * y).sum()],
                           [(left * x * y).sum(), (left * x * x).sum()]])  # fmt: skip
        small, large = np.linalg.eigvalsh(spread)
        ratios.append(small / large)
    assert np.median(ratios) < 0.4


def test_bad_blur_takes_the_detail_and_keeps_the_colour() -> None:
    rng = np.random.default_rng(6)
    left = []
    for _ in range(60):
        out = blur_badly(noise(), rng)
        assert out.shape == (64, 64, 3)
        np.testing.assert_allclose(out.mean((0, 1)), noise().mean((0, 1)), atol=12)
        left.append(out.std() / noise().std())
    assert max(left) < 0.65
    assert min(left) < 0.1


def test_drained_patches_are_grey_or_of_one_tint() -> None:
    rng = np.random.default_rng(7)
    plain = 0
    for _ in range(40):
        out = drain_colours(noise(), rng, 0.15).astype(float)
        plain += bool((np.ptp(out, axis=2) == 0).all())
        assert out.std() > 5
        # Where channels differ, it is by one factor for the whole patch.
        dark = out.max(2) < 200
        lit = out[dark & (out.min(2) > 40)]
        if len(lit):
            assert np.ptp(lit[:, 0] / lit[:, 2]) < 0.1
    assert plain > 20


def test_nothing_is_disturbed_that_is_not_to_be() -> None:
    disturb = Disturber([], np.random.default_rng(8), NOTHING)
    for label in ("w", ".", "c:pink"):
        out, known = disturb(noise(), label)
        np.testing.assert_array_equal(out, noise())
        assert known == label


def test_occluded_squares_keep_their_label_or_are_empty_and_hardly_any_is_left_open() -> None:
    disturb = Disturber([noise()], np.random.default_rng(9), Disturbance(1, 0, 0, 0, 0))
    found = Counter(disturb(noise(), "s2")[1] for _ in range(200))
    assert found["s2"] > 0.6 * 200
    assert 0.05 * 200 < found["."] < 0.25 * 200
    assert set(found) <= {"s2", ".", None}
    assert {disturb(noise(), ".")[1] for _ in range(30)} == {"."}


def test_the_colour_of_a_grey_castle_is_unknown() -> None:
    disturb = Disturber([], np.random.default_rng(10), replace(NOTHING, grey=1))
    assert disturb(noise(), "c:blue")[1] == "c"
    assert disturb(noise(), "m3")[1] == "m3"


def test_what_was_taken_in_dim_light_is_bright_again_and_grainy() -> None:
    patch = np.full((64, 64, 3), 200, np.uint8)
    disturb = Disturber([], np.random.default_rng(3), replace(NOTHING, dimmed=1))
    dimmed = [disturb(patch, "w")[0].astype(float) for _ in range(20)]
    assert all(60 < one.mean() < 256 for one in dimmed)
    assert np.median([one.std() for one in dimmed]) > 2


def test_what_reflects_the_sky_is_brighter_and_bluer_and_shows_what_is_printed() -> None:
    patch = np.full((64, 64, 3), 40, np.uint8)
    patch[20:40, 20:40] = 0
    disturb = Disturber([], np.random.default_rng(4), replace(NOTHING, reflecting=1))
    seen = [disturb(patch, "f") for _ in range(40)]
    assert {label for _, label in seen} == {"f"}
    shine = np.array([picture.mean((0, 1)) for picture, _ in seen]) - patch.mean()
    assert (shine[:, 2] > -10).all()
    assert np.median(shine[:, 2]) > 20
    assert (shine[:, 2] >= shine[:, 0] - 1).all()
    shown = [picture[..., 2].astype(float) for picture, _ in seen]
    assert np.mean([p[12:16, 22:38].mean() > p[24:36, 24:36].mean() for p in shown]) > 0.8


def test_what_the_mask_calls_hidden_was_painted_over() -> None:
    rng = np.random.default_rng(6)
    for _ in range(5):
        table = np.full((300, 400, 3), (20.0, 200.0, 20.0), np.float32)
        hidden = draw_hand(table, 40.0, rng)
        assert hidden.shape == (300, 400)
        assert 0.01 < float(hidden.mean()) < 0.7
        # Away from the hand and its shadow nothing changes; under it hardly any green is left.
        untouched = np.abs(table - (20.0, 200.0, 20.0)).max(2) < 1
        assert not untouched[hidden > 0.99].any()
        assert untouched[hidden == 0].any()


DOMINOES = {d.number: (str(d.left), str(d.right)) for d in BASE_DOMINOES}


@pytest.mark.parametrize("size", [5, 7])
def test_every_domino_lies_once_inside_and_labels_match(size: int) -> None:
    for seed in range(20):
        layout = random_layout(DOMINOES, np.random.default_rng(seed), size=size, count=24)
        assert layout.castle is not None
        assert layout.labels[layout.castle] == "c"
        assert len({number for number, _ in layout.laid}) == len(layout.laid)
        covered = [cell for _, cells in layout.laid for cell in cells]
        assert len(set(covered)) == len(covered) == len(layout.labels) - 1
        assert all(0 <= r < size and 0 <= c < size for r, c in covered)
        for number, cells in layout.laid:
            assert tuple(layout.labels[cell] for cell in cells) == DOMINOES[number]


def test_a_count_of_none_leaves_the_castle_alone() -> None:
    layout = random_layout(DOMINOES, np.random.default_rng(1), size=5, count=0)
    assert list(layout.labels.values()) == ["c"]


KINGDOM = [(r, c) for r in range(5) for c in range(5) if (r, c) != (1, 4)]


def corners(cells: list[tuple[int, int]]) -> np.ndarray:
    """The corners (n, 4, 2) of cells as (x, y)."""
    spots = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    return np.array([np.array([c, r]) + spots for r, c in cells], np.float64)


def overlap(one: np.ndarray, other: np.ndarray) -> float:
    """How far two convex quadrilaterals reach into each other at most, in squares; 0 if apart."""
    deepest = np.inf
    for shape in (one, other):
        for start, end in zip(shape, np.roll(shape, -1, 0), strict=True):
            across = np.array([end[1] - start[1], start[0] - end[0]]) / np.linalg.norm(end - start)
            low, high = sorted((one @ across, other @ across), key=lambda reach: reach.min())
            deepest = min(deepest, low.max() - high.min())
    return max(float(deepest), 0.0)


@pytest.mark.parametrize("seed", range(12))
def test_a_close_kingdom_leaves_a_narrow_gap(seed: int) -> None:
    place = place_close_kingdom(KINGDOM, KINGDOM, np.random.default_rng(seed))
    theirs = project(corners(KINGDOM).reshape(-1, 2), place).reshape(-1, 4, 2)
    ours = corners(KINGDOM)
    assert max(overlap(a, b) for a in ours for b in theirs) < 0.1
    apart = np.maximum(
        ours.reshape(-1, 2).min(0) - theirs.reshape(-1, 2).max(0),
        theirs.reshape(-1, 2).min(0) - ours.reshape(-1, 2).max(0),
    ).max()
    assert KINGDOM_GAP[0] - 0.1 < apart < KINGDOM_GAP[1] + 0.1


@pytest.mark.parametrize("seed", range(12))
def test_a_close_domino_lies_on_no_square_and_near_one(seed: int) -> None:
    place = place_close_domino(KINGDOM, np.random.default_rng(seed))
    assert place is not None
    halves = project(corners([(0, 0), (0, 1)]).reshape(-1, 2), place).reshape(-1, 4, 2)
    ours = corners(KINGDOM)
    assert max(overlap(a, b) for a in ours for b in halves) < 0.12
    between = np.linalg.norm(ours.mean(1)[:, None] - halves.mean(1)[None], axis=2).min()
    assert 1 <= between < 1.5 + DOMINO_GAP[1]
    assert np.isclose(np.linalg.det(place[:2, :2]), 1)


def test_a_domino_finds_no_place_where_all_around_is_taken() -> None:
    cells = [(r, c) for r in range(5) for c in range(5)]
    ring = [(r, c) for r in range(-9, 14) for c in range(-9, 14)]
    rng = np.random.default_rng(1)
    placed = [place_close_domino([*cells, *ring], rng) for _ in range(6)]
    inner = [p for p in placed if p is not None and (np.abs(p[:2, 2]) < 7).all()]
    assert not inner


CAMERA = Camera.above((0, 0), (200, 150), 40, tilt_deg=20, turn_deg=10)
TABLE = (20.0, 200.0, 20.0)


@pytest.mark.parametrize("kind", SHARES)
def test_what_the_mask_covers_was_painted_over(kind: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(8):
        table = np.full((300, 400, 3), TABLE, np.float32)
        mask, opaque = put_thing(table, CAMERA, np.zeros(2), [], rng, kind)
        assert mask.shape == (300, 400)
        assert 0.0005 < float(mask.mean()) < 0.6
        changed = np.abs(table - TABLE).max(2) > 1
        assert changed[mask > 0.99].mean() > 0.9 or not opaque
        # Far from the thing and its shadow the table stays as it is.
        assert not changed.all()
        assert mask[150, 200] > 0.5 or kind == "figure"


def test_only_glasses_are_seen_through() -> None:
    rng = np.random.default_rng(5)
    camera = Camera.above((0, 0), (60, 60), 20, tilt_deg=0, turn_deg=0)
    tables = [np.full((120, 120, 3), TABLE, np.float32) for _ in range(30)]
    found = {
        kind: sum(put_thing(table, camera, np.zeros(2), [], rng, kind)[1] for table in tables)
        for kind in SHARES
    }
    assert found["sheet"] == found["strip"] == found["figure"] == 30
    assert 5 < found["disc"] < 30


def test_a_thing_beyond_the_horizon_covers_nothing() -> None:
    table = np.full((100, 100, 3), TABLE, np.float32)
    far = Camera.above((0, 0), (0, 0), 1e6, tilt_deg=0, turn_deg=0)
    mask, _ = put_thing(table, far, np.array([1.0, 1]), [], np.random.default_rng(1), "sheet")
    assert not mask.any()
    np.testing.assert_array_equal(table, np.full((100, 100, 3), TABLE, np.float32))


SIDE = 100


def chequered() -> Scene:
    """A photograph of 4 x 4 squares, bright wheat beside dark mines, on grey."""
    rgb = np.full((6 * SIDE, 6 * SIDE, 3), 110, np.uint8)
    seen = []
    for row in range(4):
        for column in range(4):
            label = "w" if (row + column) % 2 else "m"
            x, y = (column + 1) * SIDE, (row + 1) * SIDE
            rgb[y : y + SIDE, x : x + SIDE] = 230 if label == "w" else 10
            corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * SIDE + (x, y)
            seen.append(SeenSquare(corners.astype(np.float32), label, 0, (row, column)))
    lattice = np.array([[SIDE, 0, SIDE], [0, SIDE, SIDE], [0, 0, 1.0]])
    return Scene(rgb, seen, [(lattice, Extent(0, 0, 4, 4))])


def test_squares_stay_under_their_labels() -> None:
    scene, rng = chequered(), np.random.default_rng(4)
    compared = 0
    for _ in range(12):
        again = augment_scene(scene, (40.0, 90.0), rng)
        assert again.rgb.shape == (PHOTO_PX, PHOTO_PX, 3)
        greys: dict[str, list[float]] = {"w": [], "m": []}
        for square in again.seen:
            corners = square.corners
            if (corners > 2).all() and (corners < PHOTO_PX - 2).all():
                mask = np.zeros((PHOTO_PX, PHOTO_PX), np.uint8)
                shrunk = corners.mean(0) + (corners - corners.mean(0)) * 0.6
                cv2.fillConvexPoly(mask, shrunk.astype(np.int32), 1)
                greys[square.label].append(float(again.rgb[mask > 0].mean()))
        if greys["w"] and greys["m"]:
            compared += 1
            assert np.median(greys["w"]) > np.median(greys["m"]) + 20
    assert compared >= 8


def test_the_lattice_moves_with_its_squares() -> None:
    again = augment_scene(chequered(), (40.0, 90.0), np.random.default_rng(9))
    ((lattice, _),) = again.kingdoms
    for square in again.seen:
        row, column = square.cell
        x, y, w = lattice @ (column, row, 1.0)
        assert np.allclose((x / w, y / w), square.corners[0], atol=0.01)
