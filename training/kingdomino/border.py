"""Fit what tells whether a kingdom goes on beyond the edge of the picture: ``python -m
training.kingdomino.border DATA border.json``.

On tables composed with the edge of the picture in an outer row, or in the table beside a kingdom.
What it says of each cell is checked on sessions that it was not fitted to.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from training.common.arrays import Matrix
from training.common.markdown import markdown
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.table import conditions as tables
from training.kingdomino.table.scenes import Truth
from vision import PhotoError
from vision.kingdomino import doubt
from vision.kingdomino.reader import Reader
from vision.kingdomino.weights import BorderCell, border_features

AT_THE_EDGE = (
    "strip of the next row, 0.14–0.33 wide", "edge of the picture beside the kingdom",
    "cut off by 10 %", "cut off by 20 %",
)  # fmt: skip
CUT_PHOTOGRAPHS: tuple[tuple[str, tuple[float, float] | None, bool], ...] = (
    ("photographs cut in an outer row", tables.STRIP, False),
    ("photographs cut beside the kingdom", tables.BESIDE, True),
    ("photographs as they are", None, True),
)
STRENGTH, BOUND, FOLDS = 3.0, 0.5, 6
# What the locator alone says: where it calls a cell bare table by more, nothing goes on.
BARE = 0.85
HEAD = (
    "cells", "go on", "not told", "by bare table alone", "do not", "told", "by bare table alone",
)  # fmt: skip


class Example(NamedTuple):
    """A cell at the edge, whether a square of the kingdom lies there, and where it is from."""

    seen: BorderCell
    goes_on: bool
    session: str
    condition: str


def gather_examples(data: Path, reader: Reader, count: int, seed: int) -> Iterator[Example]:
    """Edge cells of ``count`` photographs a condition, and of ``count // 16`` cuts a real one."""
    pictures = tables.load_pictures(data)
    for (place, condition), number in product(enumerate(AT_THE_EDGE), range(count)):
        sheet = pictures.kingdoms[(7 * number + 3 * place + seed) % len(pictures.kingdoms)]
        rng = np.random.default_rng([seed, place, number])
        photograph = tables.CONDITIONS[condition](pictures, sheet, rng)
        yield from _read_border(photograph, reader, sheet.session, condition)
    for number, (whole, session) in enumerate(photographs(data)):
        rng = np.random.default_rng([seed, number])
        for (condition, share, beyond), _ in product(CUT_PHOTOGRAPHS, range(max(count // 16, 1))):
            cut = tables.cut_at_edge(whole, rng, share, beyond) if share else whole
            yield from _read_border(cut, reader, session, condition)


def photographs(data: Path) -> Iterator[tuple[tables.Photograph, str]]:
    """The labelled photographs with where their kingdoms lie, and their sessions."""
    corpus = Corpus(data)
    for photo in corpus.photos():
        if min(len({cell[axis] for cell in photo.labels}) for axis in (0, 1)) > 1:
            truth = Truth(photo.labels, corpus.lattice(photo))
            yield tables.Photograph(read_rgb(photo.path), (truth,)), photo.session


def parser_of(description: str | None, file: str, seed: int) -> argparse.ArgumentParser:
    """What a command is told that fits a model to photographs of tables."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("data", type=Path, help="the folder with photos, boards and backgrounds")
    parser.add_argument("out", type=Path, help=file)
    parser.add_argument("--count", type=int, default=16, help="photographs for each condition")
    parser.add_argument("--seed", type=int, default=seed)
    return parser


@contextmanager
def recorded(module: ModuleType, name: str) -> Iterator[list[tuple[tuple[Any, ...], Any]]]:
    """What a function of a module is given and what it gives, call by call, while this lasts."""
    calls, function = list[tuple[tuple[Any, ...], Any]](), getattr(module, name)

    def kept(*given: Any) -> Any:
        calls.append((given, function(*given)))
        return calls[-1][1]

    with mock.patch.object(module, name, kept):
        yield calls


def _read_border(
    photograph: tables.Photograph, reader: Reader, session: str, condition: str
) -> Iterator[Example]:
    """The cells that a reading looked at, and whether the kingdom goes on there."""
    (truth,) = photograph.truths
    middles = np.array([truth.middle(cell) for cell in truth.labels])
    with recorded(doubt, "measure_border") as calls:
        try:
            reader.read(tables.coded(photograph))
        except PhotoError:
            return
    for (_, lattice, *_), border in calls:
        own = {(int(y), int(x)) for x, y in np.floor(lattice.places(middles))}
        for each in border:
            if np.isfinite(border_features(each)).all():
                yield Example(each, each.cell in own, session, condition)


def fit(features: Matrix, goes_on: NDArray[np.bool_]) -> LogisticRegression:
    """The regression; cells that go on and that do not count the same."""
    return LogisticRegression(C=STRENGTH, class_weight="balanced").fit(features, goes_on)


def main() -> None:
    """Fit, check and write."""
    chosen = parser_of(__doc__, "border.json", 41).parse_args()
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
    ends = ~goes_on
    counted = goes_on, goes_on & ~told, goes_on & bare, ends, ends & told, ends & ~bare
    kinds = dict.fromkeys(conditions.tolist())
    rows = [(kind, *(each[conditions == kind].sum() for each in counted)) for kind in kinds]
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
