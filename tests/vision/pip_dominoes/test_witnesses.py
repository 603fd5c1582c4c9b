"""Counts of pips from maps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from training.pip_dominoes.scenes.face import common_layout
from vision.pip_dominoes.recognise import (
    Evidence,
    RecognitionSettings,
    count_distribution,
    marked_pips,
    pips_of,
    recognise_closely,
)
from vision.pip_dominoes.weights import (
    FACE_MARGIN_PX,
    FACE_OTHERS,
    FACE_PX,
    HALF_CLASSES,
    PIP_MAP_PX,
    PIP_STRIDE,
    patch_corners,
)

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
    halves = pips_of(pip_maps(places), CORNERS, RecognitionSettings())
    assert [len(half) for half in halves] == [first, second]
    assert [int(count_distribution(half).argmax()) for half in halves] == [first, second]


def test_the_corners_tell_where_the_middle_is() -> None:
    """In a frame that is too large by a half, the bar lies elsewhere than in its middle."""
    maps = pip_maps([(70.0, 48.0)])
    assert [len(half) for half in pips_of(maps, CORNERS, RecognitionSettings())] == [1, 0]
    shifted = CORNERS - (24.0, 0.0)
    assert [len(half) for half in pips_of(maps, shifted, RecognitionSettings())] == [0, 1]


def test_pips_of_a_neighbour_are_left_out() -> None:
    maps = pip_maps([(47.0, 48.0), (100.0, 90.0), (155.0, 48.0)])
    assert [len(half) for half in pips_of(maps, CORNERS, RecognitionSettings())] == [1, 0]


def test_a_temperature_and_a_shift_change_how_sure_a_pip_is() -> None:
    maps = pip_maps([(47.0, 48.0)], chance=0.9)

    def chance(settings: RecognitionSettings) -> float:
        return float(pips_of(maps, CORNERS, settings)[0][0])

    plain = chance(RecognitionSettings(pip_temperature=1.0, pip_shift=0.0))
    assert plain == pytest.approx(0.9, abs=1e-3)
    assert chance(RecognitionSettings(pip_temperature=0.5, pip_shift=0.0)) > plain
    assert chance(RecognitionSettings(pip_temperature=1.0, pip_shift=-1.0)) < plain


def bright_pips(batch: NDArray[np.float32]) -> NDArray[np.float32]:
    """A face reader that marks white spots, in patches of frames that don't err."""
    small = batch[:, 0, ::PIP_STRIDE, ::PIP_STRIDE]
    maps = (40 * small).astype(np.float32)
    others = np.zeros((len(batch), FACE_OTHERS), np.float32)
    return np.concatenate([maps.reshape(len(batch), -1), others], axis=1)


class NamesHalves:
    """A half reader that names a number for each patch in turn."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        rows = np.zeros((len(batch), HALF_CLASSES), np.float32)
        for row in rows:
            row[self.numbers.pop(0)] = 9.0
        return rows


def picture_of_a_domino() -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A grey picture with white pips of 1|2 in a frame of the size of the patch."""
    rows, columns = np.mgrid[0:200, 0:300]
    light = np.full((200, 300), 40.0)
    for x, y in ((70, 80), (140, 60), (160, 100)):
        light += 200 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 18)
    rgb = np.repeat(light.astype(np.uint8)[..., None], 3, axis=2)
    box = np.array([(40.0, 48.0), (168.0, 48.0), (168.0, 112.0), (40.0, 112.0)])
    return rgb, box


def test_marked_pips_lie_where_they_are_and_know_their_half() -> None:
    rgb, box = picture_of_a_domino()
    (pips,) = marked_pips(rgb, box[None], bright_pips, RecognitionSettings())  # type: ignore[arg-type]
    near = {(round(x / 10), round(y / 10), int(half)) for x, y, half in pips}
    assert near == {(7, 8, 0), (14, 6, 1), (16, 10, 1)}


def evidence_of(*first: float) -> Evidence:
    shares = np.zeros((1, 2, 19))
    shares[0, :, :2] = (first, first)
    _, box = picture_of_a_domino()
    one = np.ones(1)
    return Evidence(box[None], shares, shares, one, one, one * 0)


def test_a_closer_look_is_the_mean_of_all_looks_the_halves_as_they_lie() -> None:
    rgb, _ = picture_of_a_domino()
    before = evidence_of(1.0, 0.0)
    # Two of the looks are from the other side, so that the halves come in the other order.
    halves = NamesHalves(2, 1, 2, 1, 1, 2, 1, 2)
    after = recognise_closely(rgb, before, bright_pips, halves)  # type: ignore[arg-type]
    assert halves.numbers == []
    np.testing.assert_array_equal(after.corners, before.corners)
    # The look before took both halves for blanks.
    for seen, least in ((after.counted, 0.6), (after.recognised, 0.75)):
        assert seen[0, 0, 1] > least
        assert seen[0, 1, 2] > least
        np.testing.assert_allclose(seen.sum(-1), 1, atol=1e-6)
    np.testing.assert_allclose(after.recognised[0, :, 0], 0.2, atol=0.01)
