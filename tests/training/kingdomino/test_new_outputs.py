"""Weights of an earlier number of outputs read as before, and new labels start as others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.common.network import Network, shipped_weights
from vision.kingdomino.labels import ONE_CROWN, OUTPUTS

pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.onnx_weights import rearrange_outputs
from training.kingdomino import new_outputs
from training.kingdomino.new_outputs import with_all_outputs

AT = {output: place for place, output in enumerate(OUTPUTS)}
OLDER = [place for output, place in AT.items() if output not in ONE_CROWN]
SHIPPED = (shipped_weights() / "squares.onnx").read_bytes()
OLD = rearrange_outputs(SHIPPED, "head", OLDER, [0.0] * len(OLDER))
PATCHES = np.random.default_rng(2).uniform(-0.5, 0.5, (5, 3, 64, 64)).astype(np.float32)


def test_known_labels_keep_their_outputs() -> None:
    old, new = Network(OLD)(PATCHES), Network(with_all_outputs(OLD))(PATCHES)
    assert old.shape == (5, len(OLDER))
    np.testing.assert_allclose(new[:, OLDER], old, atol=1e-5)


def test_new_labels_start_a_little_below_those_with_one_crown() -> None:
    found = Network(with_all_outputs(OLD, 2.5))(PATCHES)
    for two, one in ONE_CROWN.items():
        np.testing.assert_allclose(found[:, AT[two]], found[:, AT[one]] - 2.5, atol=1e-5)


def test_labels_that_were_never_learnt_start_anew() -> None:
    again = with_all_outputs(with_all_outputs(OLD, 12.0), 1.0)
    np.testing.assert_allclose(
        Network(again)(PATCHES), Network(with_all_outputs(OLD, 1.0))(PATCHES), atol=1e-5
    )


def test_learnt_labels_stay() -> None:
    other = [AT["m3"] if output in ONE_CROWN else place for output, place in AT.items()]
    learnt = rearrange_outputs(SHIPPED, "head", other, [0.0] * len(OUTPUTS))
    np.testing.assert_allclose(
        Network(with_all_outputs(learnt))(PATCHES), Network(learnt)(PATCHES), atol=1e-5
    )


def test_other_numbers_of_outputs_are_refused() -> None:
    few = rearrange_outputs(SHIPPED, "head", OLDER[:4], [0.0] * 4)
    with pytest.raises(ValueError, match="expected 26 or 23, got 4"):
        with_all_outputs(few)


def test_the_command_writes_weights(tmp_path: Path) -> None:
    old, new = tmp_path / "old.onnx", tmp_path / "new.onnx"
    old.write_bytes(OLD)
    assert new_outputs.main([str(old), str(new), "--lowered", "4"]) == 0
    assert new.read_bytes() == with_all_outputs(OLD, 4.0)
