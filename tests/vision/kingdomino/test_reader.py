"""Whole photographs: the samples, two threads at the first search, and outlines."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from inspect import unwrap
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from benchmarks.kingdomino_photos.comparison import compare
from scorer.kingdomino import Kingdom, Position, Square
from training.kingdomino.corpus import LabelledKingdom, read_labels
from training.kingdomino.render.scene import SceneView, render_scene
from training.kingdomino.render.tiles import render_square
from vision import classify_squares
from vision.common.network import Clock, Network
from vision.kingdomino import doubt, reader
from vision.kingdomino.cells import CellLooks
from vision.kingdomino.lattice import Detections, Lattice, middles_of
from vision.kingdomino.passes import ChooseSettings, Pass, ReadSettings, run_pass
from vision.kingdomino.reader import Reader, decode_and_search, default_reader, read_kingdoms
from vision.kingdomino.refit import sample_folder, sample_labels
from vision.kingdomino.result import KingdomReading, SquareReading
from vision.kingdomino.settling import JudgeSettings
from vision.kingdomino.together import TogetherSettings
from vision.kingdomino.weights import Weights
from vision.photo import Photo, PhotoError, PhotoSettings, decode
from vision.photo.decoding import Source, decode_reduced
from vision.photo.headers import Header

SAMPLES = Path(__file__).parents[3] / "sample_images"
# The box confirms nothing.
WITHOUT_BOX = JudgeSettings(use_box=False)
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


def test_a_grey_photo_is_told_and_what_it_leaves_wrong_is_asked_about() -> None:
    truth = read_kingdoms(SAMPLES / "complete-5x5.jpg").kingdoms[0].kingdom
    grey = cv2.imread(str(SAMPLES / "complete-5x5.jpg"), cv2.IMREAD_GRAYSCALE)
    rgb = np.asarray(cv2.cvtColor(np.asarray(grey), cv2.COLOR_GRAY2RGB), np.uint8)
    (kingdom,) = read_kingdoms(rgb, anyway=True).kingdoms
    assert "grey" in kingdom.warnings
    wrong = {place for place, square in kingdom.kingdom.items() if square != truth[place]}
    assert wrong
    assert wrong <= set(kingdom.doubtful)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("notation", "square_px", "turn_deg", "seed"),
    [("w w/c m1", 500, 2, 3), ("w w/c m1", 380, 10, 1), ("f f/c w1", 380, -15, 2)],
)
def test_a_castle_and_dominoes_that_fill_the_picture_are_read(
    notation: str, square_px: float, turn_deg: float, seed: int
) -> None:
    view = SceneView(
        width=1600, height=1100, square_px=square_px, tilt_deg=4, turn_deg=turn_deg, surface="stone"
    )
    near = render_scene(Kingdom.parse(notation), view, np.random.default_rng(seed)).rgb
    bgr = cv2.cvtColor(near, cv2.COLOR_RGB2BGR)
    reading = read_kingdoms(cv2.imencode(".jpg", bgr)[1].tobytes())
    assert str(reading.kingdoms[0].kingdom) == notation


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
    view = SceneView(width=2400, height=1800, square_px=247, tilt_deg=0, turn_deg=0)
    kingdom = Kingdom.parse("w w f/f c f/w l l")
    scene = render_scene(kingdom, view, np.random.default_rng(5))
    rgb = np.ascontiguousarray(scene.rgb)
    reduced = read_kingdoms(rgb).kingdoms[0]
    halved = np.asarray(cv2.resize(rgb, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    plain = read_kingdoms(np.asarray(halved, np.uint8)).kingdoms[0]
    # The same view at half the size: pixel x of the small one is pixel 2 x + 0.5 of the large one.
    np.testing.assert_allclose(reduced.corners, 2 * plain.corners + 0.5, atol=0.1)


@pytest.mark.parametrize("is_framed", [False, True])
def test_squares_are_named_by_the_light_that_they_share(is_framed: bool) -> None:
    photo, weights = decode(SAMPLES / "warm-lamp.jpg"), default_reader().weights
    corners = default_reader().read(photo).kingdoms[0].corners.tolist()
    found = []
    for weight in (0.0, weights.light.weight):
        own = Reader(replace(weights, light=replace(weights.light, weight=weight)))
        read = own.read_frame(photo, corners, 5, 5) if is_framed else own.read(photo).kingdoms[0]
        assert read.probabilities is not None
        found.append(read.probabilities)
    assert np.abs(found[0] - found[1]).max() > 1e-4


def test_a_reader_has_weights_and_settings_of_its_own() -> None:
    weights = default_reader().weights
    never_sure = replace(weights, doubt=replace(weights.doubt, bound=1.1))
    strict = Reader(never_sure, ReadSettings(sure_colour=1.1, judge=WITHOUT_BOX))
    flagged = strict.read(SAMPLES / "complete-5x5.jpg").kingdoms[0].doubtful
    assert len(flagged) == 25
    # Most of them the box leaves no other label.
    assert 0 < len(Reader(never_sure).read(SAMPLES / "complete-5x5.jpg").kingdoms[0].doubtful) < 5
    assert len(read_kingdoms(SAMPLES / "complete-5x5.jpg").kingdoms[0].doubtful) < 5
    assert default_reader() is default_reader()
    named, unnamed = (
        read_kingdoms(SAMPLES / "complete-5x5.jpg", settings).kingdoms[0].castle_colour
        for settings in (None, strict.settings)
    )
    assert named
    assert not unnamed


def test_loading_the_shared_reader_lets_freed_memory_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[int] = []
    monkeypatch.setattr(reader, "keep_freed_memory", lambda: told.append(1))
    assert isinstance(unwrap(reader.default_reader)(), Reader)
    assert told == [1]


def test_colours_are_made_ready_before_a_photograph_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[int] = []
    monkeypatch.setattr(reader, "fill_colour_tables", lambda: told.append(1))
    with pytest.raises(PhotoError):
        read_kingdoms(b"no picture")
    assert told == [1]


@pytest.mark.parametrize("seed", [4, 5, 8])
def test_drawn_dominoes_of_age_of_giants_are_read_whether_it_is_played_or_not(seed: int) -> None:
    drawn = Kingdom.parse("l2 g1 w l f/f f c w w/g w w2 f1 f/l l f2 l1 f")
    view = SceneView(width=640, height=560, square_px=80.0)
    rgb = render_scene(drawn, view, np.random.default_rng(seed)).rgb
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


@pytest.mark.parametrize(
    ("seen", "passes"),
    [
        (Pass(), 1),
        (Pass(squareness=0.5), 3),
        (Pass(squareness=0.499), 1),
        (Pass(found_squares=20, squareness=0.3), 2),
        (Pass(found_squares=9, squareness=0.65), 3),
    ],
)
def test_what_looks_like_no_squares_is_searched_from_far_away_at_most(
    seen: Pass, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few squares that fill the picture look like many."""
    sides: list[int] = []

    def noted(photo: Photo, weights: Weights, settings: ReadSettings, *_: Any) -> Pass:
        sides.append(settings.locate.long_side_px)
        return seen

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", noted)
    with pytest.raises(PhotoError, match="no_kingdom"):
        Reader().read(np.full((600, 800, 3), (150, 140, 120), np.uint8))
    assert sides == {1: [512], 2: [512, 205], 3: [512, 768, 205]}[passes]


