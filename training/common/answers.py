"""What networks answer to the same questions, held against the truth and against each other."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

LEVEL = 0.95
# A new network may be wrong in so much more of what it is asked and still count as good: half a
# hundredth, or a tenth of what the old one has wrong, whichever is more.
MARGIN, MARGIN_OF_WRONG = 0.005, 0.1
RISKS = (0.001, 0.01)
# All signs of so many groups are tried; of more, so many drawn ones.
MOST_EXACT, DRAWN_SIGNS = 14, 20_000
BINS = 10
# How sure a whole reader counts as of what it says, unless it flags that.
SURE, FLAGGED = 0.99, 0.5


@dataclass(frozen=True)
class Answer:
    """What is true, what a network said to a question, and how probable it called that, 0..1.

    ``question`` is the file and the place in it, or the seed of a drawing; those of one ``group``
    are near-copies of each other; each ``kind`` is tallied apart.
    """

    question: str
    group: str
    kind: str
    truth: str
    said: str
    probability: float

    @property
    def right(self) -> bool:
        """Whether it said what is true."""
        return self.said == self.truth


@dataclass(frozen=True)
class Score:
    """How good answers are.

    ``risk`` is the share of wrong ones, 0..1, among those left when a share of ``RISKS``, the
    least sure, is flagged; ``calibration`` the expected calibration error (Guo et al., On
    Calibration of Modern Neural Networks, 2017); ``likelihood`` the mean natural logarithm.
    """

    count: int
    wrong: int
    interval: tuple[float, float]
    risk: dict[float, float]
    calibration: float
    likelihood: float


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, Probable Inference, 1927); 0..1 for none of none."""
    if not count:
        return 0.0, 1.0
    found = binomtest(hits, count).proportion_ci(LEVEL, "wilson")
    return float(found.low), float(found.high)


def score(answers: Sequence[Answer]) -> Score:
    """The figures of some answers."""
    right = np.array([a.right for a in answers], bool)
    sure = np.array([a.probability for a in answers], np.float64)
    count, wrong = len(answers), ~right[np.argsort(sure, kind="stable")]
    left = {share: wrong[math.ceil(share * count) :] for share in RISKS}
    risk = {share: float(off.sum() / max(len(off), 1)) for share, off in left.items()}
    bins, apart = np.minimum((sure * BINS).astype(int), BINS - 1), 0.0
    for inside in (bins == each for each in np.unique(bins)):
        apart += abs(float(sure[inside].mean() - right[inside].mean())) * float(inside.mean())
    clipped = np.clip(sure, 1e-6, 1 - 1e-6)
    known = float(np.log(np.where(right, clipped, 1 - clipped)).sum()) / max(count, 1)
    many = int(wrong.sum())
    return Score(count, many, wilson(many, count), risk, apart, known)


@dataclass(frozen=True)
class Comparison:
    """A new network against an old one on the questions that both were asked.

    ``gained`` were wrong and are right, ``lost`` the other way round. ``p`` is how probable such a
    difference or a larger one is by any signs of what groups lost, which is McNemar's exact test
    (1947) where each question is a group. ``worse_at_most`` bounds by how much the share of wrong
    answers has grown (Durkalski et al., Analysis of clustered matched-pair data, 2003).
    """

    both: int
    wrong_before: int
    gained: int
    lost: int
    p: float
    worse_at_most: float

    @property
    def verdict(self) -> str:
        """ "better", "as good", "worse" or "too few to tell"."""
        if self.p < 1 - LEVEL:
            return "better" if self.gained > self.lost else "worse"
        margin = max(MARGIN, MARGIN_OF_WRONG * self.wrong_before / max(self.both, 1))
        return "as good" if self.both and self.worse_at_most <= margin else "too few to tell"


def compare(old: Iterable[Answer], new: Iterable[Answer]) -> Comparison:
    """Question by question; ValueError where the truth of one question differs."""
    before = {answer.question: answer for answer in old}
    both = [(before[each.question], each) for each in new if each.question in before]
    sizes, losses, changes = Counter[str](), Counter[str](), Counter[int]()
    for first, second in both:
        if first.truth != second.truth:
            raise ValueError(f"{first.question}: expected {first.truth}, got {second.truth}")
        change = first.right - second.right
        sizes[second.group] += 1
        losses[second.group] += change
        changes[change] += 1
    gained, lost, count = changes[-1], changes[1], max(len(both), 1)
    wrong, grown = sum(not first.right for first, _ in both), (lost - gained) / count
    spread = math.sqrt(sum((losses[g] - grown * size) ** 2 for g, size in sizes.items())) / count
    bound = grown + 1.96 * spread if gained + lost else wilson(0, count)[1]
    p = _by_any_signs(np.array([each for each in losses.values() if each]))
    return Comparison(len(both), wrong, gained, lost, p, bound)


def _by_any_signs(losses: NDArray[np.int64]) -> float:
    """How probable a sum as far from 0 is if each group might as well have gained what it lost."""
    if (np.abs(losses) == 1).all():
        return float(binomtest(int((losses > 0).sum()), len(losses)).pvalue) if len(losses) else 1.0
    if len(losses) <= MOST_EXACT:
        signs = np.indices((2,) * len(losses)).reshape(len(losses), -1).T * 2 - 1
    else:
        signs = np.random.default_rng(0).choice([-1, 1], (DRAWN_SIGNS, len(losses)))
    return float((np.abs(signs @ losses) >= abs(losses.sum())).mean())


def write_answers(answers: Iterable[Answer], path: Path) -> None:
    """Keep answers as CSV."""
    with path.open("w", newline="", encoding="utf-8") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(field.name for field in fields(Answer))
        writer.writerows((*astuple(each)[:-1], f"{each.probability:.6f}") for each in answers)


def read_answers(path: Path) -> list[Answer]:
    """What ``write_answers`` wrote."""
    with path.open(newline="", encoding="utf-8") as table:
        _, *rows = csv.reader(table)
    return [Answer(q, group, kind, true, said, float(p)) for q, group, kind, true, said, p in rows]
