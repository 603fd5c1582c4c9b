from __future__ import annotations

import io

import pytest
from PIL import Image

from vision.photo.errors import PhotoError
from vision.photo.headers import GIF_MAX_BLOCKS, gif_header


def gif(**options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new("P", (64, 48)).save(buffer, "GIF", **options)
    return buffer.getvalue()


def test_the_decoder_is_given_the_first_frame_alone() -> None:
    frames = [Image.new("P", (64, 48), number) for number in range(1, 4)]
    data = gif(save_all=True, append_images=frames, comment=b"hello", transparency=0)
    header = gif_header(data)
    with Image.open(io.BytesIO(header.data)) as image:
        assert (image.n_frames, image.size) == (1, (64, 48))  # type: ignore[attr-defined]
        assert image.info["transparency"] == 0
        assert "comment" not in image.info
    assert len(header.data) < len(data)


def test_a_frame_beyond_the_screen_makes_it_larger() -> None:
    data = bytearray(gif())
    frame = data.index(b"\x2c\0\0\0\0")
    data[frame + 1 : frame + 3] = (1000).to_bytes(2, "little")
    assert gif_header(bytes(data)).width == 1064


def test_many_blocks_and_broken_ones_are_refused() -> None:
    data = gif()
    frame = data.index(b"\x2c\0\0\0\0")
    flood = data[:frame] + b"\x21\xfe" + b"\x01x" * (GIF_MAX_BLOCKS + 1) + b"\0" + data[frame:]
    with pytest.raises(PhotoError, match="too_complex"):
        gif_header(flood)
    for length in range(6, len(data) - 1):
        with pytest.raises(PhotoError, match="truncated"):
            gif_header(data[:length])
