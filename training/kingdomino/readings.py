"""What the whole reader makes of the labelled photographs, boards and samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scorer.kingdomino import Kingdom
from training.common.answers import Answer
from training.common.arrays import Image
from training.kingdomino.corpus import LabelledKingdom, read_labels, read_rgb
from vision.kingdomino.reader import Reader
from vision.kingdomino.warn import MirrorSettings, warn_mirrored
from vision.kingdomino.weights import Weights
from vision.photo import PhotoError, decode

FOLDERS = ("photos", "boards", "boards_loose")
SAMPLES = Path(__file__).parents[2] / "sample_images"
SURE, FLAGGED = 0.99, 0.5
TOLD = ("as it is", "mirrored")


def read_tables(folders: Sequence[Path], data: Path, network: str) -> Iterator[tuple[Answer, ...]]:
    """The kingdom of each picture, an answer by the weights of each folder.

    Of the network ``mirrored`` whether it is mirrored, each picture as it is and flipped.
    """
    weights = [Weights.load(folder) for folder in folders]
    readers = [Reader(each) for each in weights]
    for folder in (*(data / name for name in FOLDERS), SAMPLES):
        for picture in read_labels(folder):
            if not isinstance(picture, LabelledKingdom) or picture.kingdom is None:
                continue
            name, group, kind = picture.path.name, picture.session, folder.name
            if network == "mirrored":
                rgb = read_rgb(picture.path)
                for flipped in (False, True):
                    seen = np.ascontiguousarray(rgb[:, ::-1]) if flipped else rgb
                    question = f"{kind}/{name}{', flipped' if flipped else ''}"
                    truth = TOLD[flipped != picture.mirrored]
                    said = (TOLD[told] for told in _told(seen, weights))
                    kinds = f"{kind}, {truth}"
                    yield tuple(Answer(question, group, kinds, truth, each, SURE) for each in said)
                continue
            truth = str(picture.kingdom.trimmed())
            read = (_read(reader, picture.path) for reader in readers)
            yield tuple(
                Answer(
                    f"{kind}/{name}", group, kind, truth,
                    truth if truth in _turns(kingdom) else str(kingdom), sure,
                )
                for kingdom, sure in read
            )  # fmt: skip


def _told(rgb: Image, weights: Sequence[Weights]) -> list[bool]:
    """Whether the first kingdom is mirrored by each network; all else is read once."""
    reader = Reader(replace(weights[0], mirror=None))
    photo = decode(rgb, reader.settings.photo)
    try:
        kingdom = reader.read(photo).kingdoms[0]
    except PhotoError:
        return [False] * len(weights)
    settings = MirrorSettings()
    read = (warn_mirrored(kingdom, photo, each.mirror, settings) for each in weights)
    return ["mirrored" in each.warnings for each in read]


def _read(reader: Reader, path: Path) -> tuple[Kingdom, float]:
    """The first kingdom, and how sure it is: not at all with anything flagged or warned of."""
    try:
        kingdom = reader.read(path).kingdoms[0]
    except PhotoError:
        return Kingdom.parse("."), FLAGGED
    doubtful = bool(kingdom.doubtful or kingdom.warnings)
    return kingdom.kingdom.trimmed(), FLAGGED if doubtful else SURE


def _turns(kingdom: Kingdom) -> set[str]:
    found = set()
    for _ in range(4):
        found.add(str(kingdom))
        kingdom = kingdom.turned()
    return found
