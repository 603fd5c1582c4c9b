"""Fitting what tells how far a reading is to be doubted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scorer.kingdomino import Kingdom
from training.common.arrays import Matrix
from training.kingdomino import doubt
from training.kingdomino.doubt import Bools, Examples, bound_for, check, family_of, fit, pack
from training.kingdomino.render.scene import SceneView, render_scene
from training.kingdomino.table import conditions as tables
from training.kingdomino.table.conditions import CONDITIONS, Photograph, PictureSource
from training.kingdomino.table.scenes import Truth
from vision.kingdomino.doubt import FEATURES
from vision.kingdomino.reader import Reader
from vision.kingdomino.weights import Weights

RNG = np.random.default_rng(5)


def examples(count: int = 600) -> Examples:
    """Cells that are the likelier right the more probable, and score and offset at random."""
    evidence = np.zeros((count, len(FEATURES)))
    # Of so few values each is a bin of its own: to place bins by weight takes a second a fit.
    evidence[:] = RNG.uniform(0, 1, evidence.shape).round(2)
    evidence[::7, FEATURES.index("score")] = np.nan
    right = RNG.uniform(0, 1, count) < evidence[:, FEATURES.index("probability")]
    sessions = np.array([f"session {k % 9}" for k in range(count)])
    conditions, unseen = np.array(["hand"] * count), np.zeros(count, bool)
    return Examples(evidence, right, ~right, sessions, conditions, unseen)


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
    assert families["sun through a blind"] == families["window reflection"] == 0
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
    (given,) = doubt._read_cells(Reader(), True, photograph, "drawn", "as it is")
    assert given.unseen.all()
    assert given.evidence.shape == (9, len(FEATURES))
    assert np.flatnonzero(~given.right).tolist() == [0]
    assert set(given.session) == {"drawn"}
    assert given.weights.tolist() == [1.0] * 9


def test_weights_trained_without_a_part_read_that_part_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each part has its own sessions, and photographs of each condition in turn."""
    kingdoms: list[Any] = [SimpleNamespace(session=f"photos {k}") for k in range(6)]
    drawn = list[tuple[int, str]]()

    def held_out(_data: Path, number: int, parts: int) -> set[str]:
        return {each.session for each in kingdoms[number::parts]}

    def draw(pictures: PictureSource, sheet: SimpleNamespace, _rng: object) -> str:
        assert {each.session for each in pictures.kingdoms} == held_out(tmp_path, part, 3)
        return sheet.session

    monkeypatch.setattr(doubt, "held_out_sessions", held_out)
    monkeypatch.setattr(tables, "cut_at_edge", lambda seen, *_: seen)
    monkeypatch.setattr(tables, "load_pictures", lambda _data: PictureSource(kingdoms, []))
    monkeypatch.setattr(tables, "CONDITIONS", {"a": draw, "b": draw})
    monkeypatch.setattr(
        doubt, "_labelled", lambda _data: [(SimpleNamespace(rgb=np.zeros(1)), "photos 2")]
    )
    for part in range(3):
        given = list(doubt.photographs_for(tmp_path, 4, 0, (part, 3)))
        assert {session for _, session, _ in given} <= held_out(tmp_path, part, 3)
        assert [c for *_, c in given].count(doubt.REAL) == (part == 2)
        drawn += [(part, c) for *_, c in given if c in "ab"]
    assert sorted(drawn) == [(0, "a")] * 2 + [(0, "b")] * 2 + [
        (1, "a"), (1, "b"), (2, "a"), (2, "b")
    ]  # fmt: skip


def test_each_part_is_read_by_the_weights_that_were_trained_without_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Weights, "load", lambda folder: folder)
    monkeypatch.setattr(doubt, "Reader", lambda weights: weights)
    monkeypatch.setattr(doubt, "photographs_for", lambda *given: [(given[3], "session", "glass")])
    monkeypatch.setattr(doubt, "_read_cells", lambda *given: given[:3])
    parts = [tmp_path / "without0", tmp_path / "without1"]
    read: list[Any] = [*doubt._gather(tmp_path, 4, 0, parts)]
    assert read == [None, False, None, parts[0], True, (0, 2), parts[1], True, (1, 2)]


def test_the_bound_is_that_of_pictures_that_networks_had_not_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of what they had seen all is right, so that no bound would be needed there."""
    monkeypatch.setattr(doubt, "SEEDS", 1)
    given, asked = examples(), list[int]()
    right = given.right | (np.arange(600) < 300)
    cells, out = tmp_path / "cells.npz", tmp_path / "doubt.npz"
    conditions, unseen = np.array(["playing card", doubt.REAL] * 300), np.arange(600) >= 300
    noted = given._replace(right=right, condition=conditions, unseen=unseen)
    np.savez(cells, **noted._asdict())

    def bound(probabilities: Matrix, is_right: Bools, *_: float) -> float:
        asked.append(len(probabilities))
        np.testing.assert_array_equal(is_right, right[300:])
        return 0.5

    monkeypatch.setattr(doubt, "bound_for", bound)
    monkeypatch.setattr("sys.argv", ["doubt", str(tmp_path), str(out), "--cells", str(cells)])
    doubt.main()
    assert asked == [300]
    assert "bound 0.5" in capsys.readouterr().out
