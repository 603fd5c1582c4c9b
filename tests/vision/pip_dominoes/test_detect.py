"""Peaks of the maps become places that may hold a domino."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.common.geometry import project
from vision.pip_dominoes import detect
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.detect import (
    Detections,
    LocateSettings,
    find_dominoes,
    look_again,
    peaks_of,
    search,
    search_part,
)
from vision.pip_dominoes.weights import (
    BODY,
    CENTRE,
    FRAMES,
    LOCATOR_CHANNELS,
    LOCATOR_STRIDE,
    encode_frames,
)


def maps(
    shape: tuple[int, int], dominoes: list[tuple[float, float, float, float]]
) -> NDArray[np.float32]:
    """Maps (channels, h/4, w/4) that show dominoes (x, y, short side, score) lying along x."""
    height, width = shape[0] // LOCATOR_STRIDE, shape[1] // LOCATOR_STRIDE
    out = np.zeros((LOCATOR_CHANNELS, height, width), np.float32)
    out[CENTRE] = -9.0
    out[BODY] = -6.0
    rows, columns = np.mgrid[0:height, 0:width]
    for x, y, short, score in dominoes:
        at_x, at_y = (x + 0.5) / LOCATOR_STRIDE - 0.5, (y + 0.5) / LOCATOR_STRIDE - 0.5
        gap = ((columns - at_x) ** 2 + (rows - at_y) ** 2) / 2
        share = np.clip(score * np.exp(-gap), 1e-4, 1 - 1e-4)
        out[CENTRE] = np.maximum(out[CENTRE], np.log(share / (1 - share)))
        near = (np.abs(columns - at_x) < short / 4) & (np.abs(rows - at_y) < short / 8)
        near[round(at_y), round(at_x)] = True
        near |= gap < 4
        out[BODY][near] = 6.0
        edges = np.array([[[2 * short, 0.0], [0.0, short]]])
        out[FRAMES][:, near] = encode_frames(edges)[0][:, None]
    return out


class Shows:
    """A network that shows the same dominoes of a picture at whatever size it is searched."""

    def __init__(
        self, size: tuple[int, int], dominoes: list[tuple[float, float, float, float]]
    ) -> None:
        self.size, self.dominoes, self.asked = size, dominoes, []  # type: ignore[var-annotated]

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        height, width = batch.shape[2:]
        self.asked.append((width, height))
        scale = width / self.size[0]
        seen = [
            ((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5, s * scale, p)
            for x, y, s, p in self.dominoes
        ]
        return maps((height, width), seen)[None]


class ShowsKnown(Shows):
    """A network that knows dominoes of 9 to 40 pixels in width, as the shipped one."""

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        scale = batch.shape[3] / self.size[0]
        everything = self.dominoes
        self.dominoes = [each for each in everything if 9 < each[2] * scale < 40]
        shown = super().__call__(batch)
        self.dominoes = everything
        return shown


def test_middles_are_found_between_cells() -> None:
    centres, edges, scores = peaks_of(maps((128, 128), [(50.0, 62.0, 30.0, 0.9)]), LocateSettings())
    np.testing.assert_allclose(centres, [[50.0, 62.0]], atol=0.35)
    np.testing.assert_allclose(np.abs(edges[0]), [[60, 0], [0, 30]], atol=0.01)
    assert 0.7 < scores[0] <= 0.9


def test_weak_peaks_are_left_out() -> None:
    settings = LocateSettings(min_score=0.5)
    assert len(peaks_of(maps((128, 128), [(50, 62, 30, 0.4)]), settings)[2]) == 0


def searched(size: tuple[int, int], dominoes: list[tuple[float, float, float, float]]) -> Shows:
    """A network that saw a picture of ``size`` (width, height)."""
    network = Shows(size, dominoes)
    found = find_dominoes(np.zeros((size[1], size[0], 3), np.uint8), network)  # type: ignore[arg-type]
    network.found = found  # type: ignore[attr-defined]
    return network


def test_dominoes_come_in_pixels_of_the_picture() -> None:
    network = searched((1024, 1024), [(300.0, 200.0, 80.0, 0.95), (700.0, 500.0, 80.0, 0.95)])
    found = network.found  # type: ignore[attr-defined]
    order = np.argsort(found.corners[:, 0, 0])
    np.testing.assert_allclose(found.corners.mean(1)[order], [[300, 200], [700, 500]], atol=8)
    np.testing.assert_allclose(found.short_px, 80, rtol=0.1)
    # How likely each spot is one of a body is a probability.
    assert 0 <= found.bodies.min() < 0.01 < 0.99 < found.bodies.max() <= 1


def test_two_that_lie_on_one_another_are_one() -> None:
    network = searched((512, 512), [(200, 200, 20, 0.95), (206, 200, 20, 0.9), (200, 260, 20, 0.9)])
    assert len(network.found.scores) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("short", [30.0, 200.0])
def test_small_and_large_dominoes_are_searched_again_at_the_best_size(short: float) -> None:
    network = searched((2048, 1536), [(900.0, 700.0, short, 0.95)])
    settings = LocateSettings()
    if short == 30:
        assert len(network.asked) == 5
    # Searched in part: the factor is that of the domino found.
    factor = network.found.factor  # type: ignore[attr-defined]
    assert settings.good_px[0] - 1 <= short * factor <= settings.good_px[1] + 1


def test_a_domino_beyond_the_edge_is_searched_at_the_edge() -> None:
    beyond = np.array([[(230.0, 50.0), (242.0, 50.0), (242.0, 56.0), (230.0, 56.0)]])
    network = Shows((200, 200), [])
    rgb = np.zeros((200, 200, 3), np.uint8)
    found = search_part(rgb, beyond, 6.0, network, LocateSettings())  # type: ignore[arg-type]
    assert len(found.scores) == 0
    assert len(network.asked) == 1


def test_where_nothing_is_found_no_search_follows() -> None:
    network = searched((800, 800), [])
    assert not len(network.found.scores)  # type: ignore[attr-defined]
    assert [width for width, _ in network.asked] == [64, 160, 288, 512]


def test_all_sizes_are_searched_before_the_part_that_holds_dominoes() -> None:
    row = [(300.0 * k + 200, 700.0, 180.0, 0.97) for k in range(5)]
    network = ShowsKnown((2048, 1536), row)
    found = find_dominoes(np.zeros((1536, 2048, 3), np.uint8), network)  # type: ignore[arg-type]
    assert [width for width, _ in network.asked[:4]] == [64, 160, 288, 512]
    assert len(network.asked) == 5
    assert len(found.scores) == 5


def test_a_domino_that_fills_the_picture_is_found() -> None:
    network = ShowsKnown((1200, 1200), [(600.0, 600.0, 520.0, 0.95)])
    found = find_dominoes(np.zeros((1200, 1200, 3), np.uint8), network)  # type: ignore[arg-type]
    assert len(found.scores) == 1
    np.testing.assert_allclose(found.short_px, 520, rtol=0.1)


def laid_out(places: list[tuple[float, float]], short: float) -> NDArray[np.float64]:
    """Dominoes (n, 4, 2) that lie along x about places."""
    box = np.array([(-short, -short / 2), (short, -short / 2), (short, short / 2)])
    box = np.vstack([box, [(-short, short / 2)]])
    return np.array([box + place for place in places])


@pytest.mark.parametrize("size", [(640, 960), (960, 640)])
def test_the_map_of_bodies_lies_on_the_picture(size: tuple[int, int]) -> None:
    width, height = size
    shown = Shows(size, [(410.0, 510.0, 40.0, 0.95)])
    rgb = np.zeros((height, width, 3), np.uint8)
    found = search(rgb, shown, 0.5, LocateSettings())  # type: ignore[arg-type]
    assert shown.asked == [(width // 2, height // 2)]
    rows, columns = np.nonzero(found.bodies > 0.5)
    middle = project(np.array([(410.0, 510.0)]), found.view)[0]
    np.testing.assert_allclose(middle, (columns.mean(), rows.mean()), atol=0.51)
    # The middle of the first cell of the map is that of its pixels.
    cell = LOCATOR_STRIDE / 0.5
    first = project(np.array([(cell / 2 - 0.5, cell / 2 - 0.5)]), found.view)[0]
    np.testing.assert_allclose(first, 0, atol=1e-9)


@pytest.mark.parametrize("size", [(600, 1200), (1200, 600)])
def test_a_part_is_three_short_sides_wider_than_its_dominoes(size: tuple[int, int]) -> None:
    """Upright or lying, cut at the edges of the picture, and the same place in either."""
    corners = laid_out([(300.0, 300.0), (400.0, 500.0)], 20.0)
    rgb = np.zeros((size[1], size[0], 3), np.uint8)
    parts: list[tuple[int, int]] = []

    def noted(batch: NDArray[np.float32]) -> NDArray[np.float32]:
        parts.append((batch.shape[3], batch.shape[2]))
        return maps((batch.shape[2], batch.shape[3]), [])[None]

    settings = LocateSettings()
    found = search_part(rgb, corners, 20.0, noted, settings)  # type: ignore[arg-type]
    factor = settings.best_px / 20.0
    assert found.factor == pytest.approx(factor)
    # 140 and 220 pixels of dominoes, 60 more on each side, but for the lower edge of the picture.
    width, height = 260, min(510 + 60, size[1]) - (290 - 60)
    near = [max(1, round(side * factor / 32)) * 32 for side in (width, height)]
    assert parts == [tuple(near)]
    assert np.abs(project(np.array([(220.0, 230.0)]), found.view)).max() < 1


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [(0.95, 0.95, "second"), (0.95, 0.91, "second"), (0.95, 0.89, "first"), (0.6, 0.6, "second")],
)
def test_a_part_counts_where_it_shows_nearly_as_much(
    monkeypatch: pytest.MonkeyPatch, first: float, second: float, kept: str
) -> None:
    """Nine tenths of what was found before, counted from as likely as not."""

    def shows(rgb: object, network: object, factor: float, settings: object) -> Detections:
        score = first if factor < 0.3 else 0.0
        return look([score], 120.0, factor)

    monkeypatch.setattr(detect, "search", shows)
    monkeypatch.setattr(
        detect, "search_part", lambda rgb, corners, short, *_: look([second], short, 9.0)
    )
    found = find_dominoes(np.zeros((1024, 1024, 3), np.uint8), None)  # type: ignore[arg-type]
    assert found.factor == (9.0 if kept == "second" else 64 / 1024)


def look(scores: list[float], short: float, factor: float) -> Detections:
    corners = laid_out([(500.0, 200.0 * k + 100) for k in range(len(scores))], short)
    bodies = np.zeros((8, 8), np.float32)
    return Detections(corners, np.array(scores), bodies, np.eye(3), factor)


@pytest.mark.parametrize(
    ("short", "again"), [(17.0, True), (17.1, False), (25.9, False), (26.0, True)]
)
def test_only_dominoes_of_a_good_size_are_not_searched_again(
    monkeypatch: pytest.MonkeyPatch, short: float, again: bool
) -> None:
    """The median of those that are surely there counts."""
    asked: list[tuple[int, float]] = []

    def part(rgb: object, corners: NDArray[np.float64], size: float, *_: object) -> Detections:
        asked.append((len(corners), size))
        return look([], size, 9.0)

    monkeypatch.setattr(
        detect, "search", lambda rgb, network, factor, _: look([0.9, 0.51, 0.5], short, 1.0)
    )
    monkeypatch.setattr(detect, "search_part", part)
    found = find_dominoes(np.zeros((512, 512, 3), np.uint8), None)  # type: ignore[arg-type]
    assert found.factor == 1.0
    assert [(count, round(size, 6)) for count, size in asked] == [(2, short)] * again


def test_with_few_dominoes_the_second_look_is_a_third_larger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And by the same settings."""
    asked: list[tuple[float, object]] = []

    def part(
        rgb: object, corners: object, short: float, network: object, settings: LocateSettings
    ) -> Detections:
        asked.append((short, settings))
        return look([], short, 1.0)

    monkeypatch.setattr(detect, "search_part", part)
    boxes = laid_out([(100.0, 100.0), (300.0, 100.0), (500.0, 100.0)], 40.0)
    one = np.ones(3)
    numbers = np.full((3, 2, 19), 1 / 19)
    sure = Candidates(boxes, one, numbers, numbers, one, one * 0, one, one)
    rgb = np.zeros((200, 600, 3), np.uint8)
    look_again(rgb, sure, None)  # type: ignore[arg-type]
    own = LocateSettings(best_px=25.0)
    look_again(rgb, sure, None, own)  # type: ignore[arg-type]
    assert [short for short, _ in asked] == pytest.approx([1.35 * 40.0] * 2)
    assert [settings for _, settings in asked] == [LocateSettings(), own]
