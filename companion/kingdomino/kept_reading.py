"""A reading as plain data, so that it can be settled again after a reload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.merging import Json
from companion.kingdomino.editing import EditedKingdom
from companion.kingdomino.kept_board import KeptBoard
from scorer.kingdomino import Kingdom, Square
from vision.kingdomino.labels import LABELS, ONE_CROWN
from vision.kingdomino.result import KingdomReading, SquareReading

__all__ = ["KeptReading", "board_of", "edited_of"]

_MAX_PX = 100_000
# The labels of readings that were kept before those of Age of Giants were read.
_OLDER_LABELS = [place for place, label in enumerate(LABELS) if label not in ONE_CROWN]


@dataclass(frozen=True)
class KeptReading:
    """The reading of a kingdom with its photo.

    ``photo`` is the id of the kept photo, or another name for it; None if there is none. ``width``
    and ``height`` are those of the upright photo in pixels, to which the homography maps.
    ``warnings`` are those of the whole photo, as codes of ``vision.kingdomino.warn``.
    """

    reading: KingdomReading
    photo: str | None = None
    width: int = 0
    height: int = 0
    warnings: tuple[str, ...] = ()

    def to_data(self) -> Json:
        """Plain data, which ``from_data`` turns back into the same reading to the bit."""
        return {
            "reading": _to_data(self.reading),
            "photo": self.photo,
            "width": self.width,
            "height": self.height,
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_data(cls, data: Json) -> KeptReading:
        """The reading from plain data; ValueError if they are invalid."""
        try:
            photo, width, height = data["photo"], int(data["width"]), int(data["height"])
            if not isinstance(photo, str | None) or not (
                0 <= width <= _MAX_PX and 0 <= height <= _MAX_PX
            ):
                raise ValueError("photo: expected its id and its size")
            warnings = tuple(map(str, data.get("warnings", ())))
            return cls(_from_data(data["reading"]), photo, width, height, warnings)
        except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ValueError(f"reading: expected the data of a reading, {error}") from error


def board_of(edited: EditedKingdom, reading_id: str | None = None, frame: str = "") -> KeptBoard:
    """The board to keep of an edited kingdom; ``reading_id`` is the id of its kept reading."""
    return KeptBoard(
        edited.kingdom, edited.origin, edited.doubtful, edited.corrected, frame, reading_id
    )


def edited_of(board: KeptBoard, reading: KeptReading | None = None) -> EditedKingdom:
    """A kept kingdom to edit again, with its reading if that was kept."""
    found = reading.reading if reading else None
    return EditedKingdom(board.kingdom, found, board.origin, board.doubtful, board.corrected)


def _to_data(reading: KingdomReading) -> Json:
    considered = reading.considered
    return {
        "kingdom": reading.kingdom.format(),
        "squares": [[_square_to_data(each) for each in row] for row in reading.squares],
        "homography": reading.homography.tolist(),
        "castle_colour": reading.castle_colour,
        "lattice_certain": reading.lattice_certain,
        "probabilities": _numbers_to_data(reading.probabilities),
        "considered": None if considered is None else considered.tolist(),
        "detection_scores": _numbers_to_data(reading.detection_scores),
        "misfit": reading.misfit,
        "warnings": list(reading.warnings),
        "next_best": None if reading.next_best is None else _to_data(reading.next_best),
    }


def _from_data(data: Any) -> KingdomReading:
    kingdom = Kingdom.parse(data["kingdom"])
    grid = (kingdom.height, kingdom.width)
    homography = _numbers(data["homography"])
    if homography is None or homography.shape != (3, 3) or not np.isfinite(homography).all():
        raise ValueError("homography: expected finite numbers of shape (3, 3)")
    probabilities, scores = _of_labels(data["probabilities"]), _numbers(data["detection_scores"])
    considered = data["considered"]
    if considered is not None:
        considered = np.array(considered, np.bool_)
    for name, array in (("probabilities", probabilities), ("considered", considered)):
        if array is not None and array.shape[:2] != grid:
            raise ValueError(f"{name}: expected rows and columns {grid}, got {array.shape}")
    next_best = data["next_best"]
    return KingdomReading(
        kingdom,
        tuple(tuple(map(_square_from_data, row)) for row in data["squares"]),
        homography,
        castle_colour=_colour(data["castle_colour"]),
        lattice_certain=bool(data["lattice_certain"]),
        probabilities=probabilities,
        considered=considered,
        detection_scores=scores,
        misfit=float(data["misfit"]),
        next_best=None if next_best is None else _from_data(next_best),
        # Readings kept before there were warnings have none.
        warnings=tuple(map(str, data.get("warnings", ()))),
    )


def _colour(value: object) -> str | None:
    if value is not None and not (isinstance(value, str) and value.isalpha() and len(value) < 20):
        raise ValueError("castle_colour: expected the name of a colour")
    return value


def _square_from_data(data: Any) -> SquareReading:
    """A square as it was read; a game from a file may hold anything in its place."""
    for label in (data["label"], data["runner_up"], data["settled_from"]):
        if label not in (None, "."):
            Square.parse(label)
    if not isinstance(data["label"], str) or not isinstance(data.get("reason"), str | None):
        raise ValueError("square: expected a label and the code of a reason")
    return SquareReading(**{**data, "doubtful": data["doubtful"] is True})


def _numbers_to_data(array: NDArray[np.float64] | None) -> Json:
    """Nested lists with None for NaN, which JSON can't express."""
    if array is None:
        return None
    objects = array.astype(np.object_)
    objects[np.isnan(array)] = None
    return objects.tolist()


def _numbers(data: Json) -> NDArray[np.float64] | None:
    return None if data is None else np.array(data, np.float64)


def _of_labels(data: Json) -> NDArray[np.float64] | None:
    """Probabilities (rows, columns, labels), with nothing for labels that were not known yet."""
    found = _numbers(data)
    if found is None:
        return None
    if found.ndim != 3 or found.shape[2] not in (len(LABELS), len(_OLDER_LABELS)):
        expected = f"(rows, columns, {len(LABELS)})"
        raise ValueError(f"probabilities: expected shape {expected}, got {found.shape}")
    if found.shape[2] == len(LABELS):
        return found
    whole = np.zeros((*found.shape[:2], len(LABELS)))
    whole[..., _OLDER_LABELS] = found
    return whole


def _square_to_data(square: SquareReading) -> Json:
    return {
        "label": square.label,
        "probability": square.probability,
        "runner_up": square.runner_up,
        "doubtful": square.doubtful,
        "settled_from": square.settled_from,
        "reason": square.reason,
    }
