"""Boards read in a worker process, readings as plain data, and the own head in use."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.reading.domino_duell import (
    read_upload_isolated,
    reading_from_plain,
    reading_to_plain,
)
from companion.reading.own_heads import DUEL_HEADS
from scorer.domino_duell import DEFAULT_SHAPE, JOKER, STONES, Board, Piece, Shape
from vision.domino_duell import BoardReading, HollowReading, hollow_patches, read_board
from vision.domino_duell.synthetic import SceneSettings, draw_scene
from vision.domino_duell.weights import OWN_HEAD
from vision.photo import PhotoError

CALM = SceneSettings(light=0.3, glare_share=0.0, shadow_share=0.0, max_blur_px=0.8)


def test_a_worker_reads_just_what_this_process_reads() -> None:
    scene = draw_scene(np.random.default_rng(4_000_004), CALM)
    here = read_board(scene.rgb)
    data = cv2.imencode(".png", scene.rgb[..., ::-1])[1].tobytes()
    there, patches = read_upload_isolated(data)
    assert there == here
    np.testing.assert_array_equal(there.homography, here.homography)
    np.testing.assert_array_equal(patches, hollow_patches(scene.rgb, here))


def test_refusals_keep_their_code() -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        read_upload_isolated(b"a letter")
    plain = cv2.imencode(".png", np.full((300, 400, 3), 127, np.uint8))[1].tobytes()
    with pytest.raises(PhotoError, match="no_board"):
        read_upload_isolated(plain)


def test_the_reader_is_told_by_its_own_variable() -> None:
    assert DUEL_HEADS.variable == OWN_HEAD
    assert DUEL_HEADS.name == "hollows"


def reading_on(shape: Shape) -> BoardReading:
    rng = np.random.default_rng(7)
    pieces: tuple[Piece | None, ...] = (STONES[5], JOKER, None)
    hollows = tuple(
        HollowReading(
            hollow,
            pieces[index] if index < 3 else None,
            float(rng.random()),
            (STONES[6], None, JOKER)[index % 3],
            doubtful=bool(rng.random() < 0.5),
            settled_from="rcw" if index == 0 else None,
        )
        for index, hollow in enumerate(shape.hollows)
    )
    position = Board(shape, tuple(each.piece for each in hollows))
    return BoardReading(
        position, hollows, rng.random((3, 3)), 400, 300, certain=False, seconds={"locate": 0.123}
    )


def test_a_reading_comes_back_to_the_last_bit() -> None:
    for shape in (DEFAULT_SHAPE, Shape.parse(" o o\no x o\n o o")):
        reading = reading_on(shape)
        back = reading_from_plain(json.loads(json.dumps(reading_to_plain(reading))))
        assert back == reading
        assert back.seconds == reading.seconds
        np.testing.assert_array_equal(back.homography, reading.homography)
