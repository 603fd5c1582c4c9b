"""From settled dominoes to the reading: what a person should look at, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.evidence import Evidence
from vision.pip_dominoes.locate import Found
from vision.pip_dominoes.result import DominoReading
from vision.pip_dominoes.settle import Settled
from vision.pip_dominoes.tiles import NEVER_PHOTOGRAPHED, format_tile
from vision.pip_dominoes.witnesses import WitnessSettings

__all__ = [
    "DoubtSettings",
    "combine",
    "find_unclear",
    "judge",
    "measure_existence",
    "set_warnings",
    "settled_reading",
    "unread_faces",
]

Floats = NDArray[np.float64]

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


def combine(evidence: Evidence, settings: WitnessSettings) -> Floats:
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


def unread_faces(found: Found, corners: Floats, settings: DoubtSettings) -> bool:
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
