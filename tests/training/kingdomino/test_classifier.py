"""The temperature that makes the classifier of squares as sure as it is right, and what a judgement
asks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.training.kingdomino.drawn_tiles import drawn_tiles

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from tests.training.sources import source_of
from training.common.answers import Answer
from training.common.arrays import Image, Matrix
from training.common.recipe import load_recipes
from training.kingdomino import classifier
from training.kingdomino.classifier import ASKED_OF, WAYS, Asked, Squares, fit_temperature
from training.kingdomino.corpus import Corpus
from vision.kingdomino.result import OUTPUTS


@pytest.mark.parametrize("heat", [0.5, 1.0, 2.5])
def test_the_temperature_is_found_again(heat: float) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 2, (20_000, 5))
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    labels = (chances.cumsum(1) > rng.random((len(chances), 1))).argmax(1)
    assert fit_temperature(heat * logits, labels) == pytest.approx(heat, rel=0.05)


def asked_by(monkeypatch: pytest.MonkeyPatch, **changed: object) -> list[Asked]:
    """What a judgement asks networks of the recipe with some options changed."""
    asked = list[Asked]()

    def answers_to(some: Sequence[Asked], *_: object) -> Iterator[Answer]:
        asked[:] = some
        return iter(())

    monkeypatch.setattr(classifier, "answers_to", answers_to)
    monkeypatch.setattr(Corpus, "asked_squares", lambda *_: iter(()))
    options = {**load_recipes()["squares"].options, "asked": 1, **changed}
    list(Squares(source_of(), options, drawn_tiles()).answers(Path("nowhere")))
    return asked


def test_a_judgement_asks_the_same_of_networks_of_another_recipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = asked_by(monkeypatch)
    second = asked_by(monkeypatch, scenes={"size_px": 128}, disturbed={"grey": 0.5})
    assert len(first) == len(second) > 0
    for one, other in zip(first, second, strict=True):
        assert one[:3] == other[:3]
        assert np.array_equal(one[3], other[3])


def test_each_square_is_asked_about_as_it_is_and_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_by(monkeypatch)
    plain = {q: patch for q, _, _, patch in asked if q.startswith("composed")}
    parts = [(q.partition(" "), patch) for q, _, _, patch in asked[len(plain) :]]
    again = [(way, question, patch) for (way, _, question), patch in parts]
    assert {way for way, *_ in again} == set(WAYS)
    for way in WAYS:
        of_it = [question for each, question, _ in again if each == way]
        # What hides a square for the most part leaves no answer.
        assert 0.6 * len(plain) // ASKED_OF < len(of_it) <= len(plain) // ASKED_OF + 1
        assert plain.keys() >= set(of_it)
    for way, question, patch in again:
        assert way in ("occluded", "squeezed") or not np.array_equal(patch, plain[question])
    drained = [patch for way, _, patch in again if way == "grey"]
    # A quarter of them has a tint.
    assert np.median([np.ptp(patch, axis=2).max() for patch in drained]) == 0


def fitted_to(monkeypatch: pytest.MonkeyPatch, folder: Path, **changed: object) -> Image:
    """The patches that the temperature of the recipe, with some options changed, is fitted to."""
    seen = list[Image]()

    def raw_outputs(_: object, patches: Image) -> Matrix:
        seen.append(patches)
        return np.random.default_rng(1).normal(size=(len(patches), len(OUTPUTS)))

    monkeypatch.setattr(classifier, "raw_outputs", raw_outputs)
    monkeypatch.setattr(classifier, "Network", lambda _: None)
    monkeypatch.setattr(Corpus, "asked_squares", lambda *_: iter(()))
    (folder / Squares.file).write_bytes(b"")
    options = {**load_recipes()["squares"].options, "calibrated": 1, **changed}
    Squares(source_of(), options, drawn_tiles()).temperature(folder, 99)
    return seen[0]


def test_the_temperature_is_fitted_to_the_same_whatever_a_recipe_shows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = fitted_to(monkeypatch, tmp_path)
    greyer = {"scenes": {"size_px": 128}, "disturbed": {"grey": 1.0}}
    assert np.array_equal(first, fitted_to(monkeypatch, tmp_path, **greyer))


def test_the_second_opinion_is_trained_as_the_first_but_for_reflections() -> None:
    recipes = load_recipes()
    first, second = recipes["squares"], recipes["second_opinion"]
    assert second.options["disturbed"].pop("reflecting") > 0
    assert second.options == first.options
    assert (second.data.keys(), second.schedule) == (first.data.keys(), first.schedule)
