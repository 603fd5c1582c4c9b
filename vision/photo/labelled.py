"""A folder of labelled pictures, as corrected squares are exported."""

from __future__ import annotations

import csv
from collections.abc import Callable, Container, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.common.refit import LabelledSquares
from vision.photo.decoding import decode
from vision.photo.errors import PhotoError

Image = NDArray[np.uint8]
_MOST = 50_000


class FolderError(Exception):
    """A folder that holds no labelled pictures: ``no_labels``, ``bad_labels``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_labelled(
    folder: Path, known: Container[str], patches_of: Callable[[Sequence[Image]], Image]
) -> LabelledSquares:
    """Read ``labels.csv`` (file, label, source_photo, session) and the pictures it names.

    ``known`` are the labels of the game, and ``patches_of`` brings pictures to the size of its
    patches. Files outside of the folder are left out. FolderError for a folder without such a
    table.
    """
    try:
        with (folder / "labels.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))[:_MOST]
    except (OSError, UnicodeDecodeError, csv.Error):
        raise FolderError("no_labels") from None
    if not rows or not {"file", "label", "session"} <= rows[0].keys():
        raise FolderError("bad_labels")
    pictures, labels, sessions = [], [], []
    for row in rows:
        picture = _picture(folder, row["file"] or "") if row["label"] in known else None
        if picture is not None:
            pictures.append(picture)
            labels.append(row["label"])
            sessions.append(row["session"] or "")
    left_out = len(rows) - len(labels)
    return LabelledSquares(patches_of(pictures), tuple(labels), tuple(sessions), left_out)


def _picture(folder: Path, name: str) -> Image | None:
    try:
        path = (folder / name).resolve()
        return decode(path).rgb if path.is_relative_to(folder.resolve()) else None
    except (ValueError, PhotoError):  # A name that no file can have is a ValueError.
        return None
