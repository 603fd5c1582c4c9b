from __future__ import annotations

import os
from pathlib import Path

import pytest

import vision
from companion.reading import kingdomino
from companion.reading.own_heads import KINGDOMINO_HEADS
from vision.kingdomino.weights import OWN_HEAD


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
