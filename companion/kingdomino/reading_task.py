"""What a worker process does with a photo: the other side of ``isolated_reading``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.kingdomino.own_head import use_own_head
from companion.kingdomino.reading_data import kingdom_to_plain, reading_to_plain
from companion.kingdomino.reading_jobs import kingdom_reader, read_upload
from companion.reading.decoding_task import refused_or
from companion.reading.tasks import answer_named
from vision.photo import Photo
from vision.photo.errors import PhotoError

__all__ = ["carry_out", "warm_up"]


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    import vision

    use_own_head()
    table = np.full((480, 640, 3), 128, np.uint8)
    try:
        vision.read_kingdoms(table)
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the photo named by ``record``, or the one that is the ``block``.

    With ``corners`` in the record only the squares of that frame are read. The answer to an
    upload has the reduced upright picture with it where ``pixels`` are asked for: RGB, uint8, of
    ``shape``. A photo is read even where it would be refused if ``anyway`` is set, and with the
    dominoes of Age of Giants if ``giants`` is. With ``decoded`` in
    the record the block has the pixels already, of a ``shape`` and taken in a ``size``.
    """
    if "photo" in record:
        return answer_named(record, kingdom_reader(**_how(record)), reading_to_plain), b""
    if "corners" in record:
        return refused_or(lambda: _read_frame(record, block))
    return refused_or(lambda: _read_block(block, record))


def _how(record: dict[str, Any]) -> dict[str, bool]:
    return {wish: bool(record.get(wish)) for wish in ("anyway", "giants")}


def _read_block(block: bytes, record: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    decoded = record.get("decoded")
    reading, rgb = read_upload(_photo(block, decoded) if decoded else block, **_how(record))
    answer = {"reading": reading_to_plain(reading), "shape": list(rgb.shape)}
    return answer, rgb.tobytes() if record.get("pixels", True) else b""


def _photo(block: bytes, decoded: dict[str, Any]) -> Photo:
    import numpy as np

    width, height = decoded["size"]
    rgb = np.frombuffer(block, np.uint8).reshape(decoded["shape"])
    return Photo(rgb, width=width, height=height)


def _read_frame(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    import numpy as np

    from vision.kingdomino.reader import default_reader
    from vision.photo import decode

    use_own_head()
    photo = decode(block)
    scale = max(photo.width, photo.height) / max(record["size"])
    corners = [(x * scale, y * scale) for x, y in record["corners"]]
    rows, columns = record["grid"]
    reader = default_reader()
    if record.get("giants"):
        reader = reader.with_giants()
    reading = reader.read_frame(photo, corners, rows, columns)
    grown = np.diag([1 / scale, 1 / scale, 1.0]) @ reading.homography
    return {"reading": kingdom_to_plain(replace(reading, homography=grown))}, b""
