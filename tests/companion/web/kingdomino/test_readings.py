from __future__ import annotations

from typing import Any

import pytest

import vision
from companion.reading import decoding, kingdomino
from companion.reading.decoding import ask_worker
from companion.web.kingdomino.readings import read_shelved
from companion.web.visit import Visit
from vision.kingdomino.samples import sample_folder

SAMPLE = sample_folder() / "begun.jpg"


def test_a_photo_is_decoded_once(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the page that shows it and for the reader together."""
    blocks: list[bytes] = []

    def asked(task: str, record: dict[str, Any], block: bytes, *rest: Any) -> Any:
        blocks.append(block)
        return ask_worker(task, record, block, *rest)

    for module in (decoding, kingdomino):
        monkeypatch.setattr(module, "ask_worker", asked)
    data = SAMPLE.read_bytes()
    photo = visit.shelf.put(data, visit.device)
    assert read_shelved(visit.house, photo) == vision.read_kingdoms(SAMPLE)
    assert len(blocks) == 2
    assert blocks.count(data) == 1
    # Read a second time, it has to be decoded again.
    read_shelved(visit.house, photo)
    assert blocks.count(data) == 2
