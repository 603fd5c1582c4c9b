"""What the whole reader makes of the labelled photographs, boards and samples."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scorer.kingdomino import Kingdom
from training.common.answers import Answer
from training.kingdomino.corpus import LabelledKingdom, read_labels, read_rgb
from vision.kingdomino.reader import Reader
from vision.kingdomino.weights import Weights
from vision.photo import PhotoError

__all__ = ["read_tables"]

FOLDERS = ("photos", "boards", "boards_loose")
SAMPLES = Path(__file__).parents[2] / "sample_images"
SURE, FLAGGED = 0.99, 0.5


def read_tables(models: Path, data: Path, network: str) -> Iterator[Answer]:
    """The kingdom of each picture, read with the weights of ``models``; flagged ones are unsure.

    Of the network ``mirrored`` whether it is mirrored, each picture as it is and flipped.
    """
    reader = Reader(Weights.load(models))
    for folder in (*(data / name for name in FOLDERS), SAMPLES):
        mirrored = _mirrored(folder)
        for picture in read_labels(folder):
            if not isinstance(picture, LabelledKingdom) or picture.kingdom is None:
                continue
            question = f"{folder.name}/{picture.path.name}"
            group, kind = picture.session, folder.name
            if network == "mirrored":
                rgb, was = read_rgb(picture.path), picture.path.name in mirrored
                for flipped in (False, True):
                    seen = np.ascontiguousarray(rgb[:, ::-1]) if flipped else rgb
                    told = "mirrored" in _read(reader, seen)[2]
                    truth, said = (
                        "mirrored" if yes else "as it is" for yes in (flipped != was, told)
                    )
                    name = f"{question}{', flipped' if flipped else ''}"
                    yield Answer(name, group, f"{kind}, {truth}", truth, said, SURE)
                continue
            read, flagged, _ = _read(reader, str(picture.path))
            truth = str(picture.kingdom.trimmed())
            said = truth if truth in _turns(read) else str(read)
            yield Answer(question, group, kind, truth, said, FLAGGED if flagged else SURE)


def _read(reader: Reader, source: object) -> tuple[Kingdom, bool, tuple[str, ...]]:
    """The first kingdom, whether anything is flagged or warned of, and the warnings."""
    try:
        kingdom = reader.read(source).kingdoms[0]  # type: ignore[arg-type]
    except PhotoError as error:
        return Kingdom.parse("."), True, (error.code,)
    doubtful = bool(kingdom.doubtful or kingdom.warnings)
    return kingdom.kingdom.trimmed(), doubtful, tuple(kingdom.warnings)


def _turns(kingdom: Kingdom) -> set[str]:
    found = set()
    for _ in range(4):
        found.add(str(kingdom))
        kingdom = kingdom.turned()
    return found


def _mirrored(folder: Path) -> set[str]:
    """The pictures that were mirrored before they came into the folder."""
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as table:
        return {row["file"] for row in csv.DictReader(table) if row.get("mirrored") == "1"}
