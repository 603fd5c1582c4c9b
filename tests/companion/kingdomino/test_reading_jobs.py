from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import vision
from companion.kingdomino.reading_jobs import Job, Outcome, read_photo, read_upload
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.result import PhotoReading
from vision.photo import Photo
from vision.photo.errors import PhotoError


def test_outcomes_are_a_reading_or_a_refusal() -> None:
    with pytest.raises(ValueError, match="either a reading or an error"):
        Outcome("a.jpg")
    with pytest.raises(ValueError, match="either a reading or an error"):
        Outcome("a.jpg", photo_reading(), PhotoError("truncated"))
    with pytest.raises(ValueError, match=r"a\.jpg was read"):
        _ = Outcome("a.jpg", photo_reading()).refusal


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture, and a reader that takes any for a kingdom."""
    monkeypatch.setattr(
        vision, "read_kingdoms", lambda source: photo_reading(kingdom_reading("w1 w c"))
    )
    path = tmp_path / "table.png"
    Image.fromarray(np.full((480, 640, 3), 127, np.uint8)).save(path)
    return path


def test_an_upload_is_decoded_once(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def read(source: object) -> PhotoReading:
        seen.append(source)
        return photo_reading(kingdom_reading("w1 w c"))

    monkeypatch.setattr(vision, "read_kingdoms", read)
    reading, rgb = read_upload(photo.read_bytes())
    assert reading.seconds["decode"] not in (0, 0.0123456)  # That of the decoding done here.
    assert isinstance(seen[0], Photo)
    assert seen[0].rgb is rgb


def test_what_a_reader_refuses_is_passed_on(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(source: object) -> PhotoReading:
        raise PhotoError("no_kingdom")

    monkeypatch.setattr(vision, "read_kingdoms", read)
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_upload(photo.read_bytes())


def test_a_drawing_replaces_nothing_unasked(photo: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.jpg"
    there.write_bytes(b"the only copy")
    kept = read_photo(Job(str(photo), str(there)))
    assert kept.reading is not None
    assert kept.not_drawn == os.strerror(17)
    assert there.read_bytes() == b"the only copy"
    assert read_photo(Job(str(photo), str(there), overwrite=True)).not_drawn == ""
    assert there.read_bytes()[:2] == b"\xff\xd8"
    assert {path.name for path in tmp_path.iterdir()} == {"table.png", "there.jpg"}


def test_a_drawing_that_replaces_keeps_the_link(photo: Path, tmp_path: Path) -> None:
    there, link = tmp_path / "there.jpg", tmp_path / "link.jpg"
    there.write_bytes(b"old")
    link.symlink_to(there)
    assert read_photo(Job(str(photo), str(link), overwrite=True)).not_drawn == ""
    assert link.is_symlink()
    assert there.read_bytes()[:2] == b"\xff\xd8"


def test_a_drawing_with_a_name_too_long_is_told(photo: Path, tmp_path: Path) -> None:
    outcome = read_photo(Job(str(photo), str(tmp_path / ("x" * 300 + ".jpg"))))
    assert outcome.reading is not None
    assert "too long" in outcome.not_drawn
