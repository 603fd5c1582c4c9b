from __future__ import annotations

import pytest

from tests.vision.photo.attacks import chunk, png
from vision.photo.errors import PhotoError
from vision.photo.headers import PNG_MAX_CHUNKS, png_header


def code_of(data: bytes) -> str:
    with pytest.raises(PhotoError) as refused:
        png_header(data)
    return refused.value.code


def test_the_decoder_is_given_the_picture_alone() -> None:
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


def test_many_chunks_and_broken_ones_are_refused() -> None:
    assert code_of(png(64, 48, chunk(b"IDAT") * PNG_MAX_CHUNKS)) == "too_complex"
    data = png(64, 48)
    assert {code_of(data[:length]) for length in range(8, len(data))} == {"truncated"}
    assert code_of(data[:25] + b"\x09" + data[26:]) == "truncated"
