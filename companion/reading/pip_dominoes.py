"""Reading photos of hands of dominoes: the jobs, what a worker is asked and answers, and readings
as plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.reading.decoding import OnWaiting, ask_worker, refused_or
from companion.reading.jobs import Isolation, Reader, answer_named
from vision.photo.errors import PhotoError
from vision.pip_dominoes.result import DominoReading, HandReading

__all__ = [
    "TASK",
    "carry_out",
    "draw_hand",
    "hand_from_plain",
    "hand_reader",
    "hand_to_plain",
    "read_hand",
    "read_hand_isolated",
    "settle_round",
    "warm_up",
]

Image = NDArray[np.uint8]


def read_hand(source: bytes | str, highest: int | None = None) -> HandReading:
    """The dominoes of a photo, given as bytes or path, of a set whose highest half may be known.

    PhotoError where the photo can't be read.
    """
    # Loads OpenCV and the weights: not before there is a photo to read.
    import vision

    return vision.read_dominoes(source, set=highest)


def settle_round(readings: list[HandReading], highest: int | None = None) -> list[HandReading]:
    """The hands of one round settled together: each domino is in one of them only."""
    import vision

    return vision.settle_hands(readings, set=highest)


def draw_hand(photo_rgb: Image, reading: HandReading) -> Image:
    """The photo (h, w, 3) with every domino outlined and named."""
    from vision.pip_dominoes.draw import annotate

    return annotate(photo_rgb, reading)


def hand_to_plain(reading: HandReading) -> dict[str, Any]:
    """All of a reading in objects, lists, texts and numbers; no number loses a digit."""
    return {
        "dominoes": [
            {
                "halves": [int(half) for half in each.halves],
                "corners": each.corners.tolist(),
                "probability": float(each.probability),
                "doubtful": bool(each.doubtful),
                "runner_up": each.runner_up,
                "likelihoods": each.likelihoods.tolist(),
                "existence": float(each.existence),
                "reasons": list(each.reasons),
            }
            for each in reading.dominoes
        ],
        "set": int(reading.set),
        "warnings": list(reading.warnings),
        "size": [reading.width, reading.height],
        "seconds": dict(reading.seconds),
    }


def hand_from_plain(plain: dict[str, Any]) -> HandReading:
    """What ``hand_to_plain`` was given."""
    dominoes = tuple(_domino_from_plain(each) for each in plain["dominoes"])
    width, height = plain["size"]
    warnings = tuple(plain["warnings"])
    return HandReading(dominoes, plain["set"], warnings, width, height, plain["seconds"])


def _domino_from_plain(plain: dict[str, Any]) -> DominoReading:
    first, second = plain["halves"]
    return DominoReading(
        (first, second),
        np.array(plain["corners"], float),
        plain["probability"],
        plain["doubtful"],
        plain["runner_up"],
        np.array(plain["likelihoods"], float),
        plain["existence"],
        tuple(plain["reasons"]),
    )


TASK = "companion.reading.pip_dominoes"
"""The module that carries out readings in a worker."""


def hand_reader(highest: int | None = None) -> Reader[HandReading]:
    """Reads the hand of a photo, with the highest half of the set where it is known."""
    isolation: Isolation[HandReading] = Isolation(TASK, hand_from_plain, {"highest": highest})
    return Reader(partial(read_hand, highest=highest), draw_hand, isolation)


def read_hand_isolated(
    data: bytes, highest: int | None = None, on_waiting: OnWaiting | None = None
) -> HandReading:
    """``read_hand`` by the workers that everybody shares.

    PhotoError where the photo can't be read, with the codes of ``ask_worker`` too.
    """
    answer, _ = ask_worker(TASK, {"highest": highest}, data, on_waiting)
    return hand_from_plain(answer["reading"])


def warm_up() -> None:
    """Load the libraries and the weights, and run them once."""
    import numpy as np

    import vision

    try:
        vision.read_dominoes(np.full((480, 640, 3), 128, np.uint8))
    except PhotoError:
        return


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the hand on the photo named by ``record``, or on the one that is the ``block``.

    ``record`` has the ``highest`` half of the set, null where it is not known.
    """
    read: Callable[[bytes | str], Any] = partial(read_hand, highest=record["highest"])
    if "photo" not in record:
        return refused_or(lambda: ({"reading": hand_to_plain(read(block))}, b""))
    return answer_named(record, Reader(read, draw_hand), hand_to_plain), b""
