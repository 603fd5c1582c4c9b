"""Read labelled pictures and keep each with its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

import cv2
import numpy as np

from vision import PhotoError
from vision.common.rectify import PATCH_PX
from vision.kingdomino.evaluate.compare import Comparison, compare, compare_unread
from vision.kingdomino.evaluate.ground_truth import LabelledKingdom, LabelledSquare
from vision.kingdomino.labels import CASTLE_COLOURS
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import PhotoReading, SquareReading
from vision.kingdomino.training.corpus import held_out_sessions
from vision.kingdomino.weights import Weights

__all__ = [
    "PhotoResult",
    "SquareResult",
    "cross_validation_parts",
    "held_out_parts",
    "read_photos",
    "read_squares",
]


class InSession(Protocol):
    """A picture that shares its ``session`` with its near-duplicates."""

    @property
    def session(self) -> str: ...


Picture = TypeVar("Picture", bound=InSession)


@dataclass(frozen=True)
class PhotoResult:
    """A photograph with its reading or the code of the error.

    ``comparison`` compares its largest kingdom with the ground truth, if it shows a kingdom.
    """

    picture: LabelledKingdom
    reading: PhotoReading | None = None
    error: str | None = None
    comparison: Comparison | None = None

    @property
    def is_right(self) -> bool:
        """Whether every square was read right."""
        return self.comparison is not None and self.comparison.kingdom_right


@dataclass(frozen=True)
class SquareResult:
    """A single square with its reading and the probabilities of the castle colours."""

    picture: LabelledSquare
    reading: SquareReading
    colours: dict[str, float] = field(default_factory=dict)


def cross_validation_parts(
    pictures: Sequence[Picture], data: Path, weights: Sequence[Path]
) -> Iterator[tuple[Weights, list[Picture]]]:
    """Of each part of a cross-validation the weights and the pictures they were not trained on.

    The k-th of the n folders in ``weights`` is from a training with ``--hold-out k/n`` on the
    folder ``data``.
    """
    parts = held_out_parts(pictures, data, len(weights))
    for folder, unseen in zip(weights, parts, strict=True):
        yield Weights.load(folder), unseen


def held_out_parts(pictures: Sequence[Picture], data: Path, folds: int) -> Iterator[list[Picture]]:
    """The pictures whose sessions each part of a cross-validation on the folder holds out."""
    for fold in range(folds):
        sessions = held_out_sessions(data, fold, folds)
        yield [picture for picture in pictures if picture.session in sessions]


def read_photos(
    pictures: Sequence[LabelledKingdom], read: Callable[[Path], PhotoReading]
) -> list[PhotoResult]:
    """Read every photograph; one that can't be read is a result with an error."""
    results = []
    for picture in pictures:
        try:
            reading = read(picture.path)
        except PhotoError as error:
            lost = compare_unread(picture.kingdom) if picture.kingdom else None
            results.append(PhotoResult(picture, None, error.code, lost))
            continue
        compared = compare(picture.kingdom, reading.kingdoms[0]) if picture.kingdom else None
        results.append(PhotoResult(picture, reading, None, compared))
    return results


def read_squares(pictures: Sequence[LabelledSquare], reader: Reader) -> list[SquareResult]:
    """Read every single square."""
    images = [np.asarray(cv2.imread(str(p.path), cv2.IMREAD_COLOR_RGB), np.uint8) for p in pictures]
    patches = [np.asarray(cv2.resize(image, (PATCH_PX, PATCH_PX)), np.uint8) for image in images]
    _, colours = reader.weights.classifier.probabilities(
        np.array(patches, np.uint8).reshape(-1, PATCH_PX, PATCH_PX, 3)
    )
    return [
        SquareResult(picture, reading, dict(zip(CASTLE_COLOURS, map(float, row), strict=True)))
        for picture, reading, row in zip(pictures, reader.classify(images), colours, strict=True)
    ]
