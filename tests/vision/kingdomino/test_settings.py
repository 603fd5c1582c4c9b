"""Every stage of a reader works by the settings that it was given, and makes none of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NoReturn

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.kingdomino import search
from vision.kingdomino.lattice import Detections, Lattice, LatticeSettings, find_lattices
from vision.kingdomino.passes import ChooseSettings, ReadSettings
from vision.kingdomino.reader import Reader, default_reader
from vision.kingdomino.search import LocateSettings
from vision.kingdomino.settling import JudgeSettings, SettleSettings
from vision.photo import Photo

SAMPLES = Path(__file__).parents[3] / "sample_images"
FRAME = [(205.0, 100.0), (602.0, 108.0), (598.0, 500.0), (201.0, 495.0)]
# Of these others are made for another size, or another box.
CHANGED = {ReadSettings, LocateSettings, JudgeSettings, SettleSettings}


def sample(name: str, share: float = 1.0) -> NDArray[np.uint8]:
    """A sample at half its size, in a ``share`` of its light."""
    rgb = cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    half = cv2.resize(rgb, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return (half * share).astype(np.uint8)


def kinds_of(settings: Any) -> set[type]:
    """The kinds of settings, and of those that they are made of."""
    parts = [getattr(settings, each.name) for each in fields(settings)]
    return {type(settings)}.union(*(kinds_of(part) for part in parts if is_dataclass(part)))


WAYS: dict[str, tuple[ReadSettings, Callable[[Reader], object]]] = {
    "a file": (ReadSettings(), lambda reader: reader.read(SAMPLES / "begun.jpg")),
    "not found quickly": (
        ReadSettings(locate=LocateSettings(stray_share=-1.0)),
        lambda reader: reader.read(SAMPLES / "begun.jpg"),
    ),
    "from above": (
        ReadSettings(choose=ChooseSettings(slanted=1.25)),
        lambda reader: reader.read(sample("tilted")),
    ),
    "too dark": (ReadSettings(), lambda reader: reader.read(sample("complete-5x5", 0.2))),
    "in doubt": (
        ReadSettings(choose=ChooseSettings(doubtful_share=-1.0)),
        lambda reader: reader.read(sample("begun")),
    ),
    "several": (
        ReadSettings(),
        lambda reader: reader.read([sample("begun"), sample("begun")[:, ::-1].copy()]),
    ),
    "a frame": (ReadSettings(), lambda reader: reader.read_frame(sample("duel-7x7"), FRAME, 7, 7)),
    "a glance": (ReadSettings(), lambda reader: reader.glance(Photo(sample("begun"), 800, 600))),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_what_is_set_holds_for_every_stage(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, read = WAYS[way]
    reader = Reader(default_reader().weights, settings)
    searched: list[LatticeSettings] = []

    def others(*_: object, **given: object) -> NoReturn:
        raise AssertionError(f"expected the settings of the reader, got others with {given}")

    def noted(found: Detections, own: LatticeSettings) -> list[Lattice]:
        searched.append(own)
        return find_lattices(found, own)

    for kind in kinds_of(settings) - CHANGED:
        monkeypatch.setattr(kind, "__init__", others)
    monkeypatch.setattr(search, "find_lattices", noted)
    read(reader)
    assert all(own is settings.locate.lattice for own in searched)
    assert bool(searched) is (way != "a frame")
