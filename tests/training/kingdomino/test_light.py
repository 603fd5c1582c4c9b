"""What is fitted of the light that squares share."""

from __future__ import annotations

import numpy as np
import pytest

from training.common.arrays import Matrix
from training.kingdomino.light import Example, fit
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
