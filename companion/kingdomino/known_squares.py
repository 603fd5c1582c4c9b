"""The squares of the sample pictures: no refit may read one of them worse."""

from __future__ import annotations

from companion.kingdomino.labelled_folder import LabelledSquares
from companion.kingdomino.samples import sample_folder, sample_labels
from vision.common.rectify import PATCH_PX, rectify_quadrangle
from vision.kingdomino.classify.squares import patches_of
from vision.kingdomino.reader import Reader
from vision.photo import PhotoError, decode

__all__ = ["known_squares"]


def known_squares() -> LabelledSquares:
    """Squares of the drawn samples as the shipped reader finds them, with their true labels."""
    reader = Reader()
    pictures, labels, sessions = [], [], []
    for name, kingdom in sample_labels().items():
        if kingdom is None:
            continue
        photo = decode((sample_folder() / name).read_bytes())
        try:
            reading = reader.read(photo).kingdoms[0]
        except PhotoError:
            continue
        if (reading.kingdom.height, reading.kingdom.width) != (kingdom.height, kingdom.width):
            continue
        scale = photo.rgb.shape[1] / photo.width
        for (row, column), square in kingdom.items():
            around = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            pictures.append(rectify_quadrangle(photo.rgb, reading.points(around) * scale, PATCH_PX))
            labels.append(str(square))
            sessions.append(name)
    return LabelledSquares(patches_of(pictures), tuple(labels), tuple(sessions))
