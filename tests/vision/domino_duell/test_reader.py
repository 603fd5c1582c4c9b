from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, JOKER, STONES, Board
from training.domino_duell.scenes import Scene, SceneSettings, draw_bare_table, draw_scene
from vision.common.geometry import project
from vision.domino_duell import (
    BoardReading,
    BoardSettings,
    hollow_patches,
    labelled_crops,
    read_board,
    reader,
)
from vision.domino_duell.classify import Evidence
from vision.domino_duell.detect import CircleSettings, places_of
from vision.domino_duell.judge import EMPTY_COLUMN, JOKER_COLUMN, DoubtSettings, read_hollows
from vision.domino_duell.weights import Weights
from vision.photo import PhotoError, PhotoSettings

CALM = SceneSettings(light=0.3, glare_share=0.0, shadow_share=0.0, max_blur_px=0.8)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return draw_scene(np.random.default_rng(4_000_004), CALM)


@pytest.fixture(scope="module")
def reading(scene: Scene) -> BoardReading:
    return read_board(scene.rgb)


def read_if_found(rgb: NDArray[np.uint8]) -> BoardReading | None:
    try:
        return read_board(rgb)
    except PhotoError:
        return None


def as_drawn(scene: Scene, reading: BoardReading) -> Board:
    """What was drawn, with the hollows named as the reading names them."""
    distances = np.linalg.norm(reading.middles[:, None] - scene.middles[None], axis=2)
    assert distances.min(1).max() < 8
    cells = scene.position.cells
    return Board(scene.position.shape, tuple(cells[index] for index in distances.argmin(1)))


def test_a_drawn_board_is_read(scene: Scene, reading: BoardReading) -> None:
    truth = as_drawn(scene, reading)
    wrong = [
        each
        for each, piece in zip(reading.hollows, truth.cells, strict=True)
        if each.piece != piece
    ]
    assert len(wrong) <= 2
    assert all(each.doubtful for each in wrong)
    assert len(reading.doubtful) < 25
    assert reading.certain
    assert set(reading.seconds) == {"decode", "locate", "classify", "settle"}


@pytest.mark.parametrize(
    "seed",
    [4_100_001, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (4_100_000, 4_100_002))],
)
def test_nothing_is_wrong_in_silence(seed: int) -> None:
    scene = draw_scene(np.random.default_rng(seed), SceneSettings(light=1.2, glare_share=0.6))
    reading = read_if_found(scene.rgb)
    if reading is None:
        return
    if not reading.certain:
        assert len(reading.doubtful) == len(reading.hollows)
        return
    truth = as_drawn(scene, reading)
    for each, piece in zip(reading.hollows, truth.cells, strict=True):
        assert each.piece == piece or each.doubtful


def test_each_stone_is_read_once(reading: BoardReading) -> None:
    stones = reading.position.stones
    assert len(set(stones)) == len(stones)
    assert tuple(each.piece for each in reading.hollows) == reading.position.cells
    for each in reading.hollows:
        assert each.runner_up != each.piece


def test_path_bytes_and_pixels_read_the_same(
    tmp_path: Path, scene: Scene, reading: BoardReading
) -> None:
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), scene.rgb[..., ::-1])
    for picture in (str(path), path.read_bytes()):
        found = read_board(picture)
        assert found == reading
        np.testing.assert_array_equal(found.homography, reading.homography)


def test_a_large_photo_is_read_in_its_own_pixels(scene: Scene, reading: BoardReading) -> None:
    """It is reduced to the same picture; patches are cut out of that one, too."""
    large = scene.rgb.repeat(4, axis=0).repeat(4, axis=1)
    found = read_board(large, BoardSettings(photo=PhotoSettings(target_long_side_px=960)))
    assert (found.width, found.height) == (3840, 2880)
    np.testing.assert_allclose((found.middles + 0.5) / 4 - 0.5, reading.middles, atol=1e-6)
    patches = hollow_patches(scene.rgb, found)
    np.testing.assert_array_equal(patches, hollow_patches(scene.rgb, reading))


@pytest.mark.parametrize(
    "seed", [2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2))]
)
def test_a_table_without_a_board_is_refused(seed: int) -> None:
    with pytest.raises(PhotoError) as refused:
        read_board(draw_bare_table(np.random.default_rng(seed)))
    assert refused.value.code == "no_board"


