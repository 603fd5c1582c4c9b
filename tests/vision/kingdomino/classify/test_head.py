from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.common.network import Network, shipped_weights
from vision.kingdomino.detect.classifier import raw_outputs
from vision.kingdomino.weights import Head, HeadError, features_of

MODEL = (shipped_weights() / "squares.onnx").read_bytes()
PATCHES = np.random.default_rng(3).integers(0, 255, (5, 64, 64, 3), dtype=np.uint8)


def test_features_and_head_give_what_the_network_gives() -> None:
    head, features = Head.of(MODEL), features_of(MODEL, PATCHES)
    assert features.shape == (5, head.weight.shape[1])
    by_hand = features @ head.weight.T + head.bias
    np.testing.assert_allclose(by_hand, raw_outputs(Network(MODEL), PATCHES), atol=1e-4)
    assert features_of(MODEL, PATCHES[:0]).shape == (0, head.weight.shape[1])


@pytest.mark.parametrize("runtime", [True, False])
def test_another_head_is_run_by_both_runtimes(runtime: bool) -> None:
    head = Head.of(MODEL)
    turned = replace(head, weight=-head.weight, bias=-head.bias)
    found = raw_outputs(Network(turned.put_into(MODEL), runtime=runtime), PATCHES)
    np.testing.assert_allclose(found, -raw_outputs(Network(MODEL), PATCHES), atol=1e-3)


def test_it_is_kept_in_a_file_without_code(tmp_path: Path) -> None:
    path = tmp_path / "head.npz"
    path.write_bytes(Head.of(MODEL).to_bytes())
    again = Head.load(path)
    assert again.put_into(MODEL) == MODEL


@pytest.mark.parametrize("content", [b"", b"nothing", b"PK\x03\x04 cut off"])
def test_anything_else_is_no_head(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "head.npz"
    path.write_bytes(content)
    with pytest.raises(HeadError, match="not_a_head"):
        Head.load(path)


def test_numbers_that_are_none_and_other_networks_are_refused(tmp_path: Path) -> None:
    head, path = Head.of(MODEL), tmp_path / "head.npz"
    path.write_bytes(replace(head, bias=head.bias * np.float32(np.nan)).to_bytes())
    with pytest.raises(HeadError, match="not_a_head"):
        Head.load(path)
    with pytest.raises(HeadError, match="other_network"):
        head.put_into(MODEL + b"\0")
