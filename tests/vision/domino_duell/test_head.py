from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorer.domino_duell import DEFAULT_SHAPE
from vision.common.network import shipped_weights
from vision.common.stored_head import HeadError
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import (
    FEATURES,
    OUTPUTS,
    VIEWS,
    Head,
    Weights,
    network_of,
    turn_patches,
)

PLACES = places_of(DEFAULT_SHAPE)[:30]
PATCHES = np.random.default_rng(4).integers(0, 256, (30, 32, 32, 3), np.uint8)


def some_head(network: str = "network") -> Head:
    rng = np.random.default_rng(2)
    weight = rng.normal(0, 0.1, (OUTPUTS, FEATURES)).astype(np.float32)
    return Head(weight, rng.normal(size=OUTPUTS).astype(np.float32), network)


def test_a_layer_that_adds_nothing_changes_nothing() -> None:
    plain = Weights.load()
    same = replace(plain, head=Head.nothing("network"))
    found = same.board_views(PATCHES, PLACES)
    np.testing.assert_array_equal(found, plain.board_views(PATCHES, PLACES))


def test_it_is_added_to_every_view_of_a_board_before_the_temperature() -> None:
    plain, head = Weights.load(), some_head()
    own = replace(plain, head=head)
    _, features = plain.patch_views(PATCHES)
    assert features.shape == (len(VIEWS), 30, FEATURES)
    added = own.board_views(PATCHES, PLACES) - plain.board_views(PATCHES, PLACES)
    wanted = (features @ head.weight.T + head.bias) / plain.temperature
    np.testing.assert_allclose(added, wanted, atol=1e-4)


def test_finding_the_board_is_left_as_it_is() -> None:
    plain = Weights.load()
    own = replace(plain, head=some_head())
    np.testing.assert_array_equal(own.patch_logits(PATCHES), plain.patch_logits(PATCHES))


def test_features_and_outputs_are_of_the_patches_turned() -> None:
    weights = Weights.load()
    logits, features = weights.patch_views(PATCHES)
    assert (features >= 0).all()
    for view, mine in zip(VIEWS, logits, strict=True):
        np.testing.assert_allclose(
            weights.patch_logits(turn_patches(PATCHES, *view)), mine, atol=1e-5
        )
    assert weights.patch_views(PATCHES[:0])[1].shape == (len(VIEWS), 0, FEATURES)


def test_it_belongs_to_both_networks(tmp_path: Path) -> None:
    shipped = network_of(shipped_weights())
    some_head(shipped).check(shipped)
    for name in ("domino_duell", "domino_duell_board"):
        for file in shipped_weights().glob("domino_duell*"):
            shutil.copy(file, tmp_path)
        assert network_of(tmp_path) == shipped
        with (tmp_path / f"{name}.onnx").open("ab") as changed:
            changed.write(b"\0")
        with pytest.raises(HeadError, match="other_network"):
            some_head(shipped).check(network_of(tmp_path))
