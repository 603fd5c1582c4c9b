"""Two decodings of one photograph: they show the same places, and are bounded together."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.common.network import start_beside
from vision.photo import Photo, PhotoError, PhotoSettings, decode, decoding
from vision.photo.decoding import Preview, decode_and_look, decode_reduced, shrink
from vision.photo.headers import Header, jpeg_header

# A quarter of what the reader takes, so that pictures of less than a megapixel do.
LONG_SIDE_PX = 128
SETTINGS = PhotoSettings(target_long_side_px=400)
# No side is a multiple of eight, so that the last pixels of a preview lie beyond the photo.
SIZE = (1003, 749)


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    yield
    cv2.setNumThreads(before)


def landscape(size: tuple[int, int] = SIZE) -> Image.Image:
    """Soft spots that differ everywhere, so that a pixel beside is another value."""
    rgb = np.random.default_rng(6).integers(0, 255, (size[1] // 40, size[0] // 40, 3), np.uint8)
    return Image.fromarray(rgb).resize(size, Image.Resampling.BICUBIC)


def jpeg(image: Image.Image, orientation: int = 1, **options: Any) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=90, exif=exif, **options)
    return buffer.getvalue()


def looked_at(
    data: bytes, settings: PhotoSettings = SETTINGS
) -> tuple[Photo, Preview | None, float]:
    looked = decode_and_look(data, LONG_SIDE_PX, lambda seen: seen, settings)
    return looked.photo, looked.found, looked.decode_s


def assert_shows_the_same_places(photo: Photo, seen: Preview) -> None:
    """Each pixel of the preview is the mean of those of the photo that it stands for."""
    step, (left, top) = seen.step, seen.corner
    assert seen.size == photo.rgb.shape[1::-1]
    height, width = seen.rgb.shape[:2]
    shown = photo.rgb[top : top + height * step, left : left + width * step]
    assert shown.shape == (height * step, width * step, 3)
    means = cv2.resize(shown, (width, height), interpolation=cv2.INTER_AREA)
    off = np.abs(means.astype(int) - seen.rgb.astype(int))
    assert off.mean() < 0.7
    # Those at the edge were made up beyond it when they were coded.
    assert off[1:-1, 1:-1].max() <= 5


@pytest.mark.parametrize("orientation", range(1, 9))
def test_both_decodings_show_the_same_places(orientation: int) -> None:
    photo, seen, decode_s = looked_at(jpeg(landscape(), orientation))
    assert seen is not None
    assert (photo.width, photo.height) == (SIZE if orientation < 5 else SIZE[::-1])
    assert (seen.step, max(seen.rgb.shape)) == (4, 125)
    assert 0 < decode_s < 60
    assert_shows_the_same_places(photo, seen)
    np.testing.assert_array_equal(photo.rgb, decode(jpeg(landscape(), orientation), SETTINGS).rgb)


@pytest.mark.parametrize("orientation", [1, 6])
def test_one_thread_looks_at_nearly_the_same_pixels(orientation: int) -> None:
    data = jpeg(landscape(), orientation)
    _, seen, _ = looked_at(data)
    cv2.setNumThreads(1)
    photo, small, _ = looked_at(data)
    assert seen is not None
    assert small is not None
    assert (small.step, small.size, small.corner) == (seen.step, seen.size, seen.corner)
    assert small.rgb.shape == seen.rgb.shape
    assert_shows_the_same_places(photo, small)
    assert np.abs(small.rgb.astype(int) - seen.rgb.astype(int)).mean() < 0.7


@pytest.mark.parametrize(
    ("size", "long_side_px"),
    [((1000, 750), 125), ((968, 648), 242), ((816, 612), 204), ((2016, 1512), 252)],
)
def test_the_preview_is_nearly_as_large_as_wanted_at_least(
    size: tuple[int, int], long_side_px: int
) -> None:
    photo, seen, _ = looked_at(jpeg(Image.new("RGB", size, "green")))
    small = shrink(photo, LONG_SIDE_PX, SETTINGS)
    assert seen is not None
    assert small is not None
    assert max(seen.rgb.shape) == max(small.rgb.shape) == long_side_px


def decodings(data: bytes, monkeypatch: pytest.MonkeyPatch, **bounds: Any) -> int:
    """How many decoders took part."""
    begun: list[object] = []

    def counted(*given: Any) -> Any:
        begun.append(given)
        return start_beside(*given)

    monkeypatch.setattr(decoding, "start_beside", counted)
    photo, seen, _ = looked_at(data, replace(SETTINGS, **bounds))
    assert seen is not None
    assert_shows_the_same_places(photo, seen)
    return 1 + len(begun)


def test_there_is_no_preview_of_what_is_small() -> None:
    photo, seen, _ = looked_at(jpeg(landscape((790, 500))))
    assert (photo.scale, seen, shrink(photo, LONG_SIDE_PX, SETTINGS)) == (1.0, None, None)
    photo = Photo(np.zeros((250, 333, 3), np.uint8), *SIZE)
    assert shrink(photo, LONG_SIDE_PX, SETTINGS) is None


def test_only_plain_jpegs_are_decoded_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    image, buffer = landscape(), io.BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    assert decodings(jpeg(image), monkeypatch) == 2
    for data in (jpeg(image, progressive=True), jpeg(image.convert("L")), buffer.getvalue()):
        assert decodings(data, monkeypatch) == 1


def test_pixels_are_looked_at_as_a_file_of_them_is() -> None:
    buffer, rgb = io.BytesIO(), np.asarray(landscape((1000, 752)))
    Image.fromarray(rgb).save(buffer, "PNG", compress_level=1)
    photo, seen, _ = looked_at(buffer.getvalue())
    looked = decode_and_look(rgb, LONG_SIDE_PX, lambda seen: seen, SETTINGS)
    assert seen is not None
    assert looked.found is not None
    assert (looked.photo.width, looked.photo.scale) == (photo.width, photo.scale)
    assert looked.found.rgb.shape == seen.rgb.shape
    assert np.abs(looked.found.rgb.astype(int) - seen.rgb.astype(int)).max() <= 2


def test_a_photo_whose_turn_never_came_is_decoded_by_who_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decoding, "start_beside", lambda _: Future())
    photo, seen, _ = looked_at(jpeg(landscape()))
    assert seen is not None
    assert_shows_the_same_places(photo, seen)


def test_both_decoders_together_stay_in_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    data = jpeg(landscape())
    header = jpeg_header(data)
    once_s, held = header.decoding_s, header.decoding_bytes
    file_bytes = len(data) + len(header.data)
    for bounds, expected in (
        ({"max_decoding_s": 2 * once_s}, 2),
        ({"max_decoding_s": 1.9 * once_s}, 1),
        ({"max_decoding_bytes": math.ceil(2 * held) + file_bytes}, 2),
        ({"max_decoding_bytes": math.ceil(1.9 * held) + file_bytes}, 1),
        # What is not ordinary is decoded in a process of its own.
        ({"ordinary_s": 0.9 * once_s}, 1),
    ):
        assert decodings(data, monkeypatch, **bounds) == expected


def test_what_is_out_of_bounds_is_refused_before_anything_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decoded: list[object] = []
    monkeypatch.setattr(cv2, "imdecode", lambda *given: decoded.append(given))
    data = jpeg(landscape((64, 48)))
    huge = data.replace((48).to_bytes(2) + (64).to_bytes(2), (20_000).to_bytes(2) * 2, 1)
    with pytest.raises(PhotoError, match="too_many_pixels"):
        looked_at(huge)
    with pytest.raises(PhotoError, match="too_complex"):
        looked_at(jpeg(landscape()), PhotoSettings(max_decoding_s=1e-6))
    assert decoded == []


def test_a_truncated_file_is_refused_as_by_decoding_alone() -> None:
    data = jpeg(landscape())
    for broken, code in ((data[: len(data) // 2], "truncated"), (b"", "empty_file")):
        for read in (looked_at, decode):
            with pytest.raises(PhotoError) as refused:
                read(broken)
            assert refused.value.code == code
    damaged = data[: len(data) // 2] + data[len(data) // 2 + 99 :]
    np.testing.assert_array_equal(looked_at(damaged)[0].rgb, decode(damaged, SETTINGS).rgb)


def test_an_error_in_decoding_comes_before_one_in_looking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise PhotoError("truncated", format="JPEG")

    data = jpeg(landscape())
    with pytest.raises(ZeroDivisionError):
        decode_and_look(data, LONG_SIDE_PX, lambda _: 1 // 0, SETTINGS)
    monkeypatch.setattr(decoding, "decode_checked", fail)
    with pytest.raises(PhotoError, match="truncated"):
        decode_and_look(data, LONG_SIDE_PX, lambda _: 1 // 0, SETTINGS)


def test_where_the_small_decoder_gives_nothing_the_photo_is_made_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none_of_the_preview(header: Header, factor: int) -> object:
        return None if factor == 8 else decode_reduced(header, factor)

    monkeypatch.setattr(decoding, "decode_reduced", none_of_the_preview)
    photo, seen, _ = looked_at(jpeg(landscape()))
    assert seen is not None
    assert_shows_the_same_places(photo, seen)


def test_a_preview_of_noise_is_the_mean_of_what_it_stands_for() -> None:
    rgb = np.random.default_rng(2).integers(0, 256, (300, 400, 3), np.uint8)
    settings = PhotoSettings(target_long_side_px=400)
    seen = shrink(Photo(rgb, 1600, 1200), 200, settings)
    assert seen is not None
    assert (seen.step, seen.size, seen.corner) == (2, (400, 300), (0, 0))
    means = rgb.reshape(150, 2, 200, 2, 3).mean((1, 3))
    np.testing.assert_allclose(seen.rgb, means, atol=0.51)
