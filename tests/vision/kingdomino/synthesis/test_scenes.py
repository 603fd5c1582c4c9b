"""Composed scenes show what their ground truth says."""

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES
from training.kingdomino.scenes.compose import THING, UNKNOWN, compose, compose_game
from training.kingdomino.scenes.kingdoms import SceneSettings, TileSet
from training.kingdomino.scenes.patches import cut_patches

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
    for seed in range(12):
        scene = compose(tiles, settings, np.random.default_rng(seed))
        for seen in scene.seen:
            if seen.kingdom < 0:
                continue
            row, column = seen.cell
            place = scene.homographies[seen.kingdom] @ (column + 0.5, row + 0.5, 1)
            side = np.linalg.norm(seen.corners[1] - seen.corners[0])
            off = np.linalg.norm(place[:2] / place[2] - seen.corners.mean(0))
            assert off < 0.2 * side
            checked += 1
    assert checked > 50


def test_patches_have_the_labels_of_their_kingdoms(tiles: TileSet) -> None:
    rng = np.random.default_rng(3)
    labels = set()
    for seed in range(12):
        scene = compose(tiles, SceneSettings(size_px=256), np.random.default_rng(seed))
        for patch, label in cut_patches(scene, rng):
            assert patch.shape == (64, 64, 3)
            labels.add(label)
    assert {"."} < labels
    assert labels <= {".", "c:pink", *(t for both in tiles.labels.values() for t in both)}


def test_what_a_thing_hides_nobody_has_to_name(tiles: TileSet) -> None:
    settings = SceneSettings(size_px=256, thing_share=1.0)
    scenes = [compose(tiles, settings, np.random.default_rng(seed)) for seed in range(16)]
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
    for seed in range(4):
        scene = compose(tiles, SceneSettings(size_px=128), np.random.default_rng(seed))
        assert scene.covered is not None
        assert THING not in scene.covered


def test_steep_scenes_show_squares_longer_than_wide(tiles: TileSet) -> None:
    def slant(steep_share: float) -> float:
        settings = SceneSettings(size_px=256, steep_share=steep_share, steep_tilt_deg=(64.0, 70.0))
        ratios = []
        for seed in range(16):
            for view in compose(tiles, settings, np.random.default_rng(seed)).homographies:
                x, y, depth = view @ (2.5, 2.5, 1)
                slopes = view[:2, :2] - np.outer((x / depth, y / depth), view[2, :2])
                long, short = np.linalg.svd(slopes, compute_uv=False)
                ratios.append(long / short)
        return float(np.median(ratios))

    assert slant(0.0) < 1.5 < 1.8 < slant(1.0)


def test_a_game_has_its_kingdoms_in_the_picture_and_each_domino_once(tiles: TileSet) -> None:
    settings = SceneSettings(size_px=1024, square_px=(22.0, 26.0), castle_share=0.0)
    scene = compose_game(tiles, settings, np.random.default_rng(2), kingdoms=5)
    assert len(scene.layouts) == 5
    laid = [piece.number for layout in scene.layouts for piece in layout.laid]
    assert len(laid) == len(set(laid)) > 30
    for square in scene.seen:
        assert (square.corners > -30).all()
        assert (square.corners < settings.size_px + 30).all()


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
                to_pixels = scene.homographies[0] / scene.homographies[0][2, 2]
                side = np.sqrt(abs(np.linalg.det(to_pixels[:2, :2])))
                ways = np.array(ours)[:, None] - np.array(theirs)[None]
                found.append(np.linalg.norm(ways, axis=2).min() / side)
        apart[share] = float(np.median(found))
    assert apart[1.0] < 2 < apart[0.0]
