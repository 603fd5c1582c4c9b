"""Kingdoms and dominoes laid close beside another overlap nothing, and are close."""

from __future__ import annotations

import numpy as np
import pytest

from training.kingdomino.scenes.kingdoms import (
    DOMINO_GAP,
    KINGDOM_GAP,
    place_close_domino,
    place_close_kingdom,
)
from vision.common.rectify import project

KINGDOM = [(r, c) for r in range(5) for c in range(5) if (r, c) != (1, 4)]


def corners(cells: list[tuple[int, int]]) -> np.ndarray:
    """The corners (n, 4, 2) of cells as (x, y)."""
    spots = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    return np.array([np.array([c, r]) + spots for r, c in cells], np.float64)


def overlap(one: np.ndarray, other: np.ndarray) -> float:
    """How far two convex quadrilaterals reach into each other at most, in squares; 0 if apart."""
    deepest = np.inf
    for shape in (one, other):
        for start, end in zip(shape, np.roll(shape, -1, 0), strict=True):
            across = np.array([end[1] - start[1], start[0] - end[0]]) / np.linalg.norm(end - start)
            low, high = sorted((one @ across, other @ across), key=lambda reach: reach.min())
            deepest = min(deepest, low.max() - high.min())
    return max(float(deepest), 0.0)


@pytest.mark.parametrize("seed", range(12))
def test_a_close_kingdom_leaves_a_narrow_gap(seed: int) -> None:
    place = place_close_kingdom(KINGDOM, KINGDOM, np.random.default_rng(seed))
    theirs = project(corners(KINGDOM).reshape(-1, 2), place).reshape(-1, 4, 2)
    ours = corners(KINGDOM)
    assert max(overlap(a, b) for a in ours for b in theirs) < 0.1
    apart = np.maximum(
        ours.reshape(-1, 2).min(0) - theirs.reshape(-1, 2).max(0),
        theirs.reshape(-1, 2).min(0) - ours.reshape(-1, 2).max(0),
    ).max()
    assert KINGDOM_GAP[0] - 0.1 < apart < KINGDOM_GAP[1] + 0.1


@pytest.mark.parametrize("seed", range(12))
def test_a_close_domino_lies_on_no_square_and_near_one(seed: int) -> None:
    place = place_close_domino(KINGDOM, np.random.default_rng(seed))
    assert place is not None
    halves = project(corners([(0, 0), (0, 1)]).reshape(-1, 2), place).reshape(-1, 4, 2)
    ours = corners(KINGDOM)
    assert max(overlap(a, b) for a in ours for b in halves) < 0.12
    between = np.linalg.norm(ours.mean(1)[:, None] - halves.mean(1)[None], axis=2).min()
    assert 1 <= between < 1.5 + DOMINO_GAP[1]
    assert np.isclose(np.linalg.det(place[:2, :2]), 1)


def test_a_domino_finds_no_place_where_all_around_is_taken() -> None:
    cells = [(r, c) for r in range(5) for c in range(5)]
    ring = [(r, c) for r in range(-9, 14) for c in range(-9, 14)]
    rng = np.random.default_rng(1)
    placed = [place_close_domino([*cells, *ring], rng) for _ in range(6)]
    inner = [p for p in placed if p is not None and (np.abs(p[:2, 2]) < 7).all()]
    assert not inner
