"""Hands read in a worker process, as the app and the commands do; readings as data."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vision
from companion.reading.jobs import Job, read_photos
from companion.reading.pip_dominoes import HANDS, read_hand_isolated
from tests.companion.games.pip_dominoes.hands import hand_of
from vision.photo.errors import PhotoError
from vision.pip_dominoes.result import HandReading


def test_the_reader_is_told_the_set(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, object]] = []

    def read(source: bytes | str, set: int | None = None) -> HandReading:
        asked.append((source, set))
        return hand_of("1|2")

    monkeypatch.setattr(vision, "read_dominoes", read, raising=False)
    assert HANDS.with_options(highest=9).read_here("a.jpg").sum == 3
    assert HANDS.read_here(b"bytes").sum == 3
    assert asked == [("a.jpg", 9), (b"bytes", None)]


def test_the_reading_is_drawn_on_the_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    def annotate(photo_rgb: Any, reading: HandReading) -> Any:
        return photo_rgb + len(reading.dominoes)

    module = SimpleNamespace(annotate=annotate)
    monkeypatch.setitem(sys.modules, "vision.pip_dominoes.draw", module)
    photo = np.zeros((2, 3, 3), np.uint8)
    np.testing.assert_array_equal(HANDS.draw(photo, hand_of("1|2 3|4")), photo + 2)


def test_the_reader_travels_to_other_processes() -> None:
    reader = HANDS.with_options(highest=12)
    again = pickle.loads(pickle.dumps(reader))  # noqa: S301  # our own bytes
    assert (again.read, again.draw, again.options) == (reader.read, reader.draw, {"highest": 12})


SAMPLES = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"
SAMPLE = SAMPLES / "double-blank.jpg"


@pytest.mark.parametrize("highest", [None, 15])
def test_a_worker_reads_just_what_this_process_reads(highest: int | None) -> None:
    here = vision.read_dominoes(SAMPLE, highest)
    there = read_hand_isolated(SAMPLE.read_bytes(), highest)
    assert there.tiles == here.tiles
    assert (there.set, there.warnings) == (here.set, here.warnings)
    for one, other in zip(there.dominoes, here.dominoes, strict=True):
        np.testing.assert_array_equal(one.likelihoods, other.likelihoods)
        np.testing.assert_array_equal(one.corners, other.corners)


def test_refusals_keep_their_code() -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        read_hand_isolated(b"a letter")
    with pytest.raises(PhotoError, match="no_dominoes"):
        read_hand_isolated((SAMPLES / "no-dominoes.jpg").read_bytes(), 6)


def test_photos_of_a_command_are_read_in_workers(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(SAMPLE.read_bytes()[:2000])
    jobs = [Job(str(SAMPLE)), Job(str(broken)), Job(str(SAMPLE))]
    outcomes = list(read_photos(jobs, HANDS.with_options(highest=12)))
    assert [each.photo for each in outcomes if each.error] == [str(broken)]
    read = [each for each in outcomes if not each.error]
    assert len(read) == 2
    for outcome in read:
        assert outcome.reading is not None
        assert outcome.reading.set == 12
