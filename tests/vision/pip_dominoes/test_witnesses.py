"""Counts of pips from maps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pip_dominoes.channels import PIP_MAP_PX, PIP_STRIDE
from vision.pip_dominoes.patches import FACE_MARGIN_PX, FACE_PX, patch_corners
from vision.pip_dominoes.synthesis.layouts import common_layout
from vision.pip_dominoes.witnesses import WitnessSettings, count_distribution, pips_of

CORNERS = patch_corners(FACE_PX, FACE_MARGIN_PX)


def pip_maps(places: list[tuple[float, float]], chance: float = 0.98) -> NDArray[np.float32]:
    """Maps (2, h, w) with pips at places (x, y) of the patch, half of the chance in each."""
    out = np.full((2, *PIP_MAP_PX), -12.0, np.float32)
    for x, y in places:
        row, column = round((y + 0.5) / PIP_STRIDE - 0.5), round((x + 0.5) / PIP_STRIDE - 0.5)
        out[:, row, column] = np.log(chance / (2 - chance))
    return out


@pytest.mark.parametrize("count", range(19))
def test_sure_pips_are_counted(count: int) -> None:
    shares = count_distribution(np.full(count, 0.999))
    assert shares.shape == (19,)
    assert int(shares.argmax()) == count
    assert shares[count] > 0.97
    assert shares.sum() == pytest.approx(1)


def test_an_unsure_pip_splits_the_count() -> None:
    np.testing.assert_allclose(
        count_distribution(np.array([0.999, 0.999, 0.5]))[2:4], 0.5, atol=0.01
    )


def test_more_pips_than_any_set_has_are_no_number_for_sure() -> None:
    assert count_distribution(np.full(22, 0.9)).sum() == pytest.approx(1)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (5, 2), (12, 9), (18, 17), (0, 1)])
def test_the_place_of_a_pip_tells_its_half(first: int, second: int) -> None:
    places = [
        (middle + 24 * y, 47.5 + 24 * x)
        for middle, number in ((47.5, first), (111.5, second))
        for x, y in common_layout(number)
    ]
    halves = pips_of(pip_maps(places), CORNERS, WitnessSettings())
    assert [len(half) for half in halves] == [first, second]
    assert [int(count_distribution(half).argmax()) for half in halves] == [first, second]


def test_the_corners_tell_where_the_middle_is() -> None:
    """In a frame that is too large by a half, the bar lies elsewhere than in its middle."""
    maps = pip_maps([(70.0, 48.0)])
    assert [len(half) for half in pips_of(maps, CORNERS, WitnessSettings())] == [1, 0]
    shifted = CORNERS - (24.0, 0.0)
    assert [len(half) for half in pips_of(maps, shifted, WitnessSettings())] == [0, 1]


def test_pips_of_a_neighbour_are_left_out() -> None:
    maps = pip_maps([(47.0, 48.0), (100.0, 90.0), (155.0, 48.0)])
    assert [len(half) for half in pips_of(maps, CORNERS, WitnessSettings())] == [1, 0]


def test_a_temperature_and_a_shift_change_how_sure_a_pip_is() -> None:
    maps = pip_maps([(47.0, 48.0)], chance=0.9)

    def chance(settings: WitnessSettings) -> float:
        return float(pips_of(maps, CORNERS, settings)[0][0])

    plain = chance(WitnessSettings(pip_temperature=1.0, pip_shift=0.0))
    assert plain == pytest.approx(0.9, abs=1e-3)
    assert chance(WitnessSettings(pip_temperature=0.5, pip_shift=0.0)) > plain
    assert chance(WitnessSettings(pip_temperature=1.0, pip_shift=-1.0)) < plain
