"""From evidence to the reading: the most probable dominoes together, and what is in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.pip_dominoes.detect import Detections
from vision.pip_dominoes.recognise import Evidence, RecognitionSettings
from vision.pip_dominoes.result import (
    HIGHEST,
    NEVER_PHOTOGRAPHED,
    SETS,
    DominoReading,
    Tile,
    format_tile,
    tiles_of,
)

__all__ = [
    "DoubtSettings",
    "SettleSettings",
    "Settled",
    "combine",
    "find_unclear",
    "infer_set",
    "judge",
    "measure_existence",
    "set_warnings",
    "settle",
    "settled_reading",
    "unread_faces",
]

Floats = NDArray[np.float64]

_LEAST = 1e-30


@dataclass(frozen=True)
class SettleSettings:
    """``set_shares`` are how common the sets are, by their largest double.

    ``twice_price`` is the probability that a domino is there twice all the same, as where two
    sets are mixed; ``copies`` how often it may be.
    """

    set_shares: tuple[tuple[int, float], ...] = (
        (6, 0.34), (9, 0.12), (12, 0.44), (15, 0.06), (18, 0.04),
    )  # fmt: skip
    twice_price: float = 1e-4
    copies: int = 4


@dataclass(frozen=True)
class Settled:
    """A domino after settling: its numbers as they lie, probability, runner-up and what was odd.

    ``changed`` says that another domino would explain it better, were it not taken; ``twice``
    that the same domino is there again.
    """

    halves: tuple[int, int]
    probability: float
    runner_up: Tile | None
    changed: bool
    twice: bool


def _tile_likelihoods(likelihoods: Floats, highest: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Likelihood (n, tiles) of each domino of the set, and whether it lies the other way round."""
    tiles = np.array(tiles_of(highest))
    forward = likelihoods[:, 0, tiles[:, 0]] * likelihoods[:, 1, tiles[:, 1]]
    backward = likelihoods[:, 0, tiles[:, 1]] * likelihoods[:, 1, tiles[:, 0]]
    return np.maximum(forward, backward), backward > forward


def infer_set(likelihoods: Floats, settings: SettleSettings | None = None) -> int:
    """The most probable set, by its largest double, of dominoes with likelihoods (n, 2, 19).

    Bayes' rule with the shares of ``settings``; within a set every domino is equally probable,
    so the smallest set that explains all of them wins.
    """
    settings = settings or SettleSettings()
    best, best_score = SETS[0], -np.inf
    for highest, share in settings.set_shares:
        each, _ = _tile_likelihoods(likelihoods, highest)
        score = np.log(share) + np.log(np.maximum(each.mean(1), _LEAST)).sum()
        if score > best_score:
            best, best_score = highest, float(score)
    return best


