"""Two threads decode and search at once, and find what one finds."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.common.network import Network
from vision.common.runtime import Clock
from vision.kingdomino.reader import Reader, decode_and_search, default_reader, read_kingdoms
from vision.kingdomino.settings import ReadSettings
from vision.kingdomino.weights import Weights
from vision.photo import PhotoError, decode
from vision.photo.bounds import Header
from vision.photo.decoding import decode_reduced

Floats = NDArray[np.float32]

SAMPLES = Path(__file__).parents[3] / "sample_images"


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

    monkeypatch.setattr("vision.photo.preview.decode_reduced", counted)
    data = large_photograph(orientation)
    before, readings = cv2.getNumThreads(), []
    try:
        for threads in (2, 1):
            cv2.setNumThreads(threads)
            readings.append(Reader().read(data))
    finally:
        cv2.setNumThreads(before)
    assert factors == [8]
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


def test_what_is_small_is_left_to_be_searched_itself() -> None:
    weights, clock = replace(default_reader().weights, quick=None), Clock()
    path = SAMPLES / "complete-5x5.jpg"
    for source in (path, path.read_bytes(), decode(path), decode(path).rgb):
        look = decode_and_search(source, weights, ReadSettings(), clock)
        assert (look.photo.width, look.is_dim, look.found) == (1600, False, None)
        assert not look.searched_quickly
    assert list(clock.seconds) == ["decode", "locate"]


def test_a_large_picture_of_another_kind_is_searched_in_a_preview_too() -> None:
    weights, clock = default_reader().weights, Clock()
    rgb = np.asarray(Image.open(SAMPLES / "complete-5x5.jpg").convert("RGB").resize((3600, 2700)))
    look = decode_and_search(rgb, weights, ReadSettings(), clock)
    assert look.photo.rgb.shape == (1350, 1800, 3)
    assert look.found is not None
    found = look.found
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


@pytest.mark.parametrize(("stray_share", "is_enough"), [(1 / 7, True), (0.1, False)])
def test_a_stray_square_calls_for_no_second_search(stray_share: float, is_enough: bool) -> None:
    reader, _, locator = counting_reader()
    locating = replace(reader.settings.locate, stray_share=stray_share)
    Reader(reader.weights, replace(reader.settings, locate=locating)).read(SAMPLES / "begun.jpg")
    assert (locator.runs == 0) == is_enough


def two_pieces(batch: Floats) -> Floats:
    """The picture with a strip of the table across its middle."""
    parted = batch.copy()
    parted[:, :, batch.shape[2] // 2 - 20 : batch.shape[2] // 2 + 20] = batch[:, :, :4, :4].mean()
    return parted


def blinded(batch: Floats) -> Floats:
    """The picture with hardly more of a kingdom than a corner."""
    seen = np.full_like(batch, batch[:, :, :4, :4].mean())
    middle = batch.shape[2] // 2, batch.shape[3] // 2
    seen[:, :, : middle[0], : middle[1]] = batch[:, :, : middle[0], : middle[1]]
    return seen


@pytest.mark.parametrize(("shown", "runs"), [(two_pieces, 1), (blinded, 2)])
def test_what_the_quick_search_leaves_in_doubt_is_searched_in_full_precision(
    shown: Callable[[Floats], Floats], runs: int
) -> None:
    reader, quick, locator = counting_reader(shown)
    (kingdom,) = reader.read(SAMPLES / "complete-5x5.jpg").kingdoms
    assert quick.runs == runs
    assert locator.runs >= 1
    exact = replace(default_reader().weights, quick=None)
    (other,) = Reader(exact).read(SAMPLES / "complete-5x5.jpg").kingdoms
    assert kingdom.kingdom == other.kingdom
    np.testing.assert_array_equal(kingdom.corners, other.corners)


def test_only_a_kingdom_of_one_piece_counts_as_found_quickly() -> None:
    path, clock = SAMPLES / "complete-5x5.jpg", Clock()
    for shown, counts in ((np.asarray, True), (two_pieces, False)):
        reader, _, _ = counting_reader(shown)
        look = decode_and_search(path, reader.weights, ReadSettings(), clock)
        assert (look.found is not None, look.searched_quickly) == (counts, counts)


def test_weights_are_not_made_ready_before_anything_is_read() -> None:
    weights = Weights.load()
    assert weights.quick is not None
    assert weights.quick._session is None
    assert weights.locator._session is None


def test_without_the_runtime_the_first_search_is_in_full_precision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    look = decode_and_search(SAMPLES / "complete-5x5.jpg", Weights.load(), ReadSettings(), Clock())
    assert (look.found, look.searched_quickly) == (None, False)
