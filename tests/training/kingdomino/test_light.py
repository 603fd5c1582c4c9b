"""What is fitted of the light that squares share."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorer.kingdomino import Kingdom
from training.common.arrays import Matrix
from training.kingdomino.light import Example, fit, read_squares
from training.kingdomino.render.scene import SceneView, render_scene
from training.kingdomino.table.conditions import Photograph
from training.kingdomino.table.scenes import Truth
from vision.kingdomino.reader import default_reader
from vision.kingdomino.result import LABELS
from vision.kingdomino.weights import TERRAINS

# Of a* and of b*: wheat differs little, grass more.
WITHIN = {"w": (9.0, 25.0), "g": (36.0, 100.0)}
BETWEEN = np.array([100.0, 900.0])


def kingdoms(count: int, *, shares_light: bool) -> list[Example]:
    """Kingdoms of six squares of each terrain, most of which the network is sure of."""
    rng = np.random.default_rng(5)
    examples = []
    for number in range(count):
        labels = [terrain for terrain in TERRAINS for _ in range(6)]
        truth = np.array([LABELS.index(label) for label in labels])
        means = {terrain: rng.normal(0, np.sqrt(BETWEEN)) for terrain in TERRAINS}
        colours: Matrix = np.array(
            [means[t] + rng.normal(0, np.sqrt(WITHIN.get(t, (16.0, 16.0)))) for t in labels]
        )
        if not shares_light:
            colours = rng.permutation(colours)
        found = np.full((len(labels), len(LABELS)), 1e-4)
        for k, own in enumerate(truth):
            other = rng.choice(truth)
            found[k, own] += 0.9 if rng.random() < 0.9 else 0.3
            found[k, other] += 0.35
        found /= found.sum(1, keepdims=True)
        examples.append(Example(found, colours, truth, f"session {number}", "drawn"))
    return examples


def test_the_spread_of_each_terrain_is_found() -> None:
    model = fit(kingdoms(150, shares_light=True))
    for terrain, expected in WITHIN.items():
        found = np.diag(model.within[TERRAINS.index(terrain)])
        np.testing.assert_allclose(found, expected, rtol=0.2)
    # Of six means about the mean of all of them.
    np.testing.assert_allclose(np.diag(model.between), BETWEEN * 5 / 6, rtol=0.2)


@pytest.mark.parametrize(("shares_light", "least", "most"), [(True, 0.3, 1.0), (False, 0.0, 0.3)])
def test_colours_count_where_they_tell_something(
    shares_light: bool, least: float, most: float
) -> None:
    examples = kingdoms(40, shares_light=shares_light)
    model = fit(examples)
    assert least <= model.weight <= most
    for each in examples[:5]:
        right = [
            (shares.argmax(1) == each.truth).sum()
            for shares in (each.found, model.probabilities(each.found, each.colours))
        ]
        assert right[1] >= right[0] - (not shares_light)


def colours_read(change: float, gain: float) -> Matrix:
    """Those of a drawn kingdom whose picture is so many times larger, and as bright."""
    kingdom = Kingdom.parse("w w g f/f c l l/s s1 f1 f")
    view = SceneView(width=1100, height=900, square_px=130, tilt_deg=3)
    scene = render_scene(kingdom, view, np.random.default_rng(3))
    rgb = cv2.resize(scene.rgb, None, fx=change, fy=change, interpolation=cv2.INTER_LINEAR)
    assert scene.homography is not None
    truth = Truth({cell: str(square) for cell, square in kingdom.items()},
                  np.diag([change, change, 1]) @ scene.homography)  # fmt: skip
    photograph = Photograph((rgb * gain).astype(np.uint8), (truth,))
    (example,) = read_squares(default_reader(), photograph, "session", "drawn")
    assert [LABELS[k] for k in example.truth] == list(truth.labels.values())
    return example.colours


@pytest.mark.parametrize(("change", "gain", "most"), [(3.0, 1.0, 2.0), (1.0, 0.36, 15.0)])
def test_colours_are_those_that_the_reader_sees_of_large_and_dark_pictures(
    change: float, gain: float, most: float
) -> None:
    np.testing.assert_allclose(colours_read(change, gain), colours_read(1.0, 1.0), atol=most)
