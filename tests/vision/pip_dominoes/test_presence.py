"""How likely a domino is there by what was seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.common.network import shipped_weights
from vision.pip_dominoes.candidates import (
    FEATURES,
    Candidates,
    Logistic,
    Presence,
    company_of,
    features_of,
)

BOX = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)])


def one(score: float = 0.8, face: float = 0.99, sure: float = 0.99) -> Candidates:
    numbers = np.full((1, 2, 19), (1 - sure) / 18)
    numbers[:, :, 5] = sure
    scores, faces, none = np.array([score]), np.array([face]), np.zeros(1)
    return Candidates(BOX[None], scores, numbers, numbers, faces, none, scores, none)


def exists(candidates: Candidates) -> float:
    shipped = Presence.load(shipped_weights() / "pip_presence.json")
    return float(shipped.judged(candidates).exists[0])


def test_what_all_say_is_a_domino_is_one() -> None:
    assert exists(one()) > 0.9
    assert exists(one(score=0.2, face=0.05, sure=0.2)) < 0.05


@pytest.mark.parametrize(
    "worse",
    [
        one(score=0.3),
        one(face=0.2),
        one(sure=0.3),
        replace(one(), rescored=np.zeros(1)),
    ],
)
def test_everything_that_is_seen_worse_counts(worse: Candidates) -> None:
    assert exists(worse) < exists(one())


def test_figures_need_not_agree_with_pips() -> None:
    blank = one()
    counted = np.zeros((1, 2, 19))
    counted[:, :, 0] = 1
    numerals = replace(blank, counted=counted, figures=np.ones(1))
    column = FEATURES.index("same_named")
    assert features_of(numerals)[0, column] == 0
    assert features_of(replace(blank, counted=counted))[0, column] < -3


def test_others_that_are_surely_dominoes_make_one_more_likely() -> None:
    unsure, sure, unlikely = one(score=0.6, sure=0.7), one(), one(score=0.55, face=0.9, sure=0.6)
    beside_sure, beside_none = (
        unsure.joined(other).joined(other).joined(other) for other in (sure, unlikely)
    )
    assert exists(beside_sure) > exists(unsure) > exists(beside_none)
    # What surely is no domino is no company.
    nothing = one(score=0.01, face=0.01, sure=0.06)
    np.testing.assert_allclose(exists(unsure.joined(nothing)), exists(unsure))


def test_the_company_is_the_mean_of_the_others() -> None:
    shares = np.array([0.9, 0.1, 0.01])
    np.testing.assert_allclose(company_of(shares), [(0.1 + 0.5) / 2, (0.9 + 0.5) / 2, 1.5 / 3])
    np.testing.assert_allclose(company_of(np.array([0.7])), [0.5])
    assert company_of(np.zeros(0)).shape == (0,)


def test_nothing_has_no_features() -> None:
    assert features_of(Candidates.nothing()).shape == (0, len(FEATURES))


def test_a_model_names_its_features(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="weights: expected names"):
        Logistic(0.0, {"luck": 1.0})
    with pytest.raises(FileNotFoundError):
        Presence.load(tmp_path / "none.json")


def test_a_feature_that_a_model_does_not_weigh_is_nothing_to_it() -> None:
    plain = Logistic(0.0, {})
    np.testing.assert_array_equal(plain.shares(np.ones((2, 5)), np.ones(2)), [0.5, 0.5])
