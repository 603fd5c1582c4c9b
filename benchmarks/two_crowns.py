"""Wheat, forest and lake with two crowns, and what could be taken for them.

``python -m benchmarks.two_crowns DATA FOLD0.onnx FOLD1.onnx …``: the K-th of N networks, trained
with ``--hold-out K/N``, reads the single squares held out from it as they are, and those of wheat,
forest and lake with one crown with a second one printed on them, with something that is no crown
in its place, and with their crown in the other corner. No photograph of Age of Giants is there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.markdown_tables import markdown, provenance, show
from training.kingdomino.corpus import DOMINOES, Corpus, held_out_sessions, read_rgb
from training.kingdomino.tiles import SQUARE_PX, CrownStamp
from vision.common.geometry import resized_patches
from vision.common.network import Network, shipped_weights
from vision.kingdomino.result import LABELS, ONE_CROWN, SURE, TWO_CROWNS_AT
from vision.kingdomino.settling import MOST_FOREIGN
from vision.kingdomino.weights import SquareClassifier

Image = NDArray[np.uint8]

AS_THEY_ARE = "as they are"


@dataclass(frozen=True)
class Seen:
    """What a network says of one square: probabilities (labels,) beside its true label."""

    label: str
    found: NDArray[np.float64]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, and write it to the file named by ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.two_crowns", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("folds", nargs="+", type=Path, metavar="FOLD.onnx")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    calibration = json.loads((shipped_weights() / "squares.json").read_text(encoding="utf-8"))
    corpus = Corpus(chosen.data)
    stamp = _stamp(corpus)
    found: dict[tuple[str, str], list[Seen]] = {}
    for fold, path in enumerate(chosen.folds):
        sessions = held_out_sessions(chosen.data, fold, len(chosen.folds))
        classifier = SquareClassifier(Network(path.read_bytes()), calibration["temperature"])
        squares = list(_pictures(corpus, sessions, stamp))
        seen, _ = classifier.probabilities(resized_patches([picture for *_, picture in squares]))
        for (kind, label, _), each in zip(squares, seen, strict=True):
            group = label if label in ONE_CROWN or label in ONE_CROWN.values() else "others"
            found.setdefault((group, kind), []).append(Seen(label, each))
    rows = [make_row(*group, seen) for group, seen in sorted(found.items())]
    text = (
        f"# Wheat, forest and lake with two crowns\n\n{provenance()}; sure from {SURE:g} "
        f"on.\n\n" + markdown(HEAD, rows)
    )
    show(text, chosen.keep)
    return 0


HEAD = (
    "squares", "shown", "number", "with the giants: right", "surely wrong",
    "without them: right or one crown less", "flagged for two crowns",
)  # fmt: skip


def make_row(group: str, kind: str, squares: Iterable[Seen]) -> tuple[object, ...]:
    """The line for squares of one label, shown in one way."""
    everyone = list(squares)
    read = [LABELS[int(each.found.argmax())] for each in everyone]
    pairs = list(zip(everyone, read, strict=True))
    right = sum(label == each.label for each, label in pairs)
    sure = sum(label != each.label and each.found.max() >= SURE for each, label in pairs)
    as_one = sum(_in_the_box(label) == _in_the_box(each.label) for each, label in pairs)
    flagged = sum(each.found[TWO_CROWNS_AT].max() > MOST_FOREIGN for each in everyone)
    return group, kind, len(everyone), right, sure, as_one, flagged


def _in_the_box(label: str) -> str:
    return ONE_CROWN.get(label, label)


def _stamp(corpus: Corpus) -> CrownStamp:
    lakes = [
        np.array_split(picture, 2, axis=1)[0]
        for number, picture in corpus.domino_pictures("scan").items()
        if DOMINOES[number][0] == "l1"
    ]
    return CrownStamp(lakes, SQUARE_PX)


def _pictures(
    corpus: Corpus, sessions: frozenset[str], stamp: CrownStamp
) -> Iterator[tuple[str, str, Image]]:
    """How each square is shown, its label and its picture (96, 96, 3)."""
    rng = np.random.default_rng(7)
    for square in corpus.squares():
        if square.session not in sessions:
            continue
        size = (SQUARE_PX, SQUARE_PX)
        resized = cv2.resize(read_rgb(square.path), size, interpolation=cv2.INTER_CUBIC)
        picture, label = np.asarray(resized, np.uint8), square.label.partition(":")[0]
        yield AS_THEY_ARE, label, picture
        two = next((two for two, one in ONE_CROWN.items() if one == label), None)
        crown = stamp.find(picture) if two else None
        if two and crown:
            yield "with a second crown", two, stamp.add(picture, crown)
            yield "with no crown beside it", label, stamp.add_decoy(picture, crown, rng)
            yield "with the crown elsewhere", label, stamp.move(picture, crown)


if __name__ == "__main__":
    raise SystemExit(main())
