"""The segments of a JPEG file."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from vision.photo.jpeg_header import read_jpeg_header


def jpeg(mode: str = "RGB", size: tuple[int, int] = (50, 40), **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, "JPEG", **options)
    return buffer.getvalue()


@pytest.mark.parametrize(("mode", "components"), [("L", 1), ("RGB", 3), ("CMYK", 4)])
def test_baseline(mode: str, components: int) -> None:
    header = read_jpeg_header(jpeg(mode))
    assert header is not None
    assert (header.width, header.height, header.components, header.bits) == (50, 40, components, 8)
    assert (header.frame, header.one_scan, header.complete) == (0, True, True)


def test_progressive_needs_all_coefficients() -> None:
    header = read_jpeg_header(jpeg(progressive=True))
    assert header is not None
    assert (header.frame, header.one_scan, header.complete) == (2, False, True)


def test_a_baseline_file_of_several_scans_is_not_of_one() -> None:
    data = jpeg()
    scan = data.index(b"\xff\xda")
    single = data[: scan + 4] + b"\x01" + data[scan + 5 :]
    header = read_jpeg_header(single)
    assert header is not None
    assert not header.one_scan


def test_orientation() -> None:
    exif = Image.Exif()
    exif[0x0112] = 8
    header = read_jpeg_header(jpeg(exif=exif))
    assert header is not None
    assert header.orientation == 8


def test_every_cut_is_incomplete_or_has_no_size() -> None:
    data = jpeg()
    for length in range(2, len(data)):
        header = read_jpeg_header(data[:length])
        assert header is None or not header.complete


def test_an_end_without_any_scan_is_no_picture() -> None:
    data = jpeg()
    header = read_jpeg_header(data[: data.index(b"\xff\xda")] + b"\xff\xd9")
    assert header is not None
    assert not header.complete
