"""Two threads decode and search at once, and find what one finds."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.common.clock import Clock
from vision.kingdomino.first_search import decode_and_search
from vision.kingdomino.reader import Reader, default_reader, read_kingdoms
from vision.kingdomino.settings import ReadSettings
from vision.photo import PhotoError, decode
from vision.photo.bounds import Header
from vision.photo.decoding import decode_reduced

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
    locator, clock = default_reader().weights.locator, Clock()
    path = SAMPLES / "complete-5x5.jpg"
    for source in (path, path.read_bytes(), decode(path), decode(path).rgb):
        photo, dim, found = decode_and_search(source, locator, ReadSettings(), clock)
        assert (photo.width, dim, found) == (1600, False, None)
    assert list(clock.seconds) == ["decode", "locate"]


def test_a_large_picture_of_another_kind_is_searched_in_a_preview_too() -> None:
    locator, clock = default_reader().weights.locator, Clock()
    rgb = np.asarray(Image.open(SAMPLES / "complete-5x5.jpg").convert("RGB").resize((3600, 2700)))
    photo, _, found = decode_and_search(rgb, locator, ReadSettings(), clock)
    assert photo.rgb.shape == (1350, 1800, 3)
    assert found is not None
    middles = found.centres[found.scores > 0.5]
    assert len(middles) >= 20
    assert (middles > 100).all()
    assert (middles < (1700, 1300)).all()


def test_a_truncated_photograph_keeps_its_code() -> None:
    data = large_photograph(1)
    with pytest.raises(PhotoError, match="truncated"):
        read_kingdoms(data[: len(data) // 2])
