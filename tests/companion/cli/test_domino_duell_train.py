from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.cli.domino_duell import main
from companion.games.domino_duell.kind import DOMINO_DUELL
from companion.reading import domino_duell
from companion.reading.own_heads import DUEL_HEADS
from companion.store import open_store
from companion.store.labelled_squares import keep_square
from tests.vision.domino_duell.boards import corrected_hollows, few_known
from vision.domino_duell import refit
from vision.domino_duell.refit import read_folder
from vision.domino_duell.weights import OWN_HEAD, shipped


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    monkeypatch.delenv(OWN_HEAD, raising=False)
    known = few_known()
    monkeypatch.setattr(refit, "known_boards", lambda: known)
    shipped.cache_clear()
    yield
    os.environ.pop(OWN_HEAD, None)
    shipped.cache_clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hollows that were corrected and kept, as the command exports them."""
    root = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patched:
        address = f"sqlite:///{(root / 'games.sqlite').as_posix()}"
        patched.setenv("KINGDOMINO_DATABASE_URL", address)
        store, hollows = open_store(), corrected_hollows()
        games = {each: store.create_game(DOMINO_DUELL.key).id for each in set(hollows.sessions)}
        for number, patch in enumerate(hollows.patches):
            keep_square(
                store,
                games[hollows.sessions[number]],
                patch,
                hollows.labels[number],
                place=str(number),
                source_photo="photo",
                consent=True,
            )
        store.close()
        assert main(["--language", "en", "train", "--export", str(root / "out")]) == 0
        assert main(["--language", "en", "train", "--export", str(root / "out")]) == 2
    return root / "out"


@pytest.mark.slow
def test_what_is_exported_is_what_was_kept(folder: Path) -> None:
    found, kept = read_folder(folder), corrected_hollows()
    assert found.left_out == 0
    assert sorted(found.labels) == sorted(kept.labels)
    sizes = [sorted(map(each.sessions.count, set(each.sessions))) for each in (found, kept)]
    assert sizes[0] == sizes[1]
    off = [
        min(np.abs(patch.astype(int) - other).mean() for other in kept.patches)
        for patch in found.patches[:20]
    ]
    assert max(off) < 2


@pytest.mark.slow
def test_training_is_used_by_workers_and_undone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "en", "train", "--from", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "Pictures held back" in said
    assert "domino-duell train --undo" in said
    newest = DUEL_HEADS.newest()
    assert newest is not None
    domino_duell.warm_up()
    assert os.environ[OWN_HEAD] == str(newest)
    assert shipped().head is not None

    assert main(["--language", "en", "train", "--undo"]) == 0
    assert DUEL_HEADS.newest() is None
    os.environ.pop(OWN_HEAD)
    shipped.cache_clear()
    domino_duell.warm_up()
    assert shipped().head is None
    assert main(["--language", "en", "train", "--undo"]) == 1


def test_reading_uses_it(tmp_path: Path) -> None:
    from companion.reading.domino_duell import BOARDS
    from vision.photo import PhotoError

    newest = DUEL_HEADS.install(b"nothing")
    with pytest.raises(PhotoError):
        BOARDS.read_here(str(tmp_path / "missing.jpg"))
    assert os.environ[OWN_HEAD] == str(newest)


@pytest.mark.slow
def test_what_is_not_better_is_not_used(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few"
    few.mkdir()
    lines = (folder / "labels.csv").read_text(encoding="utf-8").splitlines()[:20]
    (few / "labels.csv").write_text("\n".join(lines), encoding="utf-8")
    assert main(["--language", "de", "train", "--from", str(few)]) == 1
    assert "Nichts geändert" in capsys.readouterr().out
    assert DUEL_HEADS.newest() is None


def test_wrong_folders_are_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "train", "--from", str(tmp_path)]) == 2
    assert "labels.csv" in capsys.readouterr().err
