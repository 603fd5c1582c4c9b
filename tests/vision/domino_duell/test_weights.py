"""From hollows to labels: patches, what lies around, the network and its head."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorer.domino_duell import DEFAULT_SHAPE, JOKER, STONES
from vision.common.network import HeadError, Network, shipped_weights
from vision.domino_duell.classify import PATCH_PX, PATCH_STEPS, combine, cut_patches, local_step
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import (
    CONTENTS,
    EMPTY,
    FEATURES,
    HEADS,
    JOKER_LYING,
    NOTHING,
    OUTPUTS,
    OWN_HEAD,
    POSITION_FEATURES,
    QUARTER,
    STONE,
    VIEWS,
    Head,
    Weights,
    named_head,
    network_of,
    position_features,
    shipped,
    truth_of,
    turn_patches,
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


def test_the_heads_together_are_a_distribution() -> None:
    logits = np.random.default_rng(3).normal(0, 2, (20, OUTPUTS))
    found = combine(logits)
    assert found.shape == (20, 67)
    np.testing.assert_allclose(found.sum(1), 1.0)


def test_columns_are_the_numbers_of_the_stones() -> None:
    for stone in STONES[::7]:
        logits = np.full((1, OUTPUTS), -9.0)
        for head, value in enumerate(truth_of(stone)):
            logits[0, 4 * head + value] = 9.0
        assert combine(logits)[0].argmax() == stone.number


def test_each_place_has_its_own_features_wherever_the_board_lies() -> None:
    places = places_of(DEFAULT_SHAPE)
    found = position_features(places)
    assert found.shape == (len(places), POSITION_FEATURES)
    assert len(np.unique(found.round(4), axis=0)) == len(places)
    assert np.abs(found).max() < 1.5
    np.testing.assert_allclose(position_features(places + (3.0, -7.0)), found, atol=1e-5)


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


def test_each_stone_has_its_own_truth() -> None:
    assert len({truth_of(stone) for stone in STONES}) == 64
    assert truth_of(STONES[27]) == (STONE, 1, 2, 3)
    assert truth_of(None) == (EMPTY, -1, -1, -1)
    assert truth_of(JOKER) == (JOKER_LYING, -1, -1, -1)


def test_the_heads_fill_the_outputs() -> None:
    assert [index for head in HEADS for index in range(OUTPUTS)[head]] == list(range(OUTPUTS))
    assert CONTENTS[NOTHING] == "nothing"


@pytest.mark.parametrize("step_px", [20.0, 28.0, 80.0])
def test_a_patch_shows_what_lies_round_its_place(step_px: float) -> None:
    across, down = np.meshgrid(np.arange(400), np.arange(300))
    picture = np.stack([across % 256, down % 256, 0 * down], -1).astype(np.uint8)
    view = np.array([[step_px, 0, 100.0], [0, step_px, 90.0], [0, 0, 1]])
    places = np.array([[0.0, 0.0], [0.5, 0.7]])
    assert local_step(places, view) == pytest.approx(step_px)
    patches = cut_patches(picture, view, places)
    assert patches.shape == (2, PATCH_PX, PATCH_PX, 3)
    for patch, (x, y) in zip(patches, places * step_px + (100.0, 90.0), strict=True):
        assert patch[..., 0].mean() == pytest.approx(x, abs=1.0)
        assert patch[..., 1].mean() == pytest.approx(y, abs=1.0)
        wide = float(patch[0, -1, 0]) - float(patch[0, 0, 0])
        assert wide == pytest.approx(PATCH_STEPS * step_px * (1 - 1 / PATCH_PX), abs=2.5)


def test_more_patches_than_opencv_maps_at_once() -> None:
    places = np.tile(places_of(DEFAULT_SHAPE), (12, 1))
    view = np.array([[10.0, 0, 60.0], [0, 10.0, 20.0], [0, 0, 1]])
    picture = np.random.default_rng(0).integers(0, 256, (200, 300, 3)).astype(np.uint8)
    patches = cut_patches(picture, view, places)
    np.testing.assert_array_equal(patches[:102], patches[-102:])
