"""Folders of labelled pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from vision.common.geometry import resized_patches
from vision.common.refit import LabelledSquares
from vision.photo import labelled
from vision.photo.labelled import FolderError, read_labelled

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


def test_a_table_that_a_spreadsheet_wrote_is_read_too(tmp_path: Path) -> None:
    found = read_folder(folder_with(tmp_path, "\ufeff" + HEADER + "red.png,w1,p,Käthe\n"))
    assert (found.labels, found.sessions) == (("w1",), ("Käthe",))


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    lines = "red.png,w1,p,s\nred.png,f3,p,s\nmissing.png,w,p,s\n../outside.png,w,p,s\n"
    lines += "labels.csv,w,p,s\na\0b.png,w,p,s\n"
    found = read_folder(folder_with(tmp_path, HEADER + lines))
    assert found.labels == ("w1",)
    assert found.left_out == 5


def test_of_an_endless_table_so_many_lines_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled, "_MOST", 2)
    found = read_folder(folder_with(tmp_path, HEADER + "red.png,w1,p,s\n" * 5))
    assert (len(found), found.left_out) == (2, 0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of Unix")
def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, HEADER + "pipe.png,w1,p,s\nred.png,.,p,s\n")
    os.mkfifo(folder / "pipe.png")
    found = read_folder(folder)
    assert (found.labels, found.left_out) == ((".",), 1)


@pytest.mark.parametrize(("lines", "code"), [("", "bad_labels"), ("a,b\n1,2\n", "bad_labels")])
def test_another_table_is_refused(lines: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=code):
        read_folder(folder_with(tmp_path, lines))


def test_a_folder_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="no_labels"):
        read_folder(tmp_path)
    (tmp_path / "labels.csv").write_bytes("file,label,session\nMöwe.png,w1,a\n".encode("cp1252"))
    with pytest.raises(FolderError, match="no_labels"):
        read_folder(tmp_path)
