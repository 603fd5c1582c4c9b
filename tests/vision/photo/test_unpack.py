"""What a decoder is asked and what it may answer: bounds to the pixel, refusals in full, bands."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from tests.vision.photo.attacks import png
from vision.photo import PhotoError, PhotoSettings, decode, decoding, headers, unpack
from vision.photo.decoding import understood
from vision.photo.headers import (
    Header,
    check_bounds,
    check_size,
    is_ordinary,
    jpeg_header,
    limits_of,
    picture_format,
    png_header,
)
from vision.photo.unpack import Limits, Refused, answered, exif_orientation, reduction

LIMITS = Limits(1600, 24, 2000, 400_000_000, 5.0)


def saved(image: Image.Image, name: str, **more: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, name, **more)
    return buffer.getvalue()


def told(call: object, *given: object) -> tuple[str, dict[str, object]]:
    """The code and the details of a refusal."""
    with pytest.raises((PhotoError, Refused)) as refused:
        call(*given)  # type: ignore[operator]
    assert isinstance(refused.value, PhotoError | Refused)
    return refused.value.code, refused.value.details


@pytest.mark.parametrize("name", ["WEBP", "AVIF"])
def test_a_picture_is_turned_by_its_xmp_too(name: str) -> None:
    data = saved(Image.new("RGB", (64, 48)), name, xmp=b'<x tiff:Orientation="6">')
    assert unpack.unpack(data, name, LIMITS).orientation == 6


def test_a_refusal_says_what_was_found_and_what_is_allowed() -> None:
    settings = PhotoSettings(min_side_px=10, max_side_px=100, max_decoding_s=0.5)
    check_size(10, 100, settings)
    sides = {"width": 9, "height": 100}
    assert told(check_size, 9, 100, settings) == ("too_small", {**sides, "limit": 10})
    sides = {"width": 10, "height": 101}
    assert told(check_size, 10, 101, settings) == ("too_many_pixels", {**sides, "limit": 100})
    slow = Header("PNG", 50, 50, 0, 0.6, b"")
    assert told(check_bounds, slow, 0, settings) == ("too_complex", {"format": "PNG"})
    large = Header("PNG", 50, 60, 1e9, 0.1, b"")
    expected = {"width": 50, "height": 60, "format": "PNG"}
    assert told(check_bounds, large, 0, settings) == ("too_many_pixels", expected)


@pytest.mark.parametrize(
    ("held", "seconds", "ordinary"), [(70, 0.5, True), (71, 0.5, False), (70, 0.51, False)]
)
def test_what_is_ordinary_ends_at_its_bound(held: int, seconds: float, ordinary: bool) -> None:
    settings = PhotoSettings(ordinary_bytes=100, ordinary_s=0.5)
    header = Header("JPEG", 64, 48, held, seconds, bytes(10))
    assert is_ordinary(header, 20, settings) is ordinary


def test_a_slower_machine_has_more_time_and_a_header_that_was_bounded_twice_as_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(headers, "slowness", lambda: 3.0)
    settings = PhotoSettings(1600, 24, 30_000, 1, 380, 2.0)
    assert limits_of(settings, None) == Limits(1600, 24, 30_000, 380, 6.0)
    header = Header("PNG", 64, 48, 0, 0, b"")
    assert limits_of(settings, header) == Limits(1600, 24, 30_000, 380, 12.0)


def test_what_decoding_takes_follows_from_pixels_bytes_and_scans() -> None:
    """The factors are measured; see the constants beside the headers."""
    image = Image.effect_noise((400, 300), 40)
    plain, grey = saved(image.convert("RGB"), "JPEG"), saved(image, "JPEG")
    for data in (plain, grey):
        header, pixels = jpeg_header(data), 400 * 300
        expected = headers._ONE_SCAN_NS * pixels + headers._ONE_SCAN_NS_PER_BYTE * len(header.data)
        assert header.decoding_s == pytest.approx(expected / 1e9)
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, "JPEG", progressive=True)
    header = jpeg_header(buffer.getvalue())
    scans = buffer.getvalue().count(b"\xff\xda")
    expected = (headers._SCANS_NS + headers._SCAN_NS * scans) * pixels
    expected += headers._SCANS_NS_PER_BYTE * len(header.data)
    assert header.decoding_s == pytest.approx(expected / 1e9)
    deep = png_header(png(64, 48, depth=16, colour=6))
    expected = (headers._PNG_NS + headers._PNG_NS_PER_UNPACKED_BYTE * 8) * 64 * 48
    expected += headers._PNG_NS_PER_BYTE * len(deep.data)
    assert deep.decoding_bytes == 5 * 64 * 48
    assert deep.decoding_s == pytest.approx(expected / 1e9)


@pytest.mark.parametrize("brand", headers._BRANDS)
def test_each_brand_of_its_family_is_known(brand: bytes) -> None:
    family = "AVIF" if brand.startswith(b"avi") else "HEIF"
    assert picture_format(b"\0\0\0\x18ftyp" + brand) == family


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"II*\0", "TIFF"),
        (b"MM\0*", "TIFF"),
        (b"%PDF-1.4", "PDF"),
        (b"8BPS", "Photoshop"),
        (b"\xff\x0a", "JPEG XL"),
        (b"\0\0\0\x0cJXL ", "JPEG XL"),
        (b"\0\0\0\x0cjP  ", "JPEG 2000"),
        (b"FUJIFILMCCD-RAW", "RAW"),
        (b"<svg xmlns", "SVG"),
        (b"\0\0\0\x18ftypM4V ", "M4V"),
        (b"\0\0\0\x18ftyp\xffq t", "qt"),
    ],
)
def test_what_people_try_as_well_is_refused_by_its_name(start: bytes, name: str) -> None:
    assert told(picture_format, start) == ("unsupported_format", {"format": name})


@pytest.mark.parametrize(
    "start",
    [
        b"RIFF\0\0\0\0WAVE",
        b"XXXX\0\0\0\0WEBP",
        b"BM\0\0\0\0\0\0\0\x01",
        b"XX\0\0\0\0\0\0\0\0",
        b"G",
    ],
)
def test_half_a_signature_is_none(start: bytes) -> None:
    assert told(picture_format, start) == ("not_a_picture", {})


@pytest.mark.parametrize(
    ("size", "factor"),
    [
        ((799, 600), 1),
        ((800, 600), 2),
        ((1599, 600), 2),
        ((1600, 600), 4),
        ((3200, 600), 8),
        ((600, 3200), 8),
        ((9000, 600), 8),
        ((3200, 192), 8),
        ((3200, 191), 4),
        ((3200, 95), 2),
        ((3200, 47), 1),
    ],
)
def test_how_many_times_smaller_a_picture_is_decoded(size: tuple[int, int], factor: int) -> None:
    assert reduction(*size, 400, 24) == factor


@pytest.mark.parametrize(
    ("size", "limits", "code", "limit"),
    [
        ((64, 48), replace(LIMITS, min_side_px=48), None, None),
        ((64, 48), replace(LIMITS, min_side_px=49), "too_small", 49),
        ((64, 48), replace(LIMITS, max_side_px=64), None, None),
        ((64, 48), replace(LIMITS, max_side_px=63), "too_many_pixels", 63),
    ],
)
def test_sides_are_bounded_once_more_by_what_the_decoder_finds(
    size: tuple[int, int], limits: Limits, code: str | None, limit: int | None
) -> None:
    data = saved(Image.new("RGB", size), "BMP")
    if code is None:
        assert unpack.unpack(data, "BMP", limits).size == size
        return
    expected = {"width": 64, "height": 48, "limit": limit}
    assert told(unpack.unpack, data, "BMP", limits) == (code, expected)


def test_the_least_that_pixels_take_is_bounded_but_for_what_is_decoded_by_rows() -> None:
    picture, exactly = Image.new("RGB", (64, 48)), replace(LIMITS, max_bytes=4 * 64 * 48)
    less = replace(exactly, max_bytes=exactly.max_bytes - 1)
    assert unpack.unpack(saved(picture, "BMP"), "BMP", exactly).size == (64, 48)
    assert told(unpack.unpack, saved(picture, "BMP"), "BMP", less)[0] == "too_many_pixels"
    assert unpack.unpack(saved(picture, "JPEG"), "JPEG", less).size == (64, 48)


@pytest.mark.parametrize(
    ("fault", "name", "many_px", "code"),
    [
        (MemoryError(), "BMP", 64 * 48, "too_many_pixels"),
        (MemoryError(), "BMP", 64 * 48 + 1, "too_complex"),
        (OSError("cannot allocate"), "BMP", 64 * 48 + 1, "too_complex"),
        (ValueError("Out of Memory"), "BMP", 1, "too_many_pixels"),
        (OSError("broken data stream"), "BMP", 1, "truncated"),
        (OSError("broken data stream"), "WEBP", 64 * 48, "too_many_pixels"),
        (OSError("broken data stream"), "WEBP", 64 * 48 + 1, "truncated"),
        (Image.DecompressionBombError("bomb"), "BMP", 10**9, "too_many_pixels"),
    ],
)
def test_what_a_decoder_raises_is_told_by_its_cause(
    fault: Exception, name: str, many_px: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise fault

    monkeypatch.setattr(unpack, "_MANY_PX", many_px)
    data = saved(Image.new("RGB", (64, 48)), name)
    monkeypatch.setattr(unpack, "_reduced", failing)
    assert told(unpack.unpack, data, name, LIMITS) == (code, {"format": name})


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "I;16", "L", "RGB"])
@pytest.mark.parametrize("target_px", [1000, 60, 30])
def test_a_picture_converted_in_bands_is_the_same(
    mode: str, target_px: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (91, 123, 4), np.uint8)
    image = Image.fromarray(noise)
    if mode == "I;16":
        image = Image.fromarray(noise.view(np.uint16)[..., 0].copy())
    elif mode != "RGBA":
        image = image.convert(mode)
    limits = Limits(target_px, 8, 2000, 400_000_000, 5.0)
    whole = unpack.unpack(saved(image, "PNG"), "PNG", limits)
    monkeypatch.setattr(unpack, "_BAND_PX", 700)
    banded = unpack.unpack(saved(image, "PNG"), "PNG", limits)
    np.testing.assert_array_equal(np.asarray(banded.image), np.asarray(whole.image))
    factor = reduction(123, 91, target_px, 8)
    assert whole.image.size == (-(-123 // factor), -(-91 // factor))
    assert (whole.size, whole.image.mode) == ((123, 91), "RGB")
    if mode == "RGB":
        expected = image.reduce(factor) if factor > 1 else image
        np.testing.assert_array_equal(np.asarray(whole.image), np.asarray(expected))


def test_the_program_answers_in_a_line_and_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", Image.MAX_IMAGE_PIXELS)
    picture = Image.effect_noise((64, 48), 50).convert("RGB")
    limits = replace(LIMITS, max_bytes=80_000)
    line, pixels = answered(saved(picture, "BMP"), "BMP", limits)
    assert Image.MAX_IMAGE_PIXELS == 80_000 // 4 // 2 + 1
    assert json.loads(line) == {"reduced": [64, 48], "size": [64, 48], "orientation": 1}
    assert line.endswith(b"\n")
    assert pixels == picture.tobytes()
    found = understood(0, line + pixels, "BMP")
    assert (found.image.tobytes(), found.size, found.orientation) == (pixels, (64, 48), 1)
    line, pixels = answered(saved(picture, "BMP")[:-9], "BMP", limits)
    assert (json.loads(line), pixels) == ({"code": "truncated", "details": {"format": "BMP"}}, b"")
    assert told(understood, 0, line, "BMP") == ("truncated", {"format": "BMP"})

    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(unpack, "unpack", full)
    line, _ = answered(b"", "WEBP", limits)
    assert json.loads(line) == {"code": "too_complex", "details": {"format": "WEBP"}}


@pytest.mark.parametrize(("mode", "stored"), [("I;16", b"\1\xc8"), ("I;16B", b"\xc8\1")])
def test_the_higher_byte_of_sixteen_bits_counts(mode: str, stored: bytes) -> None:
    picture = unpack._eight_bit_rgb(Image.frombytes(mode, (1, 1), stored), 1)
    assert picture.getpixel((0, 0)) == (200, 200, 200)


def test_a_decoder_that_was_ended_is_told_with_its_signal() -> None:
    expected = ("too_complex", {"format": "AVIF", "signal": 11})
    assert told(understood, -11, b"", "AVIF") == expected
    assert told(understood, 0, b'{"size": 1}', "AVIF")[1] == {"format": "AVIF", "signal": 0}


@pytest.mark.parametrize("picture_format", ["WEBP", "AVIF"])
def test_what_the_decoder_leaves_as_stored_is_told(picture_format: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48)).save(buffer, picture_format, exif=exif)
    assert unpack.unpack(buffer.getvalue(), picture_format, LIMITS).orientation == 6
    bare = saved(Image.new("RGB", (64, 48)), picture_format)
    assert unpack.unpack(bare, picture_format, LIMITS).orientation == 1


def entry(tag: int, kind: int, value: bytes) -> bytes:
    return tag.to_bytes(2, "little") + kind.to_bytes(2, "little") + b"\1\0\0\0" + value


@pytest.mark.parametrize(
    ("entries", "orientation"),
    [
        ([entry(0x0112, 1, b"\6\xff\0\0")], 6),
        ([entry(0x0112, 3, b"\6\0\xff\0")], 6),
        ([entry(0x0112, 4, b"\6\0\0\0")], 6),
        ([entry(0x0112, 2, b"\6\0\0\0")], 1),
        ([entry(0x0113, 3, b"\6\0\0\0")], 1),
        ([entry(0x0113, 3, b"\5\0\0\0"), entry(0x0112, 3, b"\6\0\0\0")], 6),
        ([entry(0x0112, 3, b"\x08\0\0\0")], 8),
        ([entry(0x0112, 3, b"\6\0\0\0"), entry(0x0112, 3, b"\x08\0\0\0")], 6),
    ],
)
def test_the_first_entry_of_its_tag_and_of_a_whole_number_counts(
    entries: list[bytes], orientation: int
) -> None:
    directory = len(entries).to_bytes(2, "little") + b"".join(entries)
    for gap in (b"", b"between"):
        start = (8 + len(gap)).to_bytes(4, "little")
        assert exif_orientation(b"Exif\0\0II*\0" + start + gap + directory) == orientation
    fewer = (len(entries) - 1).to_bytes(2, "little") + directory[2:]
    expected = orientation if len(entries) > 1 and entries[0][:2] == b"\x12\x01" else 1
    assert exif_orientation(b"II*\0\x08\0\0\0" + fewer) == expected
    assert exif_orientation(b"II+\0\x08\0\0\0" + directory) == 1


@pytest.mark.parametrize(
    ("words", "raised"),
    [("Failed to allocate 9 bytes", MemoryError), ("bad marker", PhotoError)],
)
def test_where_opencv_lacks_memory_it_is_not_the_picture_that_is_at_fault(
    words: str, raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise cv2.error(words)

    monkeypatch.setattr(decoding, "_decoded_by_opencv", failing)
    with pytest.raises(raised) as refused:
        decode(saved(Image.new("RGB", (64, 48)), "JPEG"))
    if isinstance(refused.value, PhotoError):
        assert (refused.value.code, refused.value.details) == ("truncated", {"format": "JPEG"})


def test_a_jpeg_is_reduced_while_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a whole it would be held in memory first."""
    asked: list[tuple[int, int]] = []
    draft = JpegImageFile.draft

    def noted(self: JpegImageFile, mode: str | None, size: tuple[int, int]) -> object:
        asked.append(size)
        return draft(self, mode, size)

    monkeypatch.setattr(JpegImageFile, "draft", noted)
    found = unpack.unpack(
        saved(Image.new("L", (900, 640)), "JPEG"), "JPEG", replace(LIMITS, target_long_side_px=200)
    )
    assert asked == [(225, 160)]
    assert (found.image.size, found.size, found.image.mode) == ((225, 160), (900, 640), "RGB")
