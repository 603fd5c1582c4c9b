"""Answers are scored and compared as the statistics say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from training.common.answers import (
    Answer,
    compare,
    read_answers,
    score,
    wilson,
    write_answers,
)


def answers(count: int, wrong: range | set[int], sure: float = 0.9, near: int = 1) -> list[Answer]:
    """Questions of which ``near`` in a row are near-copies."""
    return [
        Answer(f"q{k}", f"g{k // near}", "kind", "w", "f" if k in wrong else "w", sure)
        for k in range(count)
    ]


def test_wilson_as_in_the_tables() -> None:
    low, high = wilson(10, 100)
    assert (low, high) == pytest.approx((0.0552, 0.1744), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 50)[0] == 0


def test_the_least_sure_are_flagged_first() -> None:
    some = answers(1000, {3, 700})
    some[3] = replace(some[3], probability=0.2)
    found = score(some)
    assert (found.count, found.wrong) == (1000, 2)
    assert found.risk[0.001] == pytest.approx(1 / 999)
    assert found.risk[0.01] == pytest.approx(1 / 990)


def test_calibration_is_how_far_probabilities_are_from_shares() -> None:
    assert score(answers(1000, range(100), 0.9)).calibration == pytest.approx(0, abs=1e-9)
    assert score(answers(1000, range(100), 0.99)).calibration == pytest.approx(0.09)
    sure, modest = (score(answers(1000, range(100), p)).likelihood for p in (0.99, 0.9))
    assert sure < modest


@pytest.mark.parametrize(
    ("wrong_before", "wrong_after", "verdict"),
    [
        (range(30), range(5), "better"),
        (range(5), range(30), "worse"),
        (range(10), range(10), "as good"),
        (range(10), range(1, 12), "as good"),
        (range(10), {*range(5), *range(20, 26)}, "as good"),
    ],
)
def test_the_verdict_of_many_questions(
    wrong_before: range, wrong_after: range | set[int], verdict: str
) -> None:
    found = compare(answers(5000, wrong_before), answers(5000, wrong_after))
    assert found.verdict == verdict


def test_a_few_questions_tell_nothing() -> None:
    assert compare(answers(40, range(2)), answers(40, range(3))).verdict == "too few to tell"
    assert compare(answers(40, range(0)), answers(40, range(0))).verdict == "too few to tell"
    assert compare([], []).verdict == "too few to tell"


def test_mcnemar_counts_what_changed_alone() -> None:
    found = compare(answers(1000, range(300)), answers(1000, range(6, 300)))
    assert (found.gained, found.lost) == (6, 0)
    # Six of six by a fair coin, either way.
    assert found.p == pytest.approx(2 / 64)


def test_near_copies_count_once() -> None:
    """Thirty questions lost in four sessions are four losses: no reason to call it worse."""
    apart = [compare(answers(5000, range(5), near=near), answers(5000, range(35), near=near))
             for near in (1, 10)]  # fmt: skip
    assert apart[0].verdict == "worse"
    assert apart[1].p == pytest.approx(2 / 16)
    assert apart[1].worse_at_most > apart[0].worse_at_most
    scattered = {10 * k for k in range(25)}
    assert compare(answers(5000, range(0), near=10), answers(5000, scattered, near=10)).p < 1e-4


def test_unlike_groups_are_weighed_by_what_they_lost() -> None:
    before, after = (answers(400, wrong, near=10) for wrong in (set(), {*range(8), 20, 30}))
    # Lost 8, 1 and 1: only all signs alike are as far from 0.
    assert compare(before, after).p == pytest.approx(2 / 8)
    many = {10 * k + j for k in range(20) for j in range(1 + k % 2)}
    assert compare(answers(400, range(0), near=10), answers(400, many, near=10)).p < 0.001


def test_only_the_same_questions_are_compared() -> None:
    assert compare(answers(10, range(0)), answers(5, range(1))).both == 5
    other = [replace(answers(1, range(0))[0], truth="s")]
    with pytest.raises(ValueError, match="q0: expected w, got s"):
        compare(answers(1, range(0)), other)


def test_answers_come_back_from_their_table(tmp_path: Path) -> None:
    some = [*answers(3, {1}), Answer("a, b", "g", "k", "c w/f .", "c w/f1 .", 0.25)]
    write_answers(some, tmp_path / "answers.csv")
    assert read_answers(tmp_path / "answers.csv") == some
