"""The headers of JPEG and PNG."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.vision.photo.attacks import chunk, png
from vision.photo.errors import PhotoError
from vision.photo.headers import (
    JPEG_MAX_SCANS,
    JPEG_MAX_SEGMENTS,
    PNG_MAX_CHUNKS,
    jpeg_header,
    png_header,
)


def jpeg(mode: str = "RGB", size: tuple[int, int] = (50, 40), **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, "JPEG", **options)
    return buffer.getvalue()


def code_of(data: bytes) -> str:
    with pytest.raises(PhotoError) as refused:
        jpeg_header(data)
    assert refused.value.details == {"format": "JPEG"}
    return refused.value.code


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_baseline(mode: str) -> None:
    header = jpeg_header(jpeg(mode))
    assert (header.width, header.height, header.orientation) == (50, 40, 1)
    assert header.decoding_bytes == pytest.approx(1.2 * 2000)


@pytest.mark.parametrize(("mode", "components"), [("L", 3), ("RGB", 3), ("CMYK", 4)])
def test_several_scans_need_all_coefficients(mode: str, components: int) -> None:
    header = jpeg_header(jpeg(mode, progressive=True))
    assert header.decoding_bytes == pytest.approx(2.15 * components * 2000)


def test_a_baseline_file_of_several_scans_is_not_of_one() -> None:
    data = jpeg()
    scan = data.index(b"\xff\xda")
    single = data[: scan + 4] + b"\x01" + data[scan + 5 :]
    assert jpeg_header(single).decoding_bytes == pytest.approx(2.15 * 3 * 2000)


def test_each_scan_takes_time() -> None:
    data = jpeg(progressive=True)
    scan, end = data.rindex(b"\xff\xda"), len(data) - 2
    few, many = (data[:scan] + data[scan:end] * n + data[end:] for n in (1, 50))
    per_scan_ns = (jpeg_header(many).decoding_s - jpeg_header(few).decoding_s) * 1e9 / 49 / 2000
    assert per_scan_ns > 1
    assert (
        code_of(data[:scan] + data[scan:end] * (JPEG_MAX_SCANS + 1) + data[end:]) == "too_complex"
    )


def test_orientation() -> None:
    exif = Image.Exif()
    exif[0x0112] = 8
    data = jpeg(exif=exif)
    assert jpeg_header(data).orientation == 8
    start = data.index(b"\xff\xe1")
    end = start + 2 + int.from_bytes(data[start + 2 : start + 4])
    further = b"\xff\xe1" + (2 + 6 + 40).to_bytes(2) + b"Exif\0\0" + bytes(40)
    assert jpeg_header(data[:end] + further + data[end:]).orientation == 8


def test_the_decoder_is_given_the_picture_alone() -> None:
    exif = Image.Exif()
    exif[0x010F] = "camera" * 100
    plain = jpeg_header(jpeg(quality=80))
    around = jpeg(quality=80, exif=exif, icc_profile=bytes(9000), comment=b"hello")
    assert jpeg_header(around + jpeg()).data == plain.data == jpeg(quality=80)


def test_every_cut_is_truncated() -> None:
    data = jpeg()
    assert {code_of(data[:length]) for length in range(2, len(data))} == {"truncated"}


def test_an_end_without_any_scan_is_no_picture() -> None:
    data = jpeg()
    assert code_of(data[: data.index(b"\xff\xda")] + b"\xff\xd9") == "truncated"


def test_rare_codings_are_named() -> None:
    data = jpeg()
    frame = data.index(b"\xff\xc0")
    arithmetic = data[: frame + 1] + b"\xc9" + data[frame + 2 :]
    deep = data[: frame + 4] + b"\x0c" + data[frame + 5 :]
    for changed, words in ((arithmetic, "SOF9"), (deep, "12 bits")):
        with pytest.raises(PhotoError, match=f"unsupported_format.*{words}"):
            jpeg_header(changed)


def test_a_second_frame_is_refused() -> None:
    data = jpeg()
    frame = data.index(b"\xff\xc0")
    doubled = data[:frame] + data[frame : frame + 19] + data[frame:]
    assert code_of(doubled) == "truncated"


def test_many_segments_are_refused() -> None:
    data = jpeg()
    assert code_of(data[:2] + b"\xff\xfe\0\x02" * JPEG_MAX_SEGMENTS + data[2:]) == "too_complex"
    assert jpeg_header(data[:2] + b"\xff\xfe\0\x02" * 1000 + data[2:]).data == data


def png_code_of(data: bytes) -> str:
    with pytest.raises(PhotoError) as refused:
        png_header(data)
    assert refused.value.details == {"format": "PNG"}
    return refused.value.code


def test_of_a_png_the_decoder_is_given_the_picture_alone() -> None:
    around = chunk(b"tEXt", b"a\0b") + chunk(b"fdAT", bytes(99)) + chunk(b"iCCP", b"x")
    header = png_header(png(64, 48, around) + b"what follows")
    assert header.data == png(64, 48)
    assert (header.width, header.height, header.orientation) == (64, 48, 1)


def test_more_bits_and_channels_take_longer() -> None:
    times = [
        png_header(png(64, 48, depth=depth, colour=colour)).decoding_s
        for depth, colour in ((8, 0), (8, 2), (8, 6), (16, 6))
    ]
    assert times == sorted(times)
    assert times[3] > 3 * times[0]


def test_orientation_in_exif_and_in_xmp() -> None:
    exif = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    assert png_header(png(64, 48, chunk(b"eXIf", exif))).orientation == 6
    xmp = b'XML:com.adobe.xmp\0\0\0\0\0<rdf tiff:Orientation="3"/>'
    assert png_header(png(64, 48, chunk(b"iTXt", xmp))).orientation == 3
    # The first of several counts.
    further = chunk(b"eXIf", exif.replace(b"\6", b"\x08"))
    assert png_header(png(64, 48, further)).orientation == 8
    assert png_header(png(64, 48, chunk(b"eXIf", exif) + further)).orientation == 6
    further = chunk(b"iTXt", xmp.replace(b"3", b"2"))
    assert png_header(png(64, 48, chunk(b"iTXt", xmp) + further)).orientation == 3


def test_many_chunks_and_broken_ones_are_refused() -> None:
    assert png_code_of(png(64, 48, chunk(b"IDAT") * PNG_MAX_CHUNKS)) == "too_complex"
    data = png(64, 48)
    assert {png_code_of(data[:length]) for length in range(8, len(data))} == {"truncated"}
    assert png_code_of(data[:25] + b"\x09" + data[26:]) == "truncated"


def test_a_header_that_is_not_the_first_chunk_or_not_the_only_one_is_refused() -> None:
    """A decoder would take the last one, of which the bounds know nothing."""
    data, larger = png(64, 48), png(64, 48_000)
    assert png_code_of(png(64, 48, larger[8:33])) == "truncated"
    assert png_code_of(data[:8] + chunk(b"tEXt", b"a\0b") + data[8:]) == "truncated"
