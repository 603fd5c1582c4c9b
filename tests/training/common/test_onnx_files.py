"""ONNX files in 16 and 8 bits, and which files are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.common.network import Network, shipped_weights

onnx = pytest.importorskip("onnx", reason="training needs the extra 'train'")
pytest.importorskip("torch", reason="training needs the extra 'train'")

from training.common.onnx_files import apart, check, quantise, store_in_16_bits  # noqa: E402
from training.common.recipe import Conversion  # noqa: E402

WEIGHTS = (shipped_weights() / "mirrored.onnx").read_bytes()
HALVES = store_in_16_bits(WEIGHTS)
BATCH = np.random.default_rng(3).random((4, 3, 48, 48), np.float32) - np.float32(0.5)


@pytest.mark.parametrize("runtime", [True, False])
def test_16_bits_are_run_as_before(runtime: bool) -> None:
    before = Network(WEIGHTS, runtime=runtime)(BATCH)
    after = Network(HALVES, runtime=runtime)(BATCH)
    assert not np.array_equal(before, after)
    np.testing.assert_allclose(after, before, atol=0.01 * float(np.abs(before).max()))
    assert len(HALVES) < 0.56 * len(WEIGHTS)
    assert store_in_16_bits(HALVES) == HALVES


def test_8_bits_say_nearly_the_same() -> None:
    small = quantise(WEIGHTS, [BATCH], Conversion(8, "mirrored.onnx"))
    assert len(small) < 0.4 * len(WEIGHTS)
    assert 0 < apart(WEIGHTS, small, [BATCH]) < 0.2
    assert apart(WEIGHTS, WEIGHTS, [BATCH]) == 0
    kept = quantise(WEIGHTS, [BATCH], Conversion(8, "mirrored.onnx", floats=("Conv", "Gemm")))
    assert len(kept) > 0.9 * len(WEIGHTS)


def test_a_file_of_foreign_operators_or_of_paths_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mirrored.onnx"
    path.write_bytes(WEIGHTS)
    check(path, BATCH)
    model = onnx.load_from_string(WEIGHTS)
    model.graph.node[0].doc_string = "a/path.py"
    onnx.save(model, str(path))
    with pytest.raises(ValueError, match="tells where the program lay"):
        check(path, BATCH)
    for stored in model.graph.initializer:
        values = onnx.numpy_helper.to_array(stored)
        stored.CopyFrom(onnx.numpy_helper.from_array(values * np.float32(np.nan), stored.name))
    model.graph.node[0].doc_string = ""
    onnx.save(model, str(path))
    with pytest.raises(ValueError, match="finite"):
        check(path, BATCH)
