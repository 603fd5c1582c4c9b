"""The weights that are shipped, the head on them, and squares that something hides."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.kingdomino.scenes.compose import draw_squares
from vision.common.network import MODELS, HeadError, Network, shipped_weights
from vision.kingdomino.result import LABELS, OUTPUTS
from vision.kingdomino.weights import (
    OWN_HEAD,
    Head,
    SquareClassifier,
    Weights,
    features_of,
    named_head,
    raw_outputs,
)

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


def test_the_environment_may_name_other_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = shipped_weights()
    for name in ("locator.onnx", "squares.onnx"):
        (tmp_path / name).write_bytes((shipped / name).read_bytes())
    (tmp_path / "squares.json").write_text('{"temperature": 50.0}')
    before, _ = Weights.load().classifier.probabilities(PATCHES)
    monkeypatch.setenv(MODELS, str(tmp_path))
    assert shipped_weights() == tmp_path
    after, _ = Weights.load().classifier.probabilities(PATCHES)
    assert after.max() < before.max()
    monkeypatch.setenv(MODELS, "")
    assert shipped_weights() == shipped


def test_only_the_network_of_mirror_images_may_be_missing(tmp_path: Path) -> None:
    for name in ("locator.onnx", "squares.onnx", "squares.json"):
        (tmp_path / name).write_bytes((shipped_weights() / name).read_bytes())
    assert Weights.load(tmp_path).mirror is None
    assert Weights.load().mirror is not None
    shipped = json.loads((shipped_weights() / "border.json").read_text(encoding="utf-8"))
    assert Weights.load(tmp_path).border.coefficients == shipped["coefficients"]
    of_its_own = {**shipped, "coefficients": [1.0] * len(shipped["coefficients"])}
    (tmp_path / "border.json").write_text(json.dumps(of_its_own), encoding="utf-8")
    assert set(Weights.load(tmp_path).border.coefficients) == {1.0}
    (tmp_path / "squares.onnx").unlink()
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path)


class Says:
    """A network that gives each picture logits by its mean brightness, and counts what it is asked.

    Dark ones it knows; of bright ones it says little, and in no orientation anything else.
    """

    def __init__(self, *logits: float) -> None:
        self.logits, self.asked = logits, 0

    def __call__(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        self.asked += len(planes)
        is_bright = planes.mean((1, 2, 3)) > 0
        said = np.zeros((len(planes), len(OUTPUTS)), np.float32)
        said[:, 0] = 20
        said[is_bright, :3] = self.logits
        return said


def test_a_second_opinion_is_asked_of_what_the_first_leaves_open_alone() -> None:
    first, second = Says(2.0, 1.5, 0.0), Says(0.0, 5.0, 0.0)
    patches = np.stack([np.full((64, 64, 3), level, np.uint8) for level in (10, 250, 20)])
    alone, _ = SquareClassifier(cast(Network, first), 1.0).probabilities(patches)
    one, other = (LABELS.index(OUTPUTS[k]) for k in (0, 1))
    assert alone.argmax(1).tolist() == [one, one, one]
    first.asked = 0
    both = SquareClassifier(cast(Network, first), 1.0, cast(Network, second))
    found, _ = both.probabilities(patches)
    assert (first.asked, second.asked) == (3 + 4, 4)
    assert found.argmax(1).tolist() == [one, other, one]
    # The mean of what both say.
    assert np.log(found[1, other] / found[1, one]) == pytest.approx((1.5 + 5) / 2 - 1.0)
    np.testing.assert_array_equal(found[[0, 2]], alone[[0, 2]])
    both.probabilities(patches[:1])
    assert second.asked == 4


@pytest.mark.parametrize(("share", "asked"), [(0.985, 4), (0.995, 0)])
def test_what_is_given_less_than_99_percent_is_left_open(share: float, asked: int) -> None:
    lead = float(np.log(share / (1 - share) * (len(OUTPUTS) - 1)))
    first, second = Says(lead, 0.0, 0.0), Says(lead, 0.0, 0.0)
    both = SquareClassifier(cast(Network, first), 1.0, cast(Network, second))
    both.probabilities(np.full((1, 64, 64, 3), 250, np.uint8))
    assert second.asked == asked


def test_a_refitted_head_and_other_weights_are_asked_alone(tmp_path: Path) -> None:
    assert Weights.load().classifier.second is not None
    assert Weights.load(head=Head.of(MODEL)).classifier.second is None
    for name in ("locator.onnx", "squares.onnx", "squares.json"):
        (tmp_path / name).write_bytes((shipped_weights() / name).read_bytes())
    assert Weights.load(tmp_path).classifier.second is None
    other = (shipped_weights() / "second_opinion.onnx").read_bytes()
    (tmp_path / "second_opinion.onnx").write_bytes(other)
    assert Weights.load(tmp_path).classifier.second is not None


def test_a_head_of_other_weights_is_not_loaded() -> None:
    with pytest.raises(HeadError, match="other_network"):
        Weights.load(head=replace(Head.of(MODEL), network="another"))


HEAD_PATCHES = np.random.default_rng(3).integers(0, 255, (5, 64, 64, 3), dtype=np.uint8)


def test_features_and_head_give_what_the_network_gives() -> None:
    head, features = Head.of(MODEL), features_of(MODEL, HEAD_PATCHES)
    assert features.shape == (5, head.weight.shape[1])
    by_hand = features @ head.weight.T + head.bias
    np.testing.assert_allclose(by_hand, raw_outputs(Network(MODEL), HEAD_PATCHES), atol=1e-4)
    assert features_of(MODEL, HEAD_PATCHES[:0]).shape == (0, head.weight.shape[1])


@pytest.mark.parametrize("runtime", [True, False])
def test_another_head_is_run_by_both_runtimes(runtime: bool) -> None:
    head = Head.of(MODEL)
    turned = replace(head, weight=-head.weight, bias=-head.bias)
    found = raw_outputs(Network(turned.put_into(MODEL), runtime=runtime), HEAD_PATCHES)
    np.testing.assert_allclose(found, -raw_outputs(Network(MODEL), HEAD_PATCHES), atol=1e-3)


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


KINDS = ("w", "f", "l", "g", "s", "m", "g2", "m1", "s1")
COLOURS = ((222, 170, 135), (245, 245, 240), (40, 60, 150))
Image = NDArray[np.uint8]


def covered(patch: Image, colour: tuple[int, int, int], shape: str) -> Image:
    """The patch with about a third of it under something of one colour."""
    out = patch.copy()
    if shape == "sheet":
        corner = np.array([(0, 64), (0, 12), (46, 64)], np.int32)
        cv2.fillPoly(out, [corner], colour, cv2.LINE_AA)
    else:
        cv2.line(out, (-4, 10), (40, 54), colour, 20, cv2.LINE_AA)
    return out


def read(patches: list[Image], weights: Weights) -> list[str]:
    """The labels of patches."""
    found, _ = weights.classifier.probabilities(np.stack(patches))
    return [LABELS[k] for k in found.argmax(1)]


@pytest.fixture(scope="module")
def weights() -> Weights:
    return Weights.load()


@pytest.fixture(scope="module")
def drawn(weights: Weights) -> list[tuple[str, Image]]:
    """Drawings of squares that are read rightly as they are."""
    squares = draw_squares(KINDS, 64, 14, np.random.default_rng(12))
    every = [(label, patch) for label, patches in squares.items() for patch in patches]
    labels = read([patch for _, patch in every], weights)
    return [each for each, label in zip(every, labels, strict=True) if label == each[0]]


@pytest.mark.parametrize(("shape", "least"), [("sheet", 0.78), ("finger", 0.33)])
def test_squares_hidden_by_a_third_are_told(
    weights: Weights, drawn: list[tuple[str, Image]], shape: str, least: float
) -> None:
    right = []
    for colour in COLOURS:
        labels = read([covered(patch, colour, shape) for _, patch in drawn], weights)
        right += [label == truth for label, (truth, _) in zip(labels, drawn, strict=True)]
    assert np.mean(right) > least


def test_squares_in_grey_are_told(weights: Weights, drawn: list[tuple[str, Image]]) -> None:
    grey = [cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY) for _, patch in drawn]
    labels = read([np.repeat(each[..., None], 3, axis=2) for each in grey], weights)
    right = np.mean([label == truth for label, (truth, _) in zip(labels, drawn, strict=True)])
    assert right > 0.65
