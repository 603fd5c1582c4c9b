"""Frames: decoding inverts encoding, up to sign and order."""

import numpy as np
import pytest

from vision.common.detection import decode_frames, encode_frames


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
