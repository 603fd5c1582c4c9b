"""A last layer fitted to labelled squares, and whether it may be used."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.common.network import StoredHead
from vision.common.refit import (
    Figures,
    LabelledSquares,
    RefitData,
    RefitSettings,
    best_penalty,
    held_back,
    judged,
    missing_to_margin,
    refit_layer,
    ridge_change,
    why_refused,
)

RNG = np.random.default_rng(1)
FEATURES = RNG.normal(size=(60, 5))
TRUE = np.argmax(FEATURES @ RNG.normal(size=(5, 3)), 1)
SESSIONS = np.array([f"game {n % 6}" for n in range(60)])


class Watched:
    """Learns which rows were fitted to, and refuses to read what was fitted."""

    def __init__(self) -> None:
        self.leaks = 0
        self.known: list[StoredHead] = []
        self.known_after = Figures(0, 0, 0.0)

    def data(self) -> RefitData[StoredHead]:
        fitted: dict[int, NDArray[np.intp]] = {}
        layers: list[StoredHead] = []

        def fit(rows: NDArray[np.intp], penalty: float) -> StoredHead:
            logits = np.zeros((len(rows), 3))
            weight, bias = ridge_change(
                FEATURES[rows], missing_to_margin(logits, TRUE[rows], 3.0), penalty
            )
            layers.append(StoredHead(weight.astype("f4"), bias.astype("f4"), ""))
            fitted[id(layers[-1])] = rows
            return layers[-1]

        def read(rows: NDArray[np.intp], head: StoredHead) -> NDArray[np.float64]:
            self.leaks += bool(set(SESSIONS[rows]) & set(SESSIONS[fitted.get(id(head), [])]))
            powers = np.exp(FEATURES[rows] @ head.weight.T.astype(float) + head.bias)
            return np.asarray(powers / powers.sum(1, keepdims=True))

        def read_known(head: StoredHead) -> Figures:
            self.known.append(head)
            return Figures(0, 0, 0.0) if len(self.known) == 1 else self.known_after

        return RefitData(TRUE, SESSIONS, fit, read, read_known)


def test_nothing_is_read_by_a_layer_that_saw_its_session() -> None:
    watched = Watched()
    found = held_back(watched.data(), RefitSettings(folds=3, penalties=(0.1, 10.0)))
    assert watched.leaks == 0
    assert found.wrong < 20
    assert found.loss < np.log(3)


SHIPPED = StoredHead(np.zeros((3, 5), np.float32), np.zeros(3, np.float32), "network")
SQUARES = LabelledSquares(
    np.zeros((60, 1, 1, 3), np.uint8), tuple(map(str, TRUE)), tuple(map(str, SESSIONS))
)
# As many squares and sessions as there must be.
QUICK = RefitSettings(min_squares=60, min_sessions=6, folds=3, penalties=(0.1,))


def test_a_layer_is_fitted_to_all_and_judged_by_what_was_held_back() -> None:
    watched = Watched()
    found = refit_layer(SQUARES, SHIPPED, watched.data, QUICK)
    assert (found.refused, found.squares, found.sessions) == ("", 60, 6)
    assert found.seconds > 0
    data = Watched().data()
    assert found.before == judged(data.read(data.rows, SHIPPED), TRUE, QUICK)
    assert found.after == held_back(data, QUICK)
    np.testing.assert_array_equal(found.head.weight, data.fit(data.rows, 0.1).weight)
    assert watched.known == [SHIPPED, found.head]
    assert (found.known_before, found.known_after) == (Figures(0, 0, 0.0), Figures(0, 0, 0.0))


def test_a_layer_that_reads_known_squares_worse_is_refused_with_its_figures() -> None:
    watched = Watched()
    watched.known_after = Figures(1, 0, 0.0)
    found = refit_layer(SQUARES, SHIPPED, watched.data, QUICK)
    assert (found.refused, found.known_after) == ("known_worse", Figures(1, 0, 0.0))


@pytest.mark.parametrize("least", [{"min_squares": 61}, {"min_sessions": 7}])
def test_of_too_few_nothing_is_fitted(least: dict[str, int]) -> None:
    def prepare() -> RefitData[StoredHead]:
        raise AssertionError("nothing is to be prepared")

    found = refit_layer(SQUARES, SHIPPED, prepare, RefitSettings(**least))  # type: ignore[arg-type]
    assert (found.head, found.refused, found.squares, found.sessions) == (SHIPPED, "too_few", 60, 6)
    assert (found.before, found.after, found.known_before, found.known_after) == (None,) * 4


def test_the_penalty_is_the_one_that_reads_best_and_the_largest_for_one_session() -> None:
    data, settings = Watched().data(), RefitSettings(penalties=(0.1, 1e6))
    assert best_penalty(data, data.rows, settings) == 0.1
    assert best_penalty(data, np.flatnonzero(SESSIONS == "game 1"), settings) == 1e6


def test_what_is_missing_to_the_margin() -> None:
    logits = np.array([[5.0, 0.0, 1.0], [1.0, 2.0, 0.0], [1.0, 0.0, 0.0]])
    found = missing_to_margin(logits, np.array([0, 0, 0]), 3.0)
    np.testing.assert_allclose(found, [[0, 0, 0], [2, -2, 0], [1, -1, 0]])


def test_wrong_and_surely_wrong_are_counted() -> None:
    found = np.array([[0.95, 0.05], [0.4, 0.6], [0.3, 0.7]])
    held = judged(found, np.array([1, 0, 1]), RefitSettings())
    assert (held.wrong, held.surely_wrong) == (2, 1)
    assert held.loss == pytest.approx(-np.log([0.05, 0.4, 0.7]).mean())
    assert judged(found[:0], np.zeros(0, np.intp), RefitSettings()) == Figures(0, 0, 0.0)


@pytest.mark.parametrize(
    ("after", "known", "refused"),
    [
        (Figures(9, 1, 0.1), Figures(0, 0, 0.01), ""),
        (Figures(10, 1, 0.1), Figures(0, 0, 0.01), "not_better"),
        (Figures(9, 1, 0.3), Figures(0, 0, 0.01), "not_better"),
        (Figures(9, 2, 0.1), Figures(0, 0, 0.01), "surely_wrong"),
        (Figures(9, 1, 0.1), Figures(1, 0, 0.01), "known_worse"),
        (Figures(9, 1, 0.1), Figures(0, 1, 0.01), "known_worse"),
        (Figures(9, 1, 0.1), Figures(0, 0, 0.03), "known_worse"),
    ],
)
def test_all_of_it_must_be_better(after: Figures, known: Figures, refused: str) -> None:
    before, known_before = Figures(10, 1, 0.2), Figures(0, 0, 0.01)
    assert why_refused(20, before, after, known_before, known, RefitSettings()) == refused


def test_what_is_still_mostly_wrong_is_refused() -> None:
    figures = Figures(10, 1, 0.2), Figures(9, 1, 0.1), Figures(0, 0, 0.01), Figures(0, 0, 0.01)
    assert why_refused(18, *figures, RefitSettings()) == ""
    assert why_refused(17, *figures, RefitSettings()) == "mostly_wrong"
