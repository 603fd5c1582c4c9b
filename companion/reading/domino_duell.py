"""Reading photos of boards, tried on drawn pictures only: the jobs, what a worker is asked and
answers, and readings as plain data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.reading.decoding import OnWaiting, ask_worker, refused_or
from companion.reading.jobs import Isolation, Reader, answer_named, read_or_refuse
from companion.reading.own_heads import use_duel_head
from scorer.domino_duell import Board, Piece, Shape, parse_piece
from vision.domino_duell import BoardReading, HollowReading

__all__ = [
    "BOARDS",
    "ISOLATION",
    "carry_out",
    "read_upload",
    "read_upload_isolated",
    "reading_from_plain",
    "reading_to_plain",
    "warm_up",
]


def reading_to_plain(reading: BoardReading) -> dict[str, Any]:
    """All of a reading in objects, lists, texts and numbers; no number loses a digit."""
    return {
        "shape": str(reading.position.shape),
        "hollows": [
            [
                each.hollow,
                _plain(each.piece),
                float(each.probability),
                _plain(each.runner_up),
                bool(each.doubtful),
                each.settled_from,
            ]
            for each in reading.hollows
        ],
        "homography": reading.homography.tolist(),
        "size": [reading.width, reading.height],
        "certain": bool(reading.certain),
        "tried_on": reading.tried_on,
        "seconds": dict(reading.seconds),
    }


def reading_from_plain(plain: dict[str, Any]) -> BoardReading:
    """What ``reading_to_plain`` was given."""
    hollows = tuple(
        HollowReading(name, _piece(piece), probability, _piece(other), doubtful, settled_from)
        for name, piece, probability, other, doubtful, settled_from in plain["hollows"]
    )
    shape, (width, height) = Shape.parse(plain["shape"]), plain["size"]
    return BoardReading(
        Board(shape, tuple(each.piece for each in hollows)),
        hollows,
        np.array(plain["homography"], float),
        width,
        height,
        certain=plain["certain"],
        tried_on=plain["tried_on"],
        seconds=plain["seconds"],
    )


def _plain(piece: Piece | None) -> str | None:
    return None if piece is None else str(piece)


def _piece(text: str | None) -> Piece | None:
    return None if text is None else parse_piece(text)


Image = NDArray[np.uint8]


def _read(source: bytes | str) -> BoardReading:
    use_duel_head()
    from vision.domino_duell import read_board  # Loads the weights: not before there is a photo.

    return read_board(source)


def _draw(photo_rgb: Image, reading: BoardReading) -> Image:
    from vision.domino_duell.draw import annotate

    return annotate(photo_rgb, reading)


ISOLATION = Isolation("companion.reading.domino_duell", reading_from_plain)
BOARDS = Reader(_read, _draw, ISOLATION)
"""Reads the board of a photo."""


def read_upload(data: bytes) -> tuple[BoardReading, Image]:
    """The reading of a photo and the patches (n, 32, 32, 3) of its hollows.

    PhotoError for whatever goes wrong with it.
    """
    return read_or_refuse(data, _read_with_patches)


def _read_with_patches(source: bytes | str) -> tuple[BoardReading, Image]:
    from vision.domino_duell import hollow_patches
    from vision.photo import decode

    reading = _read(source)
    return reading, hollow_patches(decode(source).rgb, reading)


def read_upload_isolated(
    data: bytes, on_waiting: OnWaiting | None = None
) -> tuple[BoardReading, NDArray[np.uint8]]:
    """The reading of a photo and the patches (n, 32, 32, 3) of its hollows.

    It is read by the workers that everybody shares. PhotoError where the photo can't be read,
    with the codes of ``ask_worker`` too.
    """
    answer, pixels = ask_worker(ISOLATION.task, {}, data, on_waiting)
    patches = np.frombuffer(pixels, np.uint8).reshape(answer["shape"])
    return reading_from_plain(answer["reading"]), patches


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    from scorer.domino_duell import DEFAULT_SHAPE
    from vision.domino_duell.classify import PATCH_PX
    from vision.domino_duell.detect import places_of
    from vision.domino_duell.weights import shipped

    use_duel_head()
    places = places_of(DEFAULT_SHAPE)
    shipped().board_logits(np.zeros((len(places), PATCH_PX, PATCH_PX, 3), np.uint8), places)


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the photo named by ``record``, or the one that is the ``block``.

    The answer to an upload has the patches of the hollows with it: RGB, uint8, of ``shape``.
    """
    if "photo" in record:
        return answer_named(record, BOARDS, reading_to_plain), b""
    return refused_or(lambda: _read_block(block))


def _read_block(block: bytes) -> tuple[dict[str, Any], bytes]:
    reading, patches = read_upload(block)
    return {"reading": reading_to_plain(reading), "shape": list(patches.shape)}, patches.tobytes()
