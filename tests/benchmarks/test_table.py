"""The benchmark of the table: judging, keeping measurements, and the tables that it writes."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks.markdown_tables import (
    BY_HAND,
    keep_by_hand,
    markdown,
    reliability,
    show,
    thresholds,
)
from benchmarks.table.__main__ import make_row
from benchmarks.table.measure import (
    Measured,
    MeasureSettings,
    Store,
    Task,
    Verdict,
    find_phantoms,
    judge,
    split,
)
from scorer.kingdomino import Kingdom
from training.kingdomino.corpus import held_out_sessions
from training.kingdomino.table.conditions import CONDITIONS, Photograph, PictureSource
from training.kingdomino.table.scenes import SQUARE_PX, Sheet, Truth, load_kingdoms
from vision import KingdomReading, PhotoReading, SquareReading

WHOLE = Verdict(True, False, 9, 0, 0, 0, 0, 1, ("hidden",))
WRONG = Verdict(True, False, 9, 2, 3, 2, 1, 0, ())
TASK = Task("nothing in the way", 3, "b.jpg", ("a.jpg", "b.jpg"))


def truth() -> Truth:
    labels = {(0, 0): "c", (0, 1): "w", (1, 0): "f", (1, 1): "l"}
    return Truth(labels, np.diag([10.0, 10.0, 1.0]))


def read(notation: str, doubtful: bool = False, left: float = 0.0) -> PhotoReading:
    kingdom = Kingdom.parse(notation)
    squares = tuple(tuple(SquareReading(str(s), 0.99, None, doubtful) for s in row)
                    for row in kingdom.rows)  # fmt: skip
    view = np.array([[10.0, 0, left], [0, 10, 0], [0, 0, 1]])
    return PhotoReading((KingdomReading(kingdom, squares, view),), 20, 20)


def judged(reading: PhotoReading | None) -> Verdict:
    (verdict,) = judge(Photograph(np.zeros((20, 20, 3), np.uint8), (truth(),)), reading)
    return verdict


def test_a_reading_is_held_against_the_truth_place_by_place() -> None:
    assert judged(read("c w/f l")).exact
    wrong = judged(read("c w/f g"))
    assert (wrong.wrong, wrong.unflagged, wrong.silent) == (1, 1, True)
    flagged = judged(read("c w/f g", doubtful=True))
    assert (flagged.wrong, flagged.unflagged, flagged.silent) == (1, 0, False)
    added = judged(read("s c w/. f l", left=-10.0))
    assert (added.wrong, added.exact) == (1, False)


def test_a_kingdom_where_none_lies_is_a_phantom() -> None:
    photograph = Photograph(np.zeros((20, 20, 3), np.uint8), (truth(),))
    assert find_phantoms(photograph, None) == []
    assert find_phantoms(photograph, read("c w/f l")) == []
    assert len(find_phantoms(photograph, read("c w/f l", left=200.0))) == 1


def test_a_refusal_tells_and_leaves_nothing_unflagged() -> None:
    refused = judged(None)
    assert (refused.refused, refused.exact, refused.silent) == (True, False, False)
    assert (refused.wrong, refused.unflagged) == (4, 0)


def test_measurements_are_found_again_for_the_same_code_and_pictures(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    shop = MeasureSettings(tmp_path, commit="abc")
    measured = Measured("a.jpg", (WHOLE, WRONG), 80.0)
    Store(path, shop).put(TASK, measured)
    assert Store(path, shop).get(TASK) == measured
    assert Store(path, MeasureSettings(tmp_path, commit="abd")).get(TASK) is None
    assert Store(path, MeasureSettings(tmp_path, commit="abc", seed=1)).get(TASK) is None
    assert Store(path, shop).get(Task(TASK.condition, 3, "b.jpg", ("b.jpg",))) is None
    held_out = dataclasses.replace(TASK, weights=tmp_path)
    assert Store(path, shop).get(held_out) is None
    assert Store(None, shop).get(TASK) is None


def test_a_blind_throws_stripes_across_the_table_and_the_kingdom() -> None:
    grey = np.full((2 * SQUARE_PX, 2 * SQUARE_PX, 3), 200, np.uint8)
    sheet = Sheet("grey", "grey", "grey", grey, np.ones(grey.shape[:2], np.float32), truth().labels)
    source = PictureSource([sheet], [np.full((400, 400, 3), 200, np.uint8)])
    plain, striped = (
        CONDITIONS[name](source, sheet, np.random.default_rng(3))
        for name in ("nothing in the way", "sun through a blind")
    )
    assert [t.labels for t in striped.truths] == [t.labels for t in plain.truths]
    corners = striped.truths[0].corners((0, 0)), plain.truths[0].corners((0, 0))
    np.testing.assert_array_equal(*corners)
    light = striped.rgb.mean(2) / plain.rgb.mean(2).clip(1)
    # But for the grain nothing is brighter.
    assert light.max() < 1.2
    dark = (light < 0.8).astype(float)
    assert 0.3 < dark.mean() < 0.7
    # Along some line stripes follow each other.
    changes = [np.abs(np.diff(cut)).sum() for cut in (dark[600], dark[:, 800])]
    assert max(changes) >= 6


def test_a_number_below_its_bar_is_bold() -> None:
    measured = [Measured("a.jpg", (WHOLE,), 80.0), Measured("b.jpg", (WRONG,), 90.0)]
    assert make_row("glare, two large", measured) == (
        "glare, two large", 2, 1, "–", 1, "2 of 16", "1 of 2", "0.50", "hidden 1", 0, 0, 0, "85",
    )  # fmt: skip
    assert make_row("two kingdoms, gap 1.0", measured)[2:4] == ("**1**", "58 of 60")
    assert make_row("two kingdoms, gap 0.05–0.2", measured)[3] == "58 of 60"
    assert make_row("tilt 60°", measured[:1])[2:4] == (1, "38 of 42")


def test_what_was_written_by_hand_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    assert keep_by_hand(path) == ""
    path.write_text(f"# Old table\n{BY_HAND}\n\nLooked at.\n", encoding="utf-8")
    assert keep_by_hand(path) == f"{BY_HAND}\n\nLooked at.\n"
    show("# New table\n", path)
    assert path.read_text(encoding="utf-8") == f"# New table\n\n{BY_HAND}\n\nLooked at.\n"


@pytest.mark.slow
def test_every_kingdom_is_read_by_weights_that_never_saw_its_session() -> None:
    data = os.environ.get("KINGDOMINO_DATA")
    if not data:
        pytest.skip("KINGDOMINO_DATA is not set")
    folder = Path(data) / "data"
    folds = [Path("first"), Path("second"), Path("third")]
    parts = split(folder, None, folds)
    assert [part.weights for part in parts] == folds
    session = {sheet.name: sheet.session for sheet in load_kingdoms(folder)}
    assert sorted(name for part in parts for name in part.names) == sorted(session)
    for fold, part in enumerate(parts):
        unseen = held_out_sessions(folder, fold, len(folds))
        assert part.names
        assert {session[name] for name in part.names} <= unseen
        assert all(task.weights == part.weights for task in part.tasks("tilt 60°", range(20)))
        (alone,) = split(folder, folds[fold], (), f"{fold}/{len(folds)}")
        assert alone == part


def test_a_table_has_a_line_a_row() -> None:
    assert markdown(("a", "b"), [(1, "x"), (2, "y")]).splitlines() == [
        "| a | b |",
        "| --- | --- |",
        "| 1 | x |",
        "| 2 | y |",
    ]


def test_reliability_has_ten_bins_and_the_share_that_was_right() -> None:
    lines = reliability([(0.95, True), (0.97, False), (1.0, True), (0.12, False)]).splitlines()
    assert len(lines) == 12
    assert lines[-1] == "| 0.9 to 1.0 | 3 | 0.973 | 0.667 |"
    assert lines[3] == "| 0.1 to 0.2 | 1 | 0.120 | 0.000 |"
    assert lines[2] == "| 0.0 to 0.1 | 0 | – | – |"


def test_a_threshold_says_what_it_flags_and_what_it_misses() -> None:
    lines = thresholds([(0.55, True), (0.92, False), (0.999, True)], kingdoms=2).splitlines()
    assert "| 0.5 | 0.00 | 1 |" in lines
    assert "| 0.6 | 0.50 | 1 |" in lines
    assert "| 0.93 | 1.00 | 0 |" in lines
