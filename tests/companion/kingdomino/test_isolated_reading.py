from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vision
from companion.reading import kingdomino
from companion.reading.decoding import ask_worker
from companion.reading.kingdomino import (
    new_pool,
    read_frame_isolated,
    read_kingdoms_isolated,
    read_upload_isolated,
)
from companion.reading.pool import WorkerPool
from tests.companion.kingdomino.readings import kingdom_reading
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import KingdomReading
from vision.kingdomino.samples import sample_folder
from vision.photo import decode
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
