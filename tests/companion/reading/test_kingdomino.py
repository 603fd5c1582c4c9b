"""Photos of kingdoms read in a worker process, readings as plain data, and the own head in use."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import vision
from companion.reading import kingdomino
from companion.reading.decoding import ask_worker
from companion.reading.kingdomino import (
    ISOLATION,
    kingdom_reader,
    new_pool,
    read_frame_isolated,
    read_kingdoms_isolated,
    read_upload,
    read_upload_isolated,
    reading_from_plain,
    reading_to_plain,
)
from companion.reading.own_heads import KINGDOMINO_HEADS
from companion.reading.pool import WorkerPool
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import KingdomReading, PhotoReading
from vision.kingdomino.samples import sample_folder
from vision.kingdomino.weights import OWN_HEAD
from vision.photo import Photo, decode
from vision.photo.errors import PhotoError

SAMPLE = sample_folder() / "begun.jpg"


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with new_pool(1) as pool:
        yield pool


def test_a_worker_reads_just_what_this_process_reads(pool: WorkerPool) -> None:
    here, photo = vision.read_kingdoms(SAMPLE), decode(SAMPLE)
    there, rgb = read_upload_isolated(SAMPLE.read_bytes(), pool)
    assert there == here
    assert there.seconds["decode"] > 0
    np.testing.assert_array_equal(rgb, photo.rgb)
    for one, other in zip(there.kingdoms, here.kingdoms, strict=True):
        np.testing.assert_array_equal(one.homography, other.homography)


def test_refusals_keep_their_code(pool: WorkerPool) -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        read_upload_isolated(b"a letter", pool)


def test_what_was_decoded_before_is_read_to_the_same_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = []

    def asked(task: str, record: dict[str, Any], block: bytes, *_: object) -> Any:
        blocks.append(block)
        return ask_worker(task, record, block)

    monkeypatch.setattr(kingdomino, "ask_worker", asked)
    photo = decode(SAMPLE)
    once = read_kingdoms_isolated(photo)
    again = read_kingdoms_isolated(SAMPLE.read_bytes())
    assert blocks == [photo.rgb.tobytes(), SAMPLE.read_bytes()]
    assert once == again == vision.read_kingdoms(SAMPLE)
    assert (once.width, once.height) == (photo.width, photo.height)


@pytest.mark.parametrize("giants", [False, True])
def test_a_frame_is_read_by_the_box_of_the_game(
    monkeypatch: pytest.MonkeyPatch, giants: bool
) -> None:
    boxes: list[bool] = []

    def read_frame(reader: Reader, *_: object) -> KingdomReading:
        boxes.append(reader.settings.judge.settle.giants)
        return kingdom_reading("w1 w c")

    def asked(task: str, record: dict[str, Any], block: bytes, *_: object) -> Any:
        return kingdomino.carry_out(record, block)

    monkeypatch.setattr(Reader, "read_frame", read_frame)
    monkeypatch.setattr(kingdomino, "ask_worker", asked)
    corners = [(0.0, 0.0), (90.0, 0.0), (90.0, 30.0), (0.0, 30.0)]
    reading = read_frame_isolated(SAMPLE.read_bytes(), corners, (1, 3), (1600, 1200), giants=giants)
    assert reading.kingdom == kingdom_reading("w1 w c").kingdom
    assert boxes == [giants]


def test_the_reader_is_told_by_its_own_variable() -> None:
    assert KINGDOMINO_HEADS.variable == OWN_HEAD
    assert KINGDOMINO_HEADS.name == "squares"


def test_a_worker_is_told_before_it_loads_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv(OWN_HEAD, "")
    monkeypatch.delenv(OWN_HEAD)
    newest, told = KINGDOMINO_HEADS.install(b"1"), []
    monkeypatch.setattr(vision, "read_kingdoms", lambda _: told.append(os.environ.get(OWN_HEAD)))
    kingdomino.warm_up()
    assert told == [str(newest)]


def test_a_reading_comes_back_to_the_last_bit() -> None:
    seen = np.random.default_rng(3).random((2, 2, 5))
    other = kingdom_reading("c w", lattice_certain=False)
    kingdom = replace(
        kingdom_reading("w1 w/c f", {(1, 1): "f1"}),
        probabilities=seen,
        next_best=other,
        castle_colour="pink",
        homography=np.random.default_rng(4).random((3, 3)),
    )
    reading = photo_reading(kingdom, other)
    back = reading_from_plain(json.loads(json.dumps(reading_to_plain(reading))))
    assert back == reading
    assert back.kingdoms[0].next_best == other
    assert back.kingdoms[0].probabilities is not None
    np.testing.assert_array_equal(back.kingdoms[0].probabilities, seen)
    np.testing.assert_array_equal(back.kingdoms[0].homography, kingdom.homography)


def test_warnings_and_reasons_come_back() -> None:
    kingdom = kingdom_reading("w1 w/c f")
    (row, *rows) = kingdom.squares
    hidden = replace(row[0], doubtful=True, reason="hidden")
    scores = np.array([[0.9, np.nan], [0.8, 0.7]])
    told = replace(
        kingdom,
        squares=((hidden, *row[1:]), *rows),
        warnings=("cut_off", "hidden"),
        considered=np.array([[True, False], [True, True]]),
        detection_scores=scores,
        misfit=0.07,
    )
    reading = replace(photo_reading(told), warnings=("other_squares",))
    back = reading_from_plain(json.loads(json.dumps(reading_to_plain(reading))))
    assert back == reading
    assert back.kingdoms[0].misfit == 0.07
    assert back.kingdoms[0].considered is not None
    np.testing.assert_array_equal(back.kingdoms[0].considered, told.considered)
    assert back.kingdoms[0].detection_scores is not None
    np.testing.assert_array_equal(back.kingdoms[0].detection_scores, scores)


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
