from __future__ import annotations

import pytest

from vision.photo.errors import PhotoError
from vision.photo.files import READ_FORMATS, picture_format


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
    ],
)
def test_formats_by_their_first_bytes(start: bytes, name: str) -> None:
    assert picture_format(start) == name
    assert name in READ_FORMATS


def test_a_brand_is_named_without_what_a_terminal_would_obey() -> None:
    with pytest.raises(PhotoError) as refused:
        picture_format(b"\0\0\0\x18ftypm\x1b[2")
    assert refused.value.details == {"format": "m2"}
