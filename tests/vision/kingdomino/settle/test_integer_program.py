"""The integer program: least price, whole choices, and no answer where time ran out."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import milp

from vision.kingdomino.judge import settling
from vision.kingdomino.judge.settling import IntegerProgram


def triangle(prices: tuple[float, float, float]) -> IntegerProgram:
    """Three choices of which any two exclude each other: the relaxation takes half of each."""
    program = IntegerProgram()
    ab, bc, ca = (program.row(key, 0, 1) for key in ("ab", "bc", "ca"))
    for price, rows in zip(prices, ([ab, ca], [ab, bc], [bc, ca]), strict=True):
        program.choice(price, rows)
    return program


def test_whole_choices_where_the_relaxation_takes_halves() -> None:
    taken = triangle((-3.0, -4.0, -3.5)).solve(10.0)
    assert taken is not None
    np.testing.assert_array_equal(taken, [0, 1, 0])


def test_a_choice_is_taken_once_at_most() -> None:
    program = IntegerProgram()
    program.choice(-1.0, [program.row("free", 0, 5)])
    np.testing.assert_array_equal(program.solve(10.0), [1])


def test_a_row_keeps_its_first_bounds_and_its_number() -> None:
    program = IntegerProgram()
    assert [program.row("a", 1, 1), program.row("b", 0, 1), program.row("a", 0, 9)] == [0, 1, 0]
    program.choice(5.0, [0])
    program.choice(3.0, [0, 1])
    np.testing.assert_array_equal(program.solve(10.0), [0, 1])


def test_no_time_no_answer() -> None:
    assert triangle((-1.0, -1.0, -1.0)).solve(0.0) is None


def test_time_that_runs_out_between_relaxation_and_search(monkeypatch: pytest.MonkeyPatch) -> None:
    program = triangle((-3.0, -4.0, -3.5))
    clock = iter([0.0, 100.0])
    monkeypatch.setattr("vision.kingdomino.judge.settling.time.monotonic", lambda: next(clock))
    assert program.solve(10.0) is None


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_cheaper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices = rng.normal(0, 3, 8).round(2)
    rows = rng.random((4, 8)) < 0.5
    lows, highs = rng.integers(0, 2, 4), rng.integers(1, 3, 4)
    program = IntegerProgram()
    numbers = [program.row(k, int(lows[k]), int(highs[k])) for k in range(4)]
    for column, price in enumerate(prices):
        program.choice(float(price), [numbers[k] for k in range(4) if rows[k, column]])
    every = np.array(list(product((0, 1), repeat=8)))
    counts = every @ rows.T
    allowed = every[((counts >= lows) & (counts <= highs)).all(1)]
    taken = program.solve(10.0)
    if not len(allowed):
        assert taken is None
        return
    assert taken is not None
    assert taken @ prices == pytest.approx((allowed @ prices).min())


def test_the_solver_may_not_stop_short_of_the_cheapest(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def recorded(*arguments: object, **named: Any) -> Any:
        asked.append(named["options"])
        return milp(*arguments, **named)

    monkeypatch.setattr(settling, "milp", recorded)
    assert triangle((-3.0, -4.0, -3.5)).solve(10.0) is not None
    assert [options["mip_rel_gap"] for options in asked] == [1e-6, 1e-6]
