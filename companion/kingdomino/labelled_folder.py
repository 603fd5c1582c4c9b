"""A folder of labelled squares of kingdoms."""

from __future__ import annotations

from pathlib import Path

from companion.labelled_folder import FolderError, LabelledSquares, read_labelled
from vision.kingdomino.classify.squares import patches_of
from vision.kingdomino.labels import LABELS

__all__ = ["FolderError", "LabelledSquares", "read_folder"]


def read_folder(folder: Path) -> LabelledSquares:
    """Read ``labels.csv`` and the pictures it names, as ``read_labelled`` does. FolderError."""
    return read_labelled(folder, LABELS, patches_of)
