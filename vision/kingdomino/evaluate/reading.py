"""Labelled pictures read, one after the other, each kept with what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

import cv2
import numpy as np

from vision import PhotoError
from vision.common.rectify import PATCH_PX
from vision.kingdomino.evaluate.compare import Comparison, compare, unread
from vision.kingdomino.evaluate.ground_truth import LabelledKingdom, LabelledSquare
from vision.kingdomino.labels import CASTLE_COLOURS
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import PhotoReading, SquareReading
from vision.kingdomino.training.corpus import held_out_sessions
from vision.kingdomino.weights import Weights

__all__ = [
    "PhotoResult",
    "SquareResult",
    "cross_validated",
    "read_photos",
    "read_squares",
]


class InSession(Protocol):
    """What shares its ``session`` with its near-copies."""

    @property
    def session(self) -> str: ...


Picture = TypeVar("Picture", bound=InSession)


@dataclass(frozen=True)
class PhotoResult:
    """A photograph with its reading, or with the code of the error that came instead.

    ``comparison`` holds its largest kingdom against the truth, where there is one.
    """

    picture: LabelledKingdom
    reading: PhotoReading | None = None
    error: str | None = None
    comparison: Comparison | None = None

    @property
    def is_right(self) -> bool:
        """Whether every square was read right, nothing corrected."""
        return self.comparison is not None and self.comparison.kingdom_right


@dataclass(frozen=True)
class SquareResult:
    """A single square with its reading and the colours a castle may have, by probability."""

    picture: LabelledSquare
    reading: SquareReading
    colours: dict[str, float] = field(default_factory=dict)


def cross_validated(
    pictures: Sequence[Picture], data: Path, weights: Sequence[Path]
) -> Iterator[tuple[Weights, list[Picture]]]:
    """Part by part the weights and the pictures that they have not seen.

    The k-th of n folders of ``weights`` holds those of a training with ``--hold-out k/n`` on the
    folder ``data``.
    """
    for fold, folder in enumerate(weights):
        sessions = held_out_sessions(data, fold, len(weights))
        unseen = [picture for picture in pictures if picture.session in sessions]
        yield Weights.load(folder), unseen


def read_photos(
    pictures: Sequence[LabelledKingdom], read: Callable[[Path], PhotoReading]
) -> list[PhotoResult]:
    """Every photograph read; what can't be read is a result too."""
    results = []
    for picture in pictures:
        try:
            reading = read(picture.path)
        except PhotoError as error:
            lost = unread(picture.kingdom) if picture.kingdom else None
            results.append(PhotoResult(picture, None, error.code, lost))
            continue
        compared = compare(picture.kingdom, reading.kingdoms[0]) if picture.kingdom else None
        results.append(PhotoResult(picture, reading, None, compared))
    return results


def read_squares(pictures: Sequence[LabelledSquare], reader: Reader) -> list[SquareResult]:
    """Every single square read."""
    images = [np.asarray(cv2.imread(str(p.path), cv2.IMREAD_COLOR_RGB), np.uint8) for p in pictures]
    patches = [np.asarray(cv2.resize(image, (PATCH_PX, PATCH_PX)), np.uint8) for image in images]
    _, colours = reader.weights.classifier.probabilities(
        np.array(patches, np.uint8).reshape(-1, PATCH_PX, PATCH_PX, 3)
    )
    return [
        SquareResult(picture, reading, dict(zip(CASTLE_COLOURS, map(float, row), strict=True)))
        for picture, reading, row in zip(pictures, reader.classify(images), colours, strict=True)
    ]
