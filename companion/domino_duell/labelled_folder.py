"""A folder of labelled hollows of boards."""

from __future__ import annotations

from pathlib import Path

from companion.domino_duell.corrected_hollows import label_of
from companion.labelled_folder import LabelledSquares, read_labelled
from scorer.domino_duell import JOKER, STONES, Piece
from vision.common.resized import resized_patches
from vision.domino_duell.patches import PATCH_PX

__all__ = ["PIECES", "read_folder"]

PIECES: dict[str, Piece | None] = {label_of(piece): piece for piece in (*STONES, JOKER, None)}
"""What lies in a hollow, by its label."""


def read_folder(folder: Path) -> LabelledSquares:
    """Read ``labels.csv`` and the pictures it names, as ``read_labelled`` does. FolderError."""
    return read_labelled(folder, PIECES, lambda found: resized_patches(found, PATCH_PX))
