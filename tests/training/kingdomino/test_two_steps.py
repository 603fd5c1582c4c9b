"""Every training runs: two steps on small drawn tiles give weights that the reader can use."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.training.kingdomino.drawn_tiles import drawn_tiles
from training.kingdomino.scenes.kingdoms import SceneSettings
from vision.common.network import Network
from vision.kingdomino.detect.search import MAP_CHANNELS, STRIDE
from vision.kingdomino.judge.mirrored import PATCH_PX
from vision.kingdomino.labels import ONE_CROWN, OUTPUTS

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.loop import Schedule
from training.common.onnx_weights import rearrange_outputs
from training.kingdomino import classifier, locator, mirror

TWO_STEPS = Schedule(2, 2, seed=1, workers=0, warm_share=0.75, weight_decay=0.01)
SMALL = SceneSettings(size_px=128, square_px=(20.0, 40.0), thing_share=0.5)


@pytest.mark.filterwarnings("ignore")
def test_the_locator(tmp_path: Path) -> None:
    out = tmp_path / "locator.onnx"
    locator.train(drawn_tiles(), SMALL, out, TWO_STEPS)
    maps = Network(out.read_bytes())(np.zeros((1, 3, 64, 96), np.float32))
    assert maps.shape == (1, MAP_CHANNELS, 64 // STRIDE, 96 // STRIDE)
    assert np.isfinite(maps).all()


@pytest.mark.filterwarnings("ignore")
def test_the_locator_goes_on_from_weights(tmp_path: Path) -> None:
    first, again = tmp_path / "first.onnx", tmp_path / "again.onnx"
    locator.train(drawn_tiles(), SMALL, first, TWO_STEPS)
    still = replace(TWO_STEPS, rate=1e-9, batch=4)
    locator.train(drawn_tiles(), SMALL, again, still, start=first)
    picture = np.random.default_rng(1).uniform(-0.5, 0.5, (1, 3, 64, 64)).astype(np.float32)
    before, after = (Network(path.read_bytes())(picture) for path in (first, again))
    np.testing.assert_allclose(after, before, atol=0.05 * np.abs(before).max())


@pytest.mark.filterwarnings("ignore")
def test_the_classifier(tmp_path: Path) -> None:
    out = tmp_path / "squares.onnx"
    train = partial(classifier.train, drawn_tiles(), SMALL, [], drawn_scenes=1, drawn_of_each=1)
    train(out, TWO_STEPS)
    logits = Network(out.read_bytes())(np.zeros((3, 3, 64, 64), np.float32))
    assert logits.shape == (3, len(OUTPUTS))
    assert np.isfinite(logits).all()
    # From these weights on, at a rate that changes nothing, they stay as they are.
    still = replace(TWO_STEPS, rate=1e-9)
    again = tmp_path / "again.onnx"
    train(again, still, weights=out.read_bytes())
    patches = np.random.default_rng(1).uniform(-0.5, 0.5, (3, 3, 64, 64)).astype(np.float32)
    first, second = (Network(path.read_bytes())(patches) for path in (out, again))
    assert abs(first - second).max() < 0.3 * np.ptp(first)
    # Weights of a time before two crowns know no outputs for them.
    older = [place for place, output in enumerate(OUTPUTS) if output not in ONE_CROWN]
    weights = rearrange_outputs(out.read_bytes(), "head", older, [0.0] * len(older))
    train(again, still, weights=weights, kept=0.5)
    blended = Network(again.read_bytes())(patches)
    assert blended.shape == first.shape
    assert abs(first - blended)[:, older].max() < 0.3 * np.ptp(first)


@pytest.mark.filterwarnings("ignore")
def test_the_network_of_mirror_images(tmp_path: Path) -> None:
    out = tmp_path / "mirrored.onnx"
    squares = {label: some[0] for label, some in drawn_tiles().squares.items()}
    known = mirror.SquareBank(tuple((picture, label) for label, picture in squares.items()), 1.0)
    unknown = mirror.SquareBank(known.squares, 1.0, of_the_game=False)
    mirror.train([known, unknown], out, TWO_STEPS, waiting=4)
    odds = Network(out.read_bytes())(np.zeros((3, 3, PATCH_PX, PATCH_PX), np.float32))
    assert odds.shape == (3, 1)
    assert np.isfinite(odds).all()