def settle(
    likelihoods: Floats,
    highest: int,
    fixed: Mapping[int, Tile] | None = None,
    settings: SettleSettings | None = None,
) -> list[Settled]:
    """The most probable dominoes of the double-``highest`` set together.

    ``likelihoods`` is (n, 2, 19), ``fixed`` says what some of them are known to be. An
    assignment of dominoes of the set to those seen (Kuhn, The Hungarian method, 1955), where a
    second copy of a domino has its price.
    """
    settings = settings or SettleSettings()
    tiles = tiles_of(highest)
    each, backward = _tile_likelihoods(likelihoods, highest)
    for row, tile in (fixed or {}).items():
        if tile not in tiles:
            raise ValueError(f"tile: expected one of the double-{highest} set, got {tile}")
        each[row] = 0.0
        each[row, tiles.index(tile)] = 1.0
    posterior = each / np.maximum(each.sum(1, keepdims=True), _LEAST)
    # There must be a domino of the set for each that was seen.
    copies = max(settings.copies, -(-len(likelihoods) // len(tiles)))
    price = np.log(settings.twice_price) * (np.arange(copies) > 0)
    gain = np.log(np.maximum(posterior, _LEAST))
    # A domino that is known is not moved by any other.
    for row in fixed or {}:
        gain[row] *= 1e3
    table = np.concatenate([gain + extra for extra in price], axis=1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    chosen = dict(zip(rows.tolist(), (columns % len(tiles)).tolist(), strict=True))
    taken = np.bincount(list(chosen.values()), minlength=len(tiles))
    settled = []
    for row in range(len(likelihoods)):
        column = chosen[row]
        ranked = np.argsort(-posterior[row], kind="stable")
        other = next((int(k) for k in ranked[:2] if k != column), None)
        known = row in (fixed or {})
        a, b = tiles[column]
        settled.append(
            Settled(
                halves=(b, a) if backward[row, column] else (a, b),
                probability=float(posterior[row, column]),
                runner_up=None if known or other is None else tiles[other],
                changed=bool(ranked[0] != column),
                twice=bool(taken[column] > 1),
            )
        )
    return settled


def join_rows(rows: Sequence[Floats]) -> Floats:
    """Likelihoods of several hands as one (n, 2, 19)."""
    return np.concatenate([np.zeros((0, 2, HIGHEST + 1)), *rows])


# Reasons that settling again can give or take; the others are about the picture.
_OF_SETTLING = frozenset({"unlikely", "changed", "twice", "double_blank"})


@dataclass(frozen=True)
class DoubtSettings:
    """When a domino is flagged.

    Below ``min_probability`` both numbers are not sure enough; where the two witnesses name
    different numbers, the one that lost must not have been surer than ``max_dissent``. Something
    is a domino from ``exists`` on and surely one from ``surely_exists`` on; where none is as
    likely as ``none_exists``, there is none at all. Dominoes with short sides under ``small_px``
    in the photograph are hard to tell, and can't be told under ``least_px``. ``cut_off_share`` of
    a short side may lie beyond the picture. ``unread_share`` of a domino's area that shows a face
    and belongs to none that was read is one not read. A half with at least ``least_likelihood``
    under both witnesses together is explained.
    """

    min_probability: float = 0.97
    max_dissent: float = 0.5
    exists: float = 0.7
    surely_exists: float = 0.97
    none_exists: float = 0.9
    small_px: float = 17.0
    least_px: float = 10.0
    cut_off_share: float = 0.06
    unread_share: float = 0.35
    sure_figures: float = 0.3


def combine(evidence: Evidence, settings: RecognitionSettings) -> Floats:
    """Likelihoods (n, 2, 19) of the numbers under both witnesses; figures are not counted."""
    least_share = settings.least_share
    weight = settings.pip_weight * np.clip(1.5 - 2 * evidence.figures, 0, 1)[:, None, None]
    counted = (1 - least_share) * evidence.counted + least_share
    recognised = (1 - least_share) * evidence.recognised + least_share
    product = recognised**settings.half_weight * counted**weight
    return np.asarray(product / product.max(-1, keepdims=True))


def measure_existence(scores: Floats, evidence: Evidence) -> Floats:
    """How likely each place (n,) holds a domino's face: the odds of three witnesses averaged."""
    shares = np.clip(np.stack([scores, evidence.face, evidence.half]), 1e-4, 1 - 1e-4)
    odds = np.log(shares / (1 - shares)) * np.array([[0.5], [1.0], [1.0]])
    return np.asarray(1 / (1 + np.exp(-odds.sum(0))))


def _dissent(evidence: Evidence, row: int, halves: tuple[int, int], most: float) -> bool:
    """Whether a witness is surer of another number than ``most``."""
    if evidence.figures[row] > 0.5:
        return False
    for half, number in enumerate(halves):
        for witness in (evidence.counted, evidence.recognised):
            if int(witness[row, half].argmax()) != number and witness[row, half].max() > most:
                return True
    return False


def find_unclear(
    evidence: Evidence, likelihoods: Floats, settings: DoubtSettings
) -> NDArray[np.bool_]:
    """Which dominoes (n,) are worth another look: either half not sure, or the witnesses differ."""
    found = []
    for row, halves in enumerate(likelihoods):
        shares = halves.max(-1) / halves.sum(-1)
        a, b = (int(number) for number in halves.argmax(-1))
        found.append(
            bool(shares.prod() < settings.min_probability)
            or _dissent(evidence, row, (a, b), settings.max_dissent)
        )
    return np.array(found, bool)


def judge(
    settled: Sequence[Settled],
    evidence: Evidence,
    likelihoods: Floats,
    exists: Floats,
    scale: float,
    size: tuple[int, int],
    settings: DoubtSettings,
) -> list[DominoReading]:
    """The readings of all dominoes.

    ``scale`` takes pixels of the searched picture to those of the photograph, whose ``size`` is
    (width, height).
    """
    readings = []
    for row, domino in enumerate(settled):
        reasons = []
        corners = (evidence.corners[row] + 0.5) * scale - 0.5
        short = float(np.linalg.norm(corners[2] - corners[1]))
        if _dissent(evidence, row, domino.halves, settings.max_dissent):
            reasons.append("witnesses")
        if exists[row] < settings.surely_exists:
            reasons.append("existence")
        if short < settings.small_px:
            reasons.append("closer")
        beyond = np.maximum(-corners, corners - np.array(size)).max()
        if beyond > settings.cut_off_share * short:
            reasons.append("cut_off")
        figures = evidence.figures[row] > settings.sure_figures
        if figures and (evidence.figures[row] < 0.9 or {6, 9} & {*domino.halves}):
            reasons.append("figures")
        reading = DominoReading(
            domino.halves, corners, 0.0, bool(reasons), "",
            likelihoods[row], float(exists[row]), tuple(reasons),
        )  # fmt: skip
        readings.append(settled_reading(reading, domino, settings, known=False))
    return readings


def settled_reading(
    reading: DominoReading, domino: Settled, settings: DoubtSettings, *, known: bool
) -> DominoReading:
    """The reading as it was settled; what is ``known`` needs no look any more."""
    if known:
        return replace(
            reading,
            halves=domino.halves,
            probability=1.0,
            doubtful=False,
            runner_up="",
            existence=1.0,
            reasons=(),
        )
    reasons = [reason for reason in reading.reasons if reason not in _OF_SETTLING]
    if domino.probability < settings.min_probability:
        reasons.append("unlikely")
    if domino.changed:
        reasons.append("changed")
    if domino.twice:
        reasons.append("twice")
    if domino.halves == (0, 0):
        reasons.append("double_blank")
    return replace(
        reading,
        halves=domino.halves,
        probability=min(domino.probability * reading.existence, 1.0),
        doubtful=bool(reasons),
        runner_up=format_tile(*domino.runner_up) if domino.runner_up else "",
        reasons=tuple(reasons),
    )


def unread_faces(found: Detections, corners: Floats, settings: DoubtSettings) -> bool:
    """Whether a spot as large as a part of a domino shows a face that was not read."""
    if not len(corners):
        return False
    faces = (found.faces > 0.5).astype(np.uint8)
    areas = []
    for box in corners:
        middle = box.mean(0)
        grown = (middle + (box - middle) * 1.12) @ found.view[:, :2].T + found.view[:, 2]
        areas.append(abs(cv2.contourArea(grown.astype(np.float32))))
        cv2.fillConvexPoly(faces, np.round(grown * 16).astype(np.int32), 0, shift=4)
    count, _, stats, _ = cv2.connectedComponentsWithStats(faces)
    largest = max((int(stats[k, cv2.CC_STAT_AREA]) for k in range(1, count)), default=0)
    return largest > settings.unread_share * float(np.median(areas))


def set_warnings(highest: int, inferred: bool, readings: Sequence[DominoReading]) -> set[str]:
    """Codes about the set and about the dominoes."""
    warnings = {"set_inferred"} if inferred else set()
    if highest in NEVER_PHOTOGRAPHED:
        warnings.add("set_never_photographed")
    names: Mapping[str, str] = {
        "closer": "closer", "cut_off": "cut_off", "double_blank": "double_blank",
        "twice": "tile_twice", "figures": "figures",
    }  # fmt: skip
    reasons = {reason for reading in readings for reason in reading.reasons}
    return warnings | {names[reason] for reason in reasons if reason in names}
