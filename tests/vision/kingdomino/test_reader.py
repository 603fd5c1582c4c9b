"""Whole photographs: the samples, and real ones where their folder is there."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.kingdomino_photos import LabelledKingdom, compare, read_labels
from scorer.kingdomino import Kingdom, Square
from training.kingdomino.render import SceneView, render_scene, render_square
from vision import PhotoError, Reader, ReadSettings, classify_squares, read_kingdoms
from vision.kingdomino import reader
from vision.kingdomino.judge.judgement import JudgeSettings
from vision.kingdomino.kingdoms.choose import ChooseSettings, Pass
from vision.kingdomino.passes import run_pass
from vision.kingdomino.reader import default_reader
from vision.kingdomino.result import KingdomReading, SquareReading

SAMPLES = Path(__file__).parents[3] / "sample_images"
DATA = os.environ.get("KINGDOMINO_DATA")
needs_photographs = pytest.mark.skipif(
    DATA is None, reason="KINGDOMINO_DATA names no folder with real photographs"
)


def kingdoms_of(folder: Path) -> list[LabelledKingdom]:
    return [p for p in read_labels(folder) if isinstance(p, LabelledKingdom)]


@pytest.mark.parametrize("picture", kingdoms_of(SAMPLES), ids=lambda p: p.path.stem)
def test_samples_are_found_and_nothing_wrong_goes_unflagged(picture: LabelledKingdom) -> None:
    if picture.kingdom is None:
        with pytest.raises(PhotoError, match="no_kingdom"):
            read_kingdoms(picture.path)
        return
    result = compare(picture.kingdom, read_kingdoms(picture.path).kingdoms[0])
    assert result.located
    assert result.kingdom_right or result.flagged


def test_a_photo_reads_the_same_twice_and_from_bytes() -> None:
    path = SAMPLES / "begun.jpg"
    first, again = read_kingdoms(path), read_kingdoms(path.read_bytes())
    assert first == again
    assert set(first.seconds) == {"decode", "locate", "classify", "settle", "warn"}


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_photo_gives_the_same_kingdom_turned(turns: int) -> None:
    picture = cv2.imread(str(SAMPLES / "complete-5x5.jpg"))
    assert picture is not None
    done, coded = cv2.imencode(".png", np.rot90(picture, turns))
    assert done
    straight = read_kingdoms(SAMPLES / "complete-5x5.jpg").kingdoms[0]
    turned = read_kingdoms(coded.tobytes()).kingdoms[0]
    result = compare(straight.kingdom, turned)
    assert result.located
    assert result.turned == turns
    assert result.right >= 24


def test_corners_lie_on_the_kingdom() -> None:
    reading = read_kingdoms(SAMPLES / "complete-5x5.jpg")
    corners = reading.kingdoms[0].corners
    side = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1) / 5
    # Drawn with 185 pixels a square, at the middle of a picture of 1600 by 1200.
    np.testing.assert_allclose(side, 185, rtol=0.12)
    np.testing.assert_allclose(corners.mean(0), (800, 600), atol=40)


def test_classify_squares_takes_any_size_and_refuses_other_arrays() -> None:
    picture = cv2.imread(str(SAMPLES / "complete-5x5.jpg"), cv2.IMREAD_COLOR_RGB)
    reading = read_kingdoms(SAMPLES / "complete-5x5.jpg").kingdoms[0]
    left, top = reading.points([(1, 1)])[0]
    right, bottom = reading.points([(2, 2)])[0]
    square = np.asarray(picture, np.uint8)[int(top) : int(bottom), int(left) : int(right)]
    large = np.asarray(cv2.resize(square, (301, 180)), np.uint8)
    small = np.asarray(cv2.resize(square, (40, 40), interpolation=cv2.INTER_AREA), np.uint8)
    assert [r.label for r in classify_squares([square, large, small])] == ["w"] * 3
    assert classify_squares([]) == []
    with pytest.raises(ValueError, match=r"image 1: expected RGB uint8"):
        classify_squares([square, square.astype(np.float32)])


def test_a_grey_photo_is_told_and_every_square_flagged() -> None:
    grey = cv2.imread(str(SAMPLES / "complete-5x5.jpg"), cv2.IMREAD_GRAYSCALE)
    rgb = np.asarray(cv2.cvtColor(np.asarray(grey), cv2.COLOR_GRAY2RGB), np.uint8)
    for kingdom in read_kingdoms(rgb, anyway=True).kingdoms:
        assert "grey" in kingdom.warnings
        squares = [square for row in kingdom.squares for square in row if square.label != "."]
        assert all(square.doubtful for square in squares)


@needs_photographs
@pytest.mark.parametrize(("folder", "found", "right"), [("photos", 32, 31), ("boards", 49, 48)])
def test_real_photographs(folder: str, found: int, right: int) -> None:
    assert DATA is not None
    located = kingdoms_right = 0
    for picture in kingdoms_of(Path(DATA) / "data" / folder):
        assert picture.kingdom is not None
        result = compare(picture.kingdom, read_kingdoms(picture.path).kingdoms[0])
        located += result.located
        kingdoms_right += result.kingdom_right
        assert result.kingdom_right or result.flagged, picture.path.name
    assert located >= found
    assert kingdoms_right >= right


@needs_photographs
def test_another_game_is_never_read_in_silence() -> None:
    assert DATA is not None
    for path in sorted((Path(DATA) / "data" / "not_kingdomino").glob("*.jpg")):
        try:
            reading = read_kingdoms(path)
        except PhotoError:
            continue
        assert all(kingdom.doubtful for kingdom in reading.kingdoms), path.name


def test_a_part_so_near_that_it_fills_the_picture_is_read_too() -> None:
    whole = cv2.imread(str(SAMPLES / "complete-5x5.jpg"))
    assert whole is not None
    height, width = whole.shape[:2]
    part = whole[int(0.3 * height) : int(0.7 * height), int(0.3 * width) : int(0.7 * width)]
    reading = read_kingdoms(cv2.imencode(".jpg", part)[1].tobytes())
    assert "w g w/w c f/w m2 f" in str(reading.kingdoms[0].kingdom)


def test_a_castle_and_dominoes_that_fill_the_picture_are_read() -> None:
    view = SceneView(
        width=1600, height=1100, square_px=500, tilt_deg=4, turn_deg=2, surface="stone"
    )
    near = render_scene(Kingdom.parse("w w/c m1"), view, np.random.default_rng(3)).rgb
    bgr = cv2.cvtColor(near, cv2.COLOR_RGB2BGR)
    reading = read_kingdoms(cv2.imencode(".jpg", bgr)[1].tobytes())
    assert str(reading.kingdoms[0].kingdom) == "w w/c m1"


def test_pixels_read_like_the_picture_they_come_from() -> None:
    rgb = cv2.imread(str(SAMPLES / "begun.jpg"), cv2.IMREAD_COLOR_RGB)
    from_pixels = Reader().read(np.asarray(rgb, np.uint8))
    assert (
        from_pixels.kingdoms[0].kingdom == read_kingdoms(SAMPLES / "begun.jpg").kingdoms[0].kingdom
    )
    with pytest.raises(ValueError, match=r"pixels: expected RGB uint8"):
        Reader().read(np.zeros((100, 100), np.uint8))
    with pytest.raises(PhotoError, match="too_small"):
        Reader().read(np.zeros((10, 100, 3), np.uint8))


def test_the_homography_hits_the_corners_of_squares_to_the_pixel() -> None:
    """A grid seen straight from above has known corners, in pixels of the full photograph."""
    view = SceneView(width=3600, height=2700, square_px=370, tilt_deg=0, turn_deg=0)
    kingdom = Kingdom.parse("w w f/f c f/w l l")
    scene = render_scene(kingdom, view, np.random.default_rng(5))
    rgb = np.ascontiguousarray(scene.rgb)
    reduced = read_kingdoms(cv2.imencode(".png", rgb[:, :, ::-1])[1].tobytes()).kingdoms[0]
    halved = np.asarray(cv2.resize(rgb, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    plain = read_kingdoms(cv2.imencode(".png", halved[:, :, ::-1])[1].tobytes()).kingdoms[0]
    # The same view at half the size: pixel x of the small one is pixel 2 x + 0.5 of the large one.
    np.testing.assert_allclose(reduced.corners, 2 * plain.corners + 0.5, atol=0.1)


def test_a_reader_has_weights_and_settings_of_its_own() -> None:
    strict = Reader(default_reader().weights, ReadSettings(judge=JudgeSettings(sure=1.0)))
    flagged = strict.read(SAMPLES / "complete-5x5.jpg").kingdoms[0].doubtful
    assert len(flagged) == 25
    assert len(read_kingdoms(SAMPLES / "complete-5x5.jpg").kingdoms[0].doubtful) < 5
    assert default_reader() is default_reader()
    assert read_kingdoms(SAMPLES / "begun.jpg", strict.settings).kingdoms[0].doubtful


def test_loading_the_shared_reader_lets_freed_memory_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[int] = []
    monkeypatch.setattr(reader, "keep_freed_memory", lambda: told.append(1))
    assert isinstance(reader._shared_reader.__wrapped__(), Reader)
    assert told == [1]


def test_drawn_dominoes_of_age_of_giants_are_read_where_it_is_played() -> None:
    drawn = Kingdom.parse("l2 g1 w l f/f f c w w/g w w2 f1 f/l l f2 l1 f")
    view = SceneView(width=640, height=560, square_px=80.0)
    rgb = render_scene(drawn, view, np.random.default_rng(4)).rgb
    without, with_them = (read_kingdoms(rgb, giants=giants).kingdoms[0] for giants in (False, True))
    for (row, column), one, two in (
        ((0, 0), "l1", "l2"),
        ((2, 2), "w1", "w2"),
        ((3, 2), "f1", "f2"),
    ):
        assert with_them.squares[row][column].label == two
        assert without.squares[row][column].label == one
        assert (row, column) in without.doubtful


@pytest.mark.parametrize("terrain", ["w", "f", "l"])
def test_drawn_crowns_of_single_squares_are_counted(terrain: str) -> None:
    for crowns in (1, 2):
        square = Square.parse(f"{terrain}{crowns}")
        drawn = [render_square(square, 96, np.random.default_rng(seed)) for seed in range(20)]
        found = classify_squares(drawn, giants=True)
        assert sum(each.label == str(square) for each in found) >= 19
        assert {each.label for each in classify_squares(drawn)} <= {f"{terrain}1", terrain}


def test_what_is_no_kingdom_is_read_on_request() -> None:
    strict = ReadSettings(choose=ChooseSettings(min_confidence=1.0))
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_kingdoms(SAMPLES / "begun.jpg", strict)
    assert read_kingdoms(SAMPLES / "begun.jpg", strict, anyway=True).kingdoms


def test_a_picture_without_squares_is_given_up_after_one_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []

    def counted(*arguments: Any) -> Pass:
        looked.append(1)
        return run_pass(*arguments)

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", counted)
    plain = np.full((600, 800, 3), (150, 140, 120), np.uint8)
    with pytest.raises(PhotoError, match="no_kingdom"):
        Reader().read(plain)
    assert len(looked) == 1


@pytest.mark.parametrize(("least", "passes"), [(1.6, 1), (1.25, 2)])
def test_a_leaning_photograph_without_a_doubt_is_read_once(
    least: float, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def counted(*arguments: Any) -> Pass:
        looked.append(1)
        return run_pass(*arguments)

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", counted)
    settings = ReadSettings()
    view = replace(settings.view, min_rest_of_plain=least)
    Reader(settings=replace(settings, view=view)).read(SAMPLES / "tilted.jpg")
    assert len(looked) == passes


def test_a_dim_photograph_is_read_right_and_says_so() -> None:
    bright = cv2.imread(str(SAMPLES / "complete-5x5.jpg"), cv2.IMREAD_COLOR_RGB)
    assert bright is not None
    rng = np.random.default_rng(8)
    grain = rng.normal(0, 5, bright.shape)
    dim = np.clip(bright * 0.13 * np.array([1, 0.9, 0.75]) + grain, 0, 255).astype(np.uint8)
    read = Reader().read(dim).kingdoms[0]
    assert str(read.kingdom) == str(read_kingdoms(SAMPLES / "complete-5x5.jpg").kingdoms[0].kingdom)
    assert "dark" in read.warnings
    assert all(square.reason for row in read.squares for square in row if square.doubtful)


def test_what_a_dark_picture_shows_counts_only_where_it_shows_nothing_when_bright(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dark, bright = reading_of(1.0, 1, frozenset()), reading_of(1.0, 0, frozenset())
    dark = replace(dark, kingdom=Kingdom.parse("c w f ./l s g ./w1 f f ."))
    shown: list[Pass] = []

    def noted(*_: Any) -> Pass:
        return shown.pop(0) if len(shown) > 1 else shown[0]

    def read() -> KingdomReading:
        picture = np.full((600, 800, 3), (40, 35, 30), np.uint8)
        return Reader().read(picture).kingdoms[0]

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", noted)
    first = Pass((dark,), found_squares=9, squareness=1.0)
    shown[:] = [first, replace(first, kingdoms=(bright,))]
    assert (read().kingdom, read().next_best) == (bright.kingdom, None)
    shown[:] = [first, Pass(found_squares=9, squareness=1.0)]
    assert read().kingdom == dark.kingdom


def reading_of(low: float, doubtful: int, unpaired: frozenset[tuple[int, int]]) -> KingdomReading:
    """A kingdom of nine squares and three empty cells, ``low`` times as wide as high."""
    kingdom = Kingdom.parse("c w f ./l s g ./w1 f l .")
    labels = iter(range(12))
    squares = tuple(
        tuple(SquareReading(str(square), 0.99, None, next(labels) < doubtful) for square in row)
        for row in kingdom.rows
    )
    view = np.diag([60 * low, 60.0, 1.0])
    return KingdomReading(kingdom, squares, view, unpaired=unpaired)


def read_as(kingdom: KingdomReading, monkeypatch: pytest.MonkeyPatch) -> KingdomReading:
    """What the reader makes of a picture in which every pass sees this kingdom."""
    seen = Pass((kingdom,), found_squares=9, squareness=1.0)
    monkeypatch.setattr("vision.kingdomino.reader.run_pass", lambda *_: seen)
    picture = np.full((600, 800, 3), (150, 140, 120), np.uint8)
    return Reader().read(picture).kingdoms[0]


@pytest.mark.parametrize(("low", "refused"), [(1.9, False), (2.2, True)])
def test_a_half_without_its_other_half_makes_a_steep_kingdom_a_fragment(
    low: float, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    steep = reading_of(low, 0, frozenset({(0, 1)}))
    if refused:
        with pytest.raises(PhotoError, match="no_kingdom"):
            read_as(steep, monkeypatch)
    else:
        assert "hidden" in read_as(steep, monkeypatch).warnings


def test_many_doubts_make_others(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = read_as(reading_of(1.0, 6, frozenset()), monkeypatch)
    assert len(seen.doubtful) == 10
    assert seen.squares[2][0].reason == "many_doubts"
    assert len(read_as(reading_of(1.0, 4, frozenset()), monkeypatch).doubtful) == 4
