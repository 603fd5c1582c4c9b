"""Mirrored kingdoms are told where enough squares look so, and no others."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from vision import Reader, read_kingdoms
from vision.common.network import Network, shipped_weights
from vision.kingdomino.reader import default_reader
from vision.kingdomino.result import KingdomReading, SquareReading
from vision.kingdomino.warn import (
    MIRROR_PX,
    MirrorSettings,
    judge_squares,
    sum_evidence,
    warn_mirrored,
)
from vision.photo import Photo

SETTINGS = MirrorSettings()
SIDE = 60
SAMPLES = Path(__file__).parents[3] / "sample_images"
DATA = os.environ.get("KINGDOMINO_DATA")

Image = NDArray[np.uint8]


class BrighterLeft(Network):
    """Takes for mirrored what is brighter on the left, by 1 for each 25 levels."""

    def __init__(self) -> None:
        super().__init__(b"")
        self.looked_at = 0

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        assert batch.shape[1:] == (3, MIRROR_PX, MIRROR_PX)
        self.looked_at += len(batch) // 2
        half = MIRROR_PX // 2
        left, right = batch[..., :half].mean((1, 2, 3)), batch[..., half:].mean((1, 2, 3))
        return np.asarray((left - right) * 255 / 25 / 2, np.float32)[:, None]


def picture(left: int, right: int, squares: int = 25) -> Image:
    """Squares in rows of five with these levels at both sides, after which it is black."""
    rgb = np.zeros((5 * SIDE, 5 * SIDE, 3), np.uint8)
    for k in range(squares):
        top, start = SIDE * (k // 5), SIDE * (k % 5)
        rgb[top : top + SIDE, start : start + SIDE // 2] = left
        rgb[top : top + SIDE, start + SIDE // 2 : start + SIDE] = right
    return rgb


def reading(squares: int = 25, *, zoom: float = 1.0) -> KingdomReading:
    labels = [["w" if 5 * r + c < squares else "." for c in range(5)] for r in range(5)]
    rows = tuple(tuple(SquareReading(label, 1.0) for label in row) for row in labels)
    return KingdomReading(
        Kingdom.parse("/".join(" ".join(row) for row in labels)),
        rows,
        np.diag([SIDE * zoom, SIDE * zoom, 1.0]),
    )


def photo(rgb: Image, zoom: int = 1) -> Photo:
    """A photograph reduced by ``zoom``."""
    return Photo(rgb, width=zoom * rgb.shape[1], height=zoom * rgb.shape[0])


def told(rgb: Image, seen: KingdomReading) -> tuple[str, ...]:
    return warn_mirrored(seen, photo(rgb), BrighterLeft(), SETTINGS).warnings


def test_a_mirrored_kingdom_is_told_among_its_other_warnings() -> None:
    seen = replace(reading(), warnings=("cut_off",))
    assert told(picture(150, 100), seen) == ("cut_off", "mirrored")
    assert told(picture(100, 150), seen) == ("cut_off",)
    assert told(picture(120, 120), seen) == ("cut_off",)


def test_without_the_network_nothing_is_told() -> None:
    assert warn_mirrored(reading(), photo(picture(250, 0)), None, SETTINGS).warnings == ()


def test_the_sum_is_that_of_the_squares_each_of_which_counts_little() -> None:
    few = replace(SETTINGS, most_squares=5)
    weak = sum_evidence(reading(), photo(picture(125, 100)), BrighterLeft(), few)
    assert weak == pytest.approx(5, abs=0.3)
    strong = sum_evidence(reading(), photo(picture(250, 0)), BrighterLeft(), few)
    assert strong == pytest.approx(5 * few.most)


def test_no_more_squares_are_looked_at_than_allowed() -> None:
    network = BrighterLeft()
    sum_evidence(reading(), photo(picture(150, 100)), network, SETTINGS)
    assert network.looked_at == SETTINGS.most_squares


@pytest.mark.parametrize("code", ["grey", "dark", "blurred"])
def test_nothing_is_told_where_little_can_be_seen(code: str) -> None:
    assert told(picture(250, 0), replace(reading(), warnings=(code,))) == (code,)


def test_a_few_squares_are_too_few() -> None:
    enough = int(np.ceil(SETTINGS.mirrored_from / SETTINGS.most))
    assert told(picture(250, 0, enough), reading(enough)) == ("mirrored",)
    assert told(picture(250, 0, enough - 1), reading(enough - 1)) == ()


def test_doubtful_squares_say_nothing() -> None:
    flagged = tuple(tuple(replace(s, doubtful=True) for s in row) for row in reading().squares)
    assert told(picture(250, 0), replace(reading(), squares=flagged)) == ()


def test_the_most_telling_squares_come_first() -> None:
    seen = reading()
    rows = [list(row) for row in seen.squares]
    rows[4] = [SquareReading("f1", 1.0)] * 5
    mixed = replace(seen, squares=tuple(map(tuple, rows)))
    rgb = picture(100, 150)
    rgb[4 * SIDE :] = picture(150, 100)[4 * SIDE :]
    few = replace(SETTINGS, most_squares=5, mirrored_from=5.0)
    assert sum_evidence(mixed, photo(rgb), BrighterLeft(), few) > 5
    assert sum_evidence(seen, photo(rgb), BrighterLeft(), few) < -5


def test_squares_of_a_reduced_photograph_are_found() -> None:
    rgb = picture(150, 100)
    large = reading(zoom=2.0)
    assert warn_mirrored(large, photo(rgb, 2), BrighterLeft(), SETTINGS).warnings == ("mirrored",)


class LookedAtFirst(Network):
    """Takes for mirrored whatever it is shown first, and so everything."""

    def __init__(self) -> None:
        super().__init__(b"")

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        odds = np.repeat([[9.0], [0.0]], len(batch) // 2, axis=0)
        return np.asarray(odds, np.float32)


def test_a_reader_tells_it_of_whole_photographs_and_of_frames_set_by_hand() -> None:
    weights = replace(default_reader().weights, mirror=LookedAtFirst())
    path = SAMPLES / "complete-5x5.jpg"
    (kingdom,) = Reader(weights).read(path).kingdoms
    assert kingdom.warnings == ("mirrored",)
    framed = Reader(weights).read_frame(path, kingdom.corners.tolist(), 5, 5)
    assert framed.warnings == ("mirrored",)


def shipped() -> Network:
    return Network((shipped_weights() / "mirrored.onnx").read_bytes())


def test_the_shipped_network_says_the_opposite_of_a_mirror_image() -> None:
    rgb = np.random.default_rng(2).integers(0, 255, (64, 128, 3), dtype=np.uint8)
    square = np.array([(0, 0), (64, 0), (64, 64), (0, 64)]) - 0.5
    corners = np.array([square, square + (64, 0)])
    here = judge_squares(rgb, corners, shipped())
    there = judge_squares(np.ascontiguousarray(rgb[:, ::-1]), corners[::-1], shipped())
    np.testing.assert_allclose(there, -here, atol=0.01)


def test_opencv_runs_the_shipped_network_to_the_same_numbers() -> None:
    weights = (shipped_weights() / "mirrored.onnx").read_bytes()
    batch = np.random.default_rng(3).normal(0, 0.3, (5, 3, MIRROR_PX, MIRROR_PX)).astype(np.float32)
    first, second = Network(weights)(batch), Network(weights, runtime=False)(batch)
    np.testing.assert_allclose(first, second, atol=1e-3)


@pytest.mark.parametrize("name", ["complete-5x5", "duel-7x7", "turned-30", "castle-standing"])
@pytest.mark.parametrize("flipped", [False, True])
def test_drawn_tiles_tell_nothing(name: str, flipped: bool) -> None:
    rgb = cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    rgb = np.ascontiguousarray(rgb[:, ::-1] if flipped else rgb)
    kingdoms = read_kingdoms(np.asarray(rgb, np.uint8), anyway=True).kingdoms
    assert all("mirrored" not in kingdom.warnings for kingdom in kingdoms)


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="KINGDOMINO_DATA names no folder with real photographs")
@pytest.mark.parametrize("folder", ["photos", "boards"])
def test_real_photographs_are_told_where_they_are_mirrored_and_nowhere_else(folder: str) -> None:
    assert DATA is not None
    paths = sorted((Path(DATA) / "data" / folder).glob("*.jpg"))[::4]
    found = 0
    for path in paths:
        rgb = np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR_RGB), np.uint8)
        assert all("mirrored" not in k.warnings for k in read_kingdoms(rgb).kingdoms), path.name
        flipped = np.ascontiguousarray(rgb[:, ::-1])
        found += any("mirrored" in k.warnings for k in read_kingdoms(flipped).kingdoms)
    assert found >= 0.8 * len(paths)
