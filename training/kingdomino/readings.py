"""What the whole reader makes of the labelled photographs, boards and samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from training.common.answers import FLAGGED, SURE, Answer
from training.common.arrays import Image
from training.kingdomino.corpus import LabelledKingdom, read_labels, read_rgb
from vision.kingdomino.reader import Reader
from vision.kingdomino.warn import MirrorSettings, warn_mirrored
from vision.kingdomino.weights import Weights
from vision.photo import PhotoError, decode

FOLDERS = ("photos", "boards", "boards_loose")
SAMPLES = Path(__file__).parents[2] / "sample_images"
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
            group, kind = picture.session, folder.name
            question = f"{kind}/{picture.path.name}"
            if network == "mirrored":
                rgb = read_rgb(picture.path)
                for seen, flipped in ((rgb, ""), (np.ascontiguousarray(rgb[:, ::-1]), ", flipped")):
                    truth = TOLD[bool(flipped) != picture.mirrored]
                    about = question + flipped, group, f"{kind}, {truth}", truth
                    yield tuple(Answer(*about, TOLD[k], SURE) for k in _told(seen, weights))
                continue
            truth = str(picture.kingdom.trimmed())
            read = (_read(reader, picture.path, truth) for reader in readers)
            yield tuple(Answer(question, group, kind, truth, *said) for said in read)


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


def _read(reader: Reader, path: Path, truth: str) -> tuple[str, float]:
    """The first kingdom, and how sure it is: not at all with anything flagged or warned of.

    It is turned as the ``truth`` where it is the same but for that.
    """
    try:
        found = reader.read(path).kingdoms[0]
    except PhotoError:
        return ".", FLAGGED
    turns = [found.kingdom.trimmed()]
    while len(turns) < 4:
        turns.append(turns[-1].turned())
    said = truth if truth in map(str, turns) else str(turns[0])
    return said, FLAGGED if found.doubtful or found.warnings else SURE
