from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.reading.jobs import Reader, answer_named
from vision.photo.errors import PhotoError


def read(source: bytes | str) -> str:
    if str(source).endswith("bad.jpg"):
        raise PhotoError("not_a_picture")
    if str(source).endswith("odd.jpg"):
        raise KeyError("fault")
    return "read"


def draw(rgb: NDArray[np.uint8], reading: str) -> NDArray[np.uint8]:
    return rgb


def asked(photo: str, drawing: str | None = None) -> dict[str, object]:
    record = {"photo": photo, "drawing": drawing, "overwrite": False}
    return answer_named(record, Reader(read, draw), lambda reading: {"text": reading})


def test_the_answer_has_the_reading_or_the_error(tmp_path: Path) -> None:
    assert asked("good.jpg")["reading"] == {"text": "read"}
    refused = asked("bad.jpg")
    assert refused["reading"] is None
    assert refused["error"] == {"code": "not_a_picture", "details": {}}
    odd = asked("odd.jpg")
    assert odd["error"] == {"code": "unexpected", "details": {"fault": "KeyError"}}
    assert "KeyError" in str(odd["trace"])
