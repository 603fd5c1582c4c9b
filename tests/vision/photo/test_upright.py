from __future__ import annotations

import struct

import numpy as np
import pytest
from PIL import Image

from vision.photo.upright import exif_orientation, mirrored_axes, upright, xmp_orientation


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("order", ["<", ">"])
def test_orientation_in_either_order_of_bytes(orientation: int, order: str) -> None:
    exif = Image.Exif()
    exif.endian = order
    exif[0x010F], exif[0x0112], exif[0x0131] = "camera", orientation, "program"
    assert exif_orientation(exif.tobytes()) == orientation


@pytest.mark.parametrize("value", [0, 9, 65_535])
def test_senseless_values_count_as_none(value: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = value
    assert exif_orientation(exif.tobytes()) == 1


def test_what_breaks_off_counts_as_none() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = exif.tobytes()
    assert exif_orientation(data) == 6
    entry = data.index(b"\x12\x01" if b"II*" in data else b"\x01\x12")
    assert {exif_orientation(data[:length]) for length in range(entry + 12)} == {1}
    assert exif_orientation(b"MM\0*" + struct.pack(">L", 0xFFFFFFFF) + bytes(50)) == 1


def test_orientation_in_xmp() -> None:
    assert xmp_orientation(b"<x><tiff:Orientation>6</tiff:Orientation></x>") == 6
    assert xmp_orientation(b'<x tiff:Orientation="8">') == 8
    assert xmp_orientation(b'<x tiff:Orientation="9">') == 1


@pytest.mark.parametrize("orientation", range(1, 9))
def test_mirrored_axes_are_those_along_which_the_stored_picture_falls(orientation: int) -> None:
    stored = np.zeros((3, 2, 3), np.uint8)
    stored[:, :, 0], stored[:, :, 1] = [[0, 1]], [[0], [1], [2]]
    turned = upright(stored, orientation).astype(int)
    across, down = (turned[0, -1] - turned[0, 0]).sum(), (turned[-1, 0] - turned[0, 0]).sum()
    assert mirrored_axes(orientation) == (across < 0, down < 0)
