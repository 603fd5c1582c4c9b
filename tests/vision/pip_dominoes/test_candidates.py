"""One record of all that was seen of what may be dominoes, and which of them are."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import combinations

import numpy as np
import pytest

from vision.pip_dominoes.candidates import (
    _MAYBE,
    Candidates,
    beside,
    best_disjoint,
    company_of,
    keep_likely,
    overlap,
)

BOX = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)])


def places(exists: list[float], step: float = 100.0) -> Candidates:
    """Dominoes of 80 by 40 pixels in a row, each as likely as said."""
    count = len(exists)
    numbers = np.full((count, 2, 19), 1 / 19)
    half, none = np.full(count, 0.5), np.zeros(count)
    corners = np.stack([BOX + (step * k, 0.0) for k in range(count)])
    return Candidates(corners, half, numbers, numbers, half, none, half, np.array(exists))


def kept(candidates: Candidates) -> list[int]:
    """Which of them are dominoes."""
    numbered = replace(candidates, counted=np.arange(float(len(candidates))))
    chosen = keep_likely(numbered, least=0.7, most_overlap=0.3)
    return [int(k) for k in chosen.counted]


def test_likely_ones_are_kept() -> None:
    assert kept(places([0.99, 0.5, 0.99])) == [0, 2]


def test_of_two_on_one_another_the_likelier_is_kept() -> None:
    candidates = places([0.98, 0.99, 0.99])
    candidates.corners[1] = candidates.corners[0] + (30.0, 0.0)
    assert kept(candidates) == [1, 2]


def test_two_likely_ones_are_worth_more_than_a_likelier_one_across_them() -> None:
    # Frames every 40 pixels: 0, 2 and 4 are the dominoes, 1 and 3 lie across two of them.
    assert kept(places([0.95, 0.999, 0.9, 0.999, 0.93], 40.0)) == [0, 2, 4]


def test_figures_among_pips_are_writing() -> None:
    four = places([0.99] * 4)
    assert kept(replace(four, figures=np.array([0.0, 0.9, 0.0, 0.0]))) == [0, 2, 3]
    assert kept(replace(four, figures=np.array([0.9, 0.9, 0.9, 0.0]))) == [0, 1, 2, 3]


def test_overlaps_are_shares_of_the_smaller() -> None:
    assert overlap(BOX, BOX + (40.0, 0.0)) == 0.5
    assert overlap(BOX, BOX * 0.5) == 1.0
    assert overlap(BOX, BOX + (90.0, 0.0)) == 0.0
    free = beside(np.stack([BOX, BOX + (200.0, 0.0)]), BOX[None] + (10.0, 0.0), 0.3)
    assert free.tolist() == [False, True]
    assert beside(np.stack([BOX]), np.zeros((0, 4, 2)), 0.3).tolist() == [True]


def test_tiny_places_overlap_as_large_ones_do() -> None:
    tiny = np.array([(0.0, 0.0), (1.2, 0.0), (1.2, 1.2), (0.0, 1.2)])
    assert overlap(tiny, tiny) == pytest.approx(1.0, abs=1e-5)
    assert overlap(tiny, tiny + (0.6, 0.0)) == pytest.approx(0.5, abs=1e-5)


def test_the_company_of_a_candidate_are_the_others_that_may_be_dominoes() -> None:
    shares = np.array([0.9, _MAYBE, _MAYBE - 0.01, 0.5])
    others = [[_MAYBE, 0.5], [0.9, 0.5], [0.9, _MAYBE, 0.5], [0.9, _MAYBE]]
    expected = [(sum(each) + 0.5) / (len(each) + 1) for each in others]
    np.testing.assert_allclose(company_of(shares), expected)
    np.testing.assert_allclose(company_of(np.array([0.7])), [0.5])


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


def some(*numbers: float) -> Candidates:
    """Candidates that differ in every field."""
    names = [each.name for each in fields(Candidates)]
    return Candidates(**{name: np.array(numbers) + 100 * k for k, name in enumerate(names)})


def rows_of(candidates: Candidates) -> list[list[float]]:
    """What every field holds, without what tells the fields from each other."""
    values = [getattr(candidates, each.name) for each in fields(Candidates)]
    return [(value - 100 * k).tolist() for k, value in enumerate(values)]


def test_every_field_goes_along() -> None:
    three, every = some(1, 2, 3), len(fields(Candidates))
    assert rows_of(three.chosen(np.array([2, 0]))) == [[3, 1]] * every
    assert rows_of(three.joined(some(4))) == [[1, 2, 3, 4]] * every
    assert rows_of(three.replaced(np.array([1]), some(5))) == [[1, 5, 3]] * every
    assert rows_of(three) == [[1, 2, 3]] * every


def test_nothing_joined_to_something_is_that() -> None:
    both = Candidates.nothing().joined(places([0.9]))
    assert len(both) == 1
    np.testing.assert_array_equal(both.corners[0], BOX)
    assert len(Candidates.nothing().exists) == 0
