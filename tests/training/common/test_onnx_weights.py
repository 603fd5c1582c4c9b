"""Weights stored in 16 bits take half the file and say nearly the same."""

from __future__ import annotations

import numpy as np
import pytest

from vision.common.network import Network, shipped_weights

pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.onnx_weights import read_weights, store_in_16_bits

WEIGHTS = (shipped_weights() / "mirrored.onnx").read_bytes()
HALVES = store_in_16_bits(WEIGHTS)
BATCH = np.random.default_rng(3).random((4, 3, 48, 48), np.float32) - np.float32(0.5)


@pytest.mark.parametrize("runtime", [True, False])
def test_they_are_run_as_before(runtime: bool) -> None:
    before = Network(WEIGHTS, runtime=runtime)(BATCH)
    after = Network(HALVES, runtime=runtime)(BATCH)
    assert not np.array_equal(before, after)
    np.testing.assert_allclose(after, before, atol=0.01 * float(np.abs(before).max()))


def test_they_take_half_the_file() -> None:
    assert len(HALVES) < 0.56 * len(WEIGHTS)


def test_they_keep_their_names_and_shapes() -> None:
    before, after = read_weights(WEIGHTS), read_weights(HALVES)
    assert {name: each.shape for name, each in before.items()} == {
        name: each.shape for name, each in after.items()
    }
    for name, values in before.items():
        np.testing.assert_allclose(after[name], values, rtol=1e-3, atol=1e-6)


def test_what_is_stored_so_already_stays() -> None:
    assert store_in_16_bits(HALVES) == HALVES
