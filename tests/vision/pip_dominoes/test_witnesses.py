"""Counts of pips from maps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pip_dominoes.witnesses import WitnessSettings, count_distribution


def pip_map(chances: list[float]) -> NDArray[np.float32]:
    out = np.full((48, 80), -12.0, np.float32)
    for k, chance in enumerate(chances):
        out[4 + 6 * (k // 8), 4 + 6 * (k % 8)] = np.log(chance / (1 - chance))
    return out


@pytest.mark.parametrize("count", range(19))
def test_sure_pips_are_counted(count: int) -> None:
    shares = count_distribution(pip_map([0.999] * count), WitnessSettings())
    assert shares.shape == (19,)
    assert int(shares.argmax()) == count
    assert shares[count] > 0.97
    assert shares.sum() == pytest.approx(1)


def test_an_unsure_pip_splits_the_count() -> None:
    shares = count_distribution(pip_map([0.999, 0.999, 0.5]), WitnessSettings())
    np.testing.assert_allclose(shares[2:4], 0.5, atol=0.01)


def test_a_temperature_makes_it_less_sure() -> None:
    cold = count_distribution(pip_map([0.95] * 5), WitnessSettings())
    warm = count_distribution(pip_map([0.95] * 5), WitnessSettings(pip_temperature=2.0))
    assert warm[5] < cold[5]


def test_more_pips_than_any_set_has_are_no_number_for_sure() -> None:
    shares = count_distribution(pip_map([0.9] * 22), WitnessSettings())
    assert shares.sum() == pytest.approx(1)
