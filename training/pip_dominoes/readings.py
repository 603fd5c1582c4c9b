"""What the whole reader makes of the labelled photographs and samples of pip dominoes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from training.common.answers import Answer
from training.pip_dominoes.corpus import read_photo_labels
from vision.photo import PhotoError
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.result import parse_tile
from vision.pip_dominoes.weights import Weights

__all__ = ["read_tables"]

SAMPLES = Path(__file__).parents[2] / "sample_images" / "pip_dominoes"
SURE, FLAGGED = 0.99, 0.5


def read_tables(models: Path, data: Path, network: str) -> Iterator[Answer]:
    """The tiles of each picture, read with the weights of ``models``; flagged ones are unsure."""
    reader = Reader(Weights.load(models))
    for folder in (data / "pip_dominoes", SAMPLES):
        for photo in read_photo_labels(folder):
            try:
                reading = reader.read(photo.path, photo.set or None)
                tiles = sorted(parse_tile(domino.tile) for domino in reading.dominoes)
                flagged = any(domino.doubtful for domino in reading.dominoes)
            except PhotoError:
                tiles, flagged = [], True
            truth, said = (" ".join(f"{a}|{b}" for a, b in some) for some in (photo.tiles, tiles))
            sure = FLAGGED if flagged else SURE
            name = f"{folder.name}/{photo.path.name}"
            yield Answer(name, photo.scene, photo.source, truth, said, sure)
