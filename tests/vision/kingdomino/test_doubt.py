"""One number of doubt: trees, what they flag, and the evidence that they are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Position
from training.kingdomino.doubt import MONOTONE
from training.kingdomino.render.scene import SceneView, render_scene
from vision.common.geometry import Extent
from vision.common.network import shipped_weights
from vision.kingdomino import doubt
from vision.kingdomino.doubt import FEATURES, flag_doubtful, gather_evidence
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import SquareReading
from vision.kingdomino.settling import Judgement
from vision.kingdomino.weights import DoubtModel

Floats = NDArray[np.float64]
PROBABILITY, SCORE, CHANGED, FOREIGN, UNPLAYED = (
    FEATURES.index(name) for name in ("probability", "score", "changed", "foreign", "unplayed")
)
SHIPPED = DoubtModel.load(shipped_weights() / "doubt.npz")


def two_trees(bound: float = 0.5) -> DoubtModel:
    """One asks whether the probability is above 0.9, then the score; the other adds 0.1."""
    return DoubtModel(
        roots=np.array([0, 5], np.int32),
        feature=np.array([PROBABILITY, 0, SCORE, 0, 0, 0], np.int32),
        threshold=np.array([0.9, 0, 0.5, 0, 0, 0]),
        left=np.array([1, 1, 3, 3, 4, 5], np.int32),
        right=np.array([2, 1, 4, 3, 4, 5], np.int32),
        unknown_left=np.array([False, False, True, False, False, False]),
        value=np.array([0, -2.0, 0, 1.0, 3.0, 0.1]),
        baseline=0.5,
        bound=bound,
    )


def evidence_of(*cells: dict[int, float]) -> Floats:
    """Evidence (1, n, features) of cells, 0 but for what is given."""
    rows = np.zeros((1, len(cells), len(FEATURES)))
    for k, cell in enumerate(cells):
        for at, value in cell.items():
            rows[0, k, at] = value
    return rows


@pytest.mark.parametrize(
    ("probability", "score", "odds"),
    [(0.9, 0.8, -1.4), (0.91, 0.5, 1.6), (0.91, 0.51, 3.6), (0.91, np.nan, 1.6), (np.nan, 1, 3.6)],
)
def test_trees_are_walked_to_their_leaves(probability: float, score: float, odds: float) -> None:
    seen = evidence_of({PROBABILITY: probability, SCORE: score})
    found = two_trees().probabilities(seen)
    np.testing.assert_allclose(found, [[1 / (1 + np.exp(-odds))]])


def judged(*squares: SquareReading, certain: bool = True) -> Judgement:
    cells = {(0, k): square for k, square in enumerate(squares)}
    return Judgement(cells, Extent(0, 0, 1, len(squares)), certain)


def nothing(_: Mapping[Position, str]) -> set[Position]:
    """A box that leaves all labels open."""
    return set()


SURE = {PROBABILITY: 0.99, SCORE: 0.9}
UNSURE = {PROBABILITY: 0.5}


def test_what_the_evidence_leaves_in_doubt_is_flagged_and_nothing_else() -> None:
    before = judged(
        SquareReading("w", 0.99, doubtful=True, reason="hidden"),
        SquareReading("f", 0.5),
        SquareReading(".", 0.5, doubtful=True, reason="cut_off"),
    )
    after = flag_doubtful(before, evidence_of(SURE, UNSURE, UNSURE), two_trees(), nothing)
    assert [(s.doubtful, s.reason) for s in after.squares.values()] == [
        (False, None), (True, None), (True, "cut_off"),
    ]  # fmt: skip


@pytest.mark.parametrize("why", ["hidden", "cut_off", "apart", "loose"])
def test_what_is_no_question_of_the_label_is_asked_however_sure_that_is(why: str) -> None:
    reason = "loose" if why == "apart" else why
    before = judged(SquareReading("w", 0.99, doubtful=True, reason=reason))
    seen = evidence_of({**SURE, FEATURES.index(why): 1})
    assert flag_doubtful(before, seen, two_trees(), nothing) == before


@pytest.mark.parametrize(("probability", "asked"), [(0.94, True), (0.96, False)])
def test_what_the_classifier_leaves_open_is_asked_whatever_trees_say(
    probability: float, asked: bool
) -> None:
    seen = evidence_of({**SURE, PROBABILITY: probability})
    after = flag_doubtful(judged(SquareReading("w", probability)), seen, two_trees(), nothing)
    assert after.squares[0, 0].doubtful is asked


def test_of_labels_in_doubt_those_that_the_box_leaves_open_are_asked_about() -> None:
    before = judged(*(SquareReading(label, 0.5) for label in ("w", "f", "l", "g")))
    seen = evidence_of(UNSURE, UNSURE, {**UNSURE, FEATURES.index("hidden"): 1}, SURE)
    asked: list[Mapping[Position, str]] = []

    def confirm(labels: Mapping[Position, str]) -> set[Position]:
        asked.append(labels)
        return {(0, 1), (0, 2)}

    after = flag_doubtful(before, seen, two_trees(), confirm)
    assert asked == [{(0, 0): "w", (0, 1): "f"}]
    assert [square.doubtful for square in after.squares.values()] == [True, False, True, False]
    flag_doubtful(judged(SquareReading("g", 0.99)), evidence_of(SURE), two_trees(), confirm)
    assert len(asked) == 1


def test_what_the_box_changed_is_asked_about() -> None:
    before = judged(SquareReading("w", 0.9), SquareReading("f", 0.99))
    after = flag_doubtful(before, evidence_of({**SURE, CHANGED: 1}, SURE), two_trees(), nothing)
    assert [square.doubtful for square in after.squares.values()] == [True, False]


@pytest.mark.parametrize("kind", [FOREIGN, UNPLAYED])
def test_what_no_photograph_could_teach_is_asked_about(kind: int) -> None:
    before = judged(SquareReading("w1", 0.99), SquareReading("w1", 0.99))
    seen = evidence_of({**SURE, kind: 0.21}, {**SURE, kind: 0.2})
    after = flag_doubtful(before, seen, two_trees(), nothing)
    assert [square.doubtful for square in after.squares.values()] == [True, False]


def test_of_a_grid_in_doubt_the_least_sure_square_is_asked_about() -> None:
    squares = SquareReading("w", 0.95), SquareReading("f", 0.95)
    seen = evidence_of(SURE, {**SURE, SCORE: 0.4})
    certain = flag_doubtful(judged(*squares), seen, two_trees(), nothing)
    assert not any(square.doubtful for square in certain.squares.values())
    doubted = flag_doubtful(judged(*squares, certain=False), seen, two_trees(), nothing)
    assert [square.doubtful for square in doubted.squares.values()] == [False, True]


def test_more_against_a_label_never_makes_it_likelier() -> None:
    """The shipped trees, on random evidence in which one number after another is made worse."""
    rng = np.random.default_rng(2)
    usual = seen_of(drawn())[0].reshape(-1, len(FEATURES))
    rows = usual[rng.integers(0, len(usual), 300)]
    rows = rows + rng.normal(0, 0.2, rows.shape) * (1 + np.abs(rows))
    before = SHIPPED.probabilities(rows)
    for name, way in MONOTONE.items():
        worse = rows.copy()
        worse[:, FEATURES.index(name)] -= way * rng.uniform(0, 2, len(rows))
        assert (SHIPPED.probabilities(worse) <= before + 1e-12).all(), name


FULL = Kingdom.parse("l l g f f/l c g f w/l g g w w/f f m w w1/s s m2 g g")


def drawn(kingdom: Kingdom = FULL) -> NDArray[np.uint8]:
    return render_scene(kingdom, SceneView(square_px=120), np.random.default_rng(0)).rgb


def seen_of(rgb: NDArray[np.uint8]) -> list[Floats]:
    """The evidence on the kingdoms of a picture, of every pass."""
    found: list[Floats] = []

    def kept(*seen: object) -> Floats:
        found.append(gather_evidence(*seen))  # type: ignore[arg-type]
        return found[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doubt, "gather_evidence", kept)
        Reader().read(rgb, anyway=True)
    return found


def number(evidence: Floats, name: str) -> Floats:
    return np.asarray(evidence[..., FEATURES.index(name)])


def test_evidence_on_a_drawn_kingdom() -> None:
    (seen,) = seen_of(drawn())
    assert seen.shape == (5, 5, len(FEATURES))
    assert number(seen, "is_castle").nonzero() == (np.array([1]), np.array([1]))
    crowns = {(3, 4): 1, (4, 2): 2}
    assert {(int(r), int(c)) for r, c in np.argwhere(number(seen, "crowns"))} == set(crowns)
    assert all(number(seen, "crowns")[cell] == count for cell, count in crowns.items())
    assert number(seen, "probability").min() > 0.5
    assert number(seen, "neighbours")[[0, 0, 2], [0, 2, 2]].tolist() == [2, 3, 4]
    assert set(number(seen, "inside").ravel()) == {1.0}
    assert set(number(seen, "squares").ravel()) == {25.0}
    # Tiles differ from the table around, and that hardly from itself.
    assert number(seen, "table").min() > 2 * number(seen, "usual").max()


def test_a_hole_looks_like_the_table_around() -> None:
    holed = Kingdom.parse("l l g f f/l c g . w/l g g . w/f f m w w1/s s m2 g g")
    seen = seen_of(drawn(holed))[-1]
    hole: Position = (1, 3)
    assert number(seen, "is_empty")[hole] == 1
    assert number(seen, "is_hole")[hole] == 1
    assert number(seen, "neighbours")[hole] == 3
    others = number(seen, "table")[number(seen, "is_empty") == 0]
    assert number(seen, "table")[hole] < others.min()


def test_the_edge_of_the_picture_is_seen() -> None:
    rgb = drawn()
    (whole,) = Reader().read(rgb, anyway=True).kingdoms
    right = whole.points([(5, 0)])[0, 0] - 0.2 * np.diff(whole.points([(4, 0), (5, 0)])[:, 0])[0]
    cut = np.ascontiguousarray(rgb[:, : round(float(right))])
    inside = number(seen_of(cut)[-1], "inside")
    np.testing.assert_allclose(inside[:, :4], 1.0)
    # Of the squares where they are read, which is not quite where they lie.
    (reading,) = Reader().read(cut, anyway=True).kingdoms
    left, beyond = (reading.points([(at, r + 0.5) for r in range(5)])[:, 0] for at in (4, 5))
    share = (cut.shape[1] - left) / (beyond - left)
    assert (abs(inside[:, 4] - share) < 0.1).all()
    assert abs(inside[:, 4].mean() - 0.8) < 0.1


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    model = replace(two_trees(), bound=0.97)
    np.savez(tmp_path / "doubt.npz", **asdict(model))
    read = DoubtModel.load(tmp_path / "doubt.npz")
    for name, value in asdict(model).items():
        np.testing.assert_array_equal(getattr(read, name), value)
    with pytest.raises(FileNotFoundError):
        DoubtModel.load(tmp_path / "none.npz")


def test_of_a_file_with_objects_none_is_made(tmp_path: Path) -> None:
    """They could run any program when they are loaded."""
    np.savez(tmp_path / "doubt.npz", **asdict(two_trees()) | {"bound": np.array([{}])})
    with pytest.raises(ValueError, match="allow_pickle"):
        DoubtModel.load(tmp_path / "doubt.npz")
