"""What the whole reader makes of the labelled photographs and samples of pip dominoes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from training.common.answers import FLAGGED, SURE, Answer
from training.pip_dominoes.corpus import LabelledPhoto, read_photo_labels
from vision.photo import PhotoError
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.result import parse_tile
from vision.pip_dominoes.weights import Weights

SAMPLES = Path(__file__).parents[2] / "sample_images" / "pip_dominoes"


def read_tables(folders: Sequence[Path], data: Path, network: str) -> Iterator[tuple[Answer, ...]]:
    """The tiles of each picture, an answer by the weights of each folder."""
    readers = [Reader(Weights.load(models)) for models in folders]
    for folder in (data / "pip_dominoes", SAMPLES):
        for photo in read_photo_labels(folder):
            name, truth = f"{folder.name}/{photo.path.name}", sorted(photo.tiles)
            asked = (name, photo.scene, photo.source, " ".join(f"{a}|{b}" for a, b in truth))
            yield tuple(Answer(*asked, *_read(reader, photo)) for reader in readers)


def _read(reader: Reader, photo: LabelledPhoto) -> tuple[str, float]:
    """The tiles in order, and how sure they are."""
    try:
        found = reader.read(photo.path, photo.set or None).dominoes
    except PhotoError:
        return "", FLAGGED
    tiles = sorted((domino.tile for domino in found), key=parse_tile)
    return " ".join(tiles), FLAGGED if any(domino.doubtful for domino in found) else SURE