def test_a_cloth_printed_with_a_lattice_of_spots_is_refused() -> None:
    """Everything on it looks like a hollow, but the board could lie in many places alike."""
    cloth = draw_bare_table(np.random.default_rng([9_000_000, 1]))
    with pytest.raises(PhotoError) as refused:
        read_board(cloth)
    assert refused.value.code == "no_board"
    found = read_board(cloth, BoardSettings(least_margin_nats=0.0))
    assert not found.certain


def test_pictures_of_nothing_are_refused() -> None:
    with pytest.raises(PhotoError, match="no_board"):
        read_board(np.full((300, 400, 3), 127, np.uint8))
    with pytest.raises(PhotoError, match="not_a_picture"):
        read_board(b"hello, this is no picture")


def test_a_board_cut_off_is_refused_or_wholly_doubtful(scene: Scene) -> None:
    right = int(np.sort(scene.middles[:, 0])[60])
    found = read_if_found(np.ascontiguousarray(scene.rgb[:, :right]))
    assert found is None or len(found.doubtful) == len(found.hollows)


def test_an_uncertain_placing_makes_every_hollow_doubtful(scene: Scene) -> None:
    found = read_board(scene.rgb, BoardSettings(doubt=DoubtSettings(sure_margin_nats=1e9)))
    assert not found.certain
    assert len(found.doubtful) == len(found.hollows)


def test_corrections_are_handed_on_as_labelled_crops(scene: Scene, reading: BoardReading) -> None:
    truth = as_drawn(scene, reading)
    hollow = reading.position.shape.hollows[50]
    spare = None if truth[hollow] is not None else JOKER
    patches = hollow_patches(scene.rgb, reading)
    crops = labelled_crops(patches, reading, truth.with_piece(hollow, spare))
    told = [(crop.hollow, crop.read, crop.doubtful) for crop in crops]
    assert told == [(each.hollow, each.piece, each.doubtful) for each in reading.hollows]
    assert [crop.hollow for crop in crops] == list(reading.position.shape.hollows)
    assert crops[50].truth is spare
    assert crops[50].read == reading.hollows[50].piece
    assert crops[50].corrected == (spare != reading.hollows[50].piece)
    assert crops[0].patch.shape == (32, 32, 3)
    x, y = project(places_of(truth.shape)[:1], reading.homography)[0]
    middle = scene.rgb[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].mean((0, 1))
    np.testing.assert_allclose(crops[0].patch[14:18, 14:18].mean((0, 1)), middle, atol=25)


def seen(**columns: int) -> NDArray[np.float64]:
    """Contents of the default board: every hollow surely empty but those named."""
    shape = DEFAULT_SHAPE
    contents = np.full((len(shape.hollows), 67), 1e-7)
    contents[:, EMPTY_COLUMN] = 1.0
    for hollow, column in columns.items():
        contents[shape.index[hollow]] = 1e-7
        contents[shape.index[hollow], column] = 0.9999
    return contents


def doubts(
    contents: NDArray[np.float64],
    *burnt: str,
    certain: bool = True,
    other: NDArray[np.float64] | None = None,
) -> set[str]:
    hot = np.array([0.95 if name in burnt else 0.5 for name in DEFAULT_SHAPE.hollows])
    views = contents[None] if other is None else np.stack([contents, other])
    found = read_hollows(Evidence(contents, views, hot), DEFAULT_SHAPE, certain)
    return {each.hollow for each in found if each.doubtful}


def test_each_reason_for_doubt_raises_its_flag() -> None:
    shape = DEFAULT_SHAPE
    assert doubts(seen(f6=5, f7=6)) == set()
    unsure = seen(f6=5, f7=6)
    unsure[shape.index["f6"], [5, 9]] = 0.95, 0.05
    assert doubts(unsure) == {"f6"}
    assert doubts(seen(f6=5, f7=6), other=seen(f6=5, f7=9)) == {"f7"}
    # What each view is sure of, all of them together are not.
    together = Evidence(unsure, seen(f6=5, f7=6)[None], np.full(len(shape.hollows), 0.5))
    found = read_hollows(together, shape, True)
    assert {each.hollow for each in found if each.doubtful} == {"f6"}
    # One of them is the stone; whatever the other is, both are asked about.
    assert doubts(seen(f6=5, f7=5)) == {"f6", "f7"}
    no_hollow = seen(f6=5)
    no_hollow[shape.index["a1"], -1] = 0.5
    assert doubts(no_hollow) == {"a1"}
    assert doubts(seen(f6=5), "g5") == {"g5"}
    assert doubts(seen(f6=5), certain=False) == set(shape.hollows)


