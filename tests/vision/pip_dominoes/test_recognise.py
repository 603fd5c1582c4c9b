"""Dominoes cut out flat, their frames, and counts of pips from several networks."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.pip_dominoes.scenes.domino import layout
from vision.common.network import shipped_weights
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.recognise import (
    RecognitionSettings,
    count_distribution,
    pips_of,
    recognise,
    recognise_closely,
)
from vision.pip_dominoes.weights import (
    CORNER_UNIT_PX,
    FACE_MARGIN_PX,
    FACE_OTHERS,
    FACE_PX,
    HALF_CLASSES,
    HALF_MARGIN_PX,
    HALF_PX,
    KINDS,
    PIP_MAP_PX,
    PIP_STRIDE,
    Weights,
    corners_of,
    cut,
    decode_frames,
    encode_frames,
    face_points,
    half_corners,
    patch_corners,
)
from vision.pip_dominoes.weights import (
    CORNERS as CORNER_OUTPUTS,
)

FACE_CORNERS = patch_corners(FACE_PX, FACE_MARGIN_PX)


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


def test_counts_are_as_likely_as_by_adding_up_all_that_may_be() -> None:
    """Of 23 pips, five more than any domino has: the counts that there are, of all."""
    rng = np.random.default_rng(2)
    chances = rng.uniform(0.2, 0.99, 23)
    drawn = (rng.random((200_000, 23)) < chances).sum(1)
    drawn = drawn[drawn <= 18]
    expected = np.bincount(drawn, minlength=19) / len(drawn)
    np.testing.assert_allclose(count_distribution(chances), expected, atol=6e-3)


def test_more_pips_than_any_set_has_are_no_number_for_sure() -> None:
    assert count_distribution(np.full(22, 0.9)).sum() == pytest.approx(1)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (5, 2), (12, 9), (18, 17), (0, 1)])
def test_the_place_of_a_pip_tells_its_half(first: int, second: int) -> None:
    places = [
        (middle + 24 * y, 47.5 + 24 * x)
        for middle, number in ((47.5, first), (111.5, second))
        for x, y in layout(number)
    ]
    halves = pips_of(pip_maps(places), FACE_CORNERS, RecognitionSettings())
    assert [len(half) for half in halves] == [first, second]
    assert [int(count_distribution(half).argmax()) for half in halves] == [first, second]


def test_the_corners_tell_where_the_middle_is() -> None:
    """In a frame that is too large by a half, the bar lies elsewhere than in its middle."""
    maps = pip_maps([(70.0, 48.0)])
    assert [len(half) for half in pips_of(maps, FACE_CORNERS, RecognitionSettings())] == [1, 0]
    shifted = FACE_CORNERS - (24.0, 0.0)
    assert [len(half) for half in pips_of(maps, shifted, RecognitionSettings())] == [0, 1]


def test_pips_of_a_neighbour_are_left_out() -> None:
    maps = pip_maps([(47.0, 48.0), (100.0, 90.0), (155.0, 48.0)])
    assert [len(half) for half in pips_of(maps, FACE_CORNERS, RecognitionSettings())] == [1, 0]


def test_a_temperature_and_a_shift_change_how_sure_a_pip_is() -> None:
    maps = pip_maps([(47.0, 48.0)], chance=0.9)

    def chance(settings: RecognitionSettings) -> float:
        return float(pips_of(maps, FACE_CORNERS, settings)[0][0])

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


def seen_as(*first: float) -> Candidates:
    shares = np.zeros((1, 2, 19))
    shares[0, :, :2] = (first, first)
    _, box = picture_of_a_domino()
    one = np.ones(1)
    return Candidates(box[None], one, shares, shares, one, one * 0, one, one)


def test_a_closer_look_is_the_mean_of_all_views_the_halves_as_they_lie() -> None:
    rgb, _ = picture_of_a_domino()
    before = seen_as(1.0, 0.0)
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
    # The four others can't tell what it bears.
    np.testing.assert_allclose(after.figures, 4 / 5 / len(KINDS))


def test_pips_are_counted_again_within_corners_that_moved_far() -> None:
    rgb, box = picture_of_a_domino()
    moves_px = iter((-24.0, 0.0))

    def faces(batch: NDArray[np.float32]) -> NDArray[np.float32]:
        rows = bright_pips(batch)
        rows[:, -FACE_OTHERS:][:, CORNER_OUTPUTS] = np.tile(
            (next(moves_px) / CORNER_UNIT_PX, 0.0), 4
        )
        return rows

    seen = recognise(rgb, box[None] + (24.0, 0.0), faces, NamesHalves(1, 2))  # type: ignore[arg-type]
    np.testing.assert_allclose(seen.corners[0], box, atol=0.01)
    assert seen.counted[0].argmax(-1).tolist() == [1, 2]


def some_edges() -> np.ndarray:
    rng = np.random.default_rng(4)
    angle = rng.uniform(0, 2 * np.pi, 50)
    short = rng.uniform(8, 90, 50)
    long = short * rng.uniform(1.2, 2.4, 50)
    skew = angle + np.pi / 2 + rng.normal(0, 0.2, 50)
    u = np.column_stack([np.cos(angle), np.sin(angle)]) * long[:, None]
    v = np.column_stack([np.cos(skew), np.sin(skew)]) * short[:, None]
    return np.stack([u, v], 1)


def test_edges_come_back_up_to_sign() -> None:
    edges = some_edges()
    back = decode_frames(encode_frames(edges))
    for k in (0, 1):
        sign = np.sign((edges[:, k] * back[:, k]).sum(1, keepdims=True))
        np.testing.assert_allclose(back[:, k] * sign, edges[:, k], atol=1e-9)


def test_a_domino_turned_by_half_has_the_same_code() -> None:
    edges = some_edges()
    np.testing.assert_allclose(encode_frames(-edges), encode_frames(edges), atol=1e-12)
    turned = edges * np.array([1, -1])[:, None]
    np.testing.assert_allclose(encode_frames(turned), encode_frames(edges), atol=1e-12)


def test_corners_run_clockwise_from_the_long_edge() -> None:
    edges = decode_frames(encode_frames(some_edges()))
    corners = corners_of(np.zeros((50, 2)), edges)
    np.testing.assert_allclose(corners[:, 1] - corners[:, 0], edges[:, 0])
    np.testing.assert_allclose(corners[:, 3] - corners[:, 0], edges[:, 1])
    a, b = edges[:, 0], edges[:, 1]
    assert (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0).all()


CORNERS = np.array([(60.0, 40.0), (160.0, 60.0), (150.0, 110.0), (50.0, 90.0)])


def picture() -> np.ndarray:
    """A red first half and a green second half on grey, between them a white bar."""
    rgb = np.full((200, 240, 3), 90, np.uint8)
    middle = (CORNERS[0] + CORNERS[1]) / 2, (CORNERS[3] + CORNERS[2]) / 2
    first = np.array([CORNERS[0], middle[0], middle[1], CORNERS[3]])
    second = np.array([middle[0], CORNERS[1], CORNERS[2], middle[1]])
    for box, colour in ((first, (200, 0, 0)), (second, (0, 200, 0))):
        cv2.fillConvexPoly(rgb, np.round(box).astype(np.int32), colour)
    top, bottom = np.round(middle).astype(int).tolist()
    cv2.line(rgb, top, bottom, (255, 255, 255), 5)
    return rgb


def test_the_long_edge_lies_along_the_patch_with_a_margin() -> None:
    patch = cut(picture(), CORNERS, FACE_PX, FACE_MARGIN_PX)
    assert patch.shape == (FACE_PX[1], FACE_PX[0], 3)
    np.testing.assert_array_equal(patch[48, 40], (200, 0, 0))
    np.testing.assert_array_equal(patch[48, 120], (0, 200, 0))
    assert patch[48, 80].min() > 180
    np.testing.assert_array_equal(patch[48, 6], (90, 90, 90))


def test_both_halves_have_the_bar_at_their_right() -> None:
    for box, colour in zip(half_corners(CORNERS), ((200, 0, 0), (0, 200, 0)), strict=True):
        patch = cut(picture(), box, (HALF_PX, HALF_PX), HALF_MARGIN_PX)
        np.testing.assert_array_equal(patch[HALF_PX // 2, HALF_PX // 2], colour)
        assert patch[HALF_PX // 2, HALF_PX - HALF_MARGIN_PX].min() > 180
        np.testing.assert_array_equal(patch[HALF_PX // 2, 2], (90, 90, 90))


def test_points_go_to_the_patch_and_back() -> None:
    flat = face_points(CORNERS, CORNERS, to_patch=True)
    np.testing.assert_allclose(flat, patch_corners(FACE_PX, FACE_MARGIN_PX), atol=1e-3)
    np.testing.assert_allclose(face_points(CORNERS, flat, to_patch=False), CORNERS, atol=1e-3)


def test_large_dominoes_are_averaged_not_sampled() -> None:
    fine = np.zeros((900, 1700, 3), np.uint8)
    fine[:, ::2] = 255
    box = np.array([(50.0, 50.0), (1650.0, 50.0), (1650.0, 850.0), (50.0, 850.0)])
    patch = cut(fine, box, FACE_PX, FACE_MARGIN_PX)[20:-20, 20:-20]
    assert patch.std() < 40


NAMES = ("pip_locator", "pip_faces", "pip_halves")
MAX_BYTES = 3_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_card_names_the_weights_by_their_checksum(name: str) -> None:
    digest = hashlib.sha256((shipped_weights() / f"{name}.onnx").read_bytes()).hexdigest()
    card = (shipped_weights() / f"{name}.md").read_text(encoding="utf-8")
    assert f"SHA-256 `{digest}`" in " ".join(card.split())


def test_the_three_stay_small() -> None:
    assert sum((shipped_weights() / f"{name}.onnx").stat().st_size for name in NAMES) < MAX_BYTES


def test_weights_are_looked_for_in_the_folder_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path)
    for name in NAMES:
        shutil.copy(shipped_weights() / f"{name}.onnx", tmp_path)
    shipped = Weights.load().presence
    assert Weights.load(tmp_path).presence == shipped
    fitted = {"bias": -1.5, "weights": {}}
    both = json.dumps({"alone": fitted, "beside": fitted})
    (tmp_path / "pip_presence.json").write_text(both, encoding="utf-8")
    assert Weights.load(tmp_path).presence.alone.bias == -1.5
