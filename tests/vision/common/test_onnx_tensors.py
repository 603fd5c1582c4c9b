from __future__ import annotations

import numpy as np
import pytest

from vision.common.network import read_tensor, shipped_weights, with_tensors

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
