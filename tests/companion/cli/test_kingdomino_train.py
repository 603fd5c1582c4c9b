from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from companion.cli.kingdomino import main
from companion.games.kingdomino.kind import KINGDOMINO
from companion.reading.own_heads import KINGDOMINO_HEADS
from companion.store import open_store
from tests.vision.kingdomino.squares import few_squares, strange_squares
from vision.kingdomino import refit
from vision.kingdomino.result import OUTPUTS
from vision.kingdomino.weights import OWN_HEAD, Head, named_head


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", f"sqlite:///{(tmp_path / 'a.sqlite').as_posix()}")
    monkeypatch.delenv(OWN_HEAD, raising=False)
    monkeypatch.setattr(refit, "known_squares", few_squares)
    yield
    os.environ.pop(OWN_HEAD, None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Squares of an edition in strange colours, as they are exported."""
    path = tmp_path / "squares"
    path.mkdir()
    strange = strange_squares()
    with (path / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("file", "label", "source_photo", "session"))
        for number, picture in enumerate(strange.patches):
            Image.fromarray(picture).save(path / f"{number}.png")
            name, label = f"{number}.png", strange.labels[number]
            writer.writerow((name, label, strange.sessions[number], strange.sessions[number]))
    return path


@pytest.mark.slow
def test_training_is_used_and_undone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "train", "--from", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "pictures from" in said
    assert "Pictures held back" in said
    newest = KINGDOMINO_HEADS.newest()
    assert newest is not None
    assert Head.load(newest).bias.shape == (len(OUTPUTS),)
    os.environ[OWN_HEAD] = str(newest)
    assert named_head() is not None
    assert main(["--language", "en", "train", "--undo"]) == 0
    assert KINGDOMINO_HEADS.newest() is None
    assert main(["--language", "en", "train", "--undo"]) == 1


def test_what_is_not_better_is_not_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "labels.csv").read_text(encoding="utf-8").splitlines()[:20]
    (folder / "labels.csv").write_text("\n".join(lines), encoding="utf-8")
    assert main(["--language", "de", "train", "--from", str(folder)]) == 1
    assert "Nichts geändert" in capsys.readouterr().out
    assert KINGDOMINO_HEADS.newest() is None


def test_wrong_folders_are_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "train", "--from", str(tmp_path)]) == 2
    assert "labels.csv" in capsys.readouterr().err


def test_kept_squares_are_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from companion.store.labelled_squares import keep_square

    store = open_store()
    game = store.create_game(KINGDOMINO.key)
    patch = few_squares().patches[0]
    keep_square(store, game.id, patch, "w1", place="0,0", source_photo="p", consent=True)
    store.close()
    out = tmp_path / "out"
    assert main(["--language", "en", "train", "--export", str(out)]) == 0
    assert "1 pictures" in capsys.readouterr().out
    assert (out / "labels.csv").is_file()
    assert main(["--language", "en", "train", "--export", str(out)]) == 2
