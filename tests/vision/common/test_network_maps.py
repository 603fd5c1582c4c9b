"""Frames and peaks in the maps of a network."""

from __future__ import annotations

import numpy as np
import pytest

from vision.common.network import decode_frames, encode_frames, find_peaks


def test_edges_come_back_up_to_sign_and_order() -> None:
    rng = np.random.default_rng(3)
    edges = rng.normal(0, 30, (200, 2, 2))
    decoded = decode_frames(encode_frames(edges))
    for given, found in zip(edges, decoded, strict=True):
        u, v = given
        variants = [(a, b) for a, b in ((u, v), (v, u)) for a in (a, -a) for b in (b, -b)]
        nearest = min(variants, key=lambda pair: float(np.abs(np.array(pair) - found).max()))
        np.testing.assert_allclose(found, np.array(nearest), atol=1e-6)


def test_the_second_edge_lies_clockwise_of_the_first() -> None:
    rng = np.random.default_rng(4)
    u, v = decode_frames(encode_frames(rng.normal(0, 30, (50, 2, 2)))).transpose(1, 0, 2)
    assert (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] > 0).all()


@pytest.mark.parametrize("turn_deg", [0, 30, 90, 135, 180, 270])
def test_a_square_has_the_same_code_at_every_quarter_turn(turn_deg: float) -> None:
    angle = np.deg2rad(turn_deg)
    turned = 40 * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quarter = np.array([turned[1], -turned[0]])
    np.testing.assert_allclose(encode_frames(turned[None]), encode_frames(quarter[None]), atol=1e-9)


STRIDE = 4


def bump(x: float, y: float, height: float) -> np.ndarray:
    """Logits of a Gaussian bump in cells, whose logarithm is a parabola."""
    rows, columns = np.mgrid[:12, :16]
    share = height * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 2)
    share = np.clip(share, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(share / (1 - share)), np.float32)


def test_a_peak_between_cells_is_found_there_the_highest_first() -> None:
    maps = np.stack(
        [np.full((12, 16), 7, np.float32), np.maximum(bump(3.3, 4.8, 0.9), bump(11, 6, 0.95))]
    )
    peaks = find_peaks(maps, 1, STRIDE, min_score=0.3, most=10)
    expected = (np.array([[11, 6], [3.3, 4.8]]) + 0.5) * STRIDE - 0.5
    np.testing.assert_allclose(peaks.centres, expected, atol=0.02)
    assert (peaks.scores[0] > peaks.scores[1] > 0.3).all()
    np.testing.assert_allclose(peaks.mean[0], 7)
    assert peaks.mean.shape == (2, 2)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (15, 11), (0, 11), (15, 0)])
def test_a_peak_in_a_corner_lies_there(x: int, y: int) -> None:
    peaks = find_peaks(bump(x, y, 0.9)[None], 0, STRIDE, min_score=0.3, most=10)
    assert len(peaks.scores) == 1
    expected = (np.array([x, y]) + 0.5) * STRIDE - 0.5
    assert np.abs(peaks.centres[0] - expected).max() <= 0.5 * STRIDE


def test_no_more_than_asked_for_and_none_below_the_score() -> None:
    maps = np.maximum(bump(3, 4, 0.9), bump(11, 6, 0.5))[None]
    assert len(find_peaks(maps, 0, STRIDE, min_score=0.3, most=1).scores) == 1
    assert len(find_peaks(maps, 0, STRIDE, min_score=0.7, most=10).scores) == 1
    assert len(find_peaks(maps, 0, STRIDE, min_score=0.95, most=10).scores) == 0
