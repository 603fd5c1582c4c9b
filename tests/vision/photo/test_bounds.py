from __future__ import annotations

import pytest

from vision.photo.bounds import Header, PhotoSettings, check_bounds
from vision.photo.errors import PhotoError

LIMITS = PhotoSettings(min_side_px=10, max_side_px=100, max_decoding_bytes=1000, max_decoding_s=0.5)


@pytest.mark.parametrize(
    ("header", "file_bytes", "code"),
    [
        (Header("PNG", 100, 10, 500, 0.5, b"x" * 200), 300, None),
        (Header("PNG", 100, 10, 501, 0.5, b"x" * 200), 300, "too_many_pixels"),
        (Header("PNG", 100, 10, 500, 0.5, b"x" * 201), 300, "too_many_pixels"),
        (Header("PNG", 100, 10, 500, 0.5, b"x" * 200), 301, "too_many_pixels"),
        (Header("PNG", 100, 10, 500, 0.51, b""), 300, "too_complex"),
        (Header("PNG", 10, 101, 500, 0.5, b""), 300, "too_many_pixels"),
        (Header("PNG", 9, 100, 500, 0.5, b""), 300, "too_small"),
        (Header("PNG", 100, 9, 500, 0.5, b""), 300, "too_small"),
    ],
)
def test_each_bound(header: Header, file_bytes: int, code: str | None) -> None:
    if code is None:
        check_bounds(header, file_bytes, LIMITS)
        return
    with pytest.raises(PhotoError) as refused:
        check_bounds(header, file_bytes, LIMITS)
    assert refused.value.code == code
