from __future__ import annotations

import io

import pytest
from PIL import Image

from vision.photo.errors import PhotoError
from vision.photo.headers import WEBP_MAX_CHUNKS, webp_header


def webp(mode: str = "RGB", **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, (64, 48)).save(buffer, "WEBP", **options)
    return buffer.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("lossless", [True, False])
def test_size(mode: str, lossless: bool) -> None:
    header = webp_header(webp(mode, lossless=lossless))
    assert (header.width, header.height) == (64, 48)


def test_the_decoder_is_given_the_first_frame_alone() -> None:
    frames = [Image.new("RGB", (64, 48), (60 * number, 0, 0)) for number in range(1, 4)]
    exif = Image.Exif()
    exif[0x0112] = 6
    data = webp(save_all=True, append_images=frames, exif=exif, icc_profile=bytes(100))
    header = webp_header(data)
    assert header.orientation == 6
    with Image.open(io.BytesIO(header.data)) as image:
        assert image.n_frames == 1  # type: ignore[attr-defined]
        assert not {"exif", "icc_profile"} & image.info.keys()


def test_many_chunks_and_broken_ones_are_refused() -> None:
    data = webp()
    body = data[12:] + b"junk\0\0\0\0" * WEBP_MAX_CHUNKS
    with pytest.raises(PhotoError, match="too_complex"):
        webp_header(b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WEBP" + body)
    for length in range(12, len(data) - 2):
        with pytest.raises(PhotoError, match="truncated"):
            webp_header(data[:length])
