"""Fit what tells whether a kingdom goes on beyond the edge of the picture: ``python -m
training.kingdomino.border DATA border.json``.

On tables composed with the edge of the picture in an outer row, or in the table beside a kingdom.
What it says of each cell is checked on sessions that it was not fitted to.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from training.common.arrays import Matrix
from training.common.markdown import markdown
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.table.conditions import (
    BESIDE,
    CONDITIONS,
    STRIP,
    Photograph,
    coded,
    cut_at_edge,
    load_pictures,
)
from training.kingdomino.table.scenes import Truth
from vision import PhotoError
from vision.kingdomino import doubt
from vision.kingdomino.doubt import measure_border
from vision.kingdomino.lattice import Lattice
from vision.kingdomino.reader import Reader
from vision.kingdomino.weights import BorderCell, border_features

AT_THE_EDGE = (
    "strip of the next row, 0.14–0.33 wide",
    "edge of the picture beside the kingdom",
    "cut off by 10 %",
    "cut off by 20 %",
)
CUT_PHOTOGRAPHS: tuple[tuple[str, tuple[float, float] | None, bool], ...] = (
    ("photographs cut in an outer row", STRIP, False),
    ("photographs cut beside the kingdom", BESIDE, True),
    ("photographs as they are", None, True),
)
STRENGTH, BOUND = 3.0, 0.5
FOLDS = 6
# What the locator alone says: where it calls a cell bare table by more, nothing goes on.
BARE = 0.85
HEAD = (
    "cells", "go on", "not told", "by bare table alone", "do not", "told", "by bare table alone",
)  # fmt: skip


class Example(NamedTuple):
    """A cell at the edge, whether a square of the kingdom lies there, and the kingdom's session."""

    seen: BorderCell
    goes_on: bool
    session: str
    condition: str


def gather_examples(data: Path, reader: Reader, count: int, seed: int) -> Iterator[Example]:
    """The cells at the edge of ``count`` photographs of each condition, and as many cuts of each
    labelled photograph as a sixteenth of it.
    """
    pictures = load_pictures(data)
    for place, condition in enumerate(AT_THE_EDGE):
        for number in range(count):
            sheet = pictures.kingdoms[(7 * number + 3 * place + seed) % len(pictures.kingdoms)]
            rng = np.random.default_rng([seed, place, number])
            photograph = CONDITIONS[condition](pictures, sheet, rng)
            for seen, goes_on in _read_border(photograph, reader):
                yield Example(seen, goes_on, sheet.session, condition)
    for number, (whole, session) in enumerate(photographs(data)):
        rng = np.random.default_rng([seed, number])
        for (condition, share, beyond), _ in product(CUT_PHOTOGRAPHS, range(max(count // 16, 1))):
            photograph = cut_at_edge(whole, rng, share, beyond) if share else whole
            for seen, goes_on in _read_border(photograph, reader):
                yield Example(seen, goes_on, session, condition)


def photographs(data: Path) -> Iterator[tuple[Photograph, str]]:
    """The labelled photographs with where their kingdoms lie, and their sessions."""
    corpus = Corpus(data)
    for photo in corpus.photos():
        if min(len({cell[axis] for cell in photo.labels}) for axis in (0, 1)) > 1:
            truth = Truth(photo.labels, corpus.lattice(photo))
            yield Photograph(read_rgb(photo.path), (truth,)), photo.session


def _read_border(photograph: Photograph, reader: Reader) -> list[tuple[BorderCell, bool]]:
    """The cells that a reading looked at, and whether the kingdom goes on there."""
    (truth,) = photograph.truths
    middles = np.array([truth.middle(cell) for cell in truth.labels])
    found: list[tuple[BorderCell, bool]] = []

    def kept(rgb: object, lattice: Lattice, *rest: object) -> list[BorderCell]:
        border = measure_border(rgb, lattice, *rest)  # type: ignore[arg-type]
        own = {(int(y), int(x)) for x, y in np.floor(lattice.places(middles))}
        found.extend((each, each.cell in own) for each in border)
        return border

    with mock.patch.object(doubt, "measure_border", kept):
        try:
            reader.read(coded(photograph))
        except PhotoError:
            return []
    return [each for each in found if np.isfinite(border_features(each[0])).all()]


def fit(features: Matrix, goes_on: NDArray[np.bool_]) -> LogisticRegression:
    """The regression; cells that go on and that do not count the same."""
    return LogisticRegression(C=STRENGTH, class_weight="balanced").fit(features, goes_on)


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, check and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos, boards and backgrounds")
    parser.add_argument("out", type=Path, help="border.json")
    parser.add_argument("--count", type=int, default=16, help="photographs for each condition")
    parser.add_argument("--seed", type=int, default=41)
    chosen = parser.parse_args(argv)
    cv2.setNumThreads(1)
    gathered = gather_examples(chosen.data, Reader(), chosen.count, chosen.seed)
    cells, *columns = zip(*gathered, strict=True)
    goes_on, sessions, conditions = (np.array(column) for column in columns)
    features = np.array([border_features(cell) for cell in cells])
    # What is said of each cell by a regression fitted to other sessions, and by bare table alone.
    told = np.zeros(len(cells), bool)
    for train, test in GroupKFold(FOLDS).split(features, goes_on, sessions):
        model = fit(features[train], goes_on[train])
        told[test] = model.predict_proba(features[test])[:, 1] >= BOUND
    bare = np.array([cell.bare for cell in cells]) > BARE
    ends, missed = ~goes_on, ~told
    counted = goes_on, goes_on & missed, goes_on & bare, ends, ends & told, ends & ~bare
    rows = [
        (condition, *(each[conditions == condition].sum() for each in counted))
        for condition in dict.fromkeys(conditions.tolist())
    ]
    print(markdown(HEAD, rows))
    whole, bare_alone = fit(features, goes_on), fit(features[:, -1:], goes_on)
    plain = {
        "coefficients": [round(float(each), 4) for each in whole.coef_[0]],
        "intercept": round(float(whole.intercept_[0]), 4),
        "bare_coefficient": round(float(bare_alone.coef_[0, 0]), 4),
        "bare_intercept": round(float(bare_alone.intercept_[0]), 4),
        "bound": BOUND,
    }
    chosen.out.write_text(json.dumps(plain) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
