from __future__ import annotations

import pytest

import vision
from companion.kingdomino.reading_jobs import KINGDOMS, read_or_refuse
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError


def test_what_a_reader_refuses_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(source: bytes | str) -> PhotoReading:
        raise PhotoError("no_kingdom")

    monkeypatch.setattr(vision, "read_kingdoms", read)
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_or_refuse(b"")


def test_kingdoms_are_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = photo_reading(kingdom_reading("w1 w c"))
    monkeypatch.setattr(vision, "read_kingdoms", lambda source: reading)
    assert KINGDOMS.read("a.jpg") is read_or_refuse("a.jpg") is reading
