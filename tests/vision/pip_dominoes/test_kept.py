"""Which of the places found are dominoes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.pip_dominoes.reader import ReadSettings, _kept
from vision.pip_dominoes.witnesses import Evidence


def places(count: int) -> Evidence:
    """Dominoes of 80 by 40 pixels in a row."""
    box = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)])
    numbers = np.full((count, 2, 19), 1 / 19)
    sure = np.ones(count)
    corners = np.stack([box + (100.0 * k, 0.0) for k in range(count)])
    return Evidence(corners, numbers, numbers, sure, sure, np.zeros(count))


def kept(evidence: Evidence, exists: list[float]) -> list[int]:
    return [int(k) for k in _kept(evidence, np.array(exists), ReadSettings())]


def test_likely_ones_are_kept() -> None:
    assert kept(places(3), [0.99, 0.5, 0.99]) == [0, 2]


def test_of_two_on_one_another_the_likelier_is_kept() -> None:
    evidence = places(3)
    evidence.corners[1] = evidence.corners[0] + (30.0, 0.0)
    assert kept(evidence, [0.98, 0.99, 0.99]) == [1, 2]


def test_figures_among_pips_are_writing() -> None:
    evidence = replace(places(4), figures=np.array([0.0, 0.9, 0.0, 0.0]))
    assert kept(evidence, [0.99] * 4) == [0, 2, 3]
    alone = replace(places(4), figures=np.array([0.9, 0.9, 0.9, 0.0]))
    assert kept(alone, [0.99] * 4) == [0, 1, 2, 3]


def test_what_is_much_smaller_than_the_others_is_none() -> None:
    evidence = places(4)
    evidence.corners[2] = evidence.corners[2] * 0.5
    assert kept(evidence, [0.99] * 4) == [0, 1, 3]