def test_a_stone_that_lies_elsewhere_for_sure_leaves_no_doubt() -> None:
    contents = seen(f6=5, f7=6)
    contents[DEFAULT_SHAPE.index["f6"], [5, 6]] = 0.5, 0.5
    assert doubts(contents) == set()


def test_a_stone_that_gave_way_is_named_and_the_settled_one_is_not_its_own_alternative() -> None:
    shape = DEFAULT_SHAPE
    contents = seen(f6=5, f7=5)
    contents[shape.index["f6"], [5, 9]] = 0.6, 0.4
    contents[shape.index["f7"], [5, 12]] = 0.9, 0.1
    evidence = Evidence(contents, contents[None], np.zeros(len(contents)))
    found = {each.hollow: each for each in read_hollows(evidence, shape, True)}
    gave_way, kept, empty = found["f6"], found["f7"], found["a1"]
    assert (gave_way.piece, gave_way.runner_up) == (STONES[9], STONES[5])
    assert gave_way.settled_from == str(STONES[5])
    assert gave_way.probability == pytest.approx(0.4, abs=0.01)
    assert (kept.piece, kept.runner_up, kept.settled_from) == (STONES[5], STONES[12], None)
    assert (empty.piece, empty.settled_from) == (None, None)
    assert empty.runner_up is not None
    # Of five that look like jokers the least likely gives way: there are four.
    for joker in shape.hollows[:5]:
        contents[shape.index[joker]] = 1e-9
        contents[shape.index[joker], [JOKER_COLUMN, EMPTY_COLUMN]] = 0.9, 0.1
    evidence = Evidence(contents, contents[None], np.zeros(len(contents)))
    jokers = read_hollows(evidence, shape, True)[:5]
    assert [each.settled_from for each in jokers].count("*") == 1


def test_in_harsh_light_more_is_asked_of_every_hollow() -> None:
    shape = DEFAULT_SHAPE
    contents = seen(f6=5)
    settings = DoubtSettings()
    between = (settings.sure_nats + settings.sure_unsteady_nats) / 2
    second = float(1 / (1 + np.exp(between)))
    contents[shape.index["f6"], [5, 9]] = 1 - second, second
    assert doubts(contents) == set()
    for number, hollow in enumerate(shape.hollows[:8]):
        contents[shape.index[hollow], [EMPTY_COLUMN, 20 + number]] = 0.8, 0.2
    assert doubts(contents) == {*shape.hollows[:8], "f6"}


def test_every_step_is_by_the_settings_that_are_given(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = BoardSettings(
        long_sides_px=(480,),
        circles=CircleSettings(most=300),
        doubt=DoubtSettings(burnt_level=240, no_hollow=0.3),
    )
    # The same as those that are taken where none are given.
    shape, weights = replace(DEFAULT_SHAPE), Weights.load()
    own: dict[str, tuple[object, ...]] = {
        "decode": (settings.photo,),
        "find_middles": (replace(settings.circles, long_side_px=480),),
        "grow_lattices": (settings.lattice,),
        "place_board": (shape, settings.placement),
        "nothing_at": (weights,),
        "look_into": (shape, weights, settings.doubt.burnt_level),
        "read_hollows": (shape, settings.doubt),
    }
    asked: dict[str, tuple[object, ...]] = {}
    for name in own:
        call = getattr(reader, name)

        def noted(*given: object, name: str = name, call: Any = call) -> object:
            asked[name] = given
            return call(*given)

        monkeypatch.setattr(reader, name, noted)
    read_board(scene.rgb, settings, shape, weights)
    # Made for the size that is searched.
    assert asked["find_middles"][-1] == own.pop("find_middles")[-1]
    for name, mine in own.items():
        handed_on = {id(each) for each in asked[name]}
        assert {id(each) for each in mine} <= handed_on, name
