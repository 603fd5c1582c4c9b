"""Networks: ONNX Runtime and OpenCV say the same."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import numpy as np
import pytest

from vision.common.network import Network, shipped_weights
from vision.common.runtime import map_in_threads

SHAPES = {"locator": (1, 3, 96, 128), "squares": (5, 3, 64, 64)}


def batch(name: str) -> np.ndarray:
    return np.random.default_rng(1).random(SHAPES[name], np.float32) - np.float32(0.5)


def weights(name: str) -> bytes:
    return (shipped_weights() / f"{name}.onnx").read_bytes()


@pytest.mark.parametrize("name", SHAPES)
def test_both_ways_give_the_same_numbers(name: str) -> None:
    pytest.importorskip("onnxruntime")
    fast, everywhere = Network(weights(name)), Network(weights(name), runtime=False)
    np.testing.assert_allclose(fast(batch(name)), everywhere(batch(name)), atol=1e-4)
    assert fast._session is not None
    assert everywhere._session is None


def test_eight_bits_say_nearly_the_same() -> None:
    pytest.importorskip("onnxruntime")
    int8 = (shipped_weights() / "squares.int8.onnx").read_bytes()
    exact, fast = Network(weights("squares")), Network(weights("squares"), int8=int8)
    found, expected = fast(batch("squares")), exact(batch("squares"))
    assert not np.array_equal(found, expected)
    assert float(np.abs(found - expected).mean()) < 0.1 * float(expected.std())


def test_opencv_never_takes_eight_bits() -> None:
    network = Network(weights("squares"), runtime=False, int8=b"no network")
    assert network(batch("squares")).shape[0] == 5


def test_without_the_runtime_opencv_reads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    network = Network(weights("squares"))
    assert network(batch("squares")).shape[0] == 5
    assert network._session is None


def test_nothing_is_loaded_before_the_first_use() -> None:
    assert Network(b"no network")._session is None


def test_threads_share_a_network() -> None:
    network = Network(weights("squares"))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: network(batch("squares")), range(8)))
    for each in found:
        np.testing.assert_array_equal(each, found[0])


@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_shared_by_both_cores_gives_the_same(
    count: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime")
    parts: list[int] = []

    def counted(function: Any, items: Any, at_least: int) -> Any:
        parts.extend(len(item) for item in items)
        return map_in_threads(function, items, at_least)

    monkeypatch.setattr("vision.common.network.map_in_threads", counted)
    pictures = np.random.default_rng(2).random((count, 3, 64, 64), np.float32)
    expected = Network(weights("squares"))(pictures)
    before = cv2.getNumThreads()
    cv2.setNumThreads(threads)
    try:
        found = Network(weights("squares"), shares_batches=True)(pictures)
    finally:
        cv2.setNumThreads(before)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert parts == ([-(-count // 2), count // 2] if count > 1 and threads == 2 else [])
