"""Files and formats that are taken, and pictures turned upright."""

from __future__ import annotations

import errno
import io
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from companion.languages import codes
from vision.photo.decoding import mirrored_axes, upright
from vision.photo.errors import PhotoError
from vision.photo.headers import READ_FORMATS, file_bytes, picture_format, png_header
from vision.photo.unpack import exif_orientation, xmp_orientation


def code_of(path: str | Path, max_bytes: int = 1000) -> str:
    with pytest.raises(PhotoError) as refused:
        file_bytes(path, max_bytes)
    return refused.value.code


def test_all_bytes_of_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"\xff\xd8\xff" + bytes(997))
    assert file_bytes(path, 1000) == path.read_bytes()
    with pytest.raises(PhotoError, match="too_many_bytes") as refused:
        file_bytes(path, 999)
    assert refused.value.details == {"limit": 999}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices of Unix")
def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f.jpg")
    for path in (tmp_path / "f.jpg", "/dev/zero", "/dev/null", "/dev/tty"):
        assert code_of(path) in {"not_a_file", "missing_file"}
    assert code_of(tmp_path / "f.jpg") == "not_a_file"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EACCES, "not_permitted"),
        (errno.EPERM, "not_permitted"),
        (errno.EIO, "not_readable"),
        (errno.ENXIO, "not_a_file"),
        (errno.ENOENT, "missing_file"),
        (errno.ENAMETOOLONG, "missing_file"),
    ],
)
def test_each_fault_has_its_code(
    number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", failing)
    with pytest.raises(PhotoError) as refused:
        file_bytes(tmp_path / "a.jpg", 1000)
    reason = {"reason": os.strerror(number)} if code == "not_readable" else {}
    assert refused.value.code == code
    assert refused.value.details == {"path": str(tmp_path / "a.jpg"), **reason}


def test_a_folder_that_may_not_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_of(tmp_path) == "is_folder"

    def failing(path: str) -> None:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(os, "scandir", failing)
    assert code_of(tmp_path) == "not_permitted"


@pytest.mark.parametrize("name", ["", "x" * 300, "a\0b.jpg", "no/such.jpg"])
def test_names_that_no_file_has(name: str) -> None:
    assert code_of(name) == "missing_file"


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"GIF89a", "GIF"),
        (b"BM\0\0\0\0\0\0\0\0", "BMP"),
        (b"RIFF\0\0\0\0WEBP", "WEBP"),
        (b"\0\0\0\x18ftypavif", "AVIF"),
        (b"\0\0\0\x18ftypheic", "HEIF"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "AVIF"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heicavif", "HEIF"),
    ],
)
def test_formats_by_their_first_bytes(start: bytes, name: str) -> None:
    assert picture_format(start) == name
    assert name in READ_FORMATS


def test_a_brand_is_named_without_what_a_terminal_would_obey() -> None:
    with pytest.raises(PhotoError) as refused:
        picture_format(b"\0\0\0\x18ftypm\x1b[2")
    assert refused.value.details == {"format": "m2"}


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


def test_a_png_is_turned_by_what_its_xmp_says_and_by_nothing_else_that_it_says() -> None:
    for keyword, orientation in (("XML:com.adobe.xmp", 6), ("Comment", 1)):
        text = PngInfo()
        text.add_itxt(keyword, '<x tiff:Orientation="6">')
        content = io.BytesIO()
        Image.new("RGB", (640, 480)).save(content, "PNG", pnginfo=text)
        assert png_header(content.getvalue()).orientation == orientation
    with pytest.raises(PhotoError) as refused:
        png_header(content.getvalue()[:60])
    assert (refused.value.code, refused.value.details) == ("truncated", {"format": "PNG"})


def test_every_reason_has_a_sentence_in_english_and_in_the_catalogue() -> None:
    said = {code for code in codes() if code.startswith("photo.")}
    assert {f"photo.{code}" for code in PhotoError.sentences} <= said
    for code in PhotoError.sentences:
        assert str(PhotoError(code)).startswith(f"{code}: ")
