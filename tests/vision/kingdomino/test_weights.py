from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.common.network import shipped_weights
from vision.kingdomino.labels import OUTPUTS
from vision.kingdomino.weights import OWN_HEAD, Head, HeadError, Weights, named_head

MODEL = (shipped_weights() / "squares.onnx").read_bytes()
PATCHES = np.random.default_rng(5).integers(0, 255, (3, 64, 64, 3), dtype=np.uint8)


def of_own(path: Path) -> Path:
    head = Head.of(MODEL)
    path.write_bytes(
        replace(head, bias=(head.bias + np.arange(len(OUTPUTS))).astype(np.float32)).to_bytes()
    )
    return path


def test_the_reader_uses_the_head_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OWN_HEAD, str(of_own(tmp_path / "head.npz")))
    own, _ = Weights.load(head=named_head()).classifier.probabilities(PATCHES)
    shipped, _ = Weights.load().classifier.probabilities(PATCHES)
    assert np.abs(own - shipped).max() > 0.1


def test_without_one_or_with_one_that_does_not_fit_it_is_the_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OWN_HEAD, raising=False)
    assert named_head() is None
    for content in (b"nothing", replace(Head.of(MODEL), network="another").to_bytes()):
        path = tmp_path / "head.npz"
        path.write_bytes(content)
        monkeypatch.setenv(OWN_HEAD, str(path))
        assert named_head() is None
    monkeypatch.setenv(OWN_HEAD, str(tmp_path / "missing.npz"))
    assert named_head() is None


def test_only_the_network_of_mirror_images_may_be_missing(tmp_path: Path) -> None:
    for name in ("locator.onnx", "squares.onnx", "squares.json"):
        (tmp_path / name).write_bytes((shipped_weights() / name).read_bytes())
    assert Weights.load(tmp_path).mirror is None
    assert Weights.load().mirror is not None
    (tmp_path / "squares.onnx").unlink()
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path)


def test_a_head_of_other_weights_is_not_loaded() -> None:
    with pytest.raises(HeadError, match="other_network"):
        Weights.load(head=replace(Head.of(MODEL), network="another"))
