"""Frames of dominoes as smooth numbers."""

from __future__ import annotations

import numpy as np

from vision.pip_dominoes.weights import corners_of, decode_frames, encode_frames


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
