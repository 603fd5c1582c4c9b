"""A folder of labelled pictures, as it is exported and as the training data has them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.photo import PhotoError, decode

__all__ = ["FolderError", "LabelledSquares", "read_labelled"]

Image = NDArray[np.uint8]
_MOST = 50_000


class FolderError(Exception):
    """A folder that holds no labelled pictures: ``no_labels``, ``bad_labels``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, eq=False)
class LabelledSquares:
    """Patches (n, side, side, 3), the label of each in notation, and the session it is from.

    ``left_out`` counts the lines that could not be used: pictures that are none, and labels that
    the network has no output for.
    """

    patches: Image
    labels: tuple[str, ...]
    sessions: tuple[str, ...]
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.labels)


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
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        return None
    try:
        return decode(path.read_bytes()).rgb
    except (OSError, PhotoError):
        return None
