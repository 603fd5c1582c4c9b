"""Fitting what tells how far a reading is to be doubted."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.kingdomino import Kingdom
from training.kingdomino import doubt
from training.kingdomino.doubt import Examples, bound_for, check, family_of, fit, pack
from training.kingdomino.render.scene import SceneView, render_scene
from training.kingdomino.table.conditions import CONDITIONS, Photograph
from training.kingdomino.table.scenes import Truth
from vision.kingdomino.doubt import FEATURES
from vision.kingdomino.reader import Reader

RNG = np.random.default_rng(5)


def examples(count: int = 600) -> Examples:
    """Cells that are the likelier right the more probable, and score and offset at random."""
    evidence = np.zeros((count, len(FEATURES)))
    # Of so few values each is a bin of its own: to place bins by weight takes a second a fit.
    evidence[:] = RNG.uniform(0, 1, evidence.shape).round(2)
    evidence[::7, FEATURES.index("score")] = np.nan
    right = RNG.uniform(0, 1, count) < evidence[:, FEATURES.index("probability")]
    sessions = np.array([f"session {k % 9}" for k in range(count)])
    return Examples(evidence, right, ~right, sessions, np.array(["hand"] * count))


def test_packed_trees_say_what_the_fitted_ones_say() -> None:
    given = examples()
    models = [fit(given.evidence, given.right, given.weights, seed) for seed in (0, 1)]
    odds = np.mean([model.decision_function(given.evidence) for model in models], 0)
    packed = pack(models, 0.9)
    np.testing.assert_allclose(packed.probabilities(given.evidence), 1 / (1 + np.exp(-odds)))
    assert packed.bound == 0.9


def test_what_is_likely_wrong_is_less_sure_in_sessions_that_were_not_fitted_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doubt, "SEEDS", 1)
    given = examples()
    unseen = check(given, list(given.session), 3)
    assert unseen[given.right].mean() > unseen[~given.right].mean() + 0.2


def test_every_condition_has_a_family_of_its_like() -> None:
    families = {name: family_of(name) for name in (*CONDITIONS, doubt.REAL, doubt.CLOSE)}
    assert set(families.values()) == set(range(len(doubt.FAMILIES) + 1))
    assert families["low light"] == families["night mode"] != families["defocus 12 %"]
    assert families["playing card"] == families["hand over 2 squares"]
    assert families["gingham"] == families[doubt.REAL] == len(doubt.FAMILIES)


def test_the_bound_leaves_no_more_risk_than_is_wanted() -> None:
    """Of 10,000 cells the wrong ones have 0.2 to 0.9, the others 0.95."""
    probabilities = np.full(10_000, 0.95)
    probabilities[:8] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    right = np.ones(10_000, bool)
    right[:8] = False
    # By Clopper and Pearson 4 of 10,000 are at most 0.092 %, 5 at most 0.105 %, with 95 %.
    assert bound_for(probabilities, right, 0.001) == 0.6
    # 0 of 10,000 are at most 0.03 %: more than that is asked for, nothing does.
    assert bound_for(probabilities, right, 0.0002) == 1.0
    assert bound_for(probabilities, right, 0.01) == 0.2


KINGDOM = Kingdom.parse("l l g/l c g/l g g")


def test_cells_know_whether_they_were_read_right() -> None:
    scene = render_scene(KINGDOM, SceneView(square_px=120), np.random.default_rng(0))
    (reading,) = Reader().read(scene.rgb, anyway=True).kingdoms
    labels = {cell: str(square) for cell, square in KINGDOM.items()}
    truth = Truth(labels | {(0, 0): "w"}, reading.homography)
    photograph = Photograph(scene.rgb, (truth,))
    (given,) = doubt._read_cells(Reader(), photograph, "drawn", "as it is")
    assert given.evidence.shape == (9, len(FEATURES))
    assert np.flatnonzero(~given.right).tolist() == [0]
    assert set(given.session) == {"drawn"}
    assert given.weights.tolist() == [1.0] * 9
