"""What the locator is to learn of a scene."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.arrays import Floats
from training.kingdomino.locator import NOT_ASKED, _look, scene_targets, show_again
from training.kingdomino.scenes.compose import OTHER, THING, Scene, SeenSquare
from vision.kingdomino.search import CENTRE, CLASSES, FRAMES, GROUNDS, MAP_CHANNELS


def test_what_covers_a_square_is_the_ground_that_is_seen_there() -> None:
    corners = np.array([[8, 8], [40, 8], [40, 40], [8, 40]], np.float32)
    covered = np.zeros((64, 64), np.uint8)
    covered[:, 24:48] = THING
    covered[48:, :16] = OTHER
    scene = Scene(
        np.zeros((64, 64, 3), np.uint8), (SeenSquare(corners, "f1", 0, (0, 0)),), (), covered
    )
    heat, grounds, frames = scene_targets(scene)
    assert grounds[5, 4] == GROUNDS.index("f")
    assert grounds[5, 8] == GROUNDS.index("?")
    assert grounds[1, 10] == GROUNDS.index("?")
    assert grounds[14, 2] == NOT_ASKED
    assert grounds[1, 1] == GROUNDS.index(".")
    # The square itself is still to be found, half covered as it is.
    assert heat.max() == 1
    assert frames[5].any()


def _scene(corners: list[list[float]]) -> Scene:
    square = SeenSquare(np.array(corners, np.float32), "f1", 0, (0, 0))
    return Scene(np.zeros((64, 64, 3), np.uint8), (square,), ())


def test_a_scene_that_is_shown_again_has_the_targets_of_what_is_seen_then() -> None:
    corners = np.array([[12, 8], [37, 14], [33, 37], [7, 29]], np.float32)
    scene = _scene(corners.tolist())
    example = (scene.rgb.transpose(2, 0, 1).copy(), *scene_targets(scene))
    ways = {}
    for turns in range(4):
        for mirrored in (False, True):
            seen = corners.copy()
            for _ in range(turns):
                seen = np.column_stack([seen[:, 1], 63 - seen[:, 0]])
            if mirrored:
                seen = np.column_stack([63 - seen[:, 0], seen[:, 1]])[::-1]
            ways[turns, mirrored] = scene_targets(_scene(seen.tolist()))
    met = set()
    for seed in range(60):
        _, heat, _, frames = show_again(example, np.random.default_rng(seed))
        (way,) = [k for k, (other, *_) in ways.items() if np.allclose(heat, other, atol=1e-4)]
        wanted = ways[way][2]
        both = (frames[5] > 0) & (wanted[5] > 0)
        assert both.sum() > 10
        np.testing.assert_allclose(frames[:, both], wanted[:, both], atol=1e-4)
        met.add(way)
    assert met == set(ways)


def test_what_is_shown_again_has_another_light_and_is_sometimes_grey() -> None:
    picture = np.zeros((3, 32, 32), np.uint8)
    picture[:, 4:9, 2:20] = np.array([200, 90, 40], np.uint8)[:, None, None]
    maps = np.zeros((8, 8), np.float32)
    example = (picture, maps, maps.astype(np.int64), np.zeros((6, 8, 8), np.float32))
    shown = [show_again(example, np.random.default_rng(seed))[0] for seed in range(200)]
    colours = [tuple(int(v) for v in each.reshape(3, -1).max(1)) for each in shown]
    assert len(set(colours)) > 150
    grey = sum(max(colour) - min(colour) < 30 for colour in colours)
    assert 2 <= grey <= 25


def _told(ground: str, heat: Floats, frames: Floats) -> Floats:
    """Maps (channels, h, w) that say one ground everywhere, with centres and frames as given."""
    maps = np.zeros((MAP_CHANNELS, *heat.shape), np.float32)
    maps[CENTRE] = heat
    maps[CLASSES][GROUNDS.index(ground)] = 9.0
    maps[FRAMES] = frames
    return maps


@pytest.mark.parametrize(
    ("ground", "score", "said"),
    [("f", 3.0, "found"), ("w", 3.0, "found"), ("f", -3.0, "missed"), (".", 3.0, "missed")],
)
def test_asked_is_what_the_reader_finds_and_not_which_terrain_the_locator_names(
    ground: str, score: float, said: str
) -> None:
    scene = _scene([[8, 8], [40, 8], [40, 40], [8, 40]])
    heat, _, frames = scene_targets(scene)
    maps = _told(ground, np.where(heat == 1, score, -9.0), frames[:5])
    square, more = _look("scene 0", scene, maps)
    assert (square.truth, square.said) == ("found", said)
    assert (more.truth, more.said) == ("0", "0")


def test_a_square_that_is_found_where_none_lies_counts() -> None:
    scene = _scene([[8, 8], [40, 8], [40, 40], [8, 40]])
    heat, _, frames = scene_targets(scene)
    elsewhere = np.full_like(heat, -9.0)
    elsewhere[13, 13] = 3.0
    maps = _told("f", elsewhere, frames[:5, 6, 6][:, None, None])
    square, more = _look("scene 0", scene, maps)
    assert (square.said, more.said) == ("missed", "1")
