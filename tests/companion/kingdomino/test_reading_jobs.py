from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import vision
from companion.reading import kingdomino
from companion.reading.kingdomino import ISOLATION, kingdom_reader, read_upload
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.result import PhotoReading
from vision.photo import Photo
from vision.photo.errors import PhotoError


def picture() -> bytes:
    file = BytesIO()
    Image.fromarray(np.full((480, 640, 3), 127, np.uint8)).save(file, "PNG")
    return file.getvalue()


def test_an_upload_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def read(source: object, **how: bool) -> PhotoReading:
        seen.append(source)
        return photo_reading(kingdom_reading("w1 w c"))

    monkeypatch.setattr(vision, "read_kingdoms", read)
    reading, rgb = read_upload(picture())
    assert reading.seconds["decode"] not in (0, 0.0123456)  # That of the decoding done here.
    assert isinstance(seen[0], Photo)
    assert seen[0].rgb is rgb


def test_what_is_asked_for_reaches_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[tuple[bool, bool]] = []

    def read(source: object, *, anyway: bool, giants: bool) -> PhotoReading:
        wanted.append((anyway, giants))
        return photo_reading(kingdom_reading("w1 w c"))

    monkeypatch.setattr(vision, "read_kingdoms", read)
    read_upload(picture())
    read_upload(picture(), anyway=True)
    read_upload(picture(), giants=True)
    assert wanted == [(False, False), (True, False), (False, True)]


def test_what_a_reader_refuses_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(source: object, **how: bool) -> PhotoReading:
        raise PhotoError("no_kingdom")

    monkeypatch.setattr(vision, "read_kingdoms", read)
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_upload(picture())


@pytest.mark.parametrize("anyway", [False, True])
@pytest.mark.parametrize("giants", [False, True])
def test_here_and_in_a_worker_photos_are_read_alike(
    monkeypatch: pytest.MonkeyPatch, anyway: bool, giants: bool
) -> None:
    asked: list[dict[str, bool]] = []

    def read(source: object, **how: bool) -> PhotoReading:
        asked.append(how)
        return photo_reading(kingdom_reading("w1 w c"))

    monkeypatch.setattr(vision, "read_kingdoms", read)
    reader = kingdom_reader(anyway=anyway, giants=giants)
    reader.read("a.jpg")
    assert reader.isolation is not None
    assert reader.isolation.task == ISOLATION.task
    job = {"photo": "a.jpg", "drawing": None, "overwrite": False}
    kingdomino.carry_out({**reader.isolation.options, **job}, b"")
    assert asked == [{"anyway": anyway, "giants": giants}] * 2


def test_a_kingdom_is_read_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = photo_reading(kingdom_reading("w1 w c"))
    monkeypatch.setattr(vision, "read_kingdoms", lambda source, **how: reading)
    assert kingdom_reader().read("a.jpg") is reading
    drawn = kingdom_reader().draw(np.full((480, 640, 3), 127, np.uint8), reading)
    assert drawn.shape == (480, 640, 3)
    assert np.ptp(drawn) > 0
