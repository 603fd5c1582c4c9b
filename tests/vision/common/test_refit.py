"""Folders of labelled squares, and a last layer fitted to them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.common.rectify import resized_patches
from vision.common.refit import (
    FolderError,
    Held,
    LabelledSquares,
    Lesson,
    RefitSettings,
    best_penalty,
    held_back,
    judged,
    missing_to_margin,
    read_labelled,
    ridge_change,
    why_refused,
)
from vision.common.stored_head import StoredHead

HEADER = "file,label,source_photo,session\n"


def read_folder(folder: Path) -> LabelledSquares:
    return read_labelled(folder, {"w1", ".", "w"}, lambda found: resized_patches(found, 64))


def folder_with(tmp_path: Path, lines: str) -> Path:
    folder = tmp_path / "squares"
    folder.mkdir()
    Image.new("RGB", (64, 64), (200, 30, 30)).save(folder / "red.png")
    Image.new("RGB", (64, 64)).save(tmp_path / "outside.png")
    (folder / "labels.csv").write_text(lines, encoding="utf-8")
    return folder


def test_pictures_labels_and_sessions(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, HEADER + "red.png,w1,photo,game-a\nred.png,.,photo,game-b\n")
    found = read_folder(folder)
    assert found.labels == ("w1", ".")
    assert found.sessions == ("game-a", "game-b")
    assert found.patches.shape == (2, 64, 64, 3)
    assert tuple(found.patches[0, 5, 5]) == (200, 30, 30)


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    lines = "red.png,w1,p,s\nred.png,f3,p,s\nmissing.png,w,p,s\n../outside.png,w,p,s\n"
    lines += "labels.csv,w,p,s\n"
    found = read_folder(folder_with(tmp_path, HEADER + lines))
    assert found.labels == ("w1",)
    assert found.left_out == 4


@pytest.mark.parametrize(("lines", "code"), [("", "bad_labels"), ("a,b\n1,2\n", "bad_labels")])
def test_another_table_is_refused(lines: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=code):
        read_folder(folder_with(tmp_path, lines))


def test_a_folder_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="no_labels"):
        read_folder(tmp_path)


RNG = np.random.default_rng(1)
FEATURES = RNG.normal(size=(60, 5))
TRUE = np.argmax(FEATURES @ RNG.normal(size=(5, 3)), 1)
SESSIONS = np.array([f"game {n % 6}" for n in range(60)])


class Watched:
    """Learns which rows were fitted to, and refuses to read what was fitted."""

    def __init__(self) -> None:
        self.leaks = 0

    def lesson(self) -> Lesson[StoredHead]:
        fitted: dict[int, NDArray[np.intp]] = {}
        layers: list[StoredHead] = []

        def fit(rows: NDArray[np.intp], penalty: float) -> StoredHead:
            logits = np.zeros((len(rows), 3))
            weight, bias = ridge_change(
                FEATURES[rows], missing_to_margin(logits, TRUE[rows], 3.0), penalty
            )
            layers.append(StoredHead(weight.astype("f4"), bias.astype("f4"), ""))
            fitted[id(layers[-1])] = rows
            return layers[-1]

        def read(rows: NDArray[np.intp], head: StoredHead) -> NDArray[np.float64]:
            self.leaks += bool(set(SESSIONS[rows]) & set(SESSIONS[fitted[id(head)]]))
            powers = np.exp(FEATURES[rows] @ head.weight.T.astype(float) + head.bias)
            return np.asarray(powers / powers.sum(1, keepdims=True))

        return Lesson(TRUE, SESSIONS, fit, read)


def test_nothing_is_read_by_a_layer_that_saw_its_session() -> None:
    watched = Watched()
    found = held_back(watched.lesson(), RefitSettings(folds=3, penalties=(0.1, 10.0)))
    assert watched.leaks == 0
    assert found.wrong < 20
    assert found.loss < np.log(3)


def test_the_penalty_is_the_one_that_reads_best_and_the_largest_for_one_session() -> None:
    lesson, settings = Watched().lesson(), RefitSettings(penalties=(0.1, 1e6))
    assert best_penalty(lesson, lesson.rows, settings) == 0.1
    assert best_penalty(lesson, np.flatnonzero(SESSIONS == "game 1"), settings) == 1e6


def test_what_is_missing_to_the_margin() -> None:
    logits = np.array([[5.0, 0.0, 1.0], [1.0, 2.0, 0.0], [1.0, 0.0, 0.0]])
    found = missing_to_margin(logits, np.array([0, 0, 0]), 3.0)
    np.testing.assert_allclose(found, [[0, 0, 0], [2, -2, 0], [1, -1, 0]])


def test_wrong_and_surely_wrong_are_counted() -> None:
    found = np.array([[0.95, 0.05], [0.4, 0.6], [0.3, 0.7]])
    held = judged(found, np.array([1, 0, 1]), RefitSettings())
    assert (held.wrong, held.surely_wrong) == (2, 1)
    assert held.loss == pytest.approx(-np.log([0.05, 0.4, 0.7]).mean())
    assert judged(found[:0], np.zeros(0, np.intp), RefitSettings()) == Held(0, 0, 0.0)


@pytest.mark.parametrize(
    ("after", "known", "refused"),
    [
        (Held(9, 1, 0.1), Held(0, 0, 0.01), ""),
        (Held(10, 1, 0.1), Held(0, 0, 0.01), "not_better"),
        (Held(9, 1, 0.3), Held(0, 0, 0.01), "not_better"),
        (Held(9, 2, 0.1), Held(0, 0, 0.01), "surely_wrong"),
        (Held(9, 1, 0.1), Held(1, 0, 0.01), "known_worse"),
        (Held(9, 1, 0.1), Held(0, 1, 0.01), "known_worse"),
        (Held(9, 1, 0.1), Held(0, 0, 0.03), "known_worse"),
    ],
)
def test_all_of_it_must_be_better(after: Held, known: Held, refused: str) -> None:
    before, known_before = Held(10, 1, 0.2), Held(0, 0, 0.01)
    assert why_refused(20, before, after, known_before, known, RefitSettings()) == refused


def test_what_is_still_mostly_wrong_is_refused() -> None:
    figures = Held(10, 1, 0.2), Held(9, 1, 0.1), Held(0, 0, 0.01), Held(0, 0, 0.01)
    assert why_refused(18, *figures, RefitSettings()) == ""
    assert why_refused(17, *figures, RefitSettings()) == "mostly_wrong"
