"""Fit what squares in the same light tell of each other: ``python -m training.kingdomino.light DATA
models/light.json``.

How much the colours of squares of one terrain differ within a kingdom, and how much terrains do, is
measured on composed tables and on the labelled photographs and boards. What that tells is
weighed so that the labels there are as likely as can be, and checked on sessions that it was not
fitted to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from sklearn.model_selection import GroupKFold

from training.common.arrays import Matrix
from training.common.markdown import markdown
from training.kingdomino.border import parser_of
from training.kingdomino.doubt import labels_on, photographs_for
from training.kingdomino.table import conditions as tables
from vision import PhotoError
from vision.common.geometry import enlarged
from vision.kingdomino.cells import median_colours
from vision.kingdomino.lattice import Lattice
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import EMPTY, LABELS
from vision.kingdomino.warn import brighten, is_dim
from vision.kingdomino.weights import TERRAINS, LightModel, Weights
from vision.photo import decode

FOLDS = 6
# No label is less probable, so that a single mistake does not decide the weight.
LEAST = 1e-4
HEAD = ("condition", "squares", "wrong before", "put right", "made wrong")


class Example(NamedTuple):
    """Squares: what was ``found`` (n, labels), ``colours`` (n, 2), numbers (n,) of true labels."""

    found: Matrix
    colours: Matrix
    truth: NDArray[np.int64]
    session: str
    condition: str


def read_squares(
    reader: Reader, photograph: tables.Photograph, session: str, condition: str
) -> Iterator[Example]:
    """The squares of the kingdoms that a reader finds; dark pictures are brightened as it does."""
    photo, dim = decode(tables.coded(photograph)), reader.settings.dim
    try:
        kingdoms = reader.read(photo).kingdoms
    except PhotoError:
        return
    photo = brighten(photo, dim) if is_dim(photo.rgb, dim) else photo
    reduced = enlarged(photo.scale)
    for kingdom in kingdoms:
        labels = labels_on(photograph.truths, kingdom)
        squares = kingdom.by_position
        cells = [c for c in squares if c in labels and squares[c].label != EMPTY]
        colours = median_colours(photo.rgb, Lattice(reduced @ kingdom.homography, {}, 0.0), cells)
        whole = np.flatnonzero(~np.isnan(colours[:, 0]))
        if kingdom.probabilities is None or not len(whole):
            continue
        found = np.array([kingdom.probabilities[cells[k]] for k in whole])
        told = np.array([LABELS.index(labels[cells[k]]) for k in whole])
        yield Example(found, colours[whole], told, session, condition)


def fit(examples: Sequence[Example]) -> LightModel:
    """The model by which the labels of some photographs are the most likely."""
    within: list[list[Matrix]] = [[] for _ in TERRAINS]
    between = list[Matrix]()
    for each in examples:
        letters = np.array([LABELS[k][0] for k in each.truth])
        for own, terrain in zip(within, TERRAINS, strict=True):
            colours = each.colours[letters == terrain]
            if (count := len(colours)) > 1:
                middle = colours.mean(0)
                own.append((colours - middle) * np.sqrt(count / (count - 1)))
                between.append(middle - each.colours.mean(0))
    of_each = np.array([np.cov(np.concatenate(own).T) for own in within])
    model = LightModel(of_each.round(2), np.cov(np.array(between).T).round(1), 0.0)

    def cost(weight: float) -> float:
        weighed = replace(model, weight=weight)
        return float(np.concatenate([_log_losses(weighed, each) for each in examples]).mean())

    weight = minimize_scalar(cost, bounds=(0, 1), method="bounded", options={"xatol": 0.01}).x
    return replace(model, weight=round(float(weight), 2))


def _log_losses(model: LightModel, example: Example) -> Matrix:
    """Minus the logarithm of the probability of each true label, (n,)."""
    told = model.probabilities(example.found, example.colours)
    return -np.log(np.maximum(told[np.arange(len(told)), example.truth], LEAST))


def main() -> None:
    """Gather, check, fit and write."""
    chosen = parser_of(__doc__, "light.json", 67).parse_args()
    cv2.setNumThreads(1)
    # What the network says by itself.
    weights = Weights.load()
    reader = Reader(replace(weights, light=replace(weights.light, weight=0.0)))
    asked = photographs_for(chosen.data, chosen.count, chosen.seed)
    examples = [seen for each in asked for seen in read_squares(reader, *each)]
    unseen: dict[int, LightModel] = {}
    sessions = [each.session for each in examples]
    for train, test in GroupKFold(FOLDS).split(examples, groups=sessions):
        unseen |= dict.fromkeys(test.tolist(), fit([examples[k] for k in train]))
    counts: dict[str, NDArray[np.int64]] = {}
    losses = np.zeros((0, 2))
    for k, each in enumerate(examples):
        before = each.found.argmax(1) == each.truth
        after = unseen[k].probabilities(each.found, each.colours).argmax(1) == each.truth
        told = len(before), (~before).sum(), (after & ~before).sum(), (before & ~after).sum()
        for name in (each.condition, "all"):
            counts[name] = counts.get(name, np.zeros(4, np.int64)) + told
        both = replace(unseen[k], weight=0.0), unseen[k]
        losses = np.r_[losses, np.transpose([_log_losses(model, each) for model in both])]
    everything = counts.pop("all")
    rows = [(name, *row) for name, row in counts.items() if row[1:].any()]
    print(markdown(HEAD, [*rows, ("all, also those not named", *everything)]))
    print("mean of minus log probability: {:.4f} before, {:.4f} after".format(*losses.mean(0)))
    model = fit(examples)
    plain = {"within": model.within.tolist(), "between": model.between.tolist()}
    chosen.out.write_text(json.dumps(plain | {"weight": model.weight}) + "\n", encoding="utf-8")
    print(f"weight {model.weight}")


if __name__ == "__main__":
    main()
