"""Boards read in a worker process, readings as plain data, and the own head in use."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.domino_duell as duell
from companion.reading.domino_duell import BOARDS
from companion.reading.own_heads import DUEL_HEADS
from training.domino_duell.scenes import SceneSettings, draw_scene
from vision.domino_duell import read_board
from vision.domino_duell.weights import OWN_HEAD
from vision.photo import PhotoError

CALM = SceneSettings(light=0.3, glare_share=0.0, shadow_share=0.0, max_blur_px=0.8)


@pytest.mark.slow
def test_a_worker_reads_just_what_this_process_reads() -> None:
    scene = draw_scene(np.random.default_rng(4_000_004), CALM)
    here = read_board(scene.rgb)
    data = cv2.imencode(".png", scene.rgb[..., ::-1])[1].tobytes()
    there = BOARDS.ask(data)
    assert there == here
    np.testing.assert_array_equal(there.homography, here.homography)


def test_refusals_keep_their_code() -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        BOARDS.ask(b"a letter")
    plain = cv2.imencode(".png", np.full((300, 400, 3), 127, np.uint8))[1].tobytes()
    with pytest.raises(PhotoError, match="no_board"):
        BOARDS.ask(plain)


def test_the_reader_is_told_by_its_own_variable() -> None:
    assert DUEL_HEADS.variable == OWN_HEAD
    assert DUEL_HEADS.name == "hollows"


def test_a_board_is_read_with_the_newest_layer_of_one_s_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str | None] = []
    monkeypatch.setattr(duell, "read_board", lambda _: used.append(os.environ.get(OWN_HEAD)))
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    # Set first, so that what reading sets is taken back at the end.
    monkeypatch.setenv(OWN_HEAD, "")
    BOARDS.read_here(b"a photo")
    monkeypatch.delenv(OWN_HEAD)
    newest = [DUEL_HEADS.install(layer) for layer in (b"1", b"2")][-1]
    BOARDS.read_here(b"a photo")
    assert used == ["", str(newest)]
