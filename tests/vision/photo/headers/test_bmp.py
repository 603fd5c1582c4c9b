from __future__ import annotations

import io
import struct

import pytest
from PIL import Image

from tests.vision.photo.attacks import run_length_bmp
from vision.photo.errors import PhotoError
from vision.photo.headers import bmp_header


def bmp(mode: str = "RGB") -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, (65, 48)).save(buffer, "BMP")
    return buffer.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "1"])
def test_size(mode: str) -> None:
    data = bmp(mode)
    assert (bmp_header(data).width, bmp_header(data).height) == (65, 48)
    from_the_top = data[:22] + struct.pack("<i", -48) + data[26:]
    assert bmp_header(from_the_top).height == 48


def test_a_byte_less_than_the_pixels_need_is_truncated() -> None:
    for mode in ("RGB", "L", "1"):
        with pytest.raises(PhotoError, match="truncated"):
            bmp_header(bmp(mode)[:-1])


def test_run_lengths_are_refused() -> None:
    with pytest.raises(PhotoError, match="unsupported_format"):
        bmp_header(run_length_bmp(64, 48))


@pytest.mark.parametrize("width", [0, -5])
def test_a_width_that_is_none_is_refused(width: int) -> None:
    data = bmp()
    with pytest.raises(PhotoError, match="truncated"):
        bmp_header(data[:18] + struct.pack("<i", width) + data[22:])