def is_flat(given: Sequence[Any]) -> bool:
    """Whether ``run_pass`` is asked by this to look at the table from above."""
    return len(given) > 4 and given[4] is not None


@pytest.fixture
def from_above(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each pass was one over the table as it looks from above."""
    looked: list[bool] = []

    def noted(*given: Any) -> Pass:
        looked.append(is_flat(given))
        return run_pass(*given)

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", noted)
    return looked


def reader_from(slanted: float) -> Reader:
    """A reader that sees tables of such a slant from above at first."""
    return Reader(settings=ReadSettings(choose=ChooseSettings(slanted=slanted)))


@pytest.mark.parametrize("is_steep", [False, True])
def test_a_leaning_photograph_without_a_doubt_is_read_once_and_from_above_if_steep(
    is_steep: bool, from_above: list[bool]
) -> None:
    reader_from(1.25 if is_steep else 1.6).read(SAMPLES / "tilted.jpg")
    assert from_above == [is_steep]


@pytest.mark.parametrize(
    ("name", "slanted", "warnings", "doubtful", "passes"),
    [
        ("tilted", 1.25, (), 9, [True, False]),
        ("tilted", 1.6, (), 1, [False, True]),
        ("complete-5x5", 1.6, (), 1, [False]),
        ("complete-5x5", 1.6, ("cut_off",), 1, [False, True]),
        ("complete-5x5", 1.6, ("cut_off",), 0, [False]),
    ],
    ids=["steep and doubted", "leaning and asked about", "upright", "cut off", "nothing asked"],
)
def test_where_squares_are_asked_about_the_table_is_seen_from_above_if_it_leans_or_is_cut_off(
    name: str, slanted: float, warnings: tuple[str, ...], doubtful: int, passes: list[bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    looked: list[bool] = []

    def noted(*given: Any) -> Pass:
        looked.append(is_flat(given))
        seen = reading_of(1.0, doubtful if len(looked) == 1 else 0)
        return Pass((replace(seen, warnings=warnings),), found_squares=9, squareness=1.0)

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", noted)
    reader_from(slanted).read(SAMPLES / f"{name}.jpg")
    assert looked == passes


def test_of_a_steep_table_the_whole_in_doubt_counts_more_than_a_piece_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = reading_of(1.0, 5)
    row = whole.squares[0][:3]
    sure = tuple(replace(square, doubtful=False) for square in row)
    piece = KingdomReading(Kingdom.parse("c w f"), (sure,), whole.homography)

    def seen(*given: Any) -> Pass:
        return Pass((whole if is_flat(given) else piece,), found_squares=9, squareness=1.0)

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", seen)
    read = reader_from(1.25).read(SAMPLES / "tilted.jpg")
    assert read.kingdoms[0].kingdom == whole.kingdom


def test_what_looks_like_no_squares_beside_a_kingdom_is_told_and_not_searched_for_again(
    from_above: list[bool],
) -> None:
    shown, other = (decode(SAMPLES / f"{name}.jpg").rgb for name in ("complete-5x5", "duel-7x7"))
    alone = Reader().read(shown)
    # Nine pictures side by side, as large as squares, as a telephone shows them.
    pitch, side = 145, 127
    table = np.median(shown.reshape(-1, 3), 0).astype(np.uint8)
    wide = np.full((shown.shape[0], shown.shape[1] + 5 * pitch, 3), table)
    wide[:, : shown.shape[1]] = shown
    for row, column in np.ndindex(3, 3):
        top, left = 40 + row * pitch, shown.shape[1] + (column + 1) * pitch
        small = cv2.resize(other, (side, side), interpolation=cv2.INTER_AREA)
        wide[top : top + side, left : left + side] = small
    from_above.clear()
    read = Reader().read(wide)
    assert [str(each.kingdom) for each in read.kingdoms] == [str(alone.kingdoms[0].kingdom)]
    assert read.warnings == ("other_squares",)
    assert from_above == [False]


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
    dark, bright = reading_of(1.0, 1), reading_of(1.0, 0)
    squares = dark.by_position
    dark = dark.with_squares({**squares, (2, 2): replace(squares[2, 2], label="f")})
    shown: list[Pass] = []
    looked: list[Pass] = []

    def noted(*_: Any) -> Pass:
        looked.append(shown.pop(0) if len(shown) > 1 else shown[0])
        return looked[-1]

    def read() -> KingdomReading:
        picture = np.full((600, 800, 3), (40, 35, 30), np.uint8)
        return Reader().read(picture).kingdoms[0]

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", noted)
    first = Pass((dark,), found_squares=9, squareness=1.0)
    shown[:] = [first, replace(first, kingdoms=(bright,))]
    assert (read().kingdom, read().next_best) == (bright.kingdom, None)
    shown[:] = [first, Pass(found_squares=9, squareness=1.0)]
    looked.clear()
    assert read().kingdom == dark.kingdom
    # However sure the dark picture is, the bright one is looked at closer and from far away.
    assert len(looked) == 4


@pytest.mark.parametrize(("found", "passes"), [(9, 1), (11, 2)])
def test_a_dim_photograph_is_brightened_where_squares_were_left_out(
    found: int, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Pass((reading_of(1.0, 0),), found_squares=found, squareness=1.0)
    looked: list[float] = []

    def noted(photo: Photo, *_: Any) -> Pass:
        looked.append(float(photo.rgb.mean()))
        return seen

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", noted)
    read = Reader().read(np.full((600, 800, 3), (40, 35, 30), np.uint8)).kingdoms[0]
    assert len(looked) == passes
    assert (max(looked) > 100) is (passes == 2)
    assert "dark" in read.warnings


def reading_of(low: float, doubtful: int) -> KingdomReading:
    """A kingdom of nine squares and three empty cells, ``low`` times as wide as high."""
    kingdom = Kingdom.parse("c w f ./l s g ./w1 f l .")
    labels = iter(range(12))
    squares = tuple(
        tuple(SquareReading(str(square), 0.99, None, next(labels) < doubtful) for square in row)
        for row in kingdom.rows
    )
    view = np.diag([60 * low, 60.0, 1.0])
    return KingdomReading(kingdom, squares, view)


def read_as(
    kingdom: KingdomReading, monkeypatch: pytest.MonkeyPatch, found: int = 9
) -> KingdomReading:
    """What the reader makes of a picture in which every pass sees this kingdom."""
    seen = Pass((kingdom,), found_squares=found, squareness=1.0)
    monkeypatch.setattr("vision.kingdomino.reader.run_pass", lambda *_: seen)
    picture = np.full((600, 800, 3), (150, 140, 120), np.uint8)
    return Reader().read(picture).kingdoms[0]


@pytest.mark.parametrize(
    ("found", "doubtful", "refused"), [(9, 4, False), (14, 5, True), (13, 5, False), (14, 0, False)]
)
def test_a_kingdom_in_doubt_of_which_much_was_left_out_is_refused(
    found: int, doubtful: int, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kingdom = reading_of(1.0, doubtful)
    if refused:
        with pytest.raises(PhotoError, match="no_kingdom"):
            read_as(kingdom, monkeypatch, found)
    else:
        assert read_as(kingdom, monkeypatch, found).kingdom == kingdom.kingdom


def test_a_fragment_beside_a_kingdom_is_shown_with_its_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sure, fragment = reading_of(1.0, 0), reading_of(1.0, 5)
    both = Pass((sure, fragment), found_squares=30, squareness=1.0)
    monkeypatch.setattr("vision.kingdomino.reader.run_pass", lambda *_: both)
    picture = np.full((600, 800, 3), (150, 140, 120), np.uint8)
    assert [len(each.doubtful) for each in Reader().read(picture).kingdoms] == [0, 5]


@pytest.mark.parametrize(("name", "told"), [("complete-5x5", ()), ("begun", ("hidden",))])
def test_what_covers_the_table_is_told_beside_a_kingdom_that_may_go_on(
    name: str, told: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_covered(found: object, lattice: object, asked: Iterable[Position]) -> set[Position]:
        return set(asked)

    monkeypatch.setattr("vision.kingdomino.passes.cells.find_covered", all_covered)
    assert read_kingdoms(SAMPLES / f"{name}.jpg").kingdoms[0].warnings == told


Floats = NDArray[np.float32]


def large_photograph(orientation: int) -> bytes:
    """A sample enlarged to twelve megapixels, stored as a phone held in that way does."""
    picture = Image.open(SAMPLES / "complete-5x5.jpg").convert("RGB").resize((4003, 3001))
    undone = {1: None, 6: Image.Transpose.ROTATE_90, 3: Image.Transpose.ROTATE_180}[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = io.BytesIO()
    stored = picture if undone is None else picture.transpose(undone)
    stored.save(buffer, "JPEG", quality=85, exif=exif)
    return buffer.getvalue()


@pytest.mark.parametrize("orientation", [1, 6, 3])
def test_two_threads_decode_twice_and_read_what_one_reads(
    orientation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    factors: list[int] = []

    def counted(header: Header, factor: int) -> Any:
        factors.append(factor)
        return decode_reduced(header, factor)

    monkeypatch.setattr("vision.photo.decoding.decode_reduced", counted)
    data = large_photograph(orientation)
    before, readings = cv2.getNumThreads(), []
    try:
        for threads in (2, 1):
            cv2.setNumThreads(threads)
            readings.append(Reader().read(data))
    finally:
        cv2.setNumThreads(before)
    assert factors.count(8) == 1
    (one,), (other,) = (reading.kingdoms for reading in readings)
    (decoded,) = read_kingdoms(decode(data)).kingdoms
    # Eight pixels are one of those that are searched. A photo that is decoded tells no more in
    # which blocks it was stored, so it is made smaller by others.
    for another, most_px in ((other, 3.0), (decoded, 3.0 if orientation == 1 else 8.0)):
        assert str(another.kingdom) == str(one.kingdom)
        assert another.warnings == one.warnings
        # A square may lie just above or just below the bound of a flag.
        assert len({*another.doubtful} ^ {*one.doubtful}) < 2
        np.testing.assert_allclose(another.corners, one.corners, atol=most_px)
    small = read_kingdoms(SAMPLES / "complete-5x5.jpg").kingdoms[0]
    assert str(one.kingdom) == str(small.kingdom)
    np.testing.assert_allclose(one.corners, (small.corners + 0.5) * 2.501 - 0.5, atol=6)


def test_what_is_small_is_searched_itself() -> None:
    locator: Any = Counted(default_reader().weights.locator)
    weights, clock = replace(default_reader().weights, quick=None, locator=locator), Clock()
    path = SAMPLES / "complete-5x5.jpg"
    for source in (path, path.read_bytes(), decode(path), decode(path).rgb):
        photo, is_dim, found = decode_and_search(source, weights, ReadSettings(), clock)
        assert (photo.width, is_dim, len(found.lattices[0].members)) == (1600, False, 25)
    assert locator.runs == 4
    assert list(clock.seconds) == ["decode", "locate"]


def test_a_large_picture_of_another_kind_is_searched_in_a_preview_too() -> None:
    weights, clock = default_reader().weights, Clock()
    rgb = np.asarray(Image.open(SAMPLES / "complete-5x5.jpg").convert("RGB").resize((3600, 2700)))
    photo, _, found = decode_and_search(rgb, weights, ReadSettings(), clock)
    assert photo.rgb.shape == (1350, 1800, 3)
    middles = found.detections.centres[found.detections.scores > 0.5]
    assert len(middles) >= 20
    assert (middles > 100).all()
    assert (middles < (1700, 1300)).all()


def test_a_truncated_photograph_keeps_its_code() -> None:
    data = large_photograph(1)
    with pytest.raises(PhotoError, match="truncated"):
        read_kingdoms(data[: len(data) // 2])


class Counted:
    """A network that counts its runs, and may be shown other pictures than it is given."""

    runs_in_8_bits = True

    def __init__(self, network: Network, shown: Callable[[Floats], Floats] = np.asarray) -> None:
        self.network, self.shown, self.runs = network, shown, 0

    def __call__(self, batch: Floats) -> Floats:
        self.runs += 1
        return self.network(self.shown(batch))


def counting_reader(shown: Callable[[Floats], Floats] = np.asarray) -> tuple[Reader, Any, Any]:
    """A reader whose quick locator is ``shown`` something else, with both locators."""
    weights = default_reader().weights
    if weights.quick is None or not weights.quick.runs_in_8_bits:
        pytest.skip("the locator in 8 bits needs ONNX Runtime")
    quick: Any = Counted(weights.quick, shown)
    locator: Any = Counted(weights.locator)
    return Reader(replace(weights, quick=quick, locator=locator)), quick, locator


def test_one_sure_kingdom_is_found_by_the_quick_search_alone() -> None:
    reader, quick, locator = counting_reader()
    (kingdom,) = reader.read(SAMPLES / "complete-5x5.jpg").kingdoms
    assert (quick.runs, locator.runs) == (1, 0)
    exact = replace(default_reader().weights, quick=None)
    (other,) = Reader(exact).read(SAMPLES / "complete-5x5.jpg").kingdoms
    assert str(kingdom.kingdom) == str(other.kingdom)
    assert kingdom.doubtful == other.doubtful
    np.testing.assert_allclose(kingdom.corners, other.corners, atol=3)


def small_kingdom() -> NDArray[np.uint8]:
    """A sample in the middle of a larger table, so that its squares are small."""
    sample = np.asarray(Image.open(SAMPLES / "complete-5x5.jpg").convert("RGB").resize((800, 600)))
    table = np.full((1200, 1600, 3), sample[:20].mean((0, 1)), np.uint8)
    table[300:900, 400:1200] = sample
    return table


def test_small_squares_are_searched_closer_in_8_bits_too() -> None:
    reader, quick, locator = counting_reader()
    (kingdom,) = reader.read(small_kingdom()).kingdoms
    assert (quick.runs, locator.runs) == (2, 0)
    exact = replace(default_reader().weights, quick=None)
    (other,) = Reader(exact).read(small_kingdom()).kingdoms
    assert str(kingdom.kingdom) == str(other.kingdom)


def with_a_stray_square() -> NDArray[np.uint8]:
    """A kingdom of seven squares, and one of them once more, far from it."""
    rgb = np.array(Image.open(SAMPLES / "begun.jpg").convert("RGB"))
    (kingdom,) = default_reader().read(rgb).kingdoms
    place = next(p for p, square in kingdom.by_position.items() if square.label not in ".c")
    left, top = np.floor(kingdom.square_corners(place).min(0)).astype(int)
    right, bottom = np.ceil(kingdom.square_corners(place).max(0)).astype(int)
    square = rgb[top:bottom, left:right].copy()
    rgb[-10 - len(square) : -10, -10 - square.shape[1] : -10] = square
    return rgb


@pytest.mark.parametrize(("stray_share", "is_enough"), [(1 / 7, True), (0.1, False)])
def test_a_stray_square_calls_for_no_second_search(stray_share: float, is_enough: bool) -> None:
    reader, _, locator = counting_reader()
    locating = replace(reader.settings.locate, stray_share=stray_share)
    Reader(reader.weights, replace(reader.settings, locate=locating)).read(with_a_stray_square())
    assert (locator.runs == 0) == is_enough


def two_pieces(batch: Floats) -> Floats:
    """The picture with a strip of the table across its middle."""
    parted = batch.copy()
    parted[:, :, batch.shape[2] // 2 - 20 : batch.shape[2] // 2 + 20] = batch[:, :, :4, :4].mean()
    return parted


@pytest.mark.parametrize(("shown", "bound"), [(two_pieces, 0.5), (np.asarray, 1.1)])
def test_what_the_quick_search_leaves_in_doubt_is_searched_in_full_precision(
    shown: Callable[[Floats], Floats], bound: float
) -> None:
    """It lies in pieces, or a person would be asked about its squares."""
    reader, quick, locator = counting_reader(shown)
    doubt = replace(reader.weights.doubt, bound=bound)
    settings = replace(reader.settings, judge=WITHOUT_BOX)
    reader = Reader(replace(reader.weights, doubt=doubt), settings)
    (kingdom,) = reader.read(SAMPLES / "complete-5x5.jpg").kingdoms
    assert quick.runs == 1
    assert locator.runs >= 1
    exact = replace(reader.weights, quick=None)
    (other,) = Reader(exact, settings).read(SAMPLES / "complete-5x5.jpg").kingdoms
    assert kingdom.kingdom == other.kingdom
    np.testing.assert_array_equal(kingdom.corners, other.corners)


def test_only_a_kingdom_of_one_piece_counts_as_found_quickly() -> None:
    path, clock = SAMPLES / "complete-5x5.jpg", Clock()
    for shown, counts in ((np.asarray, True), (two_pieces, False)):
        reader, _, locator = counting_reader(shown)
        decode_and_search(path, reader.weights, ReadSettings(), clock)
        assert (locator.runs == 0) == counts


def test_weights_are_not_made_ready_before_anything_is_read() -> None:
    weights = Weights.load()
    assert weights.quick is not None
    assert weights.quick._session is None
    assert weights.locator._session is None


def test_without_the_runtime_the_first_search_is_in_full_precision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    weights = Weights.load()
    locator: Any = Counted(weights.locator)
    path, counted = SAMPLES / "complete-5x5.jpg", replace(weights, locator=locator)
    decode_and_search(path, counted, ReadSettings(), Clock())
    assert locator.runs == 1


@pytest.mark.parametrize("name", sorted(sample_labels()))
def test_a_glance_shows_the_kingdoms_of_a_small_picture(name: str) -> None:
    photo = decode((sample_folder() / name).read_bytes(), PhotoSettings(target_long_side_px=640))
    found = default_reader().glance(photo).kingdoms
    label = sample_labels()[name]
    assert [str(each.kingdom) for each in found] == ([] if label is None else [str(label)])
    for each in found:
        assert (each.corners > -100).all()
        assert (each.corners < 1.1 * max(photo.width, photo.height)).all()


def test_a_glance_is_one_quick_look_whatever_there_is_to_see() -> None:
    reader, quick, locator = counting_reader()
    nothing = np.full((360, 480, 3), (150, 140, 120), np.uint8)
    assert reader.glance(Photo(nothing, 480, 360)).kingdoms == ()
    assert (quick.runs, locator.runs) == (1, 0)


def test_what_is_no_kingdom_is_read_on_request_with_the_expansion_too() -> None:
    strict = ReadSettings(choose=ChooseSettings(min_confidence=1.0))
    assert read_kingdoms(SAMPLES / "begun.jpg", strict, anyway=True, giants=True).kingdoms


def test_what_was_found_and_not_believed_is_told_as_other_squares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kingdom = reading_of(1.0, 0)
    unlikely = {p: replace(each, probability=0.3) for p, each in kingdom.by_position.items()}
    both = Pass((kingdom, kingdom.with_squares(unlikely)), found_squares=18, squareness=1.0)
    monkeypatch.setattr("vision.kingdomino.reader.run_pass", lambda *_: both)
    picture = np.full((600, 800, 3), (150, 140, 120), np.uint8)
    found = Reader().read(picture)
    assert (len(found.kingdoms), found.warnings) == (1, ("other_squares",))
    assert Reader().read(picture, anyway=True).warnings == ()


def test_settings_of_ones_own_keep_the_weights_that_are_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights = default_reader().weights
    never_sure = Reader(replace(weights, doubt=replace(weights.doubt, bound=1.1)))
    monkeypatch.setattr(reader, "default_reader", lambda: never_sure)
    read = read_kingdoms(SAMPLES / "complete-5x5.jpg", ReadSettings(judge=WITHOUT_BOX))
    assert len(read.kingdoms[0].doubtful) == 25


@pytest.mark.parametrize(("side_px", "sizes"), [(200.0, [512, 768, 205]), (300.0, [512, 341, 205])])
def test_how_large_squares_were_is_told_by_the_whole_photo_however_it_is_reduced(
    side_px: float, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_one = replace(reading_of(1.0, 9), homography=np.diag([side_px, side_px, 1.0]))
    searched: list[int] = []

    def noted(photo: Photo, weights: Weights, settings: ReadSettings, *_: Any) -> Pass:
        assert photo.scale == 0.5
        searched.append(settings.locate.long_side_px)
        return Pass((open_one,), found_squares=9, squareness=1.0)

    monkeypatch.setattr("vision.kingdomino.reader.run_pass", noted)
    Reader().read(np.full((2700, 3600, 3), (150, 140, 120), np.uint8))
    assert searched == sizes


def test_what_something_hides_is_looked_for_in_the_photograph_though_it_is_read_from_above(
    monkeypatch: pytest.MonkeyPatch, from_above: list[bool]
) -> None:
    looked_at: list[tuple[int, ...]] = []

    def noted(looks: CellLooks, *_: object) -> frozenset[Position]:
        looked_at.append(looks.rgb.shape)
        return frozenset()

    monkeypatch.setattr(doubt, "find_hidden_cells", noted)
    reader_from(1.25).read(SAMPLES / "tilted.jpg")
    assert from_above == [True]
    assert looked_at == [decode(SAMPLES / "tilted.jpg").rgb.shape]


def test_what_covers_a_kingdom_is_looked_for_where_its_squares_were_found(
    monkeypatch: pytest.MonkeyPatch, from_above: list[bool]
) -> None:
    def noted(found: Detections, lattice: Lattice, _: Iterable[Position]) -> set[Position]:
        seen = found.centres[[*lattice.members.values()]]
        off = lattice.points(middles_of(lattice.members)) - seen
        assert np.abs(off).max() < 0.3 * np.abs(found.edges).max()
        return set()

    monkeypatch.setattr("vision.kingdomino.passes.cells.find_covered", noted)
    reader_from(1.25).read(SAMPLES / "tilted.jpg")
    assert from_above == [True]


def test_several_photographs_are_read_on_request_too() -> None:
    path, strict = SAMPLES / "begun.jpg", ReadSettings(choose=ChooseSettings(min_confidence=1.0))
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_kingdoms([path], strict)
    assert read_kingdoms([path], strict, anyway=True).kingdoms


def test_of_several_photographs_that_cannot_be_read_the_first_says_why() -> None:
    nothing = np.full((300, 300, 3), 128, np.uint8)
    both: list[Source] = [nothing, b"x"]
    for sources, code in ((both, "no_kingdom"), (both[::-1], "not_a_picture")):
        with pytest.raises(PhotoError) as refused:
            Reader().read(sources)
        assert refused.value.code == code


def read_two(
    seen: KingdomReading, settings: ReadSettings, monkeypatch: pytest.MonkeyPatch, **how: bool
) -> list[KingdomReading]:
    """What is made of two photographs that both show this kingdom."""
    both = Pass((seen,), found_squares=9, squareness=1.0)
    monkeypatch.setattr("vision.kingdomino.reader.run_pass", lambda *_: both)
    pictures = [np.full((600, width, 3), (150, 140, 120), np.uint8) for width in (800, 801)]
    return list(Reader(settings=settings).read(pictures, **how).kingdoms)


@pytest.mark.parametrize(("same", "photos"), [(10.0, [(0, 1)]), (1e9, [(0,), (1,)])])
def test_a_reader_puts_photographs_together_by_its_own_settings(
    same: float, photos: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ReadSettings(together=TogetherSettings(same=same))
    found = read_two(reading_of(1.0, 0), settings, monkeypatch)
    assert [each.photos for each in found] == photos


@pytest.mark.parametrize(("giants", "label"), [(False, "w1"), (True, "w2")])
def test_photographs_are_put_together_with_the_box_that_is_played(
    giants: bool, label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kingdom = reading_of(1.0, 0)
    squares = kingdom.by_position
    of_giants = {
        (2, 0): replace(squares[2, 0], label="."),
        (2, 1): replace(squares[2, 1], label="f1"),
    }
    of_giants[2, 2] = replace(squares[2, 2], label="w2")
    seen = kingdom.with_squares({**squares, **of_giants})
    (found,) = read_two(seen, ReadSettings(), monkeypatch, giants=giants)
    assert found.squares[2][2].label == label


@pytest.mark.parametrize(("giants", "label"), [(False, "l1"), (True, "l2")])
def test_a_frame_is_read_with_the_box_that_is_played(giants: bool, label: str) -> None:
    drawn = Kingdom.parse("l2 g1 w l f/f f c w w/g w w2 f1 f/l l f2 l1 f")
    view = SceneView(width=640, height=560, square_px=80.0)
    rgb = render_scene(drawn, view, np.random.default_rng(4)).rgb
    corners = read_kingdoms(rgb).kingdoms[0].corners.tolist()
    own = default_reader().with_giants() if giants else default_reader()
    assert own.read_frame(rgb, corners, 4, 5).squares[0][0].label == label


def test_no_file_is_read_that_is_larger_than_a_reader_takes() -> None:
    strict, path = ReadSettings(photo=PhotoSettings(max_file_bytes=1000)), SAMPLES / "begun.jpg"
    with pytest.raises(PhotoError, match="too_many_bytes"):
        read_kingdoms(path, strict)
    with pytest.raises(PhotoError, match="too_many_bytes"):
        Reader(settings=strict).read_frame(path, [(0, 0), (9, 0), (9, 9), (0, 9)], 1, 1)
