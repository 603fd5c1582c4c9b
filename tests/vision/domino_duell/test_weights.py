from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorer.domino_duell import DEFAULT_SHAPE
from vision.common.network import Network, shipped_weights
from vision.common.stored_head import HeadError
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import (
    OUTPUTS,
    OWN_HEAD,
    QUARTER,
    Head,
    Weights,
    named_head,
    network_of,
    shipped,
)


def test_the_shipped_weights_are_calibrated() -> None:
    assert shipped() is shipped()
    assert 0.2 < shipped().temperature < 3.0
    assert shipped().temperature != 1.0


def test_the_temperature_divides_the_logits_of_a_board() -> None:
    places = places_of(DEFAULT_SHAPE)
    patches = np.random.default_rng(0).integers(0, 256, (len(places), 32, 32, 3), np.uint8)
    plain = Weights(shipped().patch, shipped().board).board_logits(patches, places)
    assert plain.shape == (len(places), OUTPUTS)
    found = shipped().board_logits(patches, places)
    np.testing.assert_allclose(found, plain / shipped().temperature)


def test_each_patch_is_read_on_its_own_or_with_the_board() -> None:
    """Another patch changes what is read of the board, not what is read of a patch alone."""
    places = places_of(DEFAULT_SHAPE)[:40]
    patches = np.random.default_rng(0).integers(0, 256, (40, 32, 32, 3), np.uint8)
    other = patches.copy()
    other[7] = 255
    weights = shipped()
    rest = np.arange(40) != 7
    alone = weights.patch_logits(patches)
    assert alone.shape == (40, OUTPUTS)
    np.testing.assert_allclose(weights.patch_logits(other)[rest], alone[rest], atol=1e-4)
    together = weights.board_logits(patches, places)
    assert np.abs(weights.board_logits(other, places) - together)[rest].max() > 1e-3


def test_all_views_are_of_one_board() -> None:
    """A patch marked at one corner keeps that corner towards the same neighbours."""
    places = places_of(DEFAULT_SHAPE)
    patches = np.random.default_rng(2).integers(0, 256, (len(places), 32, 32, 3), np.uint8)
    views = shipped().board_views(patches, places)
    assert views.shape == (8, len(places), OUTPUTS)
    np.testing.assert_allclose(views[0], shipped().board_logits(patches, places))
    turned = np.rot90(patches, 1, (1, 2))
    again = shipped().board_views(turned, places @ QUARTER.T)
    np.testing.assert_allclose(again[0], views[2], atol=1e-4)
    np.testing.assert_allclose(again[6], views[0], atol=1e-4)


def test_opencv_reads_as_onnx_runtime_does() -> None:
    places = places_of(DEFAULT_SHAPE)
    patches = np.random.default_rng(1).integers(0, 256, (len(places), 32, 32, 3), np.uint8)
    folder = shipped_weights()
    plain = [
        Network((folder / f"{name}.onnx").read_bytes(), runtime=False)
        for name in ("domino_duell", "domino_duell_board")
    ]
    found = Weights(plain[0], plain[1], shipped().temperature).board_logits(patches, places)
    np.testing.assert_allclose(found, shipped().board_logits(patches, places), atol=1e-3)


def test_a_folder_without_weights(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path)


def of_own(path: Path, network: str) -> str:
    head = Head.nothing(network)
    path.write_bytes(replace(head, bias=np.arange(OUTPUTS, dtype=np.float32)).to_bytes())
    return str(path)


def test_the_reader_uses_the_layer_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = of_own(tmp_path / "head.npz", network_of(shipped_weights()))
    monkeypatch.setenv(OWN_HEAD, named)
    shipped.cache_clear()
    try:
        assert shipped().head is not None
        monkeypatch.delenv(OWN_HEAD)
        shipped.cache_clear()
        assert shipped().head is None
    finally:
        shipped.cache_clear()


def test_a_layer_of_other_weights_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OWN_HEAD, of_own(tmp_path / "head.npz", "another"))
    assert named_head() is None
    with pytest.raises(HeadError, match="other_network"):
        Weights.load(head=Head.nothing("another"))
