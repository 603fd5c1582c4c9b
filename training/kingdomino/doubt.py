"""Fit what tells how far a reading is to be doubted: ``python -m training.kingdomino.doubt DATA
models/doubt.npz``.

Boosted trees on the evidence of each cell of composed tables, and of the labelled photographs and
boards, as they are and cut at their edges. Networks are surer of pictures that they were trained
on, so with ``--held-out`` the same is gathered by those that were not. The bound below which a
person looks is chosen by what trees say of these that never saw anything like the condition of a
photograph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from training.common.arrays import Matrix
from training.common.markdown import markdown
from training.kingdomino.border import parser_of, photographs, recorded
from training.kingdomino.corpus import Corpus, held_out_sessions, read_rgb
from training.kingdomino.table import conditions as tables
from training.kingdomino.table.scenes import Truth
from vision import PhotoError
from vision.common.geometry import project
from vision.kingdomino import doubt, passes
from vision.kingdomino.doubt import FEATURES, is_asked
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import KingdomReading
from vision.kingdomino.weights import DoubtModel, Weights

Bools = NDArray[np.bool_]

REAL, CLOSE = "labelled pictures as they are", "labelled pictures cut close to the kingdom"
FOLDS, SEEDS = 7, 3
# Real pictures are few, and what the reader is for.
REAL_WEIGHT = 8.0
# A tenth of a percent is allowed, also on tables that are like none of these; less is wanted.
RISK, CONFIDENCE = 0.0006, 0.95
# What has much in common with one another, by a part of its name; what is not named is one family.
FAMILIES = (
    ("light", "night mode", "glare", "window reflection", "sky", "blind", "HDR"),
    ("blur", "defocus", "soft focus", "black and white"),
    ("hand over", "card", "glass", "king figure", "tokens", "tall castle"),
    ("cut off", "strip of", "edge of", "larger than", CLOSE),
    ("two kingdoms", "three to five", "across the", "loose domino", "draft row", "panorama"),
)
# More of these never makes a label likelier (-1) or less likely (1).
MONOTONE = {
    "probability": 1, "lead": 1, "score": 1, "score_mean": 1, "foreign": -1,
    "offset": -1, "turn": -1, "misfit": -1, "mean_log": 1, "least_log": 1, "weak_share": -1,
    "hidden": -1, "loose": -1, "apart": -1, "cut_off": -1, "changed": -1, "unpaired": -1,
    "weak_beside": -1, "changed_all": -1, "unpaired_all": -1, "inside": 1, "things": -1,
    "sharpness": 1, "colour": 1, "level": 1, "blind": -1, "hidden_all": -1,
}  # fmt: skip


class Examples(NamedTuple):
    """Cells of readings, arrays of n: evidence (n, features) and whether the label is right.

    ``flagged`` are those that the reader that gathered them asks about, ``unseen`` those of
    pictures that its networks were not trained on.
    """

    evidence: Matrix
    right: Bools
    flagged: Bools
    session: NDArray[np.str_]
    condition: NDArray[np.str_]
    unseen: Bools

    def chosen(self, rows: Bools) -> Examples:
        """Some of the cells."""
        return Examples(**{name: each[rows] for name, each in self._asdict().items()})

    @property
    def weights(self) -> Matrix:
        """How much each counts, (n,)."""
        return np.where(np.isin(self.condition, (REAL, CLOSE)), REAL_WEIGHT, 1.0)


def photographs_for(
    data: Path, count: int, seed: int, part: tuple[int, int] | None = None
) -> Iterator[tuple[tables.Photograph, str, str]]:
    """``count`` composed photographs of each condition and the labelled pictures, each of these as
    it is, and cut close to the kingdom at one to four sides; with their sessions and conditions.

    Or a ``part`` of several, (number, parts), of the sessions and of the count.
    """
    mine, (first, step) = held_out_sessions(data, *part or ()), part or (0, 1)
    for number, (whole, session) in enumerate(_labelled(data)):
        if mine and session not in mine:
            continue
        rng = np.random.default_rng([seed, number])
        yield whole, session, REAL
        close = whole
        for _ in range(int(rng.integers(1, 5))):
            close = tables.cut_at_edge(close, rng, tables.BESIDE, True)
        if close.rgb.shape != whole.rgb.shape:
            yield close, session, CLOSE
    pictures = tables.load_pictures(data)
    kingdoms = [each for each in pictures.kingdoms if not mine or each.session in mine]
    pictures = replace(pictures, kingdoms=kingdoms)
    numbers = range(first, count, step)
    for number, (place, condition) in product(numbers, enumerate(tables.CONDITIONS)):
        sheet = kingdoms[(7 * number + 3 * place + seed) % len(kingdoms)]
        rng = np.random.default_rng([seed, place, number])
        yield tables.CONDITIONS[condition](pictures, sheet, rng), sheet.session, condition


def _labelled(data: Path) -> Iterator[tuple[tables.Photograph, str]]:
    """The labelled photographs and boards with where their kingdoms lie, and their sessions."""
    yield from photographs(data)
    for board in Corpus(data).boards():
        rgb = read_rgb(board.path)
        view = np.diag([*np.divide(rgb.shape[1::-1], board.size), 1.0])
        yield tables.Photograph(rgb, (Truth(board.labels, view),)), board.session


def labels_on(truths: Iterable[Truth], kingdom: KingdomReading) -> dict[tuple[int, ...], str]:
    """The labels of the squares that lie on the cells of a kingdom that was read."""
    inverse = np.asarray(np.linalg.inv(kingdom.homography), np.float64)
    labels: dict[tuple[int, ...], str] = {}
    for truth in truths:
        for cell, label in truth.labels.items():
            ((x, y),) = np.floor(project(truth.middle(cell)[None], inverse)).astype(int)
            labels.setdefault((y, x), label)
    return labels


def _read_cells(
    reader: Reader, unseen: bool, photograph: tables.Photograph, session: str, condition: str
) -> Iterator[Examples]:
    """The cells of the kingdoms of a photograph, those of refused ones too."""
    with recorded(doubt, "gather_evidence") as given, recorded(passes, "make_reading") as made:
        try:
            kingdoms = reader.read(tables.coded(photograph), anyway=True).kingdoms
        except PhotoError:
            return
    for kingdom in kingdoms:
        view = kingdom.homography
        (seen,) = (e for (_, e), (_, r) in zip(given, made, strict=True) if r.homography is view)
        labels = labels_on(photograph.truths, kingdom)
        told = [labels.get(cell, ".") for cell in np.ndindex(seen.shape[:2])]
        squares = [square for row in kingdom.squares for square in row]
        yield Examples(
            seen.reshape(len(told), -1),
            np.array([s.label == label for s, label in zip(squares, told, strict=True)]),
            np.array([square.doubtful for square in squares]),
            np.full(len(told), session),
            np.full(len(told), condition),
            np.full(len(told), unseen),
        )


def _gather(data: Path, count: int, seed: int, held_out: Sequence[Path]) -> Iterator[Examples]:
    """The cells read by the shipped weights, and by each of those trained without a part."""
    parts = [(folder, (number, len(held_out))) for number, folder in enumerate(held_out)]
    for folder, part in ((None, None), *parts):
        reader = Reader(Weights.load(folder))
        for photograph in photographs_for(data, count, seed, part):
            yield from _read_cells(reader, folder is not None, *photograph)


def fit(
    evidence: Matrix, right: Bools, weights: Matrix, seed: int
) -> HistGradientBoostingClassifier:
    """Trees fitted to evidence (n, features) of cells whose labels are ``right`` or not (n,)."""
    model = HistGradientBoostingClassifier(
        max_iter=100, learning_rate=0.09, max_leaf_nodes=6, min_samples_leaf=12,
        l2_regularization=5, max_features=0.4, random_state=seed,
        monotonic_cst=[MONOTONE.get(name, 0) for name in FEATURES],
    )  # fmt: skip
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


def bound_for(probabilities: Matrix, right: Bools, risk: float = RISK) -> float:
    """The least bound that leaves at most a share ``risk`` wrong and unflagged; 1 where none does.

    By the upper limit of Clopper and Pearson for a share (Biometrika 26, 1934).
    """
    order = np.argsort(probabilities, kind="stable")
    wrong = np.cumsum(~right[order][::-1])[::-1]
    upper = beta.ppf(CONFIDENCE, wrong + 1, len(right) - wrong)
    enough = np.flatnonzero(upper <= risk)
    return float(probabilities[order[enough[0]]]) if len(enough) else 1.0


def pack(models: Sequence[HistGradientBoostingClassifier], bound: float) -> DoubtModel:
    """The mean of some fitted classifiers as one set of arrays."""
    trees = [tree.nodes for model in models for (tree,) in model._predictors]
    roots = np.cumsum([0, *(len(tree) for tree in trees)])
    nodes, own = np.concatenate(trees), np.arange(roots[-1])
    first, leaf = np.repeat(roots[:-1], np.diff(roots)), nodes["is_leaf"].astype(bool)
    baseline = float(np.mean([float(np.ravel(model._baseline_prediction)[0]) for model in models]))
    return DoubtModel(
        roots[:-1].astype(np.int32),
        feature=np.where(leaf, 0, nodes["feature_idx"]).astype(np.int32),
        threshold=np.where(leaf, 0.0, nodes["num_threshold"]),
        left=np.where(leaf, own, nodes["left"] + first).astype(np.int32),
        right=np.where(leaf, own, nodes["right"] + first).astype(np.int32),
        unknown_left=nodes["missing_go_to_left"].astype(bool),
        value=np.where(leaf, nodes["value"], 0.0) / len(models),
        baseline=baseline,
        bound=bound,
    )


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
        before, now = ([f & mine, wrong & ~f] for f in (examples.flagged, flagged))
        rows.append((condition, *(each.sum() for each in (mine, wrong, *before, *now))))
    return rows


def main() -> None:
    """Gather, fit, check and write."""
    parser = parser_of(__doc__, "doubt.npz", 53)
    parser.add_argument("--cells", type=Path, help="keeps what was gathered, or has it already")
    parser.add_argument(
        "--held-out", nargs="+", type=Path, default=[], metavar="WEIGHTS",
        help="folders of weights trained without each part, as of benchmarks.table",
    )  # fmt: skip
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    if chosen.cells and chosen.cells.exists():
        with np.load(chosen.cells) as arrays:
            examples = Examples(**arrays)
    else:
        gathered = _gather(chosen.data, chosen.count, chosen.seed, chosen.held_out)
        examples = Examples(*map(np.concatenate, zip(*gathered, strict=True)))
        if chosen.cells:
            np.savez_compressed(chosen.cells, **examples._asdict())
    # Told are the cells of pictures that networks had not seen, where there are any.
    told = examples.unseen | ~examples.unseen.any()
    asked, mine = is_asked(examples.evidence), examples.chosen(told)

    def held_out_by(groups: Sequence[object], folds: int) -> Matrix:
        return np.where(asked, 0.0, check(examples, groups, folds))[told]

    families = [family_of(condition) for condition in examples.condition]
    by_family = held_out_by(families, len(set(families)))
    bound = bound_for(by_family, mine.right)
    print("Held out by family of conditions:\n")
    print(markdown(HEAD, _by_condition(mine, by_family < bound)))
    by_session = held_out_by(list(examples.session), FOLDS)
    print("Held out by session:\n")
    print(markdown(HEAD, _by_condition(mine, by_session < bound)))
    # Risk and coverage: what is left wrong and unflagged where so many are flagged.
    real, curve = mine.condition == REAL, []
    for share in COVERAGE:
        least = np.quantile(by_session, share / 1000)
        flagged, missed = by_session[real] < least, ~mine.right & (by_session >= least)
        curve.append((share, f"{1000 * flagged.mean():.1f}", f"{1000 * missed.mean():.2f}"))
    print(markdown(CURVE_HEAD, curve))
    learnt = examples.evidence, examples.right, examples.weights
    models = [fit(*learnt, seed) for seed in range(SEEDS)]
    np.savez_compressed(chosen.out, **asdict(pack(models, bound)))
    print(f"bound {bound:.4f}")


if __name__ == "__main__":
    main()
