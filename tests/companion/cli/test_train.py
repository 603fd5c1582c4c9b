"""What `train` says and keeps, whatever the layer is that was fitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.cli.parser import Console
from companion.cli.train import Course, add_training
from companion.reading.own_heads import OwnHeads
from companion.store import URL_VARIABLE, Store
from companion.store.labelled_squares import keep_square
from tests.companion.store.table_talk import new_game
from vision.common.network import StoredHead
from vision.common.refit import Figures, LabelledSquares, Refit

HEADS = OwnHeads("squares", "KINGDOMINO_OWN_HEAD_OF_TESTS")
LAYER = StoredHead(np.ones((2, 3), np.float32), np.zeros(2, np.float32), "network")
FITTED = Refit(LAYER, 7, 2, 1.5, "", Figures(5, 2, 0.4), Figures(3, 1, 0.2))
SQUARES = LabelledSquares(np.zeros((2, 4, 4, 3), np.uint8), ("w", "f"), ("a", "b"), left_out=4)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))


def train(found: Refit[StoredHead], *options: str, squares: LabelledSquares = SQUARES) -> int:
    course = Course("game", "kingdomino", HEADS, lambda folder: squares, lambda given: found)
    console = Console(
        "game", "", (), (lambda commands: add_training(commands, lambda: course),), (), str
    )
    return console.main(["--language", "en", "train", *options])


def test_a_better_layer_is_used_and_every_figure_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert train(FITTED, "--from", "here") == 0
    said = capsys.readouterr().out
    for figure in ("7", "2", "4", "5", "3", "1"):
        assert figure in said
    newest = HEADS.newest()
    assert newest is not None
    np.testing.assert_array_equal(StoredHead.load(newest).weight, LAYER.weight)


def test_a_layer_that_is_refused_is_not_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert train(replace(FITTED, refused="not_better"), "--from", "here") == 1
    assert HEADS.newest() is None
    without = replace(SQUARES, left_out=0)
    few = replace(FITTED, refused="too_few", before=None, after=None)
    capsys.readouterr()
    assert train(few, "--from", "here", squares=without) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_undoing_goes_back_one_layer_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert train(FITTED, "--from", "here") == train(FITTED, "--from", "here") == 0
    capsys.readouterr()
    said = []
    for code in (0, 0, 1):
        assert train(FITTED, "--undo") == code
        captured = capsys.readouterr()
        said.append(captured.out or captured.err)
    assert len(set(said)) == 3


@pytest.mark.parametrize("kind", ["a file", "a folder with something in it"])
def test_nothing_is_exported_over_what_is_there(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "there"
    if kind == "a file":
        place.write_text("mine", encoding="utf-8")
    else:
        place.mkdir()
        (place / "mine.txt").write_text("mine", encoding="utf-8")
    assert train(FITTED, "--export", str(place)) == 2
    assert place.is_dir() == (kind != "a file")


def test_what_is_exported_is_what_was_kept_of_the_kind(
    store: Store, empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program may be called otherwise than the kind of game."""
    picture = np.zeros((64, 64, 3), np.uint8)
    keep_square(
        store, new_game(store).id, picture, "w", place="0,0", source_photo="p", consent=True
    )
    monkeypatch.setenv(URL_VARIABLE, empty_url)
    assert train(FITTED, "--export", str(tmp_path / "out")) == 0
    table = (tmp_path / "out" / "labels.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[1] for line in table] == ["label", "w"]
