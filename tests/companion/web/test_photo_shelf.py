from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from companion.web.photo_shelf import PhotoShelf, ShelfSettings
from vision.photo import PhotoError


def jpeg(width: int = 900, height: int = 600) -> bytes:
    file = BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "a camera"
    noise = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
    Image.fromarray(noise).save(file, "JPEG", exif=exif)
    return file.getvalue()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_photo_is_shown_upright_without_metadata() -> None:
    shelf = PhotoShelf(ShelfSettings(long_side_px=300))
    photo = shelf.put(jpeg(), "device")
    assert (photo.width, photo.height) == (900, 600)
    with Image.open(BytesIO(photo.jpeg)) as shown:
        assert max(shown.size) <= 300
        assert not shown.getexif()


def test_a_photo_that_nobody_uses_leaves() -> None:
    clock = Clock()
    shelf = PhotoShelf(ShelfSettings(unused_for_s=120), clock)
    photo = shelf.put(jpeg(), "device")
    photo.game = "game"
    clock.now = 100
    shelf.keep_alive("game")
    clock.now = 219
    assert shelf.get(photo.id) is photo
    clock.now = 340
    assert shelf.get(photo.id) is None
    assert len(shelf) == 0


def test_the_photos_used_last_stay_where_there_is_no_more_room() -> None:
    clock = Clock()
    data = jpeg()
    shelf = PhotoShelf(ShelfSettings(max_bytes=3 * len(data)), clock)
    first = shelf.put(data, "device")
    clock.now = 1
    last = shelf.put(data, "device")
    clock.now = 2
    another = shelf.put(data, "device")
    assert shelf.get(first.id) is None
    assert shelf.get(another.id) is another
    assert last.id != another.id


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        PhotoShelf().put(b"no picture", "device")
