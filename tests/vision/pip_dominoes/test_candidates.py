"""Which of the places found are dominoes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from vision.pip_dominoes.detect import beside, best_disjoint, keep_likely, overlap
from vision.pip_dominoes.recognise import Evidence

BOX = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)])


def places(count: int, step: float = 100.0) -> Evidence:
    """Dominoes of 80 by 40 pixels in a row."""
    numbers = np.full((count, 2, 19), 1 / 19)
    sure = np.ones(count)
    corners = np.stack([BOX + (step * k, 0.0) for k in range(count)])
    return Evidence(corners, numbers, numbers, sure, sure, np.zeros(count))


def kept(evidence: Evidence, exists: list[float]) -> list[int]:
    chosen = keep_likely(evidence, np.array(exists), least=0.7, most_overlap=0.3, least_size=0.58)
    return [int(k) for k in chosen]


def test_likely_ones_are_kept() -> None:
    assert kept(places(3), [0.99, 0.5, 0.99]) == [0, 2]


def test_of_two_on_one_another_the_likelier_is_kept() -> None:
    evidence = places(3)
    evidence.corners[1] = evidence.corners[0] + (30.0, 0.0)
    assert kept(evidence, [0.98, 0.99, 0.99]) == [1, 2]


def test_two_likely_ones_are_worth_more_than_a_likelier_one_across_them() -> None:
    # Frames every 40 pixels: 0, 2 and 4 are the dominoes, 1 and 3 lie across two of them.
    assert kept(places(5, 40.0), [0.95, 0.999, 0.9, 0.999, 0.93]) == [0, 2, 4]


def test_figures_among_pips_are_writing() -> None:
    evidence = replace(places(4), figures=np.array([0.0, 0.9, 0.0, 0.0]))
    assert kept(evidence, [0.99] * 4) == [0, 2, 3]
    alone = replace(places(4), figures=np.array([0.9, 0.9, 0.9, 0.0]))
    assert kept(alone, [0.99] * 4) == [0, 1, 2, 3]


def test_what_is_much_smaller_than_the_others_is_none() -> None:
    evidence = places(4)
    evidence.corners[2] = evidence.corners[2] * 0.5
    assert kept(evidence, [0.99] * 4) == [0, 1, 3]


def test_overlaps_are_shares_of_the_smaller() -> None:
    assert overlap(BOX, BOX + (40.0, 0.0)) == 0.5
    assert overlap(BOX, BOX * 0.5) == 1.0
    assert overlap(BOX, BOX + (90.0, 0.0)) == 0.0
    free = beside(np.stack([BOX, BOX + (200.0, 0.0)]), BOX[None] + (10.0, 0.0), 0.3)
    assert free.tolist() == [False, True]
    assert beside(np.stack([BOX]), np.zeros((0, 4, 2)), 0.3).tolist() == [True]


def test_the_best_places_apart_are_those_of_trying_all() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        count = int(rng.integers(1, 9))
        worth = rng.uniform(0.1, 1.0, count)
        clashes: list[set[int]] = [set() for _ in range(count)]
        for a, b in combinations(range(count), 2):
            if rng.random() < 0.35:
                clashes[a].add(b)
                clashes[b].add(a)
        chosen = best_disjoint(worth.tolist(), clashes)
        best = max(
            sum(worth[k] for k in some)
            for size in range(count + 1)
            for some in combinations(range(count), size)
            if not any(b in clashes[a] for a, b in combinations(some, 2))
        )
        assert not any(b in clashes[a] for a, b in combinations(chosen, 2))
        assert np.isclose(sum(worth[k] for k in chosen), best)


def test_too_many_clashes_are_settled_one_by_one() -> None:
    rng = np.random.default_rng(3)
    count = 90
    close = rng.random((count, count)) < 0.05
    clashes = [{b for b in range(count) if b != a and close[min(a, b), max(a, b)]}
               for a in range(count)]  # fmt: skip
    worth = rng.uniform(0.7, 1.0, count).tolist()
    chosen = best_disjoint(worth, clashes)
    assert not any(b in clashes[a] for a, b in combinations(chosen, 2))
    assert all(k in chosen or clashes[k] & {*chosen} for k in range(count))
