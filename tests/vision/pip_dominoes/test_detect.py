"""Peaks of the maps become dominoes, and which of the places are dominoes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pip_dominoes.detect import (
    LocateSettings,
    beside,
    best_disjoint,
    find_dominoes,
    keep_likely,
    overlap,
    peaks_of,
)
from vision.pip_dominoes.recognise import Evidence
from vision.pip_dominoes.weights import (
    CENTRE,
    FACE,
    FRAMES,
    LOCATOR_CHANNELS,
    LOCATOR_STRIDE,
    encode_frames,
)

BOX = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)])


def places(count: int, step: float = 100.0) -> Evidence:
    """Dominoes of 80 by 40 pixels in a row."""
    numbers = np.full((count, 2, 19), 1 / 19)
    sure = np.ones(count)
    corners = np.stack([BOX + (step * k, 0.0) for k in range(count)])
    return Evidence(corners, numbers, numbers, sure, sure, np.zeros(count))


def kept(evidence: Evidence, exists: list[float]) -> list[int]:
    chosen = keep_likely(evidence, np.array(exists), least=0.7, most_overlap=0.3, least_size=0.58)
    return [int(k) for k in chosen]


def test_likely_ones_are_kept() -> None:
    assert kept(places(3), [0.99, 0.5, 0.99]) == [0, 2]


def test_of_two_on_one_another_the_likelier_is_kept() -> None:
    evidence = places(3)
    evidence.corners[1] = evidence.corners[0] + (30.0, 0.0)
    assert kept(evidence, [0.98, 0.99, 0.99]) == [1, 2]


def test_two_likely_ones_are_worth_more_than_a_likelier_one_across_them() -> None:
    # Frames every 40 pixels: 0, 2 and 4 are the dominoes, 1 and 3 lie across two of them.
    assert kept(places(5, 40.0), [0.95, 0.999, 0.9, 0.999, 0.93]) == [0, 2, 4]


def test_figures_among_pips_are_writing() -> None:
    evidence = replace(places(4), figures=np.array([0.0, 0.9, 0.0, 0.0]))
    assert kept(evidence, [0.99] * 4) == [0, 2, 3]
    alone = replace(places(4), figures=np.array([0.9, 0.9, 0.9, 0.0]))
    assert kept(alone, [0.99] * 4) == [0, 1, 2, 3]


def test_what_is_much_smaller_than_the_others_is_none() -> None:
    evidence = places(4)
    evidence.corners[2] = evidence.corners[2] * 0.5
    assert kept(evidence, [0.99] * 4) == [0, 1, 3]


def test_overlaps_are_shares_of_the_smaller() -> None:
    assert overlap(BOX, BOX + (40.0, 0.0)) == 0.5
    assert overlap(BOX, BOX * 0.5) == 1.0
    assert overlap(BOX, BOX + (90.0, 0.0)) == 0.0
    free = beside(np.stack([BOX, BOX + (200.0, 0.0)]), BOX[None] + (10.0, 0.0), 0.3)
    assert free.tolist() == [False, True]
    assert beside(np.stack([BOX]), np.zeros((0, 4, 2)), 0.3).tolist() == [True]


def test_the_best_places_apart_are_those_of_trying_all() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        count = int(rng.integers(1, 9))
        worth = rng.uniform(0.1, 1.0, count)
        clashes: list[set[int]] = [set() for _ in range(count)]
        for a, b in combinations(range(count), 2):
            if rng.random() < 0.35:
                clashes[a].add(b)
                clashes[b].add(a)
        chosen = best_disjoint(worth.tolist(), clashes)
        best = max(
            sum(worth[k] for k in some)
            for size in range(count + 1)
            for some in combinations(range(count), size)
            if not any(b in clashes[a] for a, b in combinations(some, 2))
        )
        assert not any(b in clashes[a] for a, b in combinations(chosen, 2))
        assert np.isclose(sum(worth[k] for k in chosen), best)


def test_too_many_clashes_are_settled_one_by_one() -> None:
    rng = np.random.default_rng(3)
    count = 90
    close = rng.random((count, count)) < 0.05
    clashes = [{b for b in range(count) if b != a and close[min(a, b), max(a, b)]}
               for a in range(count)]  # fmt: skip
    worth = rng.uniform(0.7, 1.0, count).tolist()
    chosen = best_disjoint(worth, clashes)
    assert not any(b in clashes[a] for a, b in combinations(chosen, 2))
    assert all(k in chosen or clashes[k] & {*chosen} for k in range(count))


def maps(
    shape: tuple[int, int], dominoes: list[tuple[float, float, float, float]]
) -> NDArray[np.float32]:
    """Maps (channels, h/4, w/4) that show dominoes (x, y, short side, score) lying along x."""
    height, width = shape[0] // LOCATOR_STRIDE, shape[1] // LOCATOR_STRIDE
    out = np.zeros((LOCATOR_CHANNELS, height, width), np.float32)
    out[CENTRE] = -9.0
    out[FACE] = -6.0
    rows, columns = np.mgrid[0:height, 0:width]
    for x, y, short, score in dominoes:
        at_x, at_y = (x + 0.5) / LOCATOR_STRIDE - 0.5, (y + 0.5) / LOCATOR_STRIDE - 0.5
        gap = ((columns - at_x) ** 2 + (rows - at_y) ** 2) / 2
        share = np.clip(score * np.exp(-gap), 1e-4, 1 - 1e-4)
        out[CENTRE] = np.maximum(out[CENTRE], np.log(share / (1 - share)))
        near = (np.abs(columns - at_x) < short / 4) & (np.abs(rows - at_y) < short / 8)
        near[round(at_y), round(at_x)] = True
        near |= gap < 4
        out[FACE][near] = 6.0
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


def test_where_nothing_is_found_no_search_follows() -> None:
    network = searched((800, 800), [])
    assert not len(network.found.scores)  # type: ignore[attr-defined]
    assert [width for width, _ in network.asked] == [64, 160, 288, 512]


def test_where_several_are_clear_no_larger_look_is_needed() -> None:
    row = [(300.0 * k + 200, 700.0, 180.0, 0.97) for k in range(5)]
    network = ShowsKnown((2048, 1536), row)
    found = find_dominoes(np.zeros((1536, 2048, 3), np.uint8), network)  # type: ignore[arg-type]
    assert [width for width, _ in network.asked[:2]] == [64, 160]
    assert len(network.asked) <= 3
    assert len(found.scores) == 5
    # One that is barely seen at first is looked at in all sizes.
    faint = searched((2048, 1536), [(900.0, 700.0, 180.0, 0.7)])
    assert [width for width, _ in faint.asked[:4]] == [64, 160, 288, 512]


def test_a_domino_that_fills_the_picture_is_found() -> None:
    network = ShowsKnown((1200, 1200), [(600.0, 600.0, 520.0, 0.95)])
    found = find_dominoes(np.zeros((1200, 1200, 3), np.uint8), network)  # type: ignore[arg-type]
    assert len(found.scores) == 1
    np.testing.assert_allclose(found.short_px, 520, rtol=0.1)
