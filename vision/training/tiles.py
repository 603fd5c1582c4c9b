"""The pictures of a data folder made ready for composing scenes."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.corpus import Corpus, read_rgb
from vision.training.scenes import TileSet

__all__ = ["load_tiles", "square_side"]

Image = NDArray[np.uint8]

square_side = 96


def _sized(picture: Image, width: int, height: int) -> Image:
    shrinks = picture.shape[1] > width
    way = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way), np.uint8)


def load_tiles(folder: Path, held_out_sessions: Container[str] = ()) -> TileSet:
    """All tiles and tables of the folder but squares of the sessions held out."""
    corpus = Corpus(folder)
    side = square_side
    dominoes: dict[str, list[Image]] = {number: [] for number in corpus.dominoes}
    for kind in ("scan", "photo"):
        for number, picture in corpus.domino_pictures(kind).items():
            dominoes[number].append(_sized(picture, 2 * side, side))
    squares: dict[str, list[Image]] = {}
    for square in corpus.squares() + corpus.scanned_squares():
        if square.session not in held_out_sessions:
            picture = _sized(read_rgb(square.path), side, side)
            squares.setdefault(square.label, []).append(picture)
    return TileSet(
        labels=corpus.dominoes,
        dominoes=dominoes,
        starts=[_sized(picture, side, side) for _, picture in corpus.start_tiles()],
        squares=squares,
        surfaces=[read_rgb(path) for path in corpus.backgrounds()],
    )
