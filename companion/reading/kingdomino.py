"""Kingdomino's reader, for this process and for workers, and its readings as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.reading.codec import Codec
from companion.reading.jobs import GameReader, Outcome
from companion.reading.own_heads import KINGDOMINO_HEADS
from scorer.kingdomino import Kingdom, Square
from vision.kingdomino.result import LABELS, ONE_CROWN, KingdomReading, PhotoReading, SquareReading
from vision.photo import Photo, PhotoSettings, decode

# The labels of readings that were kept before those of Age of Giants were read.
_OLDER_LABELS = [place for place, label in enumerate(LABELS) if label not in ONE_CROWN]


def _square(**fields: Any) -> SquareReading:
    """A square as it was read; a game from a file may hold anything in its place."""
    square = SquareReading(**fields)
    for label in (square.label, square.runner_up, square.settled_from):
        if label is not None and label not in LABELS:
            Square.parse(label)
    return square


def _kingdom(**fields: Any) -> KingdomReading:
    """A kingdom whose parts are of one grid."""
    if (seen := fields.get("probabilities")) is not None:
        fields["probabilities"] = _of_all_labels(seen)
    reading = KingdomReading(**fields)
    if reading.homography.shape != (3, 3) or np.isnan(reading.homography).any():
        raise ValueError("homography: expected finite numbers of shape (3, 3)")
    grid = (reading.kingdom.height, reading.kingdom.width)
    for name in ("probabilities", "considered"):
        array = getattr(reading, name)
        if array is not None and (array.ndim < 2 or array.shape[:2] != grid):
            raise ValueError(f"{name}: expected rows and columns {grid}, got {array.shape}")
    if any(
        row not in range(grid[0]) or column not in range(grid[1])
        for row, column in reading.unpaired
    ):
        raise ValueError(f"unpaired: expected squares of the grid {grid}")
    colour = reading.castle_colour
    if colour is not None and not (colour.isalpha() and len(colour) < 20):
        raise ValueError("castle_colour: expected the name of a colour")
    return reading


def _of_all_labels(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (rows, columns, labels), with nothing for labels that were not known yet."""
    if found.ndim != 3 or found.shape[2] not in (len(LABELS), len(_OLDER_LABELS)):
        raise ValueError(f"probabilities: expected {len(LABELS)} a square, got {found.shape}")
    if found.shape[2] == len(LABELS):
        return found
    whole = np.zeros((*found.shape[:2], len(LABELS)))
    whole[..., _OLDER_LABELS] = found
    return whole


Image = NDArray[np.uint8]


def _read(
    source: bytes | str | Image | Photo,
    *,
    anyway: bool = False,
    giants: bool = False,
    frame: Mapping[str, Any] | None = None,
    earlier: Mapping[str, Any] | None = None,
    same: bool = False,
    glance: bool = False,
) -> PhotoReading:
    """The kingdoms of a photo, ``anyway`` and with ``giants`` as for ``Reader.read``.

    Where a person has set the ``frame`` of one, only its squares are read. With an ``earlier``
    reading as plain data it is read together with what that photo showed; ``same`` where a person
    says that both show one kingdom. With ``glance`` it is a small picture of a camera, which is
    looked at once.
    """
    KINGDOMINO_HEADS.use()
    import vision  # Loads OpenCV and the weights: not before there is a photo to read.

    if glance:
        return _glanced_at(source, giants=giants)
    if frame is not None:
        return _read_in_frame(source, frame, giants=giants)
    reading = vision.read_kingdoms(source, anyway=anyway, giants=giants)
    if earlier is None:
        return reading
    return _together([KINGDOMS.codec.from_plain(earlier), reading], giants=giants, same=same)


def _together(
    readings: Sequence[PhotoReading], *, giants: bool, same: bool = False
) -> PhotoReading:
    from vision.kingdomino.settling import JudgeSettings, SettleSettings
    from vision.kingdomino.together import TogetherSettings, combine_photos

    # How they lie on each other must be plain all the same.
    settings = TogetherSettings(same=0.0) if same else TogetherSettings()
    return combine_photos(readings, JudgeSettings(settle=SettleSettings(giants=giants)), settings)


# No more than a camera's small picture takes.
GLANCE_PX = 640
_OF_CAMERA = PhotoSettings(
    target_long_side_px=GLANCE_PX, max_side_px=2000, max_decoding_bytes=40_000_000,
    max_decoding_s=0.2,
)  # fmt: skip


def _glanced_at(source: bytes | str | Image | Photo, *, giants: bool) -> PhotoReading:
    from vision.kingdomino.reader import default_reader

    reader = default_reader().with_giants() if giants else default_reader()
    seen = reader.glance(decode(source, _OF_CAMERA))
    # What settling again needs is not sent: the next picture comes soon.
    light = (replace(each, probabilities=None, considered=None) for each in seen.kingdoms)
    return replace(seen, kingdoms=tuple(light))


def _read_in_frame(
    source: bytes | str | Image | Photo, frame: Mapping[str, Any], *, giants: bool
) -> PhotoReading:
    from vision.kingdomino.reader import default_reader

    photo, (width, height) = decode(source, PhotoSettings()), frame["size"]
    scale = max(photo.width, photo.height) / max(width, height)
    corners = [(x * scale, y * scale) for x, y in frame["corners"]]
    rows, columns = frame["grid"]
    reader = default_reader().with_giants() if giants else default_reader()
    reading = reader.read_frame(photo, corners, rows, columns)
    grown = np.diag([1 / scale, 1 / scale, 1.0]) @ reading.homography
    return PhotoReading((replace(reading, homography=grown),), width, height)


def _draw(photo_rgb: Image, reading: PhotoReading) -> Image:
    from vision.kingdomino.draw import draw_reading

    return draw_reading(photo_rgb, reading)


KINGDOMS = GameReader(
    "companion.reading.kingdomino",
    _read,
    _draw,
    Codec(
        PhotoReading, {Kingdom: Kingdom.parse}, {KingdomReading: _kingdom, SquareReading: _square}
    ),
)
"""Reads the kingdoms of a photo."""

warm_up, carry_out = KINGDOMS.warm_up, KINGDOMS.carry_out


def combine_outcomes(
    outcomes: Sequence[Outcome[PhotoReading]], *, giants: bool = False
) -> list[Outcome[PhotoReading]]:
    """One outcome for all photos of a table that were read, named by the first; then the refused.

    The numbers of photos in its kingdoms count those that were read.
    """
    read = [outcome for outcome in outcomes if outcome.reading is not None]
    refused = [outcome for outcome in outcomes if outcome.reading is None]
    if not read:
        return refused
    readings = [outcome.reading for outcome in read if outcome.reading is not None]
    return [replace(read[0], reading=_together(readings, giants=giants)), *refused]


def read_frame_isolated(
    data: bytes,
    corners: Sequence[tuple[float, float]],
    grid: tuple[int, int],
    size: tuple[int, int],
    *,
    giants: bool = False,
) -> KingdomReading:
    """The squares of a kingdom whose frame a person has set, as ``Reader.read_frame`` gives them.

    ``corners`` and the homography of the reading are pixels of the upright photo when it was
    ``size`` large (width, height); ``data`` may be a reduced copy of it. PhotoError as for
    ``GameReader.ask``.
    """
    frame = {"corners": [list(each) for each in corners], "grid": list(grid), "size": list(size)}
    reader = KINGDOMS.with_options(giants=giants, frame=frame)
    return reader.ask(data).kingdoms[0]
