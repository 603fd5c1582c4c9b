"""Reading photos of kingdoms: the jobs, what a worker is asked and answers, and readings as plain
data.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.reading.decoding import OnWaiting, ask_worker, refused_or
from companion.reading.jobs import Isolation, Reader, answer_named, read_or_refuse
from companion.reading.own_heads import use_kingdomino_head
from companion.reading.pool import PoolSettings, WorkerPool
from scorer.kingdomino import Kingdom
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
from vision.photo import Photo
from vision.photo.errors import PhotoError

__all__ = [
    "ISOLATION",
    "carry_out",
    "kingdom_from_plain",
    "kingdom_reader",
    "kingdom_to_plain",
    "new_pool",
    "read_frame_isolated",
    "read_kingdoms_isolated",
    "read_upload",
    "read_upload_isolated",
    "reading_from_plain",
    "reading_to_plain",
    "warm_up",
]


def reading_to_plain(reading: PhotoReading) -> dict[str, Any]:
    """All of a reading in objects, lists, texts and numbers; no number loses a digit."""
    return {
        "kingdoms": [kingdom_to_plain(kingdom) for kingdom in reading.kingdoms],
        "size": [reading.width, reading.height],
        "seconds": dict(reading.seconds),
        "warnings": list(reading.warnings),
    }


def reading_from_plain(plain: dict[str, Any]) -> PhotoReading:
    """What ``reading_to_plain`` was given."""
    kingdoms = tuple(kingdom_from_plain(kingdom) for kingdom in plain["kingdoms"])
    width, height = plain["size"]
    return PhotoReading(kingdoms, width, height, plain["seconds"], tuple(plain["warnings"]))


def kingdom_to_plain(reading: KingdomReading) -> dict[str, Any]:
    """All of the reading of one kingdom, as in ``reading_to_plain``."""
    seen, other = reading.probabilities, reading.next_best
    return {
        "kingdom": str(reading.kingdom),
        "squares": [
            [
                [s.label, float(s.probability), s.runner_up, s.doubtful, s.settled_from, s.reason]
                for s in row
            ]
            for row in reading.squares
        ],
        "homography": reading.homography.tolist(),
        "castle_colour": reading.castle_colour,
        "lattice_certain": bool(reading.lattice_certain),
        "probabilities": None if seen is None else seen.tolist(),
        "considered": None if reading.considered is None else reading.considered.tolist(),
        "detection_scores": (
            None if reading.detection_scores is None else reading.detection_scores.tolist()
        ),
        "misfit": float(reading.misfit),
        "warnings": list(reading.warnings),
        "next_best": None if other is None else kingdom_to_plain(other),
    }


def kingdom_from_plain(plain: dict[str, Any]) -> KingdomReading:
    """What ``kingdom_to_plain`` was given."""
    seen, other = plain["probabilities"], plain["next_best"]
    considered, scores = plain["considered"], plain["detection_scores"]
    return KingdomReading(
        Kingdom.parse(plain["kingdom"]),
        tuple(tuple(SquareReading(*square) for square in row) for row in plain["squares"]),
        np.array(plain["homography"], float),
        castle_colour=plain["castle_colour"],
        lattice_certain=plain["lattice_certain"],
        probabilities=None if seen is None else np.array(seen, float),
        considered=None if considered is None else np.array(considered, bool),
        detection_scores=None if scores is None else np.array(scores, float),
        misfit=plain["misfit"],
        next_best=None if other is None else kingdom_from_plain(other),
        warnings=tuple(plain["warnings"]),
    )


Image = NDArray[np.uint8]


def _read(source: bytes | str, *, anyway: bool = False, giants: bool = False) -> PhotoReading:
    use_kingdomino_head()
    import vision  # Loads OpenCV and the weights: not before there is a photo to read.

    return vision.read_kingdoms(source, anyway=anyway, giants=giants)


def _draw(photo_rgb: Image, reading: PhotoReading) -> Image:
    from vision.kingdomino.draw import draw_reading

    return draw_reading(photo_rgb, reading)


ISOLATION = Isolation("companion.reading.kingdomino", reading_from_plain)


def kingdom_reader(*, anyway: bool = False, giants: bool = False) -> Reader[PhotoReading]:
    """Reads the kingdoms of a photo, ``anyway`` and with ``giants`` as for ``Reader.read``."""
    isolation = replace(ISOLATION, options={"anyway": anyway, "giants": giants})
    return Reader(partial(_read, anyway=anyway, giants=giants), _draw, isolation)


def read_upload(
    source: bytes | Photo, *, anyway: bool = False, giants: bool = False
) -> tuple[PhotoReading, Image]:
    """The reading of a photo and the upright RGB picture it belongs to, (h, w, 3), reduced.

    It is decoded once, or was before; ``giants`` as for ``Reader.read``. PhotoError for whatever
    goes wrong with it.
    """
    return read_or_refuse(b"", lambda _: _read_with_picture(source, anyway, giants))


def _read_with_picture(
    source: bytes | Photo, anyway: bool, giants: bool
) -> tuple[PhotoReading, Image]:
    use_kingdomino_head()
    import vision
    from vision.photo import decode

    started = time.perf_counter()
    photo = decode(source) if isinstance(source, bytes) else source
    spent = time.perf_counter() - started
    reading = vision.read_kingdoms(photo, anyway=anyway, giants=giants)
    return replace(reading, seconds={**reading.seconds, "decode": spent}), photo.rgb


def new_pool(workers: int = 2) -> WorkerPool:
    """Workers that read photos of kingdoms; to be closed by who asked for it."""
    return WorkerPool(ISOLATION.task, PoolSettings(workers=workers))


def read_kingdoms_isolated(
    source: bytes | Photo,
    on_waiting: OnWaiting | None = None,
    *,
    anyway: bool = False,
    giants: bool = False,
) -> PhotoReading:
    """The kingdoms of a photo, read by the workers that everybody shares.

    ``source`` are its bytes, or what a worker has decoded already. What is probably no kingdom is
    read ``anyway`` on request; with ``giants`` the dominoes of Age of Giants may be there.

    PhotoError for a photo that is not read, with the codes of ``ask_worker`` besides those of
    reading.
    """
    record: dict[str, Any] = {"pixels": False, "anyway": anyway, "giants": giants}
    block = source if isinstance(source, bytes) else source.rgb.tobytes()
    if not isinstance(source, bytes):
        record["decoded"] = {
            "shape": list(source.rgb.shape),
            "size": [source.width, source.height],
        }
    answer, _ = ask_worker(ISOLATION.task, record, block, on_waiting)
    return reading_from_plain(answer["reading"])


def read_upload_isolated(
    data: bytes, pool: WorkerPool, on_waiting: OnWaiting | None = None
) -> tuple[PhotoReading, NDArray[np.uint8]]:
    """The reading of a photo and the upright RGB picture it belongs to, (h, w, 3), reduced.

    PhotoError as in ``read_kingdoms_isolated``.
    """
    answer, pixels = ask_worker(ISOLATION.task, {"pixels": True}, data, on_waiting, pool=pool)
    rgb = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    return reading_from_plain(answer["reading"]), rgb


def read_frame_isolated(
    data: bytes,
    corners: Sequence[tuple[float, float]],
    grid: tuple[int, int],
    size: tuple[int, int],
    on_waiting: OnWaiting | None = None,
    *,
    giants: bool = False,
) -> KingdomReading:
    """The squares of a kingdom whose frame a person has set, as ``Reader.read_frame`` gives them.

    ``corners`` and the homography of the reading are pixels of the upright photo when it was
    ``size`` large (width, height); ``data`` may be a reduced copy of it. ``giants`` and PhotoError
    as in ``read_kingdoms_isolated``.
    """
    record = {
        "corners": [list(each) for each in corners],
        "grid": list(grid),
        "size": list(size),
        "giants": giants,
    }
    answer, _ = ask_worker(ISOLATION.task, record, data, on_waiting)
    return kingdom_from_plain(answer["reading"])


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    import vision

    use_kingdomino_head()
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

    use_kingdomino_head()
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
