"""What each stage of the reader hands over for drawn pictures, held against ``figures.txt``.

See ``tests.vision.figures``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.figures import Stage, check_figures
from vision.pip_dominoes import bodies, candidates, detect, judge, recognise
from vision.pip_dominoes.draw import annotate
from vision.pip_dominoes.judge import infer_set, settle
from vision.pip_dominoes.reader import default_reader
from vision.pip_dominoes.result import HandReading
from vision.pip_dominoes.weights import (
    HALF_MARGIN_PX,
    HALF_PX,
    cut,
    decode_frames,
    encode_frames,
    face_points,
    half_corners,
)

TABLE = Path(__file__).with_name("figures.txt")
SAMPLES = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"
STAGES: tuple[Stage, ...] = (
    detect.find_dominoes, detect.search, detect.look_again, candidates.features_of,
    candidates.keep_likely, candidates.best_disjoint, recognise.recognise,
    recognise.recognise_closely, bodies.seen_bodies, bodies.unread_bodies, judge.combine,
    judge.settle, judge.judge, judge.find_unclear, judge.find_warnings,
)  # fmt: skip


def check(name: str, case: Callable[[], object]) -> None:
    check_figures(TABLE, name, STAGES, case)


@cache
def sample(name: str, side_px: int = 640) -> NDArray[np.uint8]:
    rgb = cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    factor = side_px / max(rgb.shape[:2])
    return np.asarray(cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("name", ["garden", "double-blank", "rack"])
def test_a_photograph(name: str) -> None:
    rgb = sample(name)
    check(name, lambda: default_reader().read(rgb))


def test_where_a_part_of_the_picture_is_searched() -> None:
    small = sample("classic", 300)
    around = cv2.copyMakeBorder(small, 350, 40, 450, 40, cv2.BORDER_REPLICATE)
    rgb = np.asarray(around, np.uint8)
    check("part", lambda: default_reader().read(rgb, 6))


def test_something_lies_on_a_domino() -> None:
    """What is drawn on the photograph, and what the round makes of it, belong to it."""
    rgb = sample("classic").copy()
    reader = default_reader()
    hand = reader.read(rgb, 6)
    box = hand.dominoes[0].corners
    cv2.fillConvexPoly(
        rgb, (box.mean(0) + 0.4 * (box - box.mean(0))).astype(np.int32), (90, 60, 40)
    )

    def case() -> list[HandReading]:
        covered = reader.read(rgb)
        annotate(rgb, covered)
        tile = hand.dominoes[1].tile
        return reader.resettle([hand, covered], [{}, {0: "6|5", 1: tile}]) + reader.resettle(
            [hand, covered], set=9
        )

    check("covered", case)


def test_frames_and_patches() -> None:
    rng = np.random.default_rng(3)
    rgb = rng.integers(0, 255, (60, 90, 3), np.uint8).repeat(4, 0).repeat(4, 1)
    corners = np.array([(40.0, 60), (230, 30), (260, 120), (55, 170)])

    def case() -> list[NDArray[np.float64]]:
        edges = rng.normal(0, 40, (20, 2, 2))
        decode_frames(encode_frames(edges))
        found = [
            cut(rgb, half, (HALF_PX, HALF_PX), HALF_MARGIN_PX) for half in half_corners(corners)
        ]
        found += [
            cut(rgb, corners * size, (HALF_PX, HALF_PX), HALF_MARGIN_PX) for size in (0.3, 1.3)
        ]
        points = [face_points(corners, corners + 5, to_patch=way) for way in (True, False)]
        return [*(each.astype(np.float64) for each in found), *points]

    check("patches", case)


@pytest.mark.parametrize("sure", [0.3, 0.6])
def test_sets(sure: float) -> None:
    """Halves that may be many numbers, settled with nothing known, and with two dominoes known."""
    rng = np.random.default_rng(5)
    halves = rng.dirichlet(np.full(19, 0.2), (7, 2)) * (1 - sure)
    for row, (a, b) in enumerate([(5, 2), (5, 2), (9, 9), (0, 4), (12, 3), (3, 3), (1, 8)]):
        halves[row, 0, a] += sure
        halves[row, 1, b] += sure

    def case() -> object:
        highest = infer_set(halves)
        return highest, settle(halves, highest), settle(halves, 9, {0: (2, 5), 3: (4, 4)})

    check(f"sets-{sure}", case)
