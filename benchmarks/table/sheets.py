"""Kingdoms and dominoes cut out of photographs, seen from straight above."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.kingdomino.training.corpus import BoardPicture, Corpus, read_rgb

__all__ = ["SQUARE_PX", "Sheet", "cut_domino", "load_kingdoms"]

Image = NDArray[np.uint8]

SQUARE_PX = 100
# Photographed kingdoms with fewer squares say little about a table.
MIN_SQUARES = 9


@dataclass(frozen=True, eq=False)
class Sheet:
    """A kingdom or a domino as a flat picture, ``SQUARE_PX`` pixels a square.

    ``rgb`` (h, w, 3), ``alpha`` (h, w) 0..1 where tiles lie, ``labels`` by (row, column).
    ``source`` tells pictures of one camera and light, ``session`` those that are held out together.
    """

    name: str
    source: str
    session: str
    rgb: Image
    alpha: NDArray[np.float32]
    labels: dict[Position, str]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in squares."""
        height, width = self.alpha.shape
        return width // SQUARE_PX, height // SQUARE_PX


def _sheet(picture: BoardPicture, source: str, rgb: Image) -> Sheet:
    rows = [line.split() for line in picture.kingdom.split("/")]
    alpha = np.zeros(rgb.shape[:2], np.float32)
    labels = {}
    for r, row in enumerate(rows):
        for c, label in enumerate(row):
            if label != ".":
                labels[r, c] = label
                area = (
                    slice(r * SQUARE_PX, (r + 1) * SQUARE_PX),
                    slice(c * SQUARE_PX, (c + 1) * SQUARE_PX),
                )
                alpha[area] = 1
    return Sheet(picture.path.name, source, picture.session, rgb, alpha, labels)


def load_kingdoms(folder: Path) -> list[Sheet]:
    """One picture of each kingdom of the boards, and the larger kingdoms of the photographs."""
    corpus = Corpus(folder)
    boards = []
    seen = set()
    for board in corpus.boards():
        if board.group not in seen:
            seen.add(board.group)
            rgb = cv2.resize(read_rgb(board.path), (5 * SQUARE_PX, 5 * SQUARE_PX))
            boards.append(_sheet(board, "boards", np.asarray(rgb, np.uint8)))
    photos = []
    lattices = corpus.photo_lattices()
    for photo in corpus.photos():
        rows = [line.split() for line in photo.kingdom.split("/")]
        if sum(label != "." for row in rows for label in row) < MIN_SQUARES:
            continue
        corners = next(corners for label, corners in lattices[photo.path.name] if label == "grid")
        width, height = len(rows[0]) * SQUARE_PX, len(rows) * SQUARE_PX
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        view = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
        rgb = cv2.warpPerspective(read_rgb(photo.path), view, (width, height), flags=cv2.INTER_AREA)
        photos.append(_sheet(photo, photo.group, np.asarray(rgb, np.uint8)))
    growing = Counter(sheet.source for sheet in photos)
    # Of a kingdom photographed at every turn, every other picture is enough.
    photos = [s for k, s in enumerate(photos) if growing[s.source] < 6 or k % 2]
    return _mixed(boards, photos)


def _mixed(boards: list[Sheet], photos: list[Sheet]) -> list[Sheet]:
    """Both kinds in turn, so that any first part of the list holds both."""
    order = sorted(
        [((k + 0.5) / len(boards), sheet) for k, sheet in enumerate(boards)]
        + [((k + 0.5) / len(photos), sheet) for k, sheet in enumerate(photos)],
        key=lambda pair: pair[0],
    )
    return [sheet for _, sheet in order]


def cut_domino(sheet: Sheet, rng: np.random.Generator) -> Sheet:
    """Two neighbouring squares of a kingdom, none of them the castle, as a domino lying across."""
    pairs = [
        ((r, c), (r + dr, c + dc))
        for r, c in sheet.labels
        for dr, dc in ((0, 1), (1, 0))
        if (r + dr, c + dc) in sheet.labels
        and "c" not in (sheet.labels[r, c], sheet.labels[r + dr, c + dc])
    ]
    one, other = pairs[int(rng.integers(len(pairs)))]
    top, left = one[0] * SQUARE_PX, one[1] * SQUARE_PX
    rgb = sheet.rgb[top : (other[0] + 1) * SQUARE_PX, left : (other[1] + 1) * SQUARE_PX]
    if one[1] == other[1]:
        rgb = np.rot90(rgb)
    labels = {(0, 0): sheet.labels[one], (0, 1): sheet.labels[other]}
    alpha = np.ones(rgb.shape[:2], np.float32)
    return Sheet("domino", sheet.source, sheet.session, np.ascontiguousarray(rgb), alpha, labels)
