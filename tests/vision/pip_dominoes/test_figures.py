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
from vision.common import geometry, network
from vision.common.geometry import fit_plane
from vision.pip_dominoes import bodies, candidates, detect, judge, recognise
from vision.pip_dominoes.bodies import alike_bodies
from vision.pip_dominoes.draw import annotate
from vision.pip_dominoes.judge import infer_set, settle
from vision.pip_dominoes.reader import Reader
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
    geometry.fit_plane, network.find_peaks, detect.find_dominoes, detect.search,
    detect.search_part, detect.look_again, detect.match, detect.both_looks,
    candidates.features_of, candidates.company_of, candidates.keep_likely,
    candidates.best_disjoint, candidates.beside, recognise.recognise,
    recognise.recognise_closely, recognise.pips_of, recognise.count_distribution,
    bodies.seen_bodies, bodies.alike_bodies, bodies.unread_bodies, bodies.blanks_off,
    judge.combine, judge.infer_set, judge.settle, judge.judge, judge.find_unclear,
    judge.find_warnings, judge.settled_reading,
)  # fmt: skip


def check(name: str, case: Callable[[], object]) -> None:
    check_figures(TABLE, name, STAGES, case)


@cache
def sample(name: str, side_px: int = 640) -> NDArray[np.uint8]:
    rgb = cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    factor = side_px / max(rgb.shape[:2])
    return np.asarray(cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


@cache
def shipped_reader() -> Reader:
    return Reader()


def all_of(hand: HandReading) -> list[object]:
    """A reading, and what can be asked of it."""
    asked = [(each.tile, each.short_px, each.pips_range) for each in hand.dominoes]
    return [hand, hand.sum, hand.sum_range, hand.to_check, hand.doubtful, *asked]


@pytest.mark.parametrize("name", ["garden", "double-blank", "rack"])
def test_a_photograph(name: str) -> None:
    rgb, reader = sample(name), shipped_reader()
    check(name, lambda: all_of(reader.read(rgb)))


def test_where_a_part_of_the_picture_is_searched() -> None:
    small = sample("classic", 300)
    around = cv2.copyMakeBorder(small, 350, 40, 450, 40, cv2.BORDER_REPLICATE)
    rgb = np.asarray(around, np.uint8)
    reader = shipped_reader()
    check("part", lambda: all_of(reader.read(rgb, 6)))


def test_something_lies_on_a_domino() -> None:
    """What is drawn on the photograph, and what the round makes of it, belong to it."""
    rgb = sample("classic").copy()
    reader = shipped_reader()
    hand = reader.read(rgb, 6)
    box = hand.dominoes[0].corners
    cv2.fillConvexPoly(
        rgb, (box.mean(0) + 0.4 * (box - box.mean(0))).astype(np.int32), (90, 60, 40)
    )

    def case() -> dict[str, object]:
        covered = reader.read(rgb)
        corrections = [{}, {0: "6|5", 1: hand.dominoes[1].tile}]
        return {
            "covered": all_of(covered),
            "drawn": annotate(rgb, covered),
            "corrected": [all_of(each) for each in reader.resettle([hand, covered], corrections)],
            "larger": [all_of(each) for each in reader.resettle([hand, covered], set=9)],
        }

    check("covered", case)


def test_frames_and_patches() -> None:
    rng = np.random.default_rng(3)
    rgb = rng.integers(0, 255, (60, 90, 3), np.uint8).repeat(4, 0).repeat(4, 1)
    corners = np.array([(40.0, 60), (230, 30), (260, 120), (55, 170)])

    def case() -> dict[str, object]:
        edges = rng.normal(0, 40, (20, 2, 2))
        frames = [encode_frames(edges), decode_frames(encode_frames(edges))]
        found = [
            cut(rgb, half, (HALF_PX, HALF_PX), HALF_MARGIN_PX) for half in half_corners(corners)
        ]
        found += [
            cut(rgb, corners * size, (HALF_PX, HALF_PX), HALF_MARGIN_PX) for size in (0.3, 1.3)
        ]
        points = [face_points(corners, corners + 5, to_patch=way) for way in (True, False)]
        return {"frames": frames, "patches": found, "points": points}

    check("patches", case)


@pytest.mark.parametrize("sure", [0.3, 0.6])
def test_sets(sure: float) -> None:
    """Halves that may be many numbers, settled with nothing known, and with two dominoes known."""
    rng = np.random.default_rng(5)
    halves = rng.dirichlet(np.full(19, 0.2), (7, 2)) * (1 - sure)
    for row, (a, b) in enumerate([(5, 2), (5, 2), (9, 9), (0, 4), (12, 3), (3, 3), (1, 8)]):
        halves[row, 0, a] += sure
        halves[row, 1, b] += sure

    def case() -> dict[str, object]:
        highest = infer_set(halves)
        known = settle(halves, 9, {0: (2, 5), 3: (4, 4)})
        return {"set": highest, "settled": settle(halves, highest), "known": known}

    check(f"sets-{sure}", case)


def test_what_looks_like_the_dominoes_that_were_read() -> None:
    """In the picture as it is, and in the plane of the table."""
    rng = np.random.default_rng(2)
    rgb = rng.normal((46, 92, 58), 4, (400, 520, 3)).clip(0, 255).astype(np.uint8)
    box = np.array([(-40.0, -20), (40, -20), (40, 20), (-40, 20)])
    turned = box @ np.array([(0.94, 0.34), (-0.34, 0.94)])
    places = [(80, 80), (250, 90), (110, 230), (300, 240), (420, 330)]
    boxes = np.stack([turned * (1 + y / 2000) + (x, y) for x, y in places])
    for corners in boxes:
        cv2.fillConvexPoly(rgb, corners.round().astype(np.int32), (222, 214, 196))
    plane = fit_plane(boxes[:3], 2.0)

    def case() -> list[object]:
        return [alike_bodies(rgb, flat, boxes[:3], 0.3) for flat in (None, plane)]

    check("alike", case)
