from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from vision.photo.errors import PhotoError
from vision.photo.files import file_bytes


def code_of(path: str | Path, max_bytes: int = 1000) -> str:
    with pytest.raises(PhotoError) as refused:
        file_bytes(path, max_bytes)
    return refused.value.code


def test_all_bytes_of_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"\xff\xd8\xff" + bytes(997))
    assert file_bytes(path, 1000) == path.read_bytes()
    assert code_of(path, 999) == "too_many_bytes"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices of Unix")
def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f.jpg")
    for path in (tmp_path / "f.jpg", "/dev/zero", "/dev/null", "/dev/tty"):
        assert code_of(path) in {"not_a_file", "missing_file"}
    assert code_of(tmp_path / "f.jpg") == "not_a_file"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EACCES, "not_permitted"),
        (errno.EPERM, "not_permitted"),
        (errno.EIO, "not_readable"),
        (errno.ENXIO, "not_a_file"),
        (errno.ENOENT, "missing_file"),
        (errno.ENAMETOOLONG, "missing_file"),
    ],
)
def test_each_fault_has_its_code(
    number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", failing)
    assert code_of(tmp_path / "a.jpg") == code


def test_a_folder_that_may_not_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_of(tmp_path) == "is_folder"

    def failing(path: str) -> None:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(os, "scandir", failing)
    assert code_of(tmp_path) == "not_permitted"


@pytest.mark.parametrize("name", ["", "x" * 300, "a\0b.jpg", "no/such.jpg"])
def test_names_that_no_file_has(name: str) -> None:
    assert code_of(name) == "missing_file"
