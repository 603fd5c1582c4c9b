"""Networks: ONNX Runtime and OpenCV say the same; their tensors, and a head of one's own."""

from __future__ import annotations

import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from vision.common import network
from vision.common.network import (
    MODELS,
    HeadError,
    Network,
    StoredHead,
    head_named_by,
    load_onnxruntime,
    map_in_threads,
    read_tensor,
    shipped_weights,
    with_tensors,
)

SHAPES = {"locator": (1, 3, 96, 128), "squares": (5, 3, 64, 64)}


def batch(name: str) -> np.ndarray:
    return np.random.default_rng(1).random(SHAPES[name], np.float32) - np.float32(0.5)


def weights(name: str) -> bytes:
    return (shipped_weights() / f"{name}.onnx").read_bytes()


needs_onnxruntime = pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="ONNX Runtime is not made for this processor"
)


def test_an_empty_name_of_a_folder_of_weights_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = shipped_weights()
    monkeypatch.setenv(MODELS, "")
    assert shipped_weights() == shipped


@needs_onnxruntime
@pytest.mark.parametrize("name", SHAPES)
def test_both_ways_give_the_same_numbers(name: str) -> None:
    fast, everywhere = Network(weights(name)), Network(weights(name), runtime=False)
    for each in (batch(name), -batch(name)):
        np.testing.assert_allclose(fast(each), everywhere(each), atol=1e-4)
    assert fast._session is not None
    assert everywhere._session is None


@needs_onnxruntime
def test_eight_bits_say_nearly_the_same() -> None:
    int8 = (shipped_weights() / "squares.int8.onnx").read_bytes()
    exact, fast = Network(weights("squares")), Network(weights("squares"), int8=int8)
    assert (exact.runs_in_8_bits, fast.runs_in_8_bits) == (False, True)
    found, expected = fast(batch("squares")), exact(batch("squares"))
    assert not np.array_equal(found, expected)
    assert float(np.abs(found - expected).mean()) < 0.1 * float(expected.std())


@pytest.mark.parametrize("shares_batches", [False, True])
def test_threads_of_the_runtime_are_few_and_wait_without_a_core(
    shares_batches: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Options:
        def __init__(self) -> None:
            self.entries: dict[str, str] = {}

        def add_session_config_entry(self, name: str, value: str) -> None:
            self.entries[name] = value

    started: list[tuple[bytes, Options, list[str]]] = []

    def session(weights: bytes, options: Options, providers: list[str]) -> object:
        started.append((weights, options, providers))
        return object()

    runtime = SimpleNamespace(SessionOptions=Options, InferenceSession=session)
    monkeypatch.setattr(network, "load_onnxruntime", lambda: runtime)
    monkeypatch.setattr(network, "count_threads", lambda: 3)
    plain = Network(b"32 bits", int8=b"8 bits", shares_batches=shares_batches)
    assert plain.runs_in_8_bits
    ((weights, options, providers),) = started
    assert (weights, providers) == (b"8 bits", ["CPUExecutionProvider"])
    assert options.entries == {"session.intra_op.allow_spinning": "0"}
    told = vars(options)
    assert told["intra_op_num_threads"] == (1 if shares_batches else 3)
    assert (told["inter_op_num_threads"], told["enable_cpu_mem_arena"]) == (1, False)


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


@needs_onnxruntime
@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_shared_by_both_cores_gives_the_same(
    count: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
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


MODEL = (shipped_weights() / "squares.onnx").read_bytes()


def test_a_tensor_is_replaced_and_nothing_else() -> None:
    bias = read_tensor(MODEL, "head.bias")
    other = bias + np.float32(1)
    changed = with_tensors(MODEL, {"head.bias": other})
    np.testing.assert_array_equal(read_tensor(changed, "head.bias"), other)
    assert with_tensors(changed, {"head.bias": bias}) == MODEL


def test_unknown_names_and_other_shapes_are_refused() -> None:
    with pytest.raises(KeyError):
        read_tensor(MODEL, "nothing")
    with pytest.raises(ValueError, match="expected shape"):
        with_tensors(MODEL, {"head.bias": np.zeros(3, np.float32)})


@pytest.mark.parametrize("data", [MODEL[:1000], b"\x3a\xff\xff\xff\xff\xff", b"\xff" * 20])
def test_what_is_cut_off_is_no_model(data: bytes) -> None:
    with pytest.raises(ValueError, match="ONNX"):
        read_tensor(data, "head.bias")


@dataclass(frozen=True, eq=False)
class Small(StoredHead):
    outputs: ClassVar[int] = 2
    features: ClassVar[int] = 3


HEAD = Small(np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(2, np.float32), "network")


def kept(tmp_path: Path, head: StoredHead) -> Path:
    path = tmp_path / "head.npz"
    path.write_bytes(head.to_bytes())
    return path


def test_it_is_kept_in_a_file_without_code(tmp_path: Path) -> None:
    again = Small.load(kept(tmp_path, HEAD))
    np.testing.assert_array_equal(again.weight, HEAD.weight)
    np.testing.assert_array_equal(again.bias, HEAD.bias)
    assert again.network == "network"


@pytest.mark.parametrize(
    "head",
    [
        replace(HEAD, bias=np.ones(3, np.float32)),
        replace(HEAD, weight=np.ones((2, 4), np.float32)),
        replace(HEAD, weight=np.ones((3, 3), np.float32), bias=np.ones(3, np.float32)),
        replace(HEAD, weight=np.ones(2, np.float32)),
        replace(HEAD, weight=HEAD.weight * np.float32(np.nan)),
        replace(HEAD, bias=HEAD.bias * np.float32(np.inf)),
    ],
)
def test_a_layer_of_another_size_or_without_numbers_is_none(head: Small, tmp_path: Path) -> None:
    with pytest.raises(HeadError, match="not_a_head"):
        Small.load(kept(tmp_path, head))


def test_the_environment_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("A_HEAD", raising=False)
    assert head_named_by("A_HEAD", Small.load) is None
    path = kept(tmp_path, HEAD)
    monkeypatch.setenv("A_HEAD", str(path))
    assert head_named_by("A_HEAD", Small.load) is not None
    path.write_bytes(b"nothing")
    with caplog.at_level(logging.WARNING):
        assert head_named_by("A_HEAD", Small.load) is None
    assert "not_a_head" in caplog.text
    monkeypatch.setenv("A_HEAD", str(tmp_path / "missing.npz"))
    assert head_named_by("A_HEAD", Small.load) is None


@needs_onnxruntime
def test_the_runtime_is_loaded_without_its_telemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    load_onnxruntime()
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
