"""The reader: from a photograph of dominoes to every domino in it and their sum."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.network import load_network
from vision.photo import Photo, PhotoError, PhotoSettings, decode
from vision.pip_dominoes.judgement import (
    DoubtSettings,
    combined,
    existence,
    judged,
    set_warnings,
    settled_reading,
    unread_faces,
)
from vision.pip_dominoes.locate import LocateSettings, find_dominoes
from vision.pip_dominoes.result import DominoReading, HandReading
from vision.pip_dominoes.settle import SettleSettings, infer_set, joined, settle
from vision.pip_dominoes.tiles import SETS, parse_tile
from vision.pip_dominoes.witnesses import WitnessSettings, ask

__all__ = ["ReadSettings", "read_dominoes", "settle_hands"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReadSettings:
    """Everything that can be set about reading; ``overlap`` is the share of the smaller of two
    dominoes that the other may cover, before the less likely one is none.
    """

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    witness: WitnessSettings = field(default_factory=WitnessSettings)
    settle: SettleSettings = field(default_factory=SettleSettings)
    doubt: DoubtSettings = field(default_factory=DoubtSettings)
    overlap: float = 0.3


class _Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = time.perf_counter() - started


def read_dominoes(
    source: bytes | str | os.PathLike[str] | Image,
    set: int | None = None,
    settings: ReadSettings | None = None,
) -> HandReading:
    """Read every domino that a photograph shows, given its bytes, its path or its RGB pixels.

    ``set`` is the largest double of the set, 6, 9, 12, 15 or 18; without it the most probable
    one is taken and told. PhotoError with the code no_dominoes where no face of a domino is
    seen, and with the codes of ``vision.photo.decode`` where there is no picture to read.
    """
    if set is not None and set not in SETS:
        raise ValueError(f"set: expected one of {SETS}, got {set}")
    settings = settings or ReadSettings()
    clock = _Clock()
    with clock.step("decode"):
        photo = _photo(source, settings.photo)
    with clock.step("locate"):
        found = find_dominoes(photo.rgb, load_network("pip_locator"), settings.locate)
    if not len(found.scores):
        raise PhotoError("no_dominoes")
    with clock.step("witness"):
        evidence = ask(
            photo.rgb, found.corners, load_network("pip_faces"), load_network("pip_halves"),
            settings.witness,
        )  # fmt: skip
    with clock.step("settle"):
        exists = existence(found.scores, evidence)
        keep = _kept(evidence.corners, exists, settings)
        if not len(keep):
            raise PhotoError("no_dominoes")
        evidence, exists = evidence.chosen(keep), exists[keep]
        likelihoods = combined(evidence, settings.witness.least_share)
        highest = set or infer_set(likelihoods, settings.settle)
        settled = settle(likelihoods, highest, settings=settings.settle)
        size = (photo.width, photo.height)
        readings = judged(
            settled, evidence, likelihoods, exists, 1 / photo.scale, size, settings.doubt
        )
        warnings = set_warnings(highest, set is None, readings)
        if unread_faces(found, evidence.corners, settings.doubt):
            warnings.add("unread")
    dominoes = tuple(readings[k] for k in _reading_order(evidence.corners))
    return HandReading(dominoes, highest, tuple(sorted(warnings)), *size, clock.seconds)


def _photo(source: bytes | str | os.PathLike[str] | Image, settings: PhotoSettings) -> Photo:
    if isinstance(source, np.ndarray):
        return Photo(np.ascontiguousarray(source), source.shape[1], source.shape[0])
    return decode(source, settings)


def _kept(corners: Floats, exists: Floats, settings: ReadSettings) -> NDArray[np.intp]:
    """Which of the places found hold a domino: likely enough, and not on a likelier one."""
    keep: list[int] = []
    for k in np.argsort(-exists, kind="stable"):
        if exists[k] < settings.doubt.exists:
            break
        if all(_overlap(corners[k], corners[other]) < settings.overlap for other in keep):
            keep.append(int(k))
    return np.array(sorted(keep), np.intp)


def _overlap(first: Floats, second: Floats) -> float:
    """The share of the smaller of two quadrilaterals that the other covers."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(min(cv2.contourArea(a), cv2.contourArea(b)), 1.0)


def _reading_order(corners: Floats) -> list[int]:
    """Dominoes row by row from the top, as one reads."""
    middles = corners.mean(1)
    height = float(np.median(np.ptp(corners[..., 1], axis=1)))
    left = sorted(range(len(middles)), key=lambda k: middles[k, 1])
    order: list[int] = []
    while left:
        top = middles[left[0], 1]
        row = [k for k in left if middles[k, 1] < top + 0.5 * height]
        order += sorted(row, key=lambda k: middles[k, 0])
        left = [k for k in left if k not in row]
    return order


def settle_hands(
    readings: Sequence[HandReading],
    corrections: Mapping[tuple[int, int], str] | None = None,
    set: int | None = None,
    settings: ReadSettings | None = None,
) -> list[HandReading]:
    """The hands of one round settled together, since each domino is in one hand only.

    ``corrections`` say by (hand, domino), counted from 0, what a person saw, such as "5|9"; what
    was corrected is certain. Without ``set`` the most probable one of all hands together is
    taken. ValueError for a correction that is no domino of the set, KeyError for one of a domino
    that is not there.
    """
    settings = settings or ReadSettings()
    places = [(h, d) for h, hand in enumerate(readings) for d in range(len(hand.dominoes))]
    fixed = {}
    for place, text in (corrections or {}).items():
        if place not in places:
            raise KeyError(place)
        fixed[places.index(place)] = parse_tile(text)
    likelihoods = joined(
        [d.likelihoods[None] for hand in readings for d in hand.dominoes]
    )
    known = likelihoods.copy()
    for row, (a, b) in fixed.items():
        known[row] = 0.0
        known[row, 0, a] = known[row, 1, b] = 1.0
    highest = set or infer_set(known, settings.settle)
    settled = settle(likelihoods, highest, fixed, settings.settle)
    hands = []
    for h, hand in enumerate(readings):
        rows = [row for row, place in enumerate(places) if place[0] == h]
        dominoes: list[DominoReading] = [
            settled_reading(
                hand.dominoes[places[row][1]], settled[row], settings.doubt, known=row in fixed
            )
            for row in rows
        ]
        warnings = set_warnings(highest, set is None, dominoes)
        if "unread" in hand.warnings:
            warnings.add("unread")
        hands.append(
            replace(hand, dominoes=tuple(dominoes), set=highest, warnings=tuple(sorted(warnings)))
        )
    return hands
