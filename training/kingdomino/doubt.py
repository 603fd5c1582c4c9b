"""Fit what tells how far a reading is to be doubted: ``python -m training.kingdomino.doubt DATA
models/doubt.npz``.

Boosted trees on the evidence of each cell of composed tables, and of the labelled photographs and
boards, as they are and cut at their edges. The bound below which a person looks is chosen by what
trees say that never saw anything like the condition of a photograph.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from training.common.arrays import Matrix
from training.common.markdown import markdown
from training.kingdomino.border import photographs
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.table.conditions import (
    BESIDE,
    CONDITIONS,
    HIDDEN,
    Photograph,
    coded,
    cut_at_edge,
    load_pictures,
)
from training.kingdomino.table.scenes import Truth
from vision import PhotoError
from vision.common.geometry import project
from vision.kingdomino import doubt, passes
from vision.kingdomino.doubt import FEATURES, gather_evidence, is_asked
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import KingdomReading
from vision.kingdomino.weights import DoubtModel

Bools = NDArray[np.bool_]

REAL, CLOSE = "labelled pictures as they are", "labelled pictures cut close to the kingdom"
FOLDS, SEEDS = 7, 3
# Real pictures are few, and what the reader is for.
REAL_WEIGHT = 8.0
# A tenth of a percent is allowed, also on tables that are like none of these; less is wanted.
RISK, CONFIDENCE = 0.0008, 0.95
# What has much in common with one another, by a part of its name; what is not named is one family.
FAMILIES = (
    ("light", "night mode", "glare", "window reflection", "HDR"),
    ("blur", "defocus", "soft focus", "black and white"),
    ("hand over", "card", "glass", "king figure", "tokens", "tall castle"),
    ("cut off", "strip of", "edge of", "larger than", CLOSE),
    ("two kingdoms", "three to five", "across the", "loose domino", "draft row"),
)
# More of these never makes a label likelier (-1) or less likely (1).
MONOTONE = {
    "probability": 1, "lead": 1, "score": 1, "score_mean": 1, "foreign": -1,
    "offset": -1, "turn": -1, "misfit": -1, "mean_log": 1, "least_log": 1, "weak_share": -1,
    "hidden": -1, "loose": -1, "apart": -1, "cut_off": -1, "changed": -1, "unpaired": -1,
    "weak_beside": -1, "changed_all": -1, "unpaired_all": -1, "inside": 1, "things": -1,
    "sharpness": 1, "colour": 1, "level": 1, "white": -1, "hidden_all": -1,
}  # fmt: skip


@dataclass(frozen=True)
class Examples:
    """Cells of readings, arrays of n: evidence (n, features) and whether the label is right.

    ``seen`` tells which can be seen, ``flagged`` which the reader that gathered them asks about.
    """

    evidence: Matrix
    right: Bools
    seen: Bools
    flagged: Bools
    session: NDArray[np.str_]
    condition: NDArray[np.str_]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> Examples:
        """Cells as arrays."""
        columns = list(zip(*cells, strict=True))
        return cls(np.array(columns[0]), *(np.array(column) for column in columns[1:]))

    @property
    def weights(self) -> Matrix:
        """How much each counts, (n,)."""
        return np.where(np.isin(self.condition, (REAL, CLOSE)), REAL_WEIGHT, 1.0)


class Cell(NamedTuple):
    """One cell of a reading, see ``Examples``."""

    evidence: Matrix
    right: bool
    seen: bool
    flagged: bool
    session: str
    condition: str


def gather_examples(data: Path, reader: Reader, count: int, seed: int) -> Iterator[Cell]:
    """The cells of ``count`` composed photographs of each condition and of the labelled pictures.

    Each of these as it is, and cut close to the kingdom at one to four sides.
    """
    for number, (whole, session) in enumerate(_labelled(data)):
        rng = np.random.default_rng([seed, number])
        yield from _read_cells(whole, reader, session, REAL)
        close = whole
        for _ in range(int(rng.integers(1, 5))):
            close = cut_at_edge(close, BESIDE, True, rng)
        if close.rgb.shape != whole.rgb.shape:
            yield from _read_cells(close, reader, session, CLOSE)
    pictures = load_pictures(data)
    for number in range(count):
        for place, (condition, compose) in enumerate(CONDITIONS.items()):
            sheet = pictures.kingdoms[(7 * number + 3 * place + seed) % len(pictures.kingdoms)]
            photograph = compose(pictures, sheet, np.random.default_rng([seed, place, number]))
            yield from _read_cells(photograph, reader, sheet.session, condition)


def _labelled(data: Path) -> Iterator[tuple[Photograph, str]]:
    """The labelled photographs and boards with where their kingdoms lie, and their sessions."""
    yield from photographs(data)
    for board in Corpus(data).boards():
        rgb = read_rgb(board.path)
        width, height = board.size
        view = np.diag([rgb.shape[1] / width, rgb.shape[0] / height, 1.0])
        yield Photograph(rgb, (Truth(board.labels, view),)), board.session


def _read_cells(
    photograph: Photograph, reader: Reader, session: str, condition: str
) -> Iterator[Cell]:
    """The cells of the kingdoms of a photograph, those of refused ones too."""
    evidence: list[Matrix] = []
    views: list[Matrix] = []

    def kept(*seen: object) -> Matrix:
        evidence.append(gather_evidence(*seen))  # type: ignore[arg-type]
        return evidence[-1]

    def made(*seen: object) -> KingdomReading:
        reading = make_reading(*seen)  # type: ignore[arg-type]
        views.append(reading.homography)
        return reading

    make_reading = passes.make_reading
    with (
        mock.patch.object(doubt, "gather_evidence", kept),
        mock.patch.object(passes, "make_reading", made),
    ):
        try:
            kingdoms = reader.read(coded(photograph), anyway=True).kingdoms
        except PhotoError:
            return
    for kingdom in kingdoms:
        (k,) = (k for k, view in enumerate(views) if view is kingdom.homography)
        truths = _truth_at(photograph, kingdom)
        for row, column in np.ndindex(evidence[k].shape[:2]):
            square = kingdom.squares[row][column]
            label, hidden = truths.get((row, column), (".", 0.0))
            yield Cell(
                evidence[k][row, column],
                square.label == label,
                hidden < HIDDEN,
                square.doubtful,
                session,
                condition,
            )


def _truth_at(
    photograph: Photograph, kingdom: KingdomReading
) -> dict[tuple[int, int], tuple[str, float]]:
    """By row and column of a reading the label that lies there and how much of it is hidden."""
    inverse = np.asarray(np.linalg.inv(kingdom.homography), np.float64)
    found: dict[tuple[int, int], tuple[str, float]] = {}
    for truth in photograph.truths:
        for cell, label in truth.labels.items():
            x, y = project(truth.middle(cell)[None], inverse)[0]
            found.setdefault(
                (int(np.floor(y)), int(np.floor(x))), (label, truth.hidden.get(cell, 0.0))
            )
    return found


def fit(
    evidence: Matrix, right: Bools, weights: Matrix, seed: int
) -> HistGradientBoostingClassifier:
    """Trees fitted to evidence (n, features) of cells whose labels are ``right`` or not (n,)."""
    model = HistGradientBoostingClassifier(
        max_iter=100,
        learning_rate=0.09,
        max_leaf_nodes=6,
        min_samples_leaf=12,
        l2_regularization=5,
        max_features=0.4,
        monotonic_cst=[MONOTONE.get(name, 0) for name in FEATURES],
        random_state=seed,
    )
    return model.fit(evidence, right, sample_weight=weights)


def family_of(condition: str) -> int:
    """The number of the family of a condition."""
    found = (k for k, names in enumerate(FAMILIES) if any(name in condition for name in names))
    return next(found, len(FAMILIES))


def check(examples: Examples, groups: Sequence[object], folds: int) -> Matrix:
    """For each cell (n,) what trees say of it that were fitted to cells of other ``groups``."""
    seen, right, weights = examples.evidence, examples.right, examples.weights
    unseen = np.zeros(len(right))
    for train, test in GroupKFold(folds).split(seen, right, groups):
        models = (fit(seen[train], right[train], weights[train], seed) for seed in range(SEEDS))
        unseen[test] = np.mean([each.predict_proba(seen[test])[:, 1] for each in models], 0)
    return unseen


def bound_for(probabilities: Matrix, right: Bools, risk: float, confidence: float = 0.95) -> float:
    """The least bound that leaves at most a share ``risk`` wrong and unflagged, so confidently.

    By the upper limit of Clopper and Pearson for a share (Biometrika 26, 1934), as in conformal
    risk control with a bounded loss. 1 where no bound does.
    """
    order = np.argsort(probabilities, kind="stable")
    wrong = np.cumsum(~right[order][::-1])[::-1]
    upper = beta.ppf(confidence, wrong + 1, len(right) - wrong)
    enough = np.flatnonzero(upper <= risk)
    return float(probabilities[order[enough[0]]]) if len(enough) else 1.0


# What is kept of each node, see ``DoubtModel``.
NODE = ("feature", "threshold", "left", "right", "unknown_left", "value")


def pack(models: Sequence[HistGradientBoostingClassifier], bound: float) -> DoubtModel:
    """The mean of some fitted classifiers as one set of arrays."""
    nodes, roots, first = [], [], 0
    for model in models:
        for (tree,) in model._predictors:
            found = tree.nodes
            own = np.arange(len(found), dtype=np.int32)
            leaf = found["is_leaf"].astype(bool)
            nodes.append(
                (
                    np.where(leaf, 0, found["feature_idx"]).astype(np.int32),
                    np.where(leaf, 0.0, found["num_threshold"]),
                    (np.where(leaf, own, found["left"]) + first).astype(np.int32),
                    (np.where(leaf, own, found["right"]) + first).astype(np.int32),
                    found["missing_go_to_left"].astype(bool),
                    np.where(leaf, found["value"], 0.0) / len(models),
                )
            )
            roots.append(first)
            first += len(found)
    columns = [np.concatenate(column) for column in zip(*nodes, strict=True)]
    baseline = float(np.mean([float(np.ravel(model._baseline_prediction)[0]) for model in models]))
    named = dict(zip(NODE, columns, strict=True))
    return DoubtModel(np.array(roots, np.int32), **named, baseline=baseline, bound=bound)


HEAD = (
    "condition", "cells", "wrong", "flagged before", "wrong, not flagged",
    "flagged now", "wrong, not flagged",
)  # fmt: skip
CURVE_HEAD = ("flagged, of 1,000 cells", "of real pictures", "wrong, not flagged, of 1,000 cells")
COVERAGE = (60, 80, 120, 160)


def _by_condition(examples: Examples, flagged: Bools) -> list[tuple[Any, ...]]:
    """A row for each condition: what was flagged before and by the bound, and what that misses."""
    rows: list[tuple[Any, ...]] = []
    for condition in (*dict.fromkeys(examples.condition.tolist()), "all"):
        mine = (examples.condition == condition) | (condition == "all")
        wrong = mine & ~examples.right
        rows.append(
            (
                condition, mine.sum(), wrong.sum(),
                (examples.flagged & mine).sum(), (wrong & ~examples.flagged).sum(),
                (flagged & mine).sum(), (wrong & ~flagged).sum(),
            )
        )  # fmt: skip
    return rows


def _curve(examples: Examples, unseen: Matrix) -> list[tuple[Any, ...]]:
    """Risk and coverage: what is left wrong and unflagged where so many are flagged."""
    real = examples.condition == REAL
    rows: list[tuple[Any, ...]] = []
    for share in COVERAGE:
        bound = np.quantile(unseen, share / 1000)
        missed = ~examples.right & (unseen >= bound)
        rows.append(
            (
                str(share),
                f"{1000 * (unseen[real] < bound).mean():.1f}",
                f"{1000 * missed.mean():.2f}",
            )
        )
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Gather, fit, check and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos, boards and backgrounds")
    parser.add_argument("out", type=Path, help="doubt.npz")
    parser.add_argument("--count", type=int, default=8, help="photographs for each condition")
    parser.add_argument("--seed", type=int, default=53)
    parser.add_argument("--cells", type=Path, help="keeps what was gathered, or has it already")
    chosen = parser.parse_args(argv)
    cv2.setNumThreads(1)
    if chosen.cells and chosen.cells.exists():
        with np.load(chosen.cells) as arrays:
            examples = Examples(**arrays)
    else:
        cells = gather_examples(chosen.data, Reader(), chosen.count, chosen.seed)
        examples = Examples.of(list(cells))
        if chosen.cells:
            np.savez_compressed(chosen.cells, **asdict(examples))
    asked = is_asked(examples.evidence)
    families = [family_of(condition) for condition in examples.condition]
    strange = np.where(asked, 0.0, check(examples, families, len(set(families))))
    bound = bound_for(strange, examples.right, RISK, CONFIDENCE)
    print("Held out by family of conditions:\n")
    print(markdown(HEAD, _by_condition(examples, strange < bound)))
    unseen = np.where(asked, 0.0, check(examples, list(examples.session), FOLDS))
    print("Held out by session:\n")
    print(markdown(HEAD, _by_condition(examples, unseen < bound)))
    print(markdown(CURVE_HEAD, _curve(examples, unseen)))
    models = [
        fit(examples.evidence, examples.right, examples.weights, seed) for seed in range(SEEDS)
    ]
    np.savez_compressed(chosen.out, **asdict(pack(models, bound)))
    print(f"bound {bound:.4f}")


if __name__ == "__main__":
    main()
