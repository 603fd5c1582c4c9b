from __future__ import annotations

import os
from pathlib import Path

import pytest

import vision
from companion.kingdomino import reading_task
from companion.kingdomino.own_head import HEADS
from vision.kingdomino.weights import OWN_HEAD


def test_the_reader_is_told_by_its_own_variable() -> None:
    assert HEADS.variable == OWN_HEAD
    assert HEADS.name == "squares"


def test_a_worker_is_told_before_it_loads_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv(OWN_HEAD, "")
    monkeypatch.delenv(OWN_HEAD)
    newest, told = HEADS.install(b"1"), []
    monkeypatch.setattr(vision, "read_kingdoms", lambda _: told.append(os.environ.get(OWN_HEAD)))
    reading_task.warm_up()
    assert told == [str(newest)]
